// What the person at this device can do now, and what they have picked so far. What is legal, the server says.

import { untrack } from "svelte";
import { chosen, option, reachable, type Option } from "./actions";
import type { Connection } from "./connection.svelte";
import { memory } from "./device.svelte";
import type { GameInfo } from "./protocol";
import { because, refused } from "./sentences";
import { say } from "./words";

const TOAST_MS = 8000;

const toggled = (list: string[], item: string): string[] =>
  list.includes(item) ? list.filter((each) => each !== item) : [...list, item];

export class Seat {
  cells = $state<string[]>([]);
  cards = $state<string[]>([]);
  slots = $state<string[]>([]);
  toast = $state("");
  /** The action that would be a misthrow and has been asked for once. */
  warned = $state("");
  /** The seat whose cards may lie open, where several people share this device. */
  uncovered = $state<number | undefined>();

  readonly table = $derived.by(() => this.connection.table);
  readonly asked = $derived.by(() => {
    const table = this.table;
    return table?.you.filter((seat) => table.legal[seat]?.length && !(seat in table.chosen)) ?? [];
  });
  readonly me = $derived.by(() => this.asked[0] ?? this.table?.you[0]);
  readonly legal = $derived.by(() => (this.me === undefined || !this.asked.length ? [] : (this.table?.legal[this.me] ?? [])));
  readonly options = $derived.by(() => this.legal.map(option));
  readonly wish = $derived.by((): Option | undefined => chosen(this.options, this.cells, this.cards, this.slots));
  readonly available = $derived.by(() => reachable(this.options, this.cards));
  /** What this seat has chosen and the table has not settled yet. */
  readonly pending = $derived.by(() => (this.me === undefined ? undefined : this.table?.chosen[this.me]));
  readonly picked = $derived.by(() => new Set(this.pending && !this.asked.length ? option(this.pending).marks : this.cells));
  readonly shared = $derived.by(() => (this.table?.you.length ?? 0) > 1);
  /** Several people share this device and one of them is to see cards that the others must not. */
  readonly covered = $derived.by(() => this.secret && this.asked.length > 0 && this.me !== this.uncovered);
  readonly secret = $derived.by(() => this.shared && !!this.table?.state?.cards);
  readonly showsHand = $derived.by(() => !this.secret || (this.asked.length > 0 && this.me === this.uncovered));
  readonly mustPass = $derived.by(() => this.legal.length === 1 && this.legal[0] === "pass");
  /** What is being asked, and of whom: picks last until it changes. */
  readonly question = $derived.by(() => `${this.table?.asked_at} ${this.asked[0]}`);
  readonly canPass = $derived.by(() => this.legal.includes("pass"));

  constructor(
    readonly connection: Connection,
    readonly game: () => GameInfo | undefined,
  ) {
    $effect(() => {
      void this.question;
      this.clear();
    });
    $effect(() => {
      if (memory.autoPass && this.mustPass && this.question) void untrack(() => this.#passForMe());
    });
    $effect(() => {
      if (this.connection.connected) this.toast = "";
    });
    $effect(() => {
      if (!this.toast) return;
      const fading = setTimeout(() => (this.toast = ""), TOAST_MS);
      return () => clearTimeout(fading);
    });
    $effect(() => {
      if (this.asked[0] !== this.uncovered) this.uncovered = undefined;
    });
  }

  clear(): void {
    this.cells = this.cards = this.slots = [];
    this.warned = "";
  }

  /** Sends a choice; one that would be a misthrow is asked for twice. */
  async send(action: string): Promise<void> {
    const table = this.table;
    if (this.me === undefined || !table) return;
    if (table.misthrows[this.me]?.includes(action) && this.warned !== action) {
      this.warned = action;
      return;
    }
    await this.#send(this.me, action, table.version);
  }

  async #send(seat: number, action: string, version: number): Promise<boolean> {
    this.toast = "";
    return this.request({ type: "choose", seat, action, version });
  }

  async #passForMe(): Promise<void> {
    const table = this.table;
    if (this.me === undefined || !table) return;
    const missed = table.misthrows[this.me]?.includes("pass");
    const name = this.shared ? (table.seats[this.me]?.name ?? "") : "";
    if (await this.#send(this.me, "pass", table.version)) this.toast = [name, say(missed ? "nothingMisthrow" : "nothing")].filter(Boolean).join(": ");
  }

  async confirm(): Promise<void> {
    if (this.wish) await this.send(this.wish.action);
  }

  async pick(mark: string): Promise<void> {
    this.toast = this.warned = "";
    if (this.pending && !this.asked.length) return this.#changeMind(mark);
    if (this.cells.includes(mark) && this.wish) return this.confirm();
    if (this.cells.includes(mark)) this.cells = toggled(this.cells, mark);
    else if (this.available.has(mark)) this.cells = this.#goesWith(mark) ? [...this.cells, mark] : [mark];
    else await this.#askWhyNot(mark);
  }

  /** A tap after choosing takes the choice back; on another cell it picks that one instead. */
  async #changeMind(mark: string): Promise<void> {
    const same = this.picked.has(mark);
    const other = (this.table?.legal[this.me ?? -1] ?? []).some((action) => option(action).marks.includes(mark));
    if (!same && !other) return this.#askWhyNot(mark);
    await this.takeBack();
    if (!same && this.available.has(mark)) this.cells = [mark];
  }

  #goesWith(mark: string): boolean {
    const wanted = [...this.cells, mark];
    return this.options.some((each) => each.kind === "play" && wanted.every((cell) => each.marks.includes(cell)));
  }

  async #askWhyNot(mark: string): Promise<void> {
    const game = this.game();
    if (this.me === undefined || !game) return;
    const answer = await this.connection.ask({ type: "ask", seat: this.me, cell: mark });
    if (answer?.type === "explained" && answer.why) this.toast = because(game, answer.why, this.table);
  }

  pickCard(card: string): void {
    this.toast = this.warned = "";
    const wanted = toggled(this.cards, card);
    this.cards = this.options.some((each) => wanted.every((other) => each.cards.includes(other))) ? wanted : [card];
    this.cells = [];
  }

  pickSlot(slot: string): void {
    this.toast = "";
    const most = this.options[0]?.slots.length ?? 0;
    this.slots = toggled(this.slots, slot).slice(-most);
  }

  async takeBack(): Promise<void> {
    if (this.me === undefined) return;
    const answer = await this.connection.ask({ type: "take-back", seat: this.me });
    if (answer?.type === "refusal") this.toast = refused(this.game(), answer, this.table);
  }

  /** Asks for something that is no choice, and says what stands against it. */
  async request(wish: Parameters<Connection["ask"]>[0]): Promise<boolean> {
    this.toast = "";
    const answer = await this.connection.ask(wish);
    if (!answer) this.toast = say("lost");
    else if (answer.type === "refusal") this.toast = refused(this.game(), answer, this.table);
    return answer?.type === "done" || answer?.type === "seated";
  }

  uncover(): void {
    this.uncovered = this.me;
  }
}
