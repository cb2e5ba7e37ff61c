/** Operations on values under keys. */
import type { Context } from "../../capability/types.js";
import { CapabilityError, invalid } from "../../errors.js";
import { rowsOf } from "../database/database.js";
import { ifReadable } from "../database/encryption.js";
import { stateOf } from "../wallet/account.js";
import { cursorOf, lastKey, PAGE_BYTES, pageOf, positionOf } from "../wallet/cursor.js";
import { type Deleted, hasDemands, type Refusal, refusalAt, removeObject } from "../wallet/demands.js";
import type { WriteOptions } from "../wallet/fields.js";
import { extendTtl } from "../wallet/objects.js";
import { assertQuota, assertQuotaForReplace } from "../wallet/quota.js";
import { nowParam, type ReadScope } from "../wallet/scope.js";
import {
  find,
  headRow,
  type Name,
  type PutValue,
  sizeOfValue,
  VALUE_COLUMNS,
  type ValueHead,
  valueKey,
  valueRow,
  writeValue,
  writing,
} from "./rows.js";
import { putValues } from "./sample.js";

const { mutate, read, scan } = stateOf(putValues);

/** Refuses a value without room for it before money moves. */
export const prepareToPutValue = (ctx: Context, { value, ...input }: PutValue): Promise<void> =>
  read(ctx, (scope) =>
    assertQuotaForReplace(scope, "kv", [input.ns, input.key], sizeOfValue(input, JSON.stringify(value))),
  );

type Stored = { key: string; stored: boolean } & Partial<Omit<ValueHead, "key">> & Partial<Refusal>;

export const putValue = (ctx: Context, input: PutValue): Promise<Stored> =>
  mutate(ctx, {
    endpoint: "store.kv-put",
    async work(scope) {
      const { ns, key } = input;
      const refused = await refusalAt(scope, "kv", [ns, key], input);
      if (refused) return { key, ...refused };
      return { stored: true, ...(await writeValue(scope, input)) };
    },
    atOnce: {
      statement: (scope) => (hasDemands(input) ? undefined : writing(scope, input)),
      result: (_, facts) => ({ stored: true, ...headRow.parse(facts) }),
    },
  });

/** Rejects with NOT_FOUND. Extends the life of a value without a fixed expiry. */
export const getValue = (ctx: Context, input: Name) =>
  read(ctx, async (scope) => {
    const found = await find(scope, input);
    if (!found) throw notFound();
    const { fading, ...row } = found;
    const prolonged = fading && (await extendTtl(scope, "kv", "ns = $3 and key = $4", [input.ns, input.key]));
    return { ...row, value: JSON.parse(row.value) as unknown, ...(prolonged ? { expiresAt: prolonged } : {}) };
  });

const notFound = () => new CapabilityError("NOT_FOUND", "Nothing is kept under this key.");

export const removeValue = (
  ctx: Context,
  input: Name & Pick<WriteOptions, "ifVersion" | "fence">,
): Promise<{ key: string } & Deleted> =>
  mutate(ctx, {
    endpoint: "store.kv-delete",
    work: async (scope) => ({
      key: input.key,
      ...(await removeObject(scope, "kv", [input.ns, input.key], input)),
    }),
  });

const scannedRow = valueRow.partial({ value: true });

export interface Scan {
  ns: string;
  prefix: string;
  limit: number;
  after?: string | undefined;
  values: boolean;
}

/** In the order of the keys' bytes. A page with values ends at its size limit. */
export const scanValues = (ctx: Context, { ns, prefix, limit, after, values }: Scan) =>
  scan(ctx, async (scope) => {
    const begin = positionOf(after, lastKey()) ?? null;
    // "~" follows every character that a key may have.
    const text = `select * from (
        select ${VALUE_COLUMNS}${values ? ", value, sum(bytes) over (order by key) as running" : ""} from @kv
        where wallet = $1 and ns = $3 and key >= $4 and key < $4 || '~' and ($5::text is null or key > $5)
          and expires_at > ${nowParam(2)}
        order by key limit $6::int) as found
      ${values ? `where running <= ${PAGE_BYTES} or running = bytes` : ""} order by key`;
    const all = await rowsOf(scope, scannedRow, text, [scope.wallet, scope.now, ns, prefix, begin, limit + 1]);
    const page = pageOf(all, limit, ({ key }) => cursorOf(key));
    const items = page.items.map(({ value, ...row }) => {
      if (value === undefined) return row;
      const json = ifReadable(() => scope.encryption.decrypt(valueKey(scope, { ns, key: row.key }), value));
      // An undecryptable value appears in the list without its content.
      return json === undefined ? row : { ...row, value: JSON.parse(json) as unknown };
    });
    const last = items.at(-1);
    // Ended by the size limit, so there may be more.
    const more =
      page.nextCursor ??
      (values && last && (await followed(scope, { ns, prefix, key: last.key })) ? cursorOf(last.key) : undefined);
    return { items, ...(more ? { nextCursor: more } : {}) };
  });

async function followed(scope: ReadScope, { ns, prefix, key }: Name & { prefix: string }): Promise<boolean> {
  const text = `select from @kv where wallet = $1 and ns = $3 and key > $4 and key < $5 || '~' and expires_at > ${nowParam(2)} limit 1`;
  return (await scope.query(text, [scope.wallet, scope.now, ns, key, prefix])).rows.length > 0;
}

export interface Increment extends Name {
  by: number;
  min?: number | undefined;
  max?: number | undefined;
  ttlSeconds?: number | undefined;
}

/** The count after an increment. Rejects if the value is not a number. */
function countOf(value: string | undefined, { by }: Increment): { before: number; after: number } {
  const before: unknown = value === undefined ? 0 : JSON.parse(value);
  if (typeof before !== "number" || !Number.isSafeInteger(before))
    throw invalid("key", "holds a value that is not a whole number");
  const after = before + by;
  if (!Number.isSafeInteger(after)) throw invalid("by", "would take the count beyond what a number can tell");
  return { before, after };
}

const isWithin = (count: number, { min, max }: Increment): boolean =>
  count >= (min ?? Number.NEGATIVE_INFINITY) && count <= (max ?? Number.POSITIVE_INFINITY);

export const prepareToIncrement = (ctx: Context, input: Increment): Promise<void> =>
  read(ctx, async (scope) => {
    const found = await find(scope, input);
    const { after } = countOf(found?.value, input);
    await assertQuota(scope, sizeOfValue(input, String(after)) - (found?.bytes ?? 0));
  });

type Counted = { key: string; value: number; changed: boolean; version?: number };

/** Outside `min` and `max` nothing changes. */
export const increment = (ctx: Context, input: Increment): Promise<Counted> =>
  mutate(ctx, {
    endpoint: "store.kv-increment",
    async work(scope) {
      const { key } = input;
      const found = await find(scope, input);
      const { before, after } = countOf(found?.value, input);
      if (!isWithin(after, input))
        return { key, value: before, changed: false, ...(found ? { version: found.version } : {}) };
      const { version } = await writeValue(scope, { ...input, value: after });
      return { key, value: after, changed: true, version };
    },
  });
