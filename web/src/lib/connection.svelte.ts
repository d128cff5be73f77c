// One client's connection to a table: keeps it open, says what the player wants, holds what the server tells.

import { keysOf } from "./device.svelte";
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
      this.#pause = SHORTEST_PAUSE;
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
    if (answer?.type === "refusal") this.gone = answer;
  }

  #lost(): void {
    this.connected = false;
    this.failed = true;
    for (const resolve of this.#waiting.values()) resolve(null);
    this.#waiting.clear();
    this.#later = window.setTimeout(() => this.#connect(), this.#pause);
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
  }

  #hear(answer: Answer): void {
    if (answer.type === "update") {
      this.table = answer.table;
      this.notes = [...this.notes, ...answer.notes];
      return;
    }
    this.#waiting.get(answer.id)?.(answer);
    this.#waiting.delete(answer.id);
  }
}
