/** Makes the bounds of a host's floods, and measures how late the event loop is. */
import { onWorkers } from "../lib/packages/platform.js";
import type { FloodOptions } from "./flood-options.js";
import { createFloods, type Floods } from "./floods.js";

const READ_EVERY_MS = 1000;

export const openFloods = async (options: true | FloodOptions): Promise<Floods> =>
  createFloods(options === true ? {} : options, { lagMs: await lagMeter() });

/** The worst delay of the last second, at most a second old. */
async function lagMeter(): Promise<() => number> {
  if (onWorkers()) return () => 0;
  const { monitorEventLoopDelay } = await import("node:perf_hooks");
  const delays = monitorEventLoopDelay({ resolution: 20 });
  delays.enable();
  let [readAt, lag] = [performance.now(), 0];
  return () => {
    if (performance.now() - readAt < READ_EVERY_MS) return lag;
    readAt = performance.now();
    lag = delays.max / 1e6;
    delays.reset();
    return lag;
  };
}
