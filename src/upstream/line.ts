/**
 * Who is next at an upstream, whose requests may be long: payers take turns, and neither one of them nor all strangers
 * together have every place.
 */
import { CapabilityError } from "../errors.js";
import { abortError, beforeAbort } from "../lib/abort.js";
import type { Caller, Payer } from "../lib/threads/payer.js";
import { createPlaces } from "../lib/threads/places.js";
import { excused } from "../lib/threads/task-errors.js";
import { createTurns, isStranger } from "../lib/threads/turns.js";

/** More would wait longer than their callers do. */
const MAX_WAITING = 500;
const RETRY_AFTER_SECONDS = 5;

interface Job {
  payer: Payer | undefined;
  /** Waiting work is kept in memory by its call, so it is counted nowhere else. */
  bytes: 0;
  refuse(): void;
  start(): Promise<void>;
}

export interface WaitingLine {
  /**
   * Runs work when it has a place. Rejects with OVERLOADED if too much waits; of a full line, the payer who has most in it
   * loses its last work to one who has less. A call that ends leaves the line, and its place.
   */
  run<T>(work: () => Promise<T>, caller: Caller): Promise<T>;
}

export function createLine(name: string, size: number): WaitingLine {
  const places = createPlaces<Job>({ maxOfOne: MAX_WAITING, max: MAX_WAITING, maxBytes: Number.POSITIVE_INFINITY });
  const turns = createTurns();
  const running = new Set<Job>();
  const most = size - Math.floor(size / 4);

  /** The host's own work has no bound. */
  function mayStart(job: Job): boolean {
    const isFree = (isLike: (other: Job) => boolean) => [...running].filter(isLike).length < most;
    if (isStranger(job) && !isFree(isStranger)) return false;
    return !job.payer || isFree(({ payer }) => payer?.name === job.payer?.name);
  }

  function fill(): void {
    while (running.size < size) {
      const next = turns.next(places.lists, mayStart);
      if (!next) return;
      places.leave(next.payer?.name, next);
      turns.started(next);
      void hold(next);
    }
  }

  async function hold(job: Job): Promise<void> {
    const from = performance.now();
    running.add(job);
    await job.start();
    running.delete(job);
    turns.took(job.payer?.name, performance.now() - from);
    fill();
  }

  return {
    run: <T>(work: () => Promise<T>, { signal, payer }: Caller) =>
      new Promise<T>((resolve, reject) => {
        if (signal.aborted) return reject(abortError(signal, name));
        const leave = () => {
          if (places.leave(payer?.name, job)) reject(excused(abortError(signal, name)));
        };
        const job: Job = {
          ...{ payer, bytes: 0 },
          refuse() {
            signal.removeEventListener("abort", leave);
            reject(overloaded(name));
          },
          async start() {
            signal.removeEventListener("abort", leave);
            // Work that goes on after its call has ended keeps no place.
            await beforeAbort((async () => work())(), signal).then(resolve, reject);
          },
        };
        signal.addEventListener("abort", leave, { once: true });
        if (places.enter(payer?.name, job)) fill();
        else job.refuse();
      }),
  };
}

const overloaded = (name: string) =>
  new CapabilityError("OVERLOADED", `Too many calls wait for ${name}.`, {
    excused: true,
    retryAfter: RETRY_AFTER_SECONDS,
  });
