/** Running polls of this process, and the choice of polls that may start beside them. */
import { minuteOf, type Poller, poll } from "./poll.js";
import { claimPolls, expireWatchers, type PollGroup } from "./polls.js";

const MAX_POLLS = 8;

export interface Polling {
  /** Ends expired watchers, and starts due polls; true if there were any. */
  look(): Promise<boolean>;
  underWay(): Iterable<Promise<void>>;
  /** Number of handled watchers. */
  ended(): number;
}

export function createPolling(
  poller: Poller & { onUnreadable(table: string, error: Error): void },
  onFailed: (error: unknown) => void,
): Polling {
  const { database, onUnreadable } = poller;
  const tasks = new Set<Promise<void>>();
  /** Endpoints that were asked as often as they may be, with the minute in which that was. */
  const exhausted = new Map<string, number>();
  let ended = 0;

  const begin = (group: PollGroup, minute: number) => {
    const task = poll(poller, group)
      .then((watchers) => {
        if (watchers === undefined) exhausted.set(group.endpoint, minute);
        ended += watchers ?? 0;
      }, onFailed)
      .finally(() => tasks.delete(task));
    tasks.add(task);
  };
  return {
    underWay: () => tasks,
    ended: () => ended,
    async look() {
      const limit = MAX_POLLS - tasks.size;
      if (limit <= 0) return false;
      const now = await poller.now();
      const expired = await expireWatchers(database, now);
      ended += expired;
      const minute = minuteOf(now);
      const tired = [...exhausted].filter(([, since]) => since === minute).map(([endpoint]) => endpoint);
      const groups = await claimPolls(database, now, { limit, exhausted: tired, onUnreadable });
      for (const group of groups) begin(group, minute);
      return groups.length + expired > 0;
    },
  };
}
