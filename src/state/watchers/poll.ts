/** One poll: a question that was asked lately is not asked again, and none more often than its endpoint bears. */

import type { Database } from "../database/database.js";
import type { Answers } from "./answers.js";
import { conclude, putPollsBack, type Question } from "./polls.js";

const MINUTE_MS = 60_000;
/** Over all endpoints, and of one. */
const PER_MINUTE = 120;
const PER_ENDPOINT = 30;

/** What polling needs of a host. */
export interface Poller {
  database: Database;
  answers: Answers;
  /** How much a wallet may have. */
  maxBytes: number;
  /** Calls an endpoint, unpaid. Rejects as the call does. */
  ask(endpoint: string, params: Record<string, unknown>): Promise<unknown>;
  now(): Promise<Date>;
  mayStart(name: string, max: number, by?: number): Promise<boolean>;
}

export const minuteOf = (now: Date): number => Math.floor(now.getTime() / MINUTE_MS);

/** Resolves to how many watchers it was for; undefined where there were too many polls this minute. */
export async function poll(poller: Poller, question: Question): Promise<number | undefined> {
  const { database, answers } = poller;
  const now = await poller.now();
  let answer = answers.find(question, now);
  if (!answer) {
    if (!(await mayPoll(poller, question, minuteOf(now)))) {
      await putPollsBack(database, question);
      return undefined;
    }
    answer = answers.find(question, now);
  }
  if (!answer) {
    answer = poller.ask(question.endpoint, JSON.parse(question.params));
    answers.keep(question, answer, now);
  }
  await conclude(poller, question, answer);
  return question.watchers.length;
}

const mayPoll = async ({ mayStart }: Poller, { endpoint }: Question, minute: number): Promise<boolean> =>
  (await mayStart(`polls ${endpoint} ${minute}`, PER_ENDPOINT)) && mayStart(`polls ${minute}`, PER_MINUTE);
