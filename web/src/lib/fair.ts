// Fair dice, checked here: everything that chance decided is worked out again from the secret, as docs/fair-dice.md has it.
// Written apart from the server's own code on purpose, and without the browser's crypto, which plain http does not have.

import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { colourOf, numberOf } from "./games";
import type { FairView, GameInfo, History } from "./protocol";

const CONSTRUCTION = "qwixx fair 1";
const BOT_MARK = "bot-";

export const hashOf = (secret: string): string => bytesToHex(sha256(hexToBytes(secret)));

function seedOf(fair: FairView): Uint8Array {
  const seats = Object.keys(fair.added).map(Number).sort((a, b) => a - b);
  const lines = [CONSTRUCTION, ...seats.map((seat) => `${seat + 1} ${fair.added[seat]}`)];
  return hmac(sha256, hexToBytes(fair.secret), utf8ToBytes(lines.join("\n")));
}

function* bytesOf(seed: Uint8Array, outcome: number): Generator<number, never> {
  const text = new DataView(new ArrayBuffer(12));
  text.setBigUint64(0, BigInt(outcome));
  for (let block = 0; ; block += 1) {
    text.setUint32(8, block);
    yield* hmac(sha256, seed, new Uint8Array(text.buffer));
  }
}

/** Which of `size` equally likely values the game's outcome of that number has. */
function drawn(seed: Uint8Array, outcome: number, size: bigint): bigint {
  const bits = size > 1n ? (size - 1n).toString(2).length : 0;
  const bytes = bytesOf(seed, outcome);
  for (;;) {
    let value = 0n;
    for (let taken = 0; taken < Math.ceil(bits / 8); taken += 1) value = (value << 8n) | BigInt(bytes.next().value);
    value &= (1n << BigInt(bits)) - 1n;
    if (value < size) return value;
  }
}

type Draw = (size: bigint) => bigint;

/** A draw that was made as several smaller ones, the first of which changes fastest. */
function split(draw: Draw, sizes: number[]): number[] {
  let left = draw(sizes.reduce((product, size) => product * BigInt(size), 1n));
  return sizes.map((size) => {
    const part = Number(left % BigInt(size));
    left /= BigInt(size);
    return part;
  });
}

function roll(told: string[], game: GameInfo, draw: Draw): string {
  const pips = split(draw, told.map(() => game.sides)).map((part) => part + 1);
  return told.map((die, place) => (place < 2 ? `${pips[place]}` : `${colourOf(die)}${pips[place]}`)).join(" ");
}

function shuffle(told: string[], draw: Draw): string {
  const left = [...told].sort((a, b) => numberOf(a) - numberOf(b) || (colourOf(a) < colourOf(b) ? -1 : 1));
  return split(draw, left.map((_, place) => left.length - place)).flatMap((place) => left.splice(place, 1)).join(" ");
}

function lucky(dealt: string[], game: GameInfo, draw: Draw): string {
  const left = game.lucky.map((pair) => pair.join(" ")).filter((pair) => !dealt.includes(pair));
  return left[Number(draw(BigInt(left.length)))] ?? "";
}

/** The steps of a finished game that do not follow from its secret. */
export function unlike(game: GameInfo, history: History, fair: FairView): number[] {
  const seed = seedOf(fair);
  const wrong: number[] = [];
  const dealt: string[] = [];
  let outcomes = 0;
  history.steps.forEach((step, number) => {
    if (!step.outcome) return;
    const [kind = "", ...told] = step.outcome.split(" ");
    const draw: Draw = (size) => drawn(seed, outcomes, size);
    const due: Record<string, () => string> = {
      begins: () => `${draw(BigInt(history.names.length)) + 1n}`,
      "start-die": () => `${draw(BigInt(game.sides)) + 1n}`,
      lucky: () => lucky(dealt, game, draw),
      roll: () => roll(told, game, draw),
      shuffle: () => shuffle(told, draw),
    };
    if (due[kind]?.() !== told.join(" ")) wrong.push(number);
    if (kind === "lucky") dealt.push(told.join(" "));
    outcomes += 1;
  });
  return wrong;
}

/** The seats that added a word and are not the server's own bots. */
export const playersIn = (fair: FairView): number[] => Object.keys(fair.added).map(Number).filter((seat) => !fair.added[seat]?.startsWith(BOT_MARK));
export const outcomesIn = (history: History): number => history.steps.filter((step) => step.outcome).length;
