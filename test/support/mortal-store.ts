/** A store that fails at one of its operations, done or not: some times, or for good, as for a process that was killed. */
import type { Store } from "../../src/stores/store.js";

export interface Fate {
  /** Operations that still go well. */
  left: number;
  /** Whether the one that fails took effect. */
  done: boolean;
  /** Whether nothing comes back any more. */
  forGood: boolean;
}

export interface Fated {
  store: Store;
  /** What was asked of it, as "put channel" or "get reply". */
  asked: string[];
  /** At what it failed, once it has. */
  failed: Promise<string>;
}

export function fated(store: Store, fate: Fate): Fated {
  const asked: string[] = [];
  let fall = (_at: string) => {};
  const failed = new Promise<string>((resolve) => {
    fall = resolve;
  });
  let isDead = false;
  const never = () => new Promise<never>(() => {});
  const step = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    if (isDead) return never();
    asked.push(name);
    if (fate.left-- !== 0) return work();
    if (fate.done) await work();
    isDead = fate.forGood;
    fall(name);
    if (isDead) return never();
    throw new Error("connection reset");
  };
  const kindOf = (key: string) => key.split(":")[0] ?? "";
  return {
    asked,
    failed,
    store: {
      shared: true,
      get: (key) => step(`get ${kindOf(key)}`, () => store.get(key)),
      put: (key, ...rest) => step(`put ${kindOf(key)}`, () => store.put(key, ...rest)),
      remove: (key, ...rest) => step(`remove ${kindOf(key)}`, () => store.remove(key, ...rest)),
      increment: (key, ...rest) => step(`increment ${kindOf(key)}`, () => store.increment(key, ...rest)),
      due: (...args) => step("due", () => store.due(...args)),
      list: (...args) => step("list", () => store.list(...args)),
      close: async () => {},
    },
  };
}

interface Failure {
  /** Whether it takes effect. */
  done: boolean;
  times?: number;
  /** The error is not seen earlier. */
  until?: Promise<unknown>;
}

/** A store whose next operation of a kind and key fails, after it took effect or before. */
export function failingAt() {
  let next: (Failure & { name: string; times: number }) | undefined;
  const wrap = (store: Store): Store => {
    const step = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      if (next?.name !== name || next.times-- <= 0) return work();
      const { done, until } = next;
      if (done) await work();
      await until;
      throw new Error("connection reset");
    };
    const kindOf = (key: string) => key.split(":")[0] ?? "";
    return {
      ...store,
      shared: true,
      get: (key) => step(`get ${kindOf(key)}`, () => store.get(key)),
      put: (key, ...rest) => step(`put ${kindOf(key)}`, () => store.put(key, ...rest)),
      remove: (key, ...rest) => step(`remove ${kindOf(key)}`, () => store.remove(key, ...rest)),
    };
  };
  return {
    wrap,
    fail(name: string, failure: Failure) {
      next = { times: 1, ...failure, name };
    },
  };
}
