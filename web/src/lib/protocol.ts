// Made from src/qwixx/server/protocol.py by `make types`. Do not edit.

/** Add a random word, from which the dice follow, too. It counts if it comes before the game begins; a seat's first
    word stays. */
export interface Add {
  type: "add";
  id: number;
  seat: number;
  word: string;
}

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

/** Every game, and every bot from the weakest to the strongest. */
export interface Catalogue {
  games: GameInfo[];
  bots: string[];
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

/** Where chance comes from: the hash of a secret, what seats added, and, when the game is over, the secret itself;
    before that it is empty. What a bot of the server adds begins with `bot-` and is there from the start, also for an
    open seat that a bot may fill. */
export interface FairView {
  commitment: string;
  added: Record<string, string>;
  secret: string;
}

/** What a client needs to draw a game's sheet and dice; the rules stay on the server. */
export interface GameInfo {
  key: string;
  name: string;
  summary: string;
  seats: number[];
  colours: Record<string, string>;
  rows: string[][];
  misthrows: number;
  misthrow_cost: number;
  sides: number;
  lucky: number[][];
  paper: boolean;
}

/** Let a bot play for a seat that is away or that nobody took; an empty name ends it. */
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

/** A finished game, event by event. */
export interface History {
  names: string[];
  steps: Step[];
}

/** Take an open seat, that one or the first, with a key of the client's own: long, random, told to nobody. */
export interface Join {
  type: "join";
  id: number;
  name: string;
  key: string;
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
  dice?: "paper" | "real" | "server";
  clock?: number;
}

/** Who moves the game on from here. */
export type Node = "chance" | "over" | "simultaneous" | "single";

/** One line of the table's log, as everybody may see it. */
export interface Note {
  version: number;
  kind: "clock" | "closed" | "corrected" | "decided" | "handed" | "joined" | "misthrow" | "over" | "rematch" | "rolled" | "settled" | "took-back";
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

/** Why a request over HTTP is not granted. */
export interface Problem {
  code: "bot" | "crowded" | "full" | "hello" | "illegal" | "key" | "malformed" | "name" | "origin" | "over" | "paper" | "present" | "seat" | "seats" | "size" | "slow-down" | "stale" | "start" | "storage" | "table" | "taken" | "turn" | "variant" | "waiting";
  text: string;
}

/** The request is not granted, and nothing has changed. `after` are the seconds until it is worth another try, where
    waiting helps. */
export interface Refusal {
  type: "refusal";
  id: number;
  code: "bot" | "crowded" | "full" | "hello" | "illegal" | "key" | "malformed" | "name" | "origin" | "over" | "paper" | "present" | "seat" | "seats" | "size" | "slow-down" | "stale" | "start" | "storage" | "table" | "taken" | "turn" | "variant" | "waiting";
  text: string;
  why?: Why | null;
  after?: number;
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

/** The seat is yours; the key that came with the request opens it. */
export interface Seated {
  type: "seated";
  id: number;
  seat: number;
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

/** One event of a finished game, and what it led to; the first step has no event. */
export interface Step {
  state: StateJson;
  outcome?: string;
  choices?: Record<string, string>;
}

/** The table as one client may see it: `state` as a spectator sees it, and what belongs to the own seats.

    `asked_at` is the version since which the same thing is being decided; `to_roll` are the colours of the dice that
    are to be rolled next, if dice are; `left` are the seconds that the clock still gives; `watching` counts those who
    hold no seat; `misthrows` are the legal actions that would be one; `fair` is there where the server rolls the dice. */
export interface TableView {
  id: string;
  version: number;
  asked_at: number;
  variant: string;
  dice: "paper" | "real" | "server";
  clock: number;
  left: number | null;
  watching: number;
  rematch: string;
  seats: SeatView[];
  you: number[];
  state: StateJson | null;
  to_roll: string[];
  hands: Record<string, string[]>;
  legal: Record<string, string[]>;
  misthrows: Record<string, string[]>;
  chosen: Record<string, string>;
  fair: FairView | null;
}

/** Take a choice back that is not settled yet. */
export interface TakeBack {
  type: "take-back";
  id: number;
  seat: number;
}

/** Somebody at the paper table closed a row, or ended the game if none is named. */
export interface Tell {
  type: "tell";
  id: number;
  row?: number | null;
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

export type Request = Hello | Join | Add | Choose | TakeBack | EnterDice | HandOver | Ask | Tell | Rematch;
export type Answer = Update | Seated | Done | Refusal | Explained;
