import { setTimeout as sleep } from "node:timers/promises";

export interface Retries {
  /** How often it is tried at most, the first time included. */
  attempts: number;
  /** Whether an error may be gone when it is tried again. */
  isPassing(error: unknown): boolean;
  /** The pause after an attempt, in milliseconds; attempts count from 1. */
  pauseMs(attempt: number): number;
}

/** Runs work again while its error may pass; rejects with the last one. */
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
