// Everything the page says. en.json and de.json hold the sentences; the compiler and a test refuse a missing one.

import de from "./de.json";
import { memory, remember } from "./device.svelte";
import en from "./en.json";

export type Sentence = keyof typeof en;
type Facts = Record<string, string | number>;

const complete: Record<Sentence, string> = de;
export const german = (memory.language || navigator.language).startsWith("de");
const spoken: Record<string, string> = german ? complete : en;
document.documentElement.lang = german ? "de" : "en";

export function fill(sentence: string, facts: Facts): string {
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(facts[name] ?? ""));
}

export function say(sentence: Sentence, facts: Facts = {}): string {
  return fill(spoken[sentence] ?? sentence, facts);
}

/** A sentence that only one language may have, because the other gets it from the server. */
export function words(key: string): string | undefined {
  return spoken[key];
}

export function switchLanguage(): void {
  remember({ language: german ? "en" : "de" });
  location.reload();
}

/** “Ann, Bo and Cy” as the language has it. */
export function listed(names: string[]): string {
  return new Intl.ListFormat(german ? "de" : "en", { type: "conjunction" }).format(names);
}
