/** Rounds of the background, every few seconds; the work of a round is loaded by the first one. */
import type { Logger } from "../../lib/logger.js";
import type { Reconciler } from "./reconcile.js";

const INTERVAL_MS = 15_000;

export interface Rounds extends Reconciler {
  /** Starts runs every few seconds, on a timer that keeps no process alive. */
  start(): void;
  stop(): void;
}

export function createRounds(opened: () => Promise<Reconciler>, logger: Logger): Rounds {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const run = async (endsAt?: number) => (await opened()).run(endsAt);
  return {
    run,
    start() {
      if (timer || stopped) return;
      timer = setInterval(() => {
        run().catch((error: unknown) =>
          logger.error({ error }, "payment: completing an open payment failed; the next round tries again"),
        );
      }, INTERVAL_MS);
      timer.unref();
    },
    stop() {
      stopped = true;
      clearInterval(timer);
    },
  };
}
