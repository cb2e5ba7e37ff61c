/** Caches answers of polls for half of the shorter interval, for watchers with the same question. */
import { keepNewest } from "../../lib/bounded.js";
import type { PollGroup } from "./polls.js";

const MAX_KEPT = 200;
/** Larger answers are shared only while they are being requested. */
const MAX_KEPT_BYTES = 256 * 1024;

interface Kept {
  answer: Promise<unknown>;
  askedAt: number;
  everySeconds: number;
}

export interface Answers {
  find(group: PollGroup, now: Date): Promise<unknown> | undefined;
  keep(group: PollGroup, answer: Promise<unknown>, now: Date): void;
}

export function createAnswers(): Answers {
  const kept = new Map<string, Kept>();
  const isFresh = ({ askedAt, everySeconds }: Kept, now: Date) =>
    Math.abs(now.getTime() - askedAt) < (everySeconds * 1000) / 2;

  return {
    find(group, now) {
      const known = kept.get(group.question);
      if (!known) return undefined;
      const everySeconds = Math.min(known.everySeconds, group.everySeconds);
      return isFresh({ ...known, everySeconds }, now) ? known.answer : undefined;
    },
    keep(group, answer, now) {
      for (const [key, one] of kept) if (!isFresh(one, now)) kept.delete(key);
      const key = group.question;
      const one = { answer, askedAt: now.getTime(), everySeconds: group.everySeconds };
      keepNewest(kept, key, one, MAX_KEPT);
      const drop = () => kept.get(key) === one && kept.delete(key);
      answer.then(
        (data) => JSON.stringify(data).length > MAX_KEPT_BYTES && drop(),
        () => {},
      );
    },
  };
}
