import { setTimeout as sleep } from "node:timers/promises";

export interface Retries {
  /** Maximum number of attempts, including the first. */
  attempts: number;
  /** Whether an error may be temporary. */
  isPassing(error: unknown): boolean;
  /** The pause after an attempt, in milliseconds; attempts count from 1. */
  pauseMs(attempt: number): number;
}

/** Repeats work while its error may be temporary; rejects with the last error. */
export async function retry<T>(work: () => Promise<T>, { attempts, isPassing, pauseMs }: Retries): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= attempts || !isPassing(error)) throw error;
      await sleep(pauseMs(attempt));
    }
  }
}
