/**
 * Which tasks may have a thread at the same time. What is likely to be quick may have any place, and has one that nothing else
 * gets; what is not as quick as it seemed makes way. Strangers never have all places, run one task at a time for each, and
 * make way for each other once.
 */
import { keepNewest } from "../bounded.js";
import type { Payer } from "./payer.js";
import { isStranger, type Queued } from "./turns.js";

/** A quick task takes no longer. */
const QUICK_MS = 400;
/** The first task of a thread runs code that was never run there. */
const COLD_MS = 600;
/** A stranger's task that takes longer makes way for another stranger's. */
const SLICE_MS = 2000;
/** A thread may need so long to start and to load its engine, which is nobody's task. */
const START_MS = 2000;
/** How long a stranger's tasks are not expected to be quick after one that was not. */
const SLOW_FOR_MS = 60_000;
const MAX_KNOWN = 2000;
/** On a busy machine a task's time passes more slowly, because a thread that waits for a processor is not slow; by no more than this. */
const MAX_STRETCH = 3;
const GRAIN_MS = 5;

/** Processor time of this process. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

export interface LaneTask extends Queued {
  isQuick: boolean;
  /** Whether it made way for others before. */
  madeWay: boolean;
}

export interface Lanes<T extends LaneTask> {
  readonly running: number;
  /** Whether a task is expected to be quick: it is likely to be, and there is a place for those. */
  isQuick(payer: Payer | undefined, isLikely: boolean): boolean;
  /** A task has a thread, whose own start follows. */
  start(one: T): void;
  /** The thread works on it: the first of its tasks, or a later one. */
  began(one: T, isFirst: boolean): void;
  end(one: T): void;
  mayStart(one: T): boolean;
  /** The running task that makes way for another one. */
  inTheWayOf(one: T): T | undefined;
}

/** `onOverdue` is called when a running task may have to make way. */
export function createLanes<T extends LaneTask>(size: number, onOverdue: () => void): Lanes<T> {
  const running = new Map<T, NodeJS.Timeout>();
  const overdue = new Set<T>();
  const slowPayers = new Map<string, number>();
  const most = { slow: Math.max(1, size - 1), strangers: Math.max(2, size - 1), slowStrangers: Math.max(1, size - 2) };

  function watch(one: T, ms: number): void {
    clearTimeout(running.get(one));
    running.set(
      one,
      setTimeout(() => late(one), ms),
    );
  }

  /** Counts what its thread had of a processor: its share of what all of ours had. */
  function watchQuick(one: T, ms: number): void {
    clearTimeout(running.get(one));
    const [from, cpuFrom] = [performance.now(), processorMs()];
    const look = () => {
      const past = performance.now() - from;
      const left = ms - Math.min(past, (processorMs() - cpuFrom) / running.size);
      if (left < GRAIN_MS || past >= ms * MAX_STRETCH) late(one);
      else running.set(one, setTimeout(look, left));
    };
    running.set(one, setTimeout(look, ms));
  }

  function late(one: T): void {
    if (one.isQuick && one.payer) keepNewest(slowPayers, one.payer.name, performance.now(), MAX_KNOWN);
    if (one.isQuick) watch(one, SLICE_MS - QUICK_MS);
    one.isQuick = false;
    overdue.add(one);
    onOverdue();
  }

  /** Of all places, how many are taken without this task, and may it have another one? */
  function fits(one: T, without?: T): boolean {
    const others = [...running.keys()].filter((other) => other !== without);
    if (others.length >= size) return false;
    const strangers = others.filter(isStranger);
    if (isStranger(one)) {
      // guard: threads: a stranger has one at a time |
      //   - || strangers.some(({ payer }) => payer?.name === one.payer?.name) | threads/turns
      if (one.payer?.isUndecided || strangers.some(({ payer }) => payer?.name === one.payer?.name)) return false;
      // guard: threads: strangers never have all places | gone | threads/turns
      if (strangers.length >= most.strangers) return false;
    }
    return one.isQuick || fitsSlow(one, others);
  }

  function fitsSlow(one: T, others: readonly T[]): boolean {
    const slow = others.filter(({ isQuick }) => !isQuick);
    return slow.length < most.slow && (!isStranger(one) || slow.filter(isStranger).length < most.slowStrangers);
  }

  /** More than may be slow at a time are, since nobody else needed the places. */
  function isTooMuch(): boolean {
    const slow = [...running.keys()].filter(({ isQuick }) => !isQuick);
    return slow.length > most.slow || slow.filter(isStranger).length > most.slowStrangers;
  }

  return {
    get running() {
      return running.size;
    },
    isQuick(payer, isLikely) {
      if (!isLikely || size === 1) return false;
      if (!payer || payer.isKnown) return true;
      return performance.now() - (slowPayers.get(payer.name) ?? Number.NEGATIVE_INFINITY) > SLOW_FOR_MS;
    },
    start: (one) => (one.isQuick ? watchQuick(one, START_MS + QUICK_MS) : watch(one, START_MS + SLICE_MS)),
    began(one, isFirst) {
      if (!running.has(one)) return;
      if (one.isQuick) watchQuick(one, QUICK_MS + (isFirst ? COLD_MS : 0));
      else watch(one, SLICE_MS);
    },
    end(one) {
      clearTimeout(running.get(one));
      running.delete(one);
      overdue.delete(one);
    },
    mayStart: (one) => fits(one),
    inTheWayOf(one) {
      // guard: threads: what is not as quick as it seemed makes way | isTooMuch() -> false | threads/turns
      const makesWay = (other: T) =>
        one.isQuick ? isTooMuch() : isStranger(other) && !other.madeWay && !one.madeWay && other.payer !== one.payer;
      return [...overdue].findLast((other) => makesWay(other) && fits(one, other));
    },
  };
}
