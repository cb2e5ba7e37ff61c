/** Runs one poll: equal questions share a recent answer, and each endpoint has a limit. */

import type { Database } from "../database/database.js";
import type { Answers } from "./answers.js";
import { type PollGroup, putPollsBack, recordPollResult } from "./polls.js";

const MINUTE_MS = 60_000;
/** Limits over all endpoints, and for one. */
const PER_MINUTE = 120;
const PER_ENDPOINT = 30;

/** Dependencies of polling. */
export interface Poller {
  database: Database;
  answers: Answers;
  /** Quota of a wallet in bytes. */
  maxBytes: number;
  /** Calls an endpoint without payment. Rejects as the call does. */
  ask(endpoint: string, params: Record<string, unknown>): Promise<unknown>;
  now(): Promise<Date>;
  mayStart(name: string, max: number, by?: number): Promise<boolean>;
}

export const minuteOf = (now: Date): number => Math.floor(now.getTime() / MINUTE_MS);

/** Resolves to the number of watchers; undefined if this minute's limit is reached. */
export async function poll(poller: Poller, group: PollGroup): Promise<number | undefined> {
  const { database, answers } = poller;
  const now = await poller.now();
  let answer = answers.find(group, now);
  if (!answer) {
    if (!(await mayPoll(poller, group, minuteOf(now)))) {
      await putPollsBack(database, group);
      return undefined;
    }
    answer = answers.find(group, now);
  }
  if (!answer) {
    answer = poller.ask(group.endpoint, JSON.parse(group.params));
    answers.keep(group, answer, now);
  }
  await recordPollResult(poller, group, answer);
  return group.watchers.length;
}

const mayPoll = async ({ mayStart }: Poller, { endpoint }: PollGroup, minute: number): Promise<boolean> =>
  (await mayStart(`polls ${endpoint} ${minute}`, PER_ENDPOINT)) && mayStart(`polls ${minute}`, PER_MINUTE);
