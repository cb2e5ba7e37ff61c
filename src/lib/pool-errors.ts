/** Pools that already have a listener, because several hosts may share one. */
const heard = /* @__PURE__ */ new WeakSet<object>();

/**
 * Without a listener a pool ends the process when the server closes an idle connection; the next query reports the
 * error.
 */
export function survive(pool: { on?(event: "error", listener: (error: Error) => void): unknown }): void {
  if (heard.has(pool)) return;
  heard.add(pool);
  pool.on?.("error", () => {});
}
