/**
 * All waiting of a simulated world: nothing happens but the next event, and time passes only between two events. What
 * production code asks the platform for (timers, the current time, random ids) comes from here too, so that a seed
 * decides everything.
 */
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";
import type { Random } from "./random.js";

interface Event {
  at: number;
  order: number;
  work: () => void;
}

const START = Date.UTC(2026, 0, 1);
/** Longer than any scenario: whatever still goes on then goes on for ever. */
const MAX_EVENTS = 40_000;

export class Timeline {
  /** Epoch milliseconds. */
  now = START;
  /** What happened, for a seed that is looked at; undefined otherwise. */
  log: string[] | undefined;
  /** How many turns of the event loop real promises take to go on: streams need more than one. */
  turns = 1;
  /** How many milliseconds nothing need be going to happen. */
  patience = 0;
  readonly #queue: Event[] = [];
  readonly #realWork = new Set<Promise<unknown>>();
  #order = 0;
  #events = 0;

  note(what: () => string): void {
    this.log?.push(`${((this.now - START) / 1000).toFixed(3).padStart(9)}  ${what()}`);
  }

  at(delayMs: number, work: () => void): Event {
    const event = { at: this.now + delayMs, order: this.#order++, work };
    this.#push(event);
    return event;
  }

  /** Time stands still until some real work is done. */
  stopFor(work: Promise<unknown>): void {
    this.#realWork.add(work);
    void work.then(() => this.#realWork.delete(work));
  }

  async #settled(): Promise<void> {
    do {
      await Promise.all(this.#realWork);
      for (let i = 0; i < this.turns; i++) await turn();
    } while (this.#realWork.size > 0);
  }

  /** Something is loaded for the first time, perhaps. */
  async #awaited(): Promise<void> {
    for (let tries = 0; tries < this.patience && this.#queue.length === 0; tries++) await realPause();
  }

  sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.at(delayMs, resolve));
  }

  /** Lets events happen until `done`, calling `check` after each. */
  async run(done: () => boolean, check: () => void): Promise<void> {
    await this.#settled();
    while (!done()) {
      if (this.#queue.length === 0) await this.#awaited();
      if (done()) break;
      const event = this.#pop();
      if (!event) throw new Error("Everybody waits and nothing is going to happen.");
      if (event.work === idle) continue;
      if (++this.#events > MAX_EVENTS) throw new Error("The world does not come to rest.");
      this.now = Math.max(this.now, event.at);
      event.work();
      await this.#settled();
      check();
    }
  }

  // A binary heap by time, and by age within the same moment.
  #push(event: Event): void {
    const queue = this.#queue;
    let slot = queue.push(event) - 1;
    while (slot > 0) {
      const parent = (slot - 1) >> 1;
      const above = queue[parent];
      if (!above || isBefore(above, event)) break;
      queue[slot] = above;
      slot = parent;
    }
    queue[slot] = event;
  }

  #pop(): Event | undefined {
    const queue = this.#queue;
    const first = queue[0];
    const last = queue.pop();
    if (!first || !last || queue.length === 0) return first;
    let slot = 0;
    for (;;) {
      let child = 2 * slot + 1;
      const [left, right] = [queue[child], queue[child + 1]];
      if (!left) break;
      if (right && isBefore(right, left)) child++;
      const better = queue[child];
      if (!better || isBefore(last, better)) break;
      queue[slot] = better;
      slot = child;
    }
    queue[slot] = last;
    return first;
  }
}

const idle = () => {};
const isBefore = (a: Event, b: Event) => a.at < b.at || (a.at === b.at && a.order < b.order);
const realImmediate = setImmediate;
const realTimeout = setTimeout;
const realPause = () => new Promise<void>((resolve) => void realTimeout(resolve, 1));
/** Every promise that could go on has gone on: microtasks all run before the next turn of the event loop. */
const turn = () => new Promise<void>((resolve) => realImmediate(resolve));

let present: Timeline | undefined;

/** The timeline of the world that this thread is in. */
export function presentTimeline(): Timeline {
  if (!present) throw new Error("no world was entered");
  return present;
}

/** Puts this process into the world of a timeline. There is one at a time. */
export function enter(timeline: Timeline, random: Random): void {
  present = timeline;
  Object.assign(timers, { setTimeout: (delayMs: number) => timeline.sleep(delayMs) });
  Object.assign(crypto, {
    randomInt: (from: number, end: number) => random.int(from, end - 1),
    randomUUID: () => `00000000-0000-4000-8000-${random.hex(6)}`,
    // A store's secret; it need not differ, and signatures that are remembered must not use chance up.
    randomBytes: (size: number) => Buffer.alloc(size, 7),
  });
  syncBuiltinESMExports();
  // Deadlines are timers.
  globalThis.setTimeout = ((work: () => void, delayMs = 0) => {
    const event = timeline.at(delayMs, work);
    return { event, unref() {} };
  }) as unknown as typeof setTimeout;
  globalThis.clearTimeout = ((timer?: { event: Event }) => {
    if (timer) timer.event.work = idle;
  }) as unknown as typeof clearTimeout;
  // The reconciler's own timer: ticks are events of the world instead.
  globalThis.setInterval = (() => ({ unref() {} })) as unknown as typeof setInterval;
  globalThis.clearInterval = () => {};
  performance.now = () => timeline.now - START;
}
