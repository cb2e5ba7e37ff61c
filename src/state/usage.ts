/** Counts a wallet's data. */
import { z } from "zod";
import type { Context } from "../capability/types.js";
import { rowsOf } from "./database/database.js";
import { putSamples } from "./samples.js";
import { scan } from "./wallet/account.js";
import { nowParam, type ReadScope } from "./wallet/scope.js";

const counted = z.object({ count: z.number(), bytes: z.number() });
const row = z.object({ kind: z.string(), ...counted.shape });

/** Kinds that count towards the total, without a figure of their own in the answer. */
const HIDDEN: [kind: string, from: string][] = ["events", "dedups", "schedules", "watchers"].map((table) => [
  `room of ${table}`,
  `@${table} where`,
]);

/** The kinds of an answer and their conditions; kinds without bytes do not count towards the quota. */
const KINDS = ({ vectors }: ReadScope): [kind: string, from: string][] => [
  ...HIDDEN,
  ["kv", `@kv where expires_at > ${nowParam(2)} and`],
  ["docs", `@docs where expires_at > ${nowParam(2)} and`],
  ...(vectors ? [["vectors", `@vectors where expires_at > ${nowParam(2)} and`] as [string, string]] : []),
  ["blobs", `@blobs where expires_at > ${nowParam(2)} and`],
  ["queue", `@messages where expires_at > ${nowParam(2)} and`],
];
const COUNTS: [kind: string, from: string][] = [
  ["locks", `@locks where token_hash is not null and expires_at > ${nowParam(2)} and`],
  ["topics", `@topics where expires_at > ${nowParam(2)} and`],
  ["subscriptions", `@subscriptions where expires_at > ${nowParam(2)} and`],
  ["schedules", `@schedules where status = 'active' and`],
  ["watchers", `@watchers where status in ('armed', 'failing') and`],
];

export const usage = (ctx: Context) =>
  scan(ctx, async (scope) => {
    await putSamples(scope);
    const parts = [
      ...KINDS(scope).map(([kind, from]) => [kind, from, "coalesce(sum(bytes), 0)"]),
      ...COUNTS.map(([kind, from]) => [kind, from, "0"]),
    ].map(
      ([kind, from, bytes]) =>
        `select '${kind}' as kind, count(*)::float8 as count, (${bytes})::float8 as bytes from ${from} wallet = $1`,
    );
    // Read at one moment, in one statement; every part has the same parameters.
    const text = `with named as (select $2::timestamptz) ${parts.join(" union all ")}`;
    const found = await rowsOf(scope, row, text, [scope.wallet, scope.now]);
    const of = (kind: string) => {
      const { count = 0, bytes = 0 } = found.find((one) => one.kind === kind) ?? {};
      return { count, bytes };
    };
    return {
      totalBytes: found.reduce((sum, { bytes }) => sum + bytes, 0),
      capBytes: scope.maxBytes,
      kv: of("kv"),
      docs: of("docs"),
      vectors: of("vectors"),
      blobs: of("blobs"),
      queue: of("queue"),
      locks: of("locks").count,
      topics: of("topics").count,
      subscriptions: of("subscriptions").count,
      schedules: of("schedules").count,
      watchers: of("watchers").count,
    };
  });
