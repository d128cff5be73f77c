// The games as the server describes them: enough to draw a sheet, no rules.

export interface Game {
  key: string;
  name: string;
  summary: string;
  seats: number[];
  colours: Record<string, string>;
  rows: string[][];
  misthrows: number;
  sides: number;
}

let loading: Promise<Game[]> | undefined;

export function games(): Promise<Game[]> {
  loading ??= fetch("/api/games").then((answer) => answer.json() as Promise<Game[]>);
  return loading;
}

const SHAPES: Record<string, string> = { red: "●", yellow: "▲", green: "■", blue: "◆" };
const FURTHER = ["★", "✚", "⬟", "⬢"];

export function colourOf(mark: string): string {
  return mark.replace("*", "").charAt(0);
}

export function numberOf(mark: string): number {
  return Number(mark.replace("*", "").slice(1));
}

/** The class that colours a cell, a card or a die; colours without a look of their own share one. */
export function shade(game: Game, letter: string): string {
  const name = game.colours[letter] ?? "";
  return name in SHAPES ? name : "other";
}

export function shape(game: Game, letter: string): string {
  const name = game.colours[letter] ?? "";
  return SHAPES[name] ?? FURTHER[Object.keys(game.colours).indexOf(letter) % FURTHER.length] ?? "?";
}
