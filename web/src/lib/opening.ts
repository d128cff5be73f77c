// Opening a table: the seats' keys come back once and are kept on this device.

import { addKeys } from "./device.svelte";
import type { NewTable, OpenedTable, Refusal } from "./protocol";
import { refused } from "./sentences";
import { say } from "./words";

/** What bots are called. */
export const NAMES = ["Robin", "Kim", "Alex", "Toni", "Mika", "Lou", "Jo", "Sam"];

/** The bot that most people want: neither the weakest nor one that knows everything. Bots come weakest first. */
export const usualBot = (bots: string[]): string => bots[1] ?? bots[0] ?? "";

/** Opens a table and goes there; says what is wrong if that cannot be done. */
export async function openTable(table: NewTable): Promise<string> {
  const answer = await fetch("/api/tables", { method: "POST", body: JSON.stringify(table) }).catch(() => null);
  if (!answer) return say("offline");
  if (!answer.ok) return refused(undefined, (await answer.json()) as Refusal);
  const opened = (await answer.json()) as OpenedTable;
  addKeys(opened.table, Object.values(opened.keys));
  location.assign(`/t/${opened.table}`);
  return "";
}
