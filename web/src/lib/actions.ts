// What an action's text says, so that taps can be matched with it. What is legal, the server says.

export interface Option {
  action: string;
  kind: "pass" | "cross" | "take" | "play";
  lucky: boolean;
  marks: string[];
  cards: string[];
  slots: string[];
}

const SLOTS = "abcdefgh";

export function option(action: string): Option {
  const [word = "", ...rest] = action.split(" ");
  const base: Option = { action, kind: "cross", lucky: word.startsWith("*"), marks: [], cards: [], slots: [] };
  if (word === "pass") return { ...base, kind: "pass" };
  if (word === "take") return { ...base, kind: "take", slots: rest };
  if (word !== "play") return { ...base, marks: [word.replace("*", "")] };
  const cut = rest.includes("x") ? rest.indexOf("x") : rest.length;
  const faces = rest.slice(0, cut);
  const colour = faces.map((face) => face.split("=")[1]).find(Boolean) ?? faces[0]?.charAt(0) ?? "";
  const cards = faces.map((face) => face.split("=")[0] ?? face);
  return { ...base, kind: "play", cards, marks: rest.slice(cut + 1).map((number) => colour + number) };
}

export function slotName(place: number): string {
  return SLOTS.charAt(place);
}

const same = (a: string[], b: string[]): boolean => a.length === b.length && a.every((each) => b.includes(each));
const within = (a: string[], b: string[]): boolean => a.every((each) => b.includes(each));

/** The option that fits what is picked: the cells and the slots exactly, the cards exactly if any were picked. */
export function chosen(options: Option[], cells: string[], cards: string[], slots: string[]): Option | undefined {
  if (!cells.length && !cards.length && !slots.length) return undefined;
  const fitting = options.filter(
    (each) => same(each.marks, cells) && same(each.slots, slots) && (cards.length ? same(each.cards, cards) : true),
  );
  return fitting.sort((a, b) => a.cards.length - b.cards.length)[0];
}

/** The cells that can be picked: all that an option crosses, with the cards that are picked. */
export function reachable(options: Option[], cards: string[]): Set<string> {
  return new Set(options.filter((each) => within(cards, each.cards)).flatMap((each) => each.marks));
}
