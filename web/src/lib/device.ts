// What this device remembers: a name, the language, and the keys of the seats it has taken.

export interface Seatings {
  keys: string[];
  variant: string;
  at: number;
}

interface Memory {
  name: string;
  language: string;
  autoPass: boolean;
  tables: Record<string, Seatings>;
}

const PLACE = "qwixx";
const MOST_TABLES = 50;

function remembered(): Memory {
  const fresh: Memory = { name: "", language: "", autoPass: true, tables: {} };
  try {
    return { ...fresh, ...(JSON.parse(localStorage.getItem(PLACE) ?? "{}") as Partial<Memory>) };
  } catch {
    return fresh;
  }
}

export const memory: Memory = remembered();

export function remember(change: Partial<Memory>): void {
  Object.assign(memory, change);
  localStorage.setItem(PLACE, JSON.stringify(memory));
}

export function keysOf(table: string): string[] {
  return memory.tables[table]?.keys ?? [];
}

export function addKeys(table: string, keys: string[], variant: string): void {
  const all = [...new Set([...keysOf(table), ...keys])];
  const tables = { ...memory.tables, [table]: { keys: all, variant, at: Date.now() } };
  const newest = Object.entries(tables).sort(([, a], [, b]) => b.at - a.at);
  remember({ tables: Object.fromEntries(newest.slice(0, MOST_TABLES)) });
}
