/** Operations on vectors. The search is exact, because a wallet's quota bounds the number of comparisons. */
import { z } from "zod";
import type { Context } from "../../capability/types.js";
import { CapabilityError, invalid } from "../../errors.js";
import { rowsOf } from "../database/database.js";
import type { DocName } from "../docs/rows.js";
import { slicedParameters, slicesOf } from "../docs/slices.js";
import { databaseOf, stateOf } from "../wallet/account.js";
import { fitting } from "../wallet/cursor.js";
import { type Deleted, removeObject } from "../wallet/demands.js";
import { filterSql, parameters, readFilter, weightOf } from "../wallet/filter.js";
import { assertQuotaForReplace } from "../wallet/quota.js";
import { nowParam, type ReadScope } from "../wallet/scope.js";
import { dimensionOf, type PutVector, sizeOfVector, type VectorHead, vectorText, writeVector } from "./rows.js";
import { putVectors } from "./sample.js";

const { mutate, read, scan } = stateOf(putVectors);

/** Refuses before a price is quoted if the database has no pgvector. */
export async function assertVectors(ctx: Context): Promise<void> {
  // In-process without a wallet nothing can be opened, and a later step reports that.
  if (!ctx.wallet && !ctx.mounted) return;
  if ((await databaseOf(ctx)).vectors) return;
  throw new CapabilityError("PROVIDER_NOT_CONFIGURED", "The database of this service has no pgvector for vectors.");
}

/** The first vector of a namespace fixes the length of all. */
async function assertDimension(scope: ReadScope, ns: string, embedding: number[], except?: string): Promise<void> {
  const dim = await dimensionOf(scope, ns, except);
  if (dim !== undefined && dim !== embedding.length)
    throw invalid("embedding", `has ${embedding.length} numbers, and the vectors of this namespace have ${dim}`);
}

/** Refuses a vector of another length, or without room for it, before money moves. */
export const prepareToPutVector = (ctx: Context, input: PutVector): Promise<void> =>
  read(ctx, async (scope) => {
    await assertDimension(scope, input.ns, input.embedding, input.id);
    await assertQuotaForReplace(scope, "vectors", [input.ns, input.id], sizeOfVector(input));
  });

export const putVector = (ctx: Context, input: PutVector): Promise<VectorHead> =>
  mutate(ctx, {
    endpoint: "store.vector-upsert",
    async work(scope) {
      await assertDimension(scope, input.ns, input.embedding, input.id);
      return writeVector(scope, input);
    },
  });

export const removeVector = (ctx: Context, { ns, id }: DocName): Promise<{ id: string } & Deleted> =>
  mutate(ctx, {
    endpoint: "store.vector-delete",
    work: async (scope) => ({ id, ...(await removeObject(scope, "vectors", [ns, id])) }),
  });

/** Scores that grow with similarity, in terms of pgvector's distances. */
const SCORES = {
  cosine: (v: string) => `1 - (embedding <=> ${v})`,
  dot: (v: string) => `-(embedding <#> ${v})`,
  l2: (v: string) => `1 / (1 + (embedding <-> ${v}))`,
};

export interface VectorQuery {
  ns: string;
  embedding: number[];
  topK: number;
  metric: keyof typeof SCORES;
  filter?: unknown;
  minScore?: number | undefined;
}

const scored = z.object({ id: z.string(), bytes: z.int(), score: z.number() });

const foundRow = z.object({
  id: z.string(),
  body: z
    .string()
    .nullable()
    .transform((json): unknown => (json === null ? null : JSON.parse(json))),
  meta: z.string().transform((json): Record<string, unknown> => JSON.parse(json)),
});

/** Best first; equal scores in the order of ids. */
export const queryVectors = (ctx: Context, { ns, embedding, topK, metric, filter, minScore }: VectorQuery) =>
  scan(ctx, async (scope) => {
    await assertDimension(scope, ns, embedding);
    const given = parameters(slicedParameters(scope, ns));
    const score = SCORES[metric](given.add(vectorText(embedding), "text::vector"));
    const kept = filter === undefined ? "true" : filterSql(readFilter(filter, ["meta"]), given);
    const dim = given.add(embedding.length, "int");
    const least = given.add(minScore ?? Number.NEGATIVE_INFINITY, "float8");
    const most = given.add(topK, "int");
    let best: z.infer<typeof scored>[] = [];
    let cut = false;
    for await (const slice of slicesOf(scope, {
      table: "vectors",
      given,
      ns,
      weight: 1 + weightOf(filter),
      row: scored,
      // The fence prevents computing distances before the lengths are compared.
      rows: (between) => `select id, bytes, score from (
          select id, bytes, ${score} as score from (
            select * from @vectors where wallet = $1 and ns = $3 and expires_at > ${nowParam(2)} and ${between}
              and dim = ${dim} and ${kept} offset 0) as kept) as near
        where score >= ${least} order by score desc, id limit ${most}`,
    })) {
      best = [...best, ...slice.rows].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, topK);
      cut ||= slice.leaves;
    }
    const page = fitting(best);
    const text = `select id, body, meta::text as meta from @vectors
      where wallet = $1 and ns = $3 and id = any($4::text[]) and expires_at > ${nowParam(2)}`;
    const values = [scope.wallet, scope.now, ns, page.map(({ id }) => id)];
    const rows = page.length === 0 ? [] : await rowsOf(scope, foundRow, text, values);
    const found = new Map(rows.map((row) => [row.id, row]));
    const items = page.flatMap(({ id, score }) => {
      const row = found.get(id);
      return row ? [{ ...row, score }] : [];
    });
    return { items, cut: cut || page.length < best.length };
  });
