// One client's connection to a table: keeps it open, says what the player wants, holds what the server tells.

import { keepPromise, keysOf, wordFor } from "./device.svelte";
import type { Answer, Note, Refusal, Request, TableView } from "./protocol";

type Wish = Request extends infer Each ? (Each extends Request ? Omit<Each, "id"> : never) : never;

const SHORTEST_PAUSE = 250;
const LONGEST_PAUSE = 5000;

export class Connection {
  table = $state.raw<TableView | null>(null);
  notes = $state.raw<Note[]>([]);
  connected = $state(false);
  failed = $state(false);
  gone = $state.raw<Refusal | null>(null);
  #socket: WebSocket | null = null;
  #waiting = new Map<number, (answer: Answer | null) => void>();
  #adding = new Set<number>();
  #count = 0;
  #pause = SHORTEST_PAUSE;
  #later = 0;

  /** A spectator shows no keys, also where this device holds some. */
  constructor(
    readonly id: string,
    readonly watching: boolean,
  ) {
    this.#connect();
    addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => this.#hurry());
  }

  /** Asks the server; null if the connection was lost before the answer came. */
  ask(wish: Wish): Promise<Answer | null> {
    if (this.#socket?.readyState !== WebSocket.OPEN) return Promise.resolve(null);
    const id = ++this.#count;
    this.#socket.send(JSON.stringify({ ...wish, id }));
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  #hurry(): void {
    if (this.connected || this.gone || document.hidden) return;
    clearTimeout(this.#later);
    this.#socket?.close();
    this.#connect();
  }

  #connect(): void {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/ws`);
    this.#socket = socket;
    socket.onopen = () => {
      this.connected = true;
      void this.#hello();
    };
    socket.onmessage = (message: MessageEvent<string>) => this.#hear(JSON.parse(message.data) as Answer);
    socket.onclose = () => {
      if (this.#socket === socket) this.#lost();
    };
  }

  async #hello(): Promise<void> {
    const keys = this.watching ? [] : keysOf(this.id);
    const answer = await this.ask({ type: "hello", table: this.id, keys, since: this.table?.version ?? 0 });
    if (answer?.type !== "refusal") return;
    if (answer.after) this.#socket?.close();
    else this.gone = answer;
  }

  /** Each seat of this device adds a random word before the game begins, so that the server cannot choose the dice. */
  #beforeTheGame(table: TableView): void {
    if (!table.fair) return;
    keepPromise(table);
    const still = table.you.filter((seat) => !(seat in (table.fair?.added ?? {})) && !this.#adding.has(seat));
    for (const seat of still) {
      this.#adding.add(seat);
      void this.ask({ type: "add", seat, word: wordFor(table.id, seat) });
    }
  }

  #lost(): void {
    this.#adding.clear();
    this.connected = false;
    this.failed = true;
    for (const resolve of this.#waiting.values()) resolve(null);
    this.#waiting.clear();
    this.#later = window.setTimeout(() => this.#connect(), this.#pause);
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
  }

  #hear(answer: Answer): void {
    if (answer.type === "update") {
      this.#pause = SHORTEST_PAUSE;
      this.table = answer.table;
      if (answer.notes.length) this.notes = [...this.notes, ...answer.notes];
      if (!this.notes.some((note) => note.kind === "rolled")) this.#beforeTheGame(answer.table);
      return;
    }
    if (answer.type === "refusal" && answer.after) this.#pause = Math.max(this.#pause, 1000 * answer.after);
    this.#waiting.get(answer.id)?.(answer);
    this.#waiting.delete(answer.id);
  }
}
