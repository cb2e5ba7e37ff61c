/** Operations of owners on callbacks: a new secret, and sending a message again. */
import { z } from "zod";
import type { Context } from "../capability/types.js";
import { CapabilityError, invalid } from "../errors.js";
import { type Queryable, rowsOf } from "./database/database.js";
import { CALLBACK_SAMPLES } from "./samples.js";
import { databaseOf, stateOf } from "./wallet/account.js";
import { epoch } from "./wallet/objects.js";
import { nowParam } from "./wallet/scope.js";
import { keysFor } from "./webhooks/callbacks.js";
import { ROTATION_MS } from "./webhooks/keys.js";
import { notifyDue } from "./webhooks/notify-due.js";
import { keptUntil } from "./webhooks/rows.js";

const { mutate, read } = stateOf(...CALLBACK_SAMPLES);

const versionRow = z.object({ version: z.int(), rotatedAt: z.number().nullable() });

/** Rejects with NOT_FOUND, also if it belongs to another wallet, and while a former secret still signs. */
async function rotatable(tx: Queryable & { wallet: string; now: Date | null }, id: string): Promise<number> {
  const text = `select secret_version as version,
      ${epoch(`case when rotated_at > ${nowParam(3)} - interval '${ROTATION_MS} milliseconds' then rotated_at end`)} as "rotatedAt"
    from @callbacks where wallet = $1 and id = $2 and state <> 'ended'`;
  const [row] = await rowsOf(tx, versionRow, text, [tx.wallet, id, tx.now]);
  if (!row) throw new CapabilityError("NOT_FOUND", "The wallet has no schedule, watcher or subscription with this id.");
  if (row.rotatedAt === null) return row.version;
  const until = new Date(row.rotatedAt + ROTATION_MS).toISOString();
  throw invalid("id", `has a former secret that still signs: the next rotation is possible after ${until}`);
}

export async function prepareToRotate(ctx: Context, { id }: { id: string }): Promise<void> {
  await keysFor(ctx);
  await read(ctx, (scope) => rotatable(scope, id));
}

const rotated = z.object({ id: z.string(), version: z.int(), previousValidUntil: z.string() });

/** The former secret signs in addition to the new one for a day. */
export async function rotate(ctx: Context, input: { id: string }) {
  const keys = await keysFor(ctx);
  const answer = ({ id, version, previousValidUntil }: z.infer<typeof rotated>) => ({
    id,
    version,
    secret: keys.secretOf({ callback: id, secretVersion: version }),
    previousValidUntil,
  });
  return mutate(ctx, {
    endpoint: "webhooks.rotate",
    async work(scope) {
      const { wallet, now } = scope;
      const version = (await rotatable(scope, input.id)) + 1;
      await scope.query(
        "update @callbacks set secret_version = $3::int, rotated_at = $4 where wallet = $1 and id = $2",
        [wallet, input.id, version, now],
      );
      return answer({ ...input, version, previousValidUntil: new Date(now.getTime() + ROTATION_MS).toISOString() });
    },
    receipt: {
      keep: ({ secret: _, ...kept }) => kept,
      restore: async (_, kept) => answer(rotated.parse(kept)),
    },
  });
}

export interface Redelivery {
  id: string;
  messageId: string;
}

async function assertMessage(tx: Queryable, wallet: string, { id, messageId }: Redelivery): Promise<void> {
  const text = "select from @deliveries where wallet = $1 and callback = $2 and event = $3";
  if ((await tx.query(text, [wallet, id, messageId])).rows.length > 0) return;
  throw new CapabilityError("NOT_FOUND", "No message with this id was sent to this callback, or it has expired.");
}

export const prepareToRedeliver = (ctx: Context, input: Redelivery): Promise<void> =>
  read(ctx, (scope) => assertMessage(scope, scope.wallet, input));

/** One more attempt, the last for this message; a pending delivery is unchanged. */
export async function redeliver(ctx: Context, input: Redelivery) {
  const queued = await mutate(ctx, {
    endpoint: "webhooks.redeliver",
    async work(scope) {
      const { wallet, now } = scope;
      const { id, messageId } = input;
      await assertMessage(scope, wallet, input);
      const { rows } = await scope.query(
        `update @deliveries set state = 'pending', attempts = greatest(attempts, 9), due_at = $4, done_at = null,
            lease = null, lease_until = null
          where wallet = $1 and callback = $2 and event = $3 and state in ('dead', 'delivered')
            and exists (select from @callbacks where id = $2 and state <> 'ended') returning event`,
        [wallet, id, messageId, now],
      );
      // A topic's message belongs to its owner, and is kept for receivers that still wait.
      await scope.query("update @events set expires_at = $2 where id = $1", [messageId, keptUntil(now)]);
      return { messageId, queued: rows.length > 0 };
    },
  });
  if (!ctx.wallet?.trial) notifyDue(await databaseOf(ctx));
  return queued;
}
