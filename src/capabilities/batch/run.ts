import { setImmediate as nextTurn } from "node:timers/promises";
import { z } from "zod";
import { assertAvailable, defineCapability, missing } from "../../capability/define.js";
import { type BinaryResult, rows } from "../../capability/output.js";
import type { AnyCapability, Context, Parsed } from "../../capability/types.js";
import type { WalletUse } from "../../capability/wallets.js";
import { type BatchFailure, CapabilityError, invalid, toCapabilityError } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { fromMicros, type Micros } from "../../lib/money.js";

const together = /* @__PURE__ */ lazy(() => import("../../state/wallet/in-transaction.js"));

/** Concurrent sub-calls: fifty heavy ones must not delay everybody else. */
const CONCURRENCY = 5;
/** As many as fifty codes of 2,400 pixels a side, or fourteen full-height pages. */
const MAX_PIXELS = 300_000_000;

const subCall = () =>
  z.strictObject({
    endpoint: z
      .string()
      .min(3)
      .max(64)
      .regex(/^[a-z0-9-]+\.[a-z0-9-]+$/, { error: "must be of the form group.name" })
      .describe("Id of the endpoint to call, such as convert.unit"),
    params: z.record(z.string(), z.unknown()).default({}).describe("Its input, as in a query or body"),
  });
type SubCall = z.infer<ReturnType<typeof subCall>>;

const batchItem = () =>
  z.object({
    index: z.int(),
    endpoint: z.string(),
    costUsd: z.string(),
    result: z.unknown(),
  });

export const batchRun = /* @__PURE__ */ defineCapability({
  id: "batch.run",
  method: "POST",
  summary: "Run up to 50 calls behind one payment: all succeed, or nothing is charged and the failing ones are listed.",
  keywords: ["bulk", "multiple calls at once", "combine", "one payment", "atomic", "many"],
  price: "0.0012",
  source: { provider: "built-in", url: "", license: "Of the endpoints called" },
  timeoutMs: 60_000,
  input: () =>
    z.strictObject({
      calls: z
        .array(subCall())
        .min(1)
        .max(50)
        .describe(
          "The calls, answered in this order; calls that change your wallet's data run last, in this order, all or none",
        ),
    }),
  output: rows(batchItem),
  example: { calls: [{ endpoint: "convert.unit", params: { value: 1, from: "kg", to: "lb" } }] },

  /** Every sub-call is found, eligible, configured and valid before a price is quoted or anything runs. */
  async read({ calls }, ctx) {
    const found = calls.map((call, index) => findEligible(call, index, ctx));
    const parts: Part[] = [];
    const failures: Failed[] = [];
    for (const [index, capability] of found.entries()) {
      const call = calls[index] as SubCall;
      try {
        parts.push(await prepare(capability, call, ctx));
      } catch (error) {
        failures.push(failureOf(index, call, error));
      }
      // Lets other work run between fifty inputs.
      await nextTurn();
    }
    if (failures.length > 0) throw batchFailed(failures);
    assertFewPixels(parts);
    return parts;
  },

  async composeQuote({ calls }, ctx) {
    let sum = 0n;
    for (const [index, call] of calls.entries()) {
      const { cost } = await prepare(findEligible(call, index, ctx), call, ctx);
      sum += cost;
      await nextTurn();
    }
    return sum;
  },

  parts: (parts) => parts.map(({ capability }) => capability),

  /** If a wallet's state changes, the payment is settled first, once for the whole batch. */
  wallet(parts) {
    const uses = parts.map(({ use }) => use).filter((use) => use !== undefined);
    return uses.find(({ effects }) => effects) ?? uses[0];
  },

  /** All other calls run, and known reasons to refuse a change are checked, before the money for changes moves. */
  async prepare(parts, ctx) {
    const changes = changesOf(parts);
    if (changes.length === 0) return undefined;
    const items = await runOwn(parts, ctx);
    const prepared = new Map<number, unknown>();
    const failures: Failed[] = [];
    for (const [index, { capability, call, parsed }] of changes)
      try {
        parsed.judgeRest?.();
        prepared.set(index, await capability.prepare?.(parsed, ctx));
      } catch (error) {
        failures.push(failureOf(index, call, error));
      }
    if (failures.length > 0) throw batchFailed(failures);
    return { items, prepared };
  },

  async run(parts, ctx, before) {
    const changes = changesOf(parts);
    // Changes that this payment already made are not checked again.
    const { items, prepared } = before ?? {
      items: await runOwn(parts, ctx, changes.length > 0 ? DONE : undefined),
      prepared: new Map(),
    };
    items.push(...(await buyElsewhere(parts, ctx, items)));
    if (changes.length > 0) for (const item of await runChanges(parts, ctx, { items, prepared })) items.push(item);
    return { items: items.sort((a, b) => a.index - b.index), total: parts.length };
  },
});

const DONE = "What changes your wallet's state is done and paid for; send the same again for the answer.";

const changesOf = (parts: readonly Part[]) => [...parts.entries()].filter(([, { use }]) => use?.effects);

// guard: resale: what is bought elsewhere is bought once all of our own is done | - && !capability.resold | resell
const ownOf = (parts: readonly Part[]) =>
  [...parts.entries()].filter(([, { use, capability }]) => !use?.effects && !capability.resold);

/** Runs all calls without changes and without cost at another origin, in parallel. */
async function runOwn(parts: readonly Part[], ctx: Context, outcome?: string): Promise<BatchItem[]> {
  const items: BatchItem[] = [];
  const failures: Failed[] = [];
  const stop = new AbortController();
  const admit = roomOfAnswer(ctx);
  // The workers share one iterator, so each takes the next unclaimed call.
  const queue = ownOf(parts).values();
  const work = async () => {
    for (const [index, part] of queue) {
      if (stop.signal.aborted) return;
      try {
        const item = await runOne(part, index, ctx, stop.signal);
        admit(item);
        items.push(item);
        ctx.progress?.(items.length, parts.length);
      } catch (error) {
        // A call that was cancelled because another failed is not a failure of its own.
        if (!stop.signal.aborted) failures.push(failureOf(index, part.call, error));
        stop.abort();
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  if (failures.length > 0) throw batchFailed(failures, outcome);
  return items;
}

/**
 * Runs calls at other origins after all of our own. Results that arrived before one of them fails cannot be returned
 * there, so they are charged here, and delivered with the failure.
 */
async function buyElsewhere(parts: readonly Part[], ctx: Context, own: readonly BatchItem[]): Promise<BatchItem[]> {
  const items: BatchItem[] = [];
  const failures: Failed[] = [];
  const admit = roomOfAnswer(ctx, own);
  const queue = parts.entries();
  const work = async () => {
    for (const [index, part] of queue) {
      if (!part.capability.resold) continue;
      // Running calls are already paid for, so they are awaited; no more are started.
      if (failures.length > 0) return;
      try {
        const item = await runOne(part, index, ctx);
        admit(item);
        items.push(item);
        ctx.sold.cost += part.cost;
        ctx.sold.items.push(item);
      } catch (error) {
        failures.push(failureOf(index, part.call, error));
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  if (failures.length === 0) return items;
  const { cost } = ctx.sold;
  throw batchFailed(failures, cost > 0n ? soldAnyway(cost) : undefined);
}

const soldAnyway = (cost: Micros) => `What was bought elsewhere by then, for ${fromMicros(cost)} USD, is in items.`;

interface Prepared {
  items: readonly BatchItem[];
  prepared: ReadonlyMap<number, unknown>;
}

/** One after the other in one transaction of the wallet. */
async function runChanges(parts: readonly Part[], ctx: Context, { items, prepared }: Prepared): Promise<BatchItem[]> {
  let current: [index: number, call: SubCall] | undefined;
  const work = async (inner: Context) => {
    const done: BatchItem[] = [];
    const admit = roomOfAnswer(ctx, items);
    for (const [index, { capability, call, cost, parsed }] of changesOf(parts)) {
      current = [index, call];
      const result = await capability.execute(parsed, inner, prepared.get(index));
      const item = { index, endpoint: call.endpoint, costUsd: fromMicros(cost), result };
      admit(item);
      done.push(item);
    }
    current = undefined;
    return done;
  };
  try {
    return await (await together()).inTransaction(ctx, "batch.run", work);
  } catch (error) {
    // The transaction needs the original error, because some errors allow a retry.
    throw current ? batchFailed([failureOf(...current, error)], "Nothing was changed.") : error;
  }
}

type BatchItem = z.infer<ReturnType<typeof batchItem>>;

/** A sub-call that may run. */
interface Part {
  call: SubCall;
  capability: AnyCapability;
  parsed: Parsed<unknown>;
  cost: Micros;
  /** How it uses the state of its wallet. */
  use: WalletUse | undefined;
  pixels: number;
}

async function prepare(capability: AnyCapability, call: SubCall, ctx: Context): Promise<Part> {
  assertAvailable(capability, missing(capability, ctx));
  const parsed = await capability.parse(call.params, ctx);
  const cost = await ctx.quote(capability, parsed.input);
  return { call, capability, parsed, cost, use: capability.walletUse(parsed), pixels: capability.pixels(parsed) };
}

function assertFewPixels(parts: readonly Part[]): void {
  let pixels = 0;
  for (const [index, part] of parts.entries()) {
    pixels += part.pixels;
    if (pixels > MAX_PIXELS)
      throw invalid(
        `calls.${index}`,
        `the calls up to here draw ${pixels} pixels, and a batch may draw ${MAX_PIXELS}: send smaller batches, or this call on its own`,
      );
  }
}

async function runOne(part: Part, index: number, ctx: Context, signal?: AbortSignal): Promise<BatchItem> {
  const { capability, call, cost } = part;
  const result = await ctx.call(capability, call.params, { ...(signal ? { signal } : {}), key: String(index) });
  const base = { index, endpoint: call.endpoint, costUsd: fromMicros(cost) };
  return { ...base, result: isFile(result) ? toJson(result) : result };
}

/** Refuses the item with which the results become larger than one answer; `held` are in it already. */
function roomOfAnswer({ maxResponseBytes }: Context, held: readonly BatchItem[] = []): (item: BatchItem) => void {
  let bytes = held.reduce((sum, item) => sum + sizeOf(item), 0);
  return (item) => {
    bytes += sizeOf(item);
    if (bytes > maxResponseBytes)
      throw new CapabilityError(
        "RESULT_TOO_LARGE",
        `With this call the results are larger than the ${maxResponseBytes} bytes of one answer: send smaller batches, or ask for less.`,
      );
  };
}

/** Approximate bytes of an item in the answer. */
const sizeOf = (item: BatchItem): number => Buffer.byteLength(JSON.stringify(item));

const NOT_MOUNTED = "is not an endpoint of this service";
/** A batch imports no other capability, because every bundle with a batch would contain all of them. */
const NOT_IMPORTED =
  "is not known to this process: import it first (coinslot/capabilities has all), or pass it in options.capabilities";

/** The capability of a sub-call, if a batch may contain it. Refuses the whole batch otherwise. */
function findEligible({ endpoint }: SubCall, index: number, ctx: Context): AnyCapability {
  const capability = ctx.find(endpoint);
  const path = `calls.${index}.endpoint`;
  if (!capability) throw invalid(path, `"${endpoint}" ${ctx.mounted ? NOT_MOUNTED : NOT_IMPORTED}`);
  if (capability.composite) throw invalid(path, `${endpoint} cannot be part of a batch: batches do not nest`);
  if (!capability.batchable || capability.deprecated || capability.price.mode === "dynamic")
    throw invalid(path, `${endpoint} cannot be part of a batch: its price or its use is metered; call it on its own`);
  return capability;
}

/** Files are text or base64 in JSON. */
function toJson({ contentType, body }: BinaryResult): object {
  return typeof body === "string"
    ? { contentType, body }
    : { contentType, base64: Buffer.from(body).toString("base64") };
}

const isFile = (result: unknown): result is BinaryResult =>
  typeof result === "object" && result !== null && "contentType" in result && "body" in result;

/** `excused` if the payer did not cause the failure. */
type Failed = BatchFailure & { excused: boolean };

function failureOf(index: number, { endpoint }: SubCall, thrown: unknown): Failed {
  const { status, code, message, excused = false } = toCapabilityError(thrown);
  return { index, endpoint, status, code, detail: message, excused };
}

function batchFailed(failed: Failed[], outcome = "Nothing was charged."): CapabilityError {
  const sorted = failed.sort((a, b) => a.index - b.index).map(({ excused: _, ...failure }) => failure);
  const byInput = sorted.every(({ status }) => status === 400 || status === 404);
  const list = sorted.map(({ index, endpoint, detail }) => `calls.${index} (${endpoint}): ${detail}`).join(" ");
  // guard: resale: a batch failure that the buyer did not cause does not count as the buyer's |
  //   - excused: failed.every(({ excused }) => excused), | resell
  return new CapabilityError("BATCH_FAILED", `${outcome} ${list}`.slice(0, 2000), {
    failures: sorted,
    excused: failed.every(({ excused }) => excused),
    ...(byInput ? { status: 400 } : {}),
  });
}
