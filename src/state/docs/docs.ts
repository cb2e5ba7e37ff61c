/** Operations on documents, except searches. */
import type { Context } from "../../capability/types.js";
import { CapabilityError, invalid } from "../../errors.js";
import { mergePatch } from "../../lib/text/merge-patch.js";
import { stateOf } from "../wallet/account.js";
import { type Deleted, type Refusal, refusalAt, refusalOf, removeObject } from "../wallet/demands.js";
import { MAX_META_BYTES, MAX_VALUE_BYTES, type WriteOptions } from "../wallet/fields.js";
import { boundsObjection } from "../wallet/json-bounds.js";
import { extendTtl } from "../wallet/objects.js";
import { assertQuota, assertQuotaForReplace } from "../wallet/quota.js";
import { type Doc, type DocHead, type DocName, findDoc, type PutDoc, sizeOfDoc, wordsOf, writeDoc } from "./rows.js";
import { putDocuments } from "./sample.js";

const { mutate, read } = stateOf(putDocuments);

/** Refuses a document without room for it before money moves. */
export const prepareToPutDoc = (ctx: Context, input: PutDoc): Promise<void> =>
  read(ctx, (scope) => assertQuotaForReplace(scope, "docs", [input.ns, input.id], sizeOfDoc(input, input)));

type Stored = { id: string; stored: boolean } & Partial<Omit<DocHead, "id">> & Partial<Refusal>;

export async function putDoc(ctx: Context, input: PutDoc): Promise<Stored> {
  const words = await wordsOf(input);
  return mutate(ctx, {
    endpoint: "store.doc-put",
    async work(scope) {
      const { ns, id } = input;
      const refused = await refusalAt(scope, "docs", [ns, id], input);
      if (refused) return { id, ...refused };
      return { stored: true, ...(await writeDoc(scope, input, words)) };
    },
  });
}

/** Rejects with NOT_FOUND. Extends the life of a document without a fixed expiry. */
export const getDoc = (ctx: Context, { ns, id }: DocName) =>
  read(ctx, async (scope) => {
    const found = await findDoc(scope, { ns, id });
    if (!found) throw notFound();
    const { contents, fading, ...head } = found;
    const prolonged = fading && (await extendTtl(scope, "docs", "ns = $3 and id = $4", [ns, id]));
    return { ...head, ...contents, ...(prolonged ? { expiresAt: prolonged } : {}) };
  });

const notFound = () => new CapabilityError("NOT_FOUND", "No document is kept under this id.");

export interface PatchDoc extends DocName, Pick<WriteOptions, "ifVersion" | "fence"> {
  body?: unknown;
  meta?: unknown;
}

/** The document after a patch. Rejects a patch that does not apply, and a result that is too large. */
function patched(before: Doc, { body, meta }: PatchDoc): Doc {
  if (body !== undefined && typeof before.body === "string")
    throw invalid("body", "patches a JSON object, but this document is a text: put it again");
  const after = {
    body: body === undefined ? before.body : mergePatch(before.body, body),
    meta: mergePatch(before.meta, meta ?? {}) as Doc["meta"],
  };
  assertBounds("body", after.body, MAX_VALUE_BYTES);
  assertBounds("meta", after.meta, MAX_META_BYTES);
  return after;
}

/** Several patches must not make what one request may not put. */
function assertBounds(field: string, value: unknown, maxBytes: number): void {
  // guard: wallets: a patched document keeps the bounds of values | = undefined | docs
  const objection = boundsObjection(value, { maxBytes });
  if (objection) throw invalid(field, `after the patch it ${objection}`);
}

/** Refuses a patch that does not apply, or whose result has no room, before money moves. */
export const prepareToPatch = (ctx: Context, input: PatchDoc): Promise<void> =>
  read(ctx, async (scope) => {
    const before = await findDoc(scope, input);
    if (!before) throw notFound();
    await assertQuota(scope, sizeOfDoc(input, patched(before.contents, input)) - before.bytes);
  });

/** Patching extends the life of a document without a fixed expiry by 90 days; a fixed expiry stays. */
export const patch = (ctx: Context, input: PatchDoc): Promise<Stored> =>
  mutate(ctx, {
    endpoint: "store.doc-patch",
    async work(scope) {
      const { ns, id } = input;
      const before = await findDoc(scope, input);
      if (!before) throw notFound();
      const refused = await refusalOf(scope, before.version, input);
      if (refused) return { id, ...refused };
      const ends = await scope.query("select from @docs where wallet = $1 and ns = $2 and id = $3 and not rolling", [
        scope.wallet,
        ns,
        id,
      ]);
      const left = (Date.parse(before.expiresAt) - scope.now.getTime()) / 1000;
      const ttlSeconds = ends.rows.length > 0 ? left : undefined;
      const doc = { ns, id, ttlSeconds, ...patched(before.contents, input) };
      return { stored: true, ...(await writeDoc(scope, doc, await wordsOf(doc))) };
    },
  });

export const removeDoc = (
  ctx: Context,
  { ns, id, ...demands }: DocName & Pick<WriteOptions, "ifVersion" | "fence">,
): Promise<{ id: string } & Deleted> =>
  mutate(ctx, {
    endpoint: "store.doc-delete",
    work: async (scope) => ({ id, ...(await removeObject(scope, "docs", [ns, id], demands)) }),
  });
