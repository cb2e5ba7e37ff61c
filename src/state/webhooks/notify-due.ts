/** Something became due: whoever sends from that database need not wait for its next look. */
import type { Database } from "../database/database.js";

const sleepers = /* @__PURE__ */ new WeakMap<Database, Set<() => void>>();

export function onDue(database: Database, listener: () => void): void {
  const known = sleepers.get(database) ?? new Set();
  sleepers.set(database, known.add(listener));
}

export function notifyDue(database: Database): void {
  for (const listener of sleepers.get(database) ?? []) listener();
}
