/** Operations on watchers. `polls.ts` polls for them. */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Context } from "../../capability/types.js";
import { CapabilityError, invalid } from "../../errors.js";
import type { Queryable } from "../database/database.js";
import { stateOf } from "../wallet/account.js";
import { cursorOf, pageOf, positionOf } from "../wallet/cursor.js";
import { assertQuota } from "../wallet/quota.js";
import type { ReadScope } from "../wallet/scope.js";
import { assertCallbackUrl, credentials, keysFor } from "../webhooks/callbacks.js";
import { historyOf } from "../webhooks/deliveries.js";
import { endCallback, lockCallback } from "../webhooks/rows.js";
import { judge, type Seen, Unusable } from "./conditions.js";
import {
  addWatcher,
  countArmed,
  findWatcher,
  LIVES,
  type NewWatcher,
  readWatchers,
  sizeOfWatcher,
  type Watcher,
} from "./rows.js";
import { putWatcher } from "./sample.js";
import { ask, assertFresh } from "./watchable.js";

const { mutate, read } = stateOf(putWatcher);

const MAX_ARMED = 50;

async function assertFewer(tx: Queryable, wallet: string): Promise<void> {
  if ((await countArmed(tx, wallet)) < MAX_ARMED) return;
  const message = `The wallet has ${MAX_ARMED} armed watchers, the maximum: cancel one.`;
  throw new CapabilityError("QUOTA_EXCEEDED", message);
}

/**
 * Makes the first poll: a failure, or a condition without a value to watch, is refused before money moves. A trial
 * sends no request.
 */
export async function prepareToArm(ctx: Context, input: NewWatcher): Promise<Seen> {
  await assertCallbackUrl(ctx, input.callbackUrl);
  await keysFor(ctx);
  await read(ctx, (scope) => assertFewer(scope, scope.wallet));
  if (ctx.wallet?.trial) return { value: null };
  const data = await ask(ctx, input.endpoint, input.params);
  assertFresh(data);
  const seen = seenFirst(input, data);
  await read(ctx, (scope) => assertQuota(scope, sizeOfWatcher(input, seen)));
  return seen;
}

function seenFirst({ condition }: NewWatcher, data: unknown): Seen {
  try {
    return judge(condition, data).seen;
  } catch (error) {
    throw error instanceof Unusable ? invalid("path", error.message) : error;
  }
}

/** The secret is not stored: a receipt has only the id, from which the answer is made again. */
export async function arm(ctx: Context, input: NewWatcher, seen: Seen | undefined) {
  const keys = await keysFor(ctx);
  const answer = async (scope: ReadScope, id: string) => {
    const { lastValue, ...watcher } = await found(scope, id);
    return { ...watcher, baseline: lastValue, ...credentials(keys, id) };
  };
  return mutate(ctx, {
    endpoint: "watchers.arm",
    async work(scope) {
      // An earlier attempt broke off after its first poll, whose answer is lost.
      if (!seen) throw new CapabilityError("OVERLOADED", "The first poll was lost; arm the watcher again.");
      await assertFewer(scope, scope.wallet);
      const id = `wat_${randomBytes(16).toString("hex")}`;
      await addWatcher(scope, id, input, { ...seen, by: ctx.wallet?.key });
      return answer(scope, id);
    },
    receipt: {
      keep: ({ watcherId }) => watcherId,
      restore: (scope, kept) => answer(scope, z.string().parse(kept)),
    },
  });
}

/** Rejects with NOT_FOUND, also if it belongs to another wallet. */
async function found(scope: ReadScope, id: string): Promise<Watcher> {
  const watcher = await findWatcher(scope, id);
  if (!watcher) throw new CapabilityError("NOT_FOUND", "The wallet has no watcher with this id.");
  return watcher;
}

export const watcherStatus = (ctx: Context, { watcherId }: { watcherId: string }) =>
  read(ctx, async (scope) => ({ ...(await found(scope, watcherId)), ...(await historyOf(scope, watcherId)) }));

interface Listing {
  status?: string | undefined;
  limit: number;
  after?: string | undefined;
}

/** In the order of their ids, which is not chronological. */
export const listWatchers = (ctx: Context, { status, limit, after }: Listing) =>
  read(ctx, async (scope) => {
    const begin = positionOf(after, z.string().max(64)) ?? null;
    const all = await readWatchers(scope, { status, begin, limit: limit + 1 });
    return pageOf(all, limit, ({ watcherId }) => cursorOf(watcherId));
  });

export const prepareToCancelWatcher = (ctx: Context, { watcherId }: { watcherId: string }): Promise<void> =>
  read(ctx, async (scope) => void (await found(scope, watcherId)));

/** A running poll fires nothing more; a delivery that is being sent may still arrive. */
export const cancelWatcher = (ctx: Context, { watcherId }: { watcherId: string }) =>
  mutate(ctx, {
    endpoint: "watchers.cancel",
    async work(scope) {
      const { wallet, now } = scope;
      await lockCallback(scope, wallet, watcherId);
      const { rows } = await scope.query(
        `update @watchers set status = 'cancelled', next_at = null, lease = null, lease_until = null, ended_at = $3
          where wallet = $1 and id = $2 and (${LIVES} or status = 'disabled') returning id`,
        [wallet, watcherId, now],
      );
      if (rows.length > 0) await endCallback(scope, watcherId);
      return { watcherId, status: (await found(scope, watcherId)).status };
    },
  });
