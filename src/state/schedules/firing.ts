/** Schedules that fire in this round, also those of wallets that are at work when it begins. */
import type { Database } from "../database/database.js";
import { runDueSchedules } from "./run-due.js";

/** How often, and after how long, schedules of wallets that were at work are looked for again. */
const BUSY_TRIES = 10;
const BUSY_MS = 50;

interface Clocked {
  database: Database;
  now(): Promise<Date>;
  onUnreadable(table: string, error: Error): void;
  maxBytes: number;
}

export interface Firing {
  /** Fires a batch; true where more may be due. */
  look(): Promise<boolean>;
  /** Waits a moment for wallets that were at work; false where there are none, or where they go on and on. */
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
      if (!hasBusy || tries-- === 0) return false;
      await new Promise<void>((resolve) => setTimeout(resolve, BUSY_MS).unref());
      return true;
    },
  };
}
