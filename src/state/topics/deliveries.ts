/**
 * Deliveries of a topic's messages: for its owner, who sees the state of each receiver but not its URL, and for a
 * subscriber.
 */
import { z } from "zod";
import type { Context } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import { rowsOf } from "../database/database.js";
import { stateOf } from "../wallet/account.js";
import { cursorOf, pageOf, positionOf } from "../wallet/cursor.js";
import { epoch, timeText } from "../wallet/objects.js";
import type { ReadScope } from "../wallet/scope.js";
import { ownTopic } from "./rows.js";
import { putTopic } from "./sample.js";

const { read } = stateOf(putTopic);

interface Listing {
  topicId?: string | undefined;
  subscriptionId?: string | undefined;
  state?: string | undefined;
  limit: number;
  after?: string | undefined;
}

const row = z.object({
  number: z.number(),
  place: z.string(),
  messageId: z.string(),
  state: z.enum(["pending", "delivered", "dead", "dropped"]),
  attempts: z.int(),
  lastStatus: z.int().nullable(),
  createdAt: timeText(),
  deliveredAt: timeText().nullable(),
  nextAttemptAt: timeText().nullable(),
});

const position = z.strictObject({ number: z.int().min(0), place: z.string().regex(/^[0-9a-f]{32}$/) });

/** Newest first. Rejects with NOT_FOUND, also if it belongs to another wallet. */
export const deliveries = (ctx: Context, { topicId, subscriptionId, state, limit, after }: Listing) =>
  read(ctx, async (scope) => {
    const begin = positionOf(after, position);
    if (topicId !== undefined) await ownTopic(scope, topicId);
    else await assertSubscription(scope, subscriptionId);
    // Orders receivers by a hash, which reveals nothing about them.
    const text = `select e.number::float8 as number, md5(d.callback) as place, e.id as "messageId", d.state, d.attempts,
        d.last_status as "lastStatus", ${epoch("d.created_at")} as "createdAt",
        ${epoch("case when d.state = 'delivered' then d.done_at end")} as "deliveredAt",
        ${epoch("case when d.state = 'pending' then d.due_at end")} as "nextAttemptAt"
      from @deliveries d join @events e on e.id = d.event
      where ${topicId === undefined ? "d.wallet = $1 and d.callback = $2" : "e.wallet = $1 and e.source = $2"}
        and ($3::text is null or d.state = $3)
        and ($4::bigint is null or e.number < $4::bigint or (e.number = $4::bigint and md5(d.callback) > $5))
      order by e.number desc, md5(d.callback) limit $6::int`;
    const all = await rowsOf(scope, row, text, [
      scope.wallet,
      topicId ?? subscriptionId,
      state ?? null,
      begin?.number ?? null,
      begin?.place ?? null,
      limit + 1,
    ]);
    const { items, nextCursor } = pageOf(all, limit, ({ number, place }) => cursorOf({ number, place }));
    return { items: items.map(({ number: _, place: __, ...item }) => item), nextCursor };
  });

async function assertSubscription({ wallet, query }: ReadScope, id: string | undefined): Promise<void> {
  const { rows } = await query("select from @subscriptions where wallet = $1 and id = $2", [wallet, id]);
  if (rows.length === 0) throw new CapabilityError("NOT_FOUND", "The wallet has no subscription with this id.");
}
