// What the table says in words: actions, outcomes, notes, reasons, and the one sentence that says what is asked.

import { option } from "./actions";
import { botName, cellName, colourName, numberOf, rowName } from "./games";
import type { GameInfo, Note, Refusal, TableView, Why } from "./protocol";
import { fill, listed, say, words } from "./words";

const SLOTS = "abcdefgh";
const MARKS = ["cell", "last", "mark", "card"];

/** An action as a button says it, or as the log does when it is no longer to be chosen. */
export function describe(game: GameInfo, table: TableView, action: string, past = false): string {
  const what = option(action);
  const costs = !past && Object.values(table.misthrows).some((actions) => actions.includes(action));
  if (what.kind === "pass") return say(costs ? "passMisthrow" : "pass");
  if (what.kind === "take") {
    const cards = what.slots.map((slot) => table.state?.cards?.tableau[SLOTS.indexOf(slot)]?.slice(1) ?? slot);
    return say("take", { cards: listed(cards) });
  }
  if (what.kind === "play") return describePlay(game, action, costs);
  return say(action.startsWith("*") ? "crossLucky" : "crossCell", { cell: cellName(game, what.marks[0] ?? "") });
}

function describePlay(game: GameInfo, action: string, costs: boolean): string {
  const what = option(action);
  const played = say("play", { cards: listed(what.cards.map((card) => cardName(game, card))) });
  if (!what.marks.length) return costs ? `${played}, ${say("noCross")}` : played;
  return `${played}: ${say("crossCell", { cell: listed(what.marks.map((mark) => cellName(game, mark))) })}`;
}

export function cardName(game: GameInfo, card: string): string {
  return card.startsWith("J") ? say("joker", { number: numberOf(card) }) : cellName(game, card);
}

/** A reason in the page's language: English comes from the rules themselves. */
export function because(game: GameInfo, why: Why, table?: TableView | null): string {
  const seatName = (number: unknown): string => table?.seats[Number(number) - 1]?.name ?? String(number);
  const sentence = words(`why.${why.kind}`);
  if (!sentence) return `${capital(why.text.replace(/\bseat (\d)\b/, (_, number) => seatName(number)))} (${why.rule}).`;
  const facts = Object.entries(why.facts).map(([name, fact]) => {
    if (MARKS.includes(name)) return [name, cellName(game, String(fact))];
    if (name === "active" || name === "seat") return [name, seatName(fact)];
    return [name, name === "colour" ? colourName(game, String(fact)) : fact];
  });
  return `${fill(sentence, Object.fromEntries(facts))} (${why.rule}).`;
}

export function refused(game: GameInfo | undefined, refusal: Pick<Refusal, "code" | "text"> & { why?: Why | null }, table?: TableView | null): string {
  if (refusal.why && game) return because(game, refusal.why, table);
  return words(`refusal.${refusal.code}`) ?? refusal.text;
}

function rolled(game: GameInfo, table: TableView, text: string): string {
  const [kind, ...rest] = text.split(" ");
  if (kind === "begins") return say("begins", { name: table.seats[Number(rest[0]) - 1]?.name ?? "" });
  if (kind === "start-die") return say("startDie", { number: rest[0] ?? "" });
  if (kind === "lucky") return say("luckyDealt", { numbers: listed(rest) });
  if (kind === "shuffle") return say("shuffled");
  const [first = "", second = "", ...coloured] = rest;
  const dice = coloured.map((die) => cellName(game, die)).join(", ");
  return say("rolled", { first, second, sum: Number(first) + Number(second), dice });
}

/** One line of the table's log. */
export function announce(game: GameInfo, table: TableView, note: Note): string {
  return capital(told(game, table, note));
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function told(game: GameInfo, table: TableView, note: Note): string {
  const name = table.seats[note.seat ?? -1]?.name ?? "";
  switch (note.kind) {
    case "settled":
      return Object.entries(note.choices ?? {})
        .map(([seat, action]) => `${table.seats[Number(seat)]?.name}: ${describe(game, table, action, true)}`)
        .join("; ");
    case "corrected":
      return say("corrected");
    case "rolled":
      return rolled(game, table, note.text ?? "");
    case "closed":
      if (name) return say("closesOwn", { name, row: rowName(game, note.row ?? 0) });
      return say(game.sides ? "closedDie" : "closed", { row: rowName(game, note.row ?? 0) });
    case "handed":
      return note.text ? say("botPlays", { name, bot: botName(note.text) }) : say("isBack", { name });
    case "over":
      return verdict(table);
    case "rematch":
      return say("rematchOpen");
    default:
      return say(`note.${note.kind}`, { name });
  }
}

export function verdict(table: TableView): string {
  const totals = table.state?.sheets.map((sheet) => sheet.total) ?? [];
  const best = Math.max(...totals);
  if (totals.length === 1) return say("soloOver", { number: best });
  const names = totals.flatMap((total, seat) => (total === best ? [table.seats[seat]?.name ?? ""] : []));
  return say(names.length > 1 ? "shared" : "won", { names: listed(names), number: best });
}

/** What is asked of a seat of this device, or what everybody waits for. */
export function sentence(game: GameInfo, table: TableView, seat: number | undefined, asked: boolean): string {
  const now = table.state;
  if (!now) return say("waiting");
  if (now.phase === "over") return verdict(table);
  const mine = seat === undefined ? undefined : table.chosen[seat];
  if (mine !== undefined && !asked) return say("chosen", { action: describe(game, table, mine) });
  const turn = whoseTurn(table);
  if (!asked || seat === undefined) return turn;
  const sum = now.roll?.white.reduce((a, b) => a + b, 0) ?? 0;
  switch (now.phase) {
    case "white":
      return `${turn} ${say("cross", { number: sum })}`;
    case "colour":
      return say("crossColour");
    case "take":
      return say("takeCards", { number: option(table.legal[seat]?.[0] ?? "").slots.length });
    case "call":
      return say("called", { number: numberOf(now.cards?.pile[0] ?? "") });
    default:
      return say("playCards");
  }
}

function whoseTurn(table: TableView): string {
  const now = table.state;
  if (!now) return "";
  if (table.dice === "paper") return say(now.phase === "roll" ? "paperRoll" : now.roll && !Object.keys(now.roll.coloured).length ? "theirRoll" : "yourRoll");
  const people = table.you.length === 1 && table.you[0] === now.active;
  if (now.phase === "roll" && table.dice === "real") return people ? say("rollAndEnter") : say("rollsAndEnters", { name: table.seats[now.active]?.name ?? "" });
  if (now.cards) return people ? say("yourTurn") : say("turnOf", { name: table.seats[now.active]?.name ?? "" });
  return people ? say("yourRoll") : say("rolls", { name: table.seats[now.active]?.name ?? "" });
}
