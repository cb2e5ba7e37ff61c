/** Runs one poll: equal questions share a recent answer, and each endpoint has a limit. */

import type { Database } from "../database/database.js";
import type { Answers } from "./answers.js";
import { type PollGroup, postponePolls, putPollsBack, recordPollResult } from "./polls.js";

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
  /** Rejects while the endpoint is not sold. */
  assertOpen(endpoint: string): Promise<void>;
  /** Rejects if the wallet that armed a watcher, by this key of its account, may not have it any more. */
  admit(run: {
    endpoint: string;
    params: Record<string, unknown>;
    wallet: string;
    by?: string | undefined;
  }): Promise<void>;
  now(): Promise<Date>;
  mayStart(name: string, max: number, by?: number): Promise<boolean>;
}

export const minuteOf = (now: Date): number => Math.floor(now.getTime() / MINUTE_MS);

/** Resolves to the number of watchers; undefined if this minute's limit is reached. */
export async function poll(poller: Poller, due: PollGroup): Promise<number | undefined> {
  const { database, answers } = poller;
  const now = await poller.now();
  const group = { ...due, watchers: await admitted(poller, due, now) };
  if (group.watchers.length === 0) return due.watchers.length;
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
  return due.watchers.length;
}

/** The watchers whose question may be asked now. The others are put off. */
async function admitted(poller: Poller, { endpoint, params, watchers }: PollGroup, now: Date) {
  const putOff = (those: PollGroup["watchers"], error: unknown) =>
    postponePolls(poller.database, those, { error, now });
  try {
    await poller.assertOpen(endpoint);
  } catch (error) {
    await putOff(watchers, error);
    return [];
  }
  const buyers = new Map<string, PollGroup["watchers"]>();
  for (const one of watchers) {
    const buyer = `${one.wallet} ${one.seen.by ?? ""}`;
    buyers.set(buyer, [...(buyers.get(buyer) ?? []), one]);
  }
  const asked = [...buyers.values()].map(async (those) => {
    const [{ wallet, seen } = { wallet: "", seen: { by: undefined } }] = those;
    try {
      await poller.admit({ endpoint, params: JSON.parse(params), wallet, by: seen.by });
      return those;
    } catch (error) {
      await putOff(those, error);
      return [];
    }
  });
  return (await Promise.all(asked)).flat();
}

const mayPoll = async ({ mayStart }: Poller, { endpoint }: PollGroup, minute: number): Promise<boolean> =>
  (await mayStart(`polls ${endpoint} ${minute}`, PER_ENDPOINT)) && mayStart(`polls ${minute}`, PER_MINUTE);
