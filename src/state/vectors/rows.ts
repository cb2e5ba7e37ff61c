/** Rows of vectors, if the database has pgvector. */

import { z } from "zod";
import { rowsOf } from "../database/database.js";
import { expression, insertInto } from "../database/insert.js";
import type { DocName } from "../docs/rows.js";
import { bytesBefore, epoch, lifeOf, objectSize, timeText } from "../wallet/objects.js";
import { nowParam, type ReadScope, type WriteScope } from "../wallet/scope.js";

export interface PutVector extends DocName {
  embedding: number[];
  /** A text or a JSON object, returned with a match. */
  body?: unknown;
  meta: Record<string, unknown>;
  ttlSeconds?: number | undefined;
}

const dimRow = z.object({ dim: z.int() });
const headRow = z.object({ id: z.string(), dim: z.int(), bytes: z.int(), expiresAt: timeText() });
const writtenRow = headRow.extend({ before: z.int() });
export type VectorHead = z.infer<typeof headRow>;

/** Below it, float32 loses digits. */
const SMALLEST = 2 ** -126;

/** In the format of pgvector. */
export const vectorText = (embedding: number[]): string =>
  `[${embedding.map((number) => (Math.abs(number) < SMALLEST ? 0 : Math.fround(number))).join(",")}]`;

const jsonOf = (body: unknown): string | null => (body === undefined ? null : JSON.stringify(body));

export const sizeOfVector = ({ ns, id, embedding, body, meta }: PutVector): number =>
  objectSize(ns, id, jsonOf(body) ?? "", JSON.stringify(meta)) + 4 * embedding.length;

/** Number of dimensions in a namespace; undefined if it has no vector other than the named one. */
export async function dimensionOf(scope: ReadScope, ns: string, except = ""): Promise<number | undefined> {
  const text = `select dim from @vectors where wallet = $1 and ns = $3 and id <> $4 and expires_at > ${nowParam(2)} limit 1`;
  const values = [scope.wallet, scope.now, ns, except];
  return (await rowsOf(scope, dimRow, text, values))[0]?.dim;
}

export async function writeVector(scope: WriteScope, vector: PutVector): Promise<VectorHead> {
  const { ns, id, embedding, body, meta, ttlSeconds } = vector;
  const bytes = sizeOfVector(vector);
  const { rolling, expiresAt } = lifeOf(scope, ttlSeconds);
  const row = {
    wallet: scope.wallet,
    ns,
    id,
    dim: embedding.length,
    embedding: expression("?::text::vector", vectorText(embedding)),
    body: jsonOf(body),
    meta: expression("?::text::jsonb", JSON.stringify(meta)),
    bytes,
    version: expression("nextval('@versions')"),
    rolling,
    expires_at: expiresAt,
    updated_at: scope.now,
  };
  const then = `on conflict (wallet, ns, id) do update set dim = excluded.dim, embedding = excluded.embedding,
      body = excluded.body, meta = excluded.meta, bytes = excluded.bytes, version = excluded.version,
      rolling = excluded.rolling, expires_at = excluded.expires_at, updated_at = excluded.updated_at
    returning id, dim, bytes, ${epoch("expires_at")} as "expiresAt", ${bytesBefore("vectors")}`;
  const [written] = await rowsOf(scope, writtenRow, ...insertInto("@vectors", row, then));
  if (!written) throw new Error("a vector was written, and no row came back");
  const { before, ...head } = written;
  scope.grow(bytes - before);
  return head;
}
