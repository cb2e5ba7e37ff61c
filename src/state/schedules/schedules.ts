/** Operations on schedules. `run-due.ts` runs them. */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Context } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import { type Queryable, rowsOf } from "../database/database.js";
import { stateOf } from "../wallet/account.js";
import { cursorOf, pageOf, positionOf } from "../wallet/cursor.js";
import { assertQuota } from "../wallet/quota.js";
import { assertCallbackUrl, credentials, keysFor } from "../webhooks/callbacks.js";
import { historyOf } from "../webhooks/deliveries.js";
import { endCallback, lockCallback } from "../webhooks/rows.js";
import {
  addSchedule,
  findSchedule,
  firstFire,
  type NewSchedule,
  SCHEDULE_COLUMNS,
  scheduleRow,
  sizeOfSchedule,
} from "./rows.js";
import { putSchedule } from "./sample.js";

const { mutate, read } = stateOf(putSchedule);

const MAX_ACTIVE = 100;

/** Refuses a forbidden URL, times that never come, and one schedule too many before money moves. */
export async function prepareToCreateSchedule(ctx: Context, input: NewSchedule): Promise<void> {
  const now = ctx.clock();
  await firstFire(input, now, new Date(now.getTime() + input.expiresInSeconds * 1000));
  await assertCallbackUrl(ctx, input.callbackUrl);
  await keysFor(ctx);
  await read(ctx, async (scope) => {
    await assertFewer(scope, scope.wallet);
    await assertQuota(scope, sizeOfSchedule(input));
  });
}

async function assertFewer(tx: Queryable, wallet: string): Promise<void> {
  const text = "select count(*)::float8 as count from @schedules where wallet = $1 and status = 'active'";
  const [row] = await rowsOf(tx, z.object({ count: z.number() }), text, [wallet]);
  if ((row?.count ?? 0) < MAX_ACTIVE) return;
  const message = `The wallet has ${MAX_ACTIVE} active schedules, the maximum: cancel one.`;
  throw new CapabilityError("QUOTA_EXCEEDED", message);
}

/** The secret is not stored: a receipt has only the id, from which the answer is made again. */
export async function createSchedule(ctx: Context, input: NewSchedule) {
  const keys = await keysFor(ctx);
  const answer = async (tx: Queryable, wallet: string, id: string) => ({
    ...(await found(tx, wallet, id)),
    ...credentials(keys, id),
  });
  return mutate(ctx, {
    endpoint: "schedule.create",
    async work(scope) {
      await assertFewer(scope, scope.wallet);
      const id = `sch_${randomBytes(16).toString("hex")}`;
      await addSchedule(scope, id, input);
      return answer(scope, scope.wallet, id);
    },
    receipt: {
      keep: ({ scheduleId }) => scheduleId,
      restore: (scope, kept) => answer(scope, scope.wallet, z.string().parse(kept)),
    },
  });
}

/** Rejects with NOT_FOUND, also if it belongs to another wallet. */
async function found(tx: Queryable, wallet: string, id: string) {
  const schedule = await findSchedule(tx, wallet, id);
  if (!schedule) throw new CapabilityError("NOT_FOUND", "The wallet has no schedule with this id.");
  return schedule;
}

export const scheduleStatus = (ctx: Context, { scheduleId }: { scheduleId: string }) =>
  read(ctx, async (scope) => ({
    ...(await found(scope, scope.wallet, scheduleId)),
    ...(await historyOf(scope, scheduleId)),
  }));

interface Listing {
  status?: string | undefined;
  limit: number;
  after?: string | undefined;
}

/** In the order of their ids, which is not chronological. */
export const listSchedules = (ctx: Context, { status, limit, after }: Listing) =>
  read(ctx, async (scope) => {
    const begin = positionOf(after, z.string().max(64)) ?? null;
    const text = `select ${SCHEDULE_COLUMNS} from @schedules
      where wallet = $1 and ($2::text is null or status = $2) and ($3::text is null or id > $3) order by id limit $4::int`;
    const all = await rowsOf(scope, scheduleRow, text, [scope.wallet, status ?? null, begin, limit + 1]);
    return pageOf(all, limit, ({ scheduleId }) => cursorOf(scheduleId));
  });

export const prepareToCancelSchedule = (ctx: Context, { scheduleId }: { scheduleId: string }): Promise<void> =>
  read(ctx, async (scope) => void (await found(scope, scope.wallet, scheduleId)));

/** A delivery that is being sent may still arrive; no other will. */
export const cancelSchedule = (ctx: Context, { scheduleId }: { scheduleId: string }) =>
  mutate(ctx, {
    endpoint: "schedule.cancel",
    async work(scope) {
      const { wallet, now } = scope;
      await lockCallback(scope, wallet, scheduleId);
      const { rows } = await scope.query(
        `update @schedules set status = 'cancelled', next_at = null, ended_at = $3
          where wallet = $1 and id = $2 and status in ('active', 'disabled') returning id`,
        [wallet, scheduleId, now],
      );
      if (rows.length > 0) await endCallback(scope, scheduleId);
      else await found(scope, wallet, scheduleId);
      return { scheduleId, cancelled: rows.length > 0 };
    },
  });
