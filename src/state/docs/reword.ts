/**
 * Indexes the words of documents again that an older release indexed: in background rounds, and before a search among
 * them. The documents themselves do not change.
 */
import { z } from "zod";
import { type Queryable, rowsOf } from "../database/database.js";
import type { ReadScope } from "../wallet/scope.js";
import { contents, wordsOf } from "./rows.js";

const AT_ONCE = 50;
const BYTES_AT_ONCE = 2 * 1024 * 1024;

const staleRow = z.object({ wallet: z.string(), ns: z.string(), id: z.string(), version: z.string(), contents });

async function reword(db: Queryable, where: string, values: unknown[]): Promise<number> {
  const text = `select wallet, ns, id, version::text as version, body as contents from (
      select *, sum(bytes) over (order by wallet, ns, id) as running from (
        select * from @docs where ${where} and worded is distinct from version order by wallet, ns, id limit ${AT_ONCE}) as stale
    ) as first where running <= ${BYTES_AT_ONCE} or running = bytes`;
  const stale = await rowsOf(db, staleRow, text, values);
  for (const { wallet, ns, id, version, contents } of stale)
    await db.query(
      `update @docs set words = $5::text::tsvector, worded = version
        where wallet = $1 and ns = $2 and id = $3 and version = $4::bigint`,
      [wallet, ns, id, version, await wordsOf(contents)],
    );
  return stale.length;
}

/** One round over all wallets; resolves to the number found. */
export const rewordSome = (db: Queryable): Promise<number> => reword(db, "true", []);

/** The documents of one slice. */
export async function rewordBetween(
  scope: ReadScope,
  { ns, after, until }: { ns: string; after: string; until: string },
): Promise<void> {
  const values = [scope.wallet, ns, after, until];
  while ((await reword(scope, "wallet = $1 and ns = $2 and id > $3 and id <= $4", values)) > 0);
}
