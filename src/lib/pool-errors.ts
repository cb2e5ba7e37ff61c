/** Pools that somebody listens to already: several hosts may share one. */
const heard = /* @__PURE__ */ new WeakSet<object>();

/** A pool without a listener ends the process when the server closes an idle connection; the next query tells. */
export function survive(pool: { on?(event: "error", listener: (error: Error) => void): unknown }): void {
  if (heard.has(pool)) return;
  heard.add(pool);
  pool.on?.("error", () => {});
}
