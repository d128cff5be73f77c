// Made from src/qwixx/server/protocol.py by `make types`. Do not edit.

/** Why is this cell not available to me? */
export interface Ask {
  type: "ask";
  id: number;
  seat: number;
  cell: string;
}

/** A hidden card is `?` and its number; an empty place of the tableau is null. */
export interface CardsJson {
  discards: string[];
  hands: string[][];
  pile: string[];
  tableau: (string | null)[];
}

/** Choose for a seat; `version` is the table's as the player saw it. */
export interface Choose {
  type: "choose";
  id: number;
  seat: number;
  action: string;
  version: number;
}

/** The request is granted, and what it changed is on disk. */
export interface Done {
  type: "done";
  id: number;
}

/** Real dice were rolled, and this is what they show. */
export interface EnterDice {
  type: "enter-dice";
  id: number;
  outcome: string;
}

/** Why a cell is not available; nothing if it is. */
export interface Explained {
  type: "explained";
  id: number;
  seat: number;
  cell: string;
  why?: Why | null;
}

/** Let a bot play for a seat that is away; an empty name ends it. */
export interface HandOver {
  type: "hand-over";
  id: number;
  seat: number;
  bot?: string;
}

/** Sit down at a table with the keys one holds, or watch; `since` is the last version seen. */
export interface Hello {
  type: "hello";
  id: number;
  table: string;
  keys?: string[];
  since?: number;
}

/** Take an open seat, that one or the first. */
export interface Join {
  type: "join";
  id: number;
  name: string;
  seat?: number | null;
}

/** A seat of a table to be opened: somebody on this device, a friend by link, or a bot. */
export interface NewSeat {
  kind: "bot" | "open" | "person";
  name?: string;
  bot?: string;
}

/** A table to be opened. */
export interface NewTable {
  variant: string;
  seats: NewSeat[];
  board?: string;
  start?: "draw" | "first-six" | null;
  dice?: "real" | "server";
  clock?: number;
}

/** Who moves the game on from here. */
export type Node = "chance" | "over" | "simultaneous" | "single";

/** One line of the table's log, as everybody may see it. */
export interface Note {
  version: number;
  kind: "clock" | "closed" | "decided" | "handed" | "joined" | "misthrow" | "over" | "rematch" | "rolled" | "settled" | "took-back";
  seat?: number | null;
  row?: number | null;
  text?: string;
  choices?: Record<string, string>;
}

/** A table that was opened, with a key for each seat of this device. */
export interface OpenedTable {
  table: string;
  keys: Record<string, string>;
}

/** What comes next: a chance event, or a decision. */
export type Phase = "call" | "colour" | "lucky" | "over" | "play" | "roll" | "shuffle" | "start" | "take" | "white";

/** The request is not granted, and nothing has changed. */
export interface Refusal {
  type: "refusal";
  id: number;
  code: string;
  text: string;
  why?: Why | null;
}

/** Play again with the same seats; the same keys open them. */
export interface Rematch {
  type: "rematch";
  id: number;
}

export interface RollJson {
  coloured: Record<string, number>;
  white: number[];
}

export interface RowJson {
  closed: boolean;
  crosses: string[];
  lock: boolean;
  points: number;
}

/** A seat as everybody sees it. */
export interface SeatView {
  name: string;
  kind: "bot" | "open" | "person";
  bot: string;
  away: boolean;
  decided: boolean;
}

/** The seat is yours; its key is told to nobody else and never again. */
export interface Seated {
  type: "seated";
  id: number;
  seat: number;
  key: string;
}

export interface SheetJson {
  lucky: number[];
  misthrows: number;
  rows: RowJson[];
  total: number;
}

/** A state or a view. Seats count from 0, as the list of sheets does. */
export interface StateJson {
  acting: number[];
  active: number;
  cards: CardsJson | null;
  crossed: boolean;
  node: Node;
  phase: Phase;
  roll: RollJson | null;
  sheets: SheetJson[];
}

/** The table as one client may see it: `state` as a spectator sees it, and what belongs to the own seats.

    `to_roll` are the colours of the dice that are to be rolled next, if dice are. */
export interface TableView {
  id: string;
  version: number;
  variant: string;
  dice: "real" | "server";
  clock: number;
  rematch: string;
  seats: SeatView[];
  you: number[];
  state: StateJson | null;
  to_roll: string[];
  hands: Record<string, string[]>;
  legal: Record<string, string[]>;
  chosen: Record<string, string>;
}

/** Take a choice back that is not settled yet. */
export interface TakeBack {
  type: "take-back";
  id: number;
  seat: number;
}

/** The table has a new version: what happened since the last, and how it stands. */
export interface Update {
  type: "update";
  notes: Note[];
  table: TableView;
}

/** A rule's reason: its number, its kind with what fills it in (to be translated), and the English sentence. */
export interface Why {
  rule: string;
  kind: string;
  facts: Record<string, string | number>;
  text: string;
}

export type Request = Hello | Join | Choose | TakeBack | EnterDice | HandOver | Ask | Rematch;
export type Answer = Update | Seated | Done | Refusal | Explained;
