/** Signals that something became due, so that the sender on this database need not wait for its next round. */
import type { Database } from "../database/database.js";

const sleepers = /* @__PURE__ */ new WeakMap<Database, Set<() => void>>();

export function onDue(database: Database, listener: () => void): void {
  const known = sleepers.get(database) ?? new Set();
  sleepers.set(database, known.add(listener));
}

export function notifyDue(database: Database): void {
  for (const listener of sleepers.get(database) ?? []) listener();
}
