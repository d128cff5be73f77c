// What this device remembers: a name, how its owner likes to play, and the keys of the seats it has taken.

import type { TableView } from "./protocol";

export interface Seating {
  keys: string[];
  game: string;
  names: string[];
  over: boolean;
  at: number;
  /** The hash of the secret that the dice follow from, as it was first told. */
  promise?: string;
  /** What the bots had added to the dice by then, also those that may fill an open seat; and which seats were open. */
  bots?: Record<number, string>;
  open?: number[];
  /** What this device's seats added to the dice. */
  words?: Record<number, string>;
}

interface Memory {
  name: string;
  language: string;
  autoPass: boolean;
  sound: boolean;
  shortcuts: boolean;
  tables: Record<string, Seating>;
}

const PLACE = "qwixx";
const MOST_TABLES = 50;

function remembered(): Memory {
  const fresh: Memory = { name: "", language: "", autoPass: true, sound: false, shortcuts: true, tables: {} };
  try {
    return { ...fresh, ...(JSON.parse(localStorage.getItem(PLACE) ?? "{}") as Partial<Memory>) };
  } catch {
    return fresh;
  }
}

export const memory: Memory = $state(remembered());

export function remember(change: Partial<Memory>): void {
  Object.assign(memory, change);
  localStorage.setItem(PLACE, JSON.stringify(memory));
}

export function keysOf(table: string): string[] {
  return memory.tables[table]?.keys ?? [];
}

function keep(table: string, change: Partial<Seating>): void {
  const known = memory.tables[table] ?? { keys: [], game: "", names: [], over: false, at: 0 };
  const tables = { ...memory.tables, [table]: { ...known, ...change, at: Date.now() } };
  const newest = Object.entries(tables).sort(([, a], [, b]) => b.at - a.at);
  remember({ tables: Object.fromEntries(newest.slice(0, MOST_TABLES)) });
}

export function addKeys(table: string, keys: string[]): void {
  keep(table, { keys: [...new Set([...keysOf(table), ...keys])] });
}

/** A key for a seat: made here and kept before it is sent, so that it cannot be lost on the way. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}

export function dropKey(table: string, key: string): void {
  keep(table, { keys: keysOf(table).filter((each) => each !== key) });
}

/** Keeps what the start page says about a table of this device. */
export function noteTable(table: TableView, game: string): void {
  if (!memory.tables[table.id]) return;
  keep(table.id, { game, names: table.seats.map((seat) => seat.name), over: table.state?.phase === "over" });
}

/** Keeps what the server fixed before it heard this device's words: the secret's hash, and what its bots add. */
export function keepPromise(table: TableView): void {
  if (!table.fair || !memory.tables[table.id] || promiseOf(table.id)) return;
  const kindOf = (seat: number): string | undefined => table.seats[seat]?.kind;
  const bots = Object.entries(table.fair.added).filter(([seat]) => kindOf(Number(seat)) !== "person");
  const open = [...table.seats.keys()].filter((seat) => kindOf(seat) === "open");
  keep(table.id, { promise: table.fair.commitment, bots: Object.fromEntries(bots), open });
}

export const promiseOf = (table: string): string => memory.tables[table]?.promise ?? "";

/** The seats whose bots' words are not those that were told before the game; a person may have taken an open seat. */
export function changedBots(table: TableView): number[] {
  const { bots, open = [] } = memory.tables[table.id] ?? {};
  if (!bots) return [];
  return table.seats.flatMap((seat, number) => {
    const bound = number in bots ? !(open.includes(number) && seat.kind === "person") : seat.kind === "bot";
    return bound && table.fair?.added[number] !== bots[number] ? [number] : [];
  });
}

export const wordsOf = (table: string): Record<number, string> => memory.tables[table]?.words ?? {};

/** What a seat adds to the dice: kept before it is sent, so that its place in the dice can be checked. */
export function wordFor(table: string, seat: number): string {
  const word = wordsOf(table)[seat] ?? newKey();
  keep(table, { words: { ...wordsOf(table), [seat]: word } });
  return word;
}

/** The next game of the same people is on the list as soon as it is open. */
export function followOn(table: TableView): void {
  const here = memory.tables[table.id];
  if (!here?.keys.length || !table.rematch || memory.tables[table.rematch]) return;
  keep(table.rematch, { ...here, over: false, promise: undefined, bots: undefined, open: undefined, words: undefined });
}

export function forget(table: string): void {
  const { [table]: _, ...rest } = memory.tables;
  remember({ tables: rest });
}
