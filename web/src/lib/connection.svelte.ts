// One client's connection to a table: keeps it open, says what the player wants, holds what the server tells.

import { addKeys, keysOf } from "./device";
import type { Answer, Note, Request, TableView } from "./protocol";

type Wish = Request extends infer Each ? (Each extends Request ? Omit<Each, "id"> : never) : never;

export class Connection {
  table = $state.raw<TableView | null>(null);
  notes = $state.raw<Note[]>([]);
  connected = $state(false);
  gone = $state("");
  #socket: WebSocket | null = null;
  #waiting = new Map<number, (answer: Answer) => void>();
  #count = 0;
  #closed = false;
  #pause = 250;

  constructor(readonly id: string) {
    this.#connect();
  }

  close(): void {
    this.#closed = true;
    this.#socket?.close();
  }

  ask(wish: Wish): Promise<Answer> {
    const id = ++this.#count;
    this.#socket?.send(JSON.stringify({ ...wish, id }));
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  #connect(): void {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.#socket = new WebSocket(`${scheme}//${location.host}/ws`);
    this.#socket.onopen = () => {
      this.connected = true;
      this.#pause = 250;
      const hello = { type: "hello", table: this.id, keys: keysOf(this.id), since: this.table?.version ?? 0 } as const;
      void this.ask(hello).then((answer) => {
        if (answer.type === "refusal") this.gone = answer.text;
      });
    };
    this.#socket.onmessage = (message: MessageEvent<string>) => this.#hear(JSON.parse(message.data) as Answer);
    this.#socket.onclose = () => {
      this.connected = false;
      this.#waiting.clear();
      if (this.#closed) return;
      setTimeout(() => this.#connect(), this.#pause);
      this.#pause = Math.min(this.#pause * 2, 5000);
    };
  }

  #hear(answer: Answer): void {
    if (answer.type === "update") {
      this.table = answer.table;
      this.notes = [...this.notes, ...answer.notes];
      return;
    }
    if (answer.type === "seated") addKeys(this.id, [answer.key], this.table?.variant ?? "");
    this.#waiting.get(answer.id)?.(answer);
    this.#waiting.delete(answer.id);
  }
}
