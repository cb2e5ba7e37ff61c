/** Schedules that fire in this round, including those of wallets that are busy when it begins. */
import type { Database } from "../database/database.js";
import { runDueSchedules } from "./run-due.js";

/** How often, and after which pause, the schedules of busy wallets are retried. */
const BUSY_TRIES = 10;
const BUSY_MS = 50;

interface Clocked {
  database: Database;
  now(): Promise<Date>;
  onUnreadable(table: string, error: Error): void;
  maxBytes: number;
}

export interface Firing {
  /** Fires a batch; true if more may be due. */
  look(): Promise<boolean>;
  /** Waits a moment for busy wallets; false if there are none, or they stay busy. */
  waitForBusy(): Promise<boolean>;
  fired(): number;
}

export function createFiring(host: Clocked): Firing {
  let busy: string[] = [];
  let hasBusy = false;
  let tries = BUSY_TRIES;
  let fired = 0;
  return {
    fired: () => fired,
    async look() {
      const found = await runDueSchedules(host.database, await host.now(), { ...host, busy });
      fired += found.count;
      busy = [...busy, ...found.busy];
      if (found.count + found.busy.length > 0) return true;
      hasBusy = busy.length > 0;
      busy = [];
      return false;
    },
    async waitForBusy() {
      // guard: wallets: a round looks again for schedules of wallets that were at work |
      //   tries-- === -> tries >= | schedule
      if (!hasBusy || tries-- === 0) return false;
      await new Promise<void>((resolve) => setTimeout(resolve, BUSY_MS).unref());
      return true;
    },
  };
}
