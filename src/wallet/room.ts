/** How much room a wallet's things take, and the end of those whose time is past. */
import { z } from "zod";
import { type Queryable, rowsOf } from "./database.js";

interface Scope extends Queryable {
  readonly wallet: string;
  readonly now: Date | null;
  readonly vectors: boolean;
}

/** What counts towards a wallet's bytes: every table of these has `wallet`, `bytes` and `expires_at`. */
export const kindsOf = ({ vectors }: { vectors: boolean }): string[] => [
  ...["kv", "docs", "blobs", "messages"],
  ...(vectors ? ["vectors"] : []),
];

const sumRow = z.object({ bytes: z.coerce.number() });

/** The bytes of all that is not past its time. */
export async function liveBytes(scope: Scope): Promise<number> {
  const kinds = kindsOf(scope).map(
    (kind) =>
      `(select coalesce(sum(bytes), 0) from @${kind} where wallet = $1 and expires_at > coalesce($2::timestamptz, now()))`,
  );
  const text = `select (${kinds.join(" + ")})::float8 as bytes`;
  const [row] = await rowsOf(scope, sumRow, text, [scope.wallet, scope.now]);
  return row?.bytes ?? 0;
}

/** Deletes what is past its time, under the lock of its wallet; says how many bytes that gives back. */
export async function sweep(scope: Scope & { now: Date }): Promise<number> {
  const kinds = kindsOf(scope);
  const parts = kinds.map(
    (kind) => `${kind}_gone as (delete from @${kind} where wallet = $1 and expires_at <= $2 returning bytes)`,
  );
  const all = kinds.map((kind) => `select bytes from ${kind}_gone`).join(" union all ");
  const text = `with ${parts.join(", ")} select coalesce(sum(bytes), 0)::float8 as bytes from (${all}) as gone`;
  const [row] = await rowsOf(scope, sumRow, text, [scope.wallet, scope.now]);
  return row?.bytes ?? 0;
}
