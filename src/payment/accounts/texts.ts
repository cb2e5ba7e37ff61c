/** Spares the reading of a large record that this process has just written, and a hundred copies of one question. */
import { keepNewest } from "../../lib/bounded.js";
import { onWorkers } from "../../lib/packages/platform.js";

const MOST_KEPT = 32;

/** Records by the text that is stored of them. */
export interface Texts<R> {
  /** The record of a text: the same one for all who ask, so a change of it is kept under its new text at once. */
  read(id: string, text: string): R | undefined;
  keep(id: string, text: string, record: R): void;
  forget(id: string): void;
}

export function createTexts<R>(parse: (text: string) => R | undefined): Texts<R> {
  const kept = new Map<string, { text: string; record: R }>();
  const keep = (id: string, text: string, record: R) => keepNewest(kept, id, { text, record }, MOST_KEPT);
  return {
    keep,
    forget: (id) => void kept.delete(id),
    read(id, text) {
      const known = kept.get(id);
      if (known?.text === text) return known.record;
      const record = parse(text);
      if (record) keep(id, text, record);
      return record;
    },
  };
}

/**
 * A read that many ask for at once is made once for all of them. It begins after it was asked for, so that nobody gets
 * what was before.
 */
export function sharedReads<T>(read: (id: string) => Promise<T>): (id: string) => Promise<T> {
  // On Workers what one request waits for ends with another one's answer.
  if (onWorkers()) return read;
  const running = new Map<string, { now: Promise<unknown>; next?: Promise<T> }>();
  const begin = (id: string): Promise<T> => {
    const done = read(id);
    const entry = { now: done };
    running.set(id, entry);
    const end = () => {
      if (running.get(id) === entry) running.delete(id);
    };
    done.then(end, end);
    return done;
  };
  return (id) => {
    const there = running.get(id);
    if (!there) return begin(id);
    const after = () => begin(id);
    there.next ??= there.now.then(after, after);
    return there.next;
  };
}
