// The games as the server describes them: enough to draw a sheet, no rules.

import type { Catalogue, GameInfo, History } from "./protocol";
import { words } from "./words";

async function load<T>(address: string): Promise<T> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status} ${address}`);
  return (await answer.json()) as T;
}

/** Whether the server itself answers; everything else may come from what this device keeps. */
export const serverAnswers = (): Promise<boolean> => fetch("/healthz").then((answer) => answer.ok, () => false);
export const loadCatalogue = (): Promise<Catalogue> => load("/api/catalogue");
export const loadGame = (table: string): Promise<GameInfo> => load(`/api/tables/${table}/game`);
export const loadHistory = (table: string): Promise<History> => load(`/api/tables/${table}/history`);

/** A game's name and summary in the page's language; a board of one's own keeps what its file says. */
export const gameName = (game: GameInfo): string => words(`game.${game.key}`) ?? game.name;
export const gameSummary = (game: GameInfo): string => words(`game.${game.key}.summary`) ?? game.summary;
export const botName = (bot: string): string => words(`bot.${bot}`) ?? bot;
/** How a bot plays, in a line. */
export const botCharacter = (bot: string): string => words(`character.${bot}`) ?? "";

const SHAPES: Record<string, string> = { red: "●", yellow: "▲", green: "■", blue: "◆" };
const FURTHER = ["★", "✚", "⬟", "⬢"];

export function colourOf(mark: string): string {
  return mark.replace("*", "").charAt(0);
}

export function numberOf(mark: string): number {
  return Number(mark.replace("*", "").slice(1));
}

/** The class that colours a cell, a card or a die; colours without a look of their own share one. */
export function shade(game: GameInfo, letter: string): string {
  const name = game.colours[letter] ?? "";
  return name in SHAPES ? name : "other";
}

export function shape(game: GameInfo, letter: string): string {
  const name = game.colours[letter] ?? "";
  return SHAPES[name] ?? FURTHER[Object.keys(game.colours).indexOf(letter) % FURTHER.length] ?? "?";
}

/** A colour or a cell as one says it. */
export function colourName(game: GameInfo, letter: string): string {
  const name = game.colours[letter] ?? letter;
  return words(`colour.${name}`) ?? name;
}

export function cellName(game: GameInfo, mark: string): string {
  return `${colourName(game, colourOf(mark))} ${numberOf(mark)}`;
}

export function rowName(game: GameInfo, row: number): string {
  return colourName(game, colourOf(game.rows[row]?.at(-1) ?? ""));
}
