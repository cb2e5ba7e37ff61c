/** Messages whose attempts all failed: to inspect, and to send again. */
import { z } from "zod";
import type { Context } from "../../capability/types.js";
import { rowsOf } from "../database/database.js";
import { stateOf } from "../wallet/account.js";
import { cursorOf, PAGE_BYTES, pageOf, positionOf } from "../wallet/cursor.js";
import { MAX_TTL_SECONDS } from "../wallet/fields.js";
import { epoch, timeText } from "../wallet/objects.js";
import { nowParam } from "../wallet/scope.js";
import { errorOf, readableBody } from "./rows.js";
import { putMessages } from "./sample.js";

const { mutate, read } = stateOf(putMessages);

export interface ListDead {
  queue: string;
  limit: number;
  after?: string | undefined;
}

/** Oldest first; a page ends early at its size limit. */
export const deadLetters = (ctx: Context, { queue, limit, after }: ListDead) =>
  read(ctx, async (scope) => {
    const row = z.object({
      id: z.string(),
      body: z.string(),
      attempts: z.int(),
      lastError: z.string().nullable(),
      deadAt: timeText(),
    });
    const text = `select id, body, attempts, "lastError", "deadAt" from (
        select id::text as id, body, attempts, last_error as "lastError", ${epoch("dead_at")} as "deadAt", id as number,
          sum(octet_length(body)) over (order by id) as running, octet_length(body) as size
        from @messages where wallet = $1 and queue = $3 and state = 'dead' and expires_at > ${nowParam(2)} and id > $4::bigint
        order by id limit $5::int) as found
      where running - size <= ${PAGE_BYTES} order by number`;
    const begin = positionOf(after, z.string().regex(/^\d{1,18}$/)) ?? "0";
    const all = await rowsOf(scope, row, text, [scope.wallet, scope.now, queue, begin, limit + 1]);
    const kept: typeof all = [];
    let bytes = 0;
    for (const one of all.slice(0, limit)) {
      bytes += one.body.length;
      if (kept.length > 0 && bytes > PAGE_BYTES) break;
      kept.push(one);
    }
    const page = pageOf(all.slice(0, kept.length + 1), kept.length, ({ id }) => cursorOf(id));
    const items = page.items.map((one) => ({
      ...one,
      body: readableBody(scope, queue, one)?.body ?? null,
      lastError: errorOf(scope, queue, one),
    }));
    return { ...page, items };
  });

export interface Redrive {
  queue: string;
  ids?: string[] | undefined;
}

/** Attempts start over. Without ids, the whole queue. */
export const redrive = (ctx: Context, { queue, ids }: Redrive): Promise<{ redriven: number }> =>
  mutate(ctx, {
    endpoint: "queue.redrive",
    async work({ wallet, now, query }) {
      const text = `update @messages set state = 'ready', attempts = 0, visible_at = $3, lease = null, dead_at = null,
          last_error = null, expires_at = $4
        where wallet = $1 and queue = $2 and state = 'dead' and expires_at > $3
          and ($5::bigint[] is null or id = any($5::bigint[])) returning id`;
      const life = new Date(now.getTime() + MAX_TTL_SECONDS * 1000);
      const { rows } = await query(text, [wallet, queue, now, life, ids ?? null]);
      return { redriven: rows.length };
    },
  });
