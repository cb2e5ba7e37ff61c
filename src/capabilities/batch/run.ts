import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { type BinaryResult, rows } from "../../capability/output.js";
import type { AnyCapability, Context } from "../../capability/types.js";
import { type BatchFailure, CapabilityError, invalid, toCapabilityError } from "../../errors.js";
import { fromMicros, type Micros } from "../../lib/money.js";

/** How many sub-calls run at once: fifty heavy ones must not starve everybody else. */
const CONCURRENCY = 5;

const subCall = () =>
  z.strictObject({
    endpoint: z
      .string()
      .min(3)
      .max(64)
      .regex(/^[a-z0-9-]+\.[a-z0-9-]+$/, { error: "must be of the form group.name" })
      .describe("Id of the endpoint to call, such as convert.unit"),
    params: z.record(z.string(), z.unknown()).default({}).describe("Its input, as it would stand in query or body"),
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
      calls: z.array(subCall()).min(1).max(50).describe("The calls, answered in this order"),
    }),
  output: rows(batchItem),
  example: { calls: [{ endpoint: "convert.unit", params: { value: 1, from: "kg", to: "lb" } }] },

  /** Every sub-call is found, eligible and valid before a price is quoted or anything runs. */
  async check({ calls }, ctx) {
    const found = calls.map((call, index) => findEligible(call, index, ctx));
    const failures: BatchFailure[] = [];
    for (const [index, capability] of found.entries()) {
      const call = calls[index] as SubCall;
      await capability.parse(call.params, ctx).catch((error: unknown) => failures.push(failureOf(index, call, error)));
    }
    if (failures.length > 0) throw batchFailed(failures);
  },

  async composeQuote({ calls }, ctx) {
    let sum = 0n;
    for (const [index, call] of calls.entries()) {
      const capability = findEligible(call, index, ctx);
      sum += await quoteOf(capability, call, ctx);
    }
    return sum;
  },

  async run({ calls }, ctx) {
    const items: (BatchItem | undefined)[] = calls.map(() => undefined);
    const failures: BatchFailure[] = [];
    const stop = new AbortController();
    // The workers share one iterator, so each takes the next call that nobody has taken.
    const queue = calls.entries();
    const work = async () => {
      for (const [index, call] of queue) {
        if (stop.signal.aborted) return;
        try {
          items[index] = await runOne(call, index, ctx, stop.signal);
        } catch (error) {
          // What was cancelled because a sibling failed is no failure of its own.
          if (!stop.signal.aborted) failures.push(failureOf(index, call, error));
          stop.abort();
        }
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    if (failures.length > 0) throw batchFailed(failures);
    return { items: items.filter((item) => item !== undefined), total: calls.length };
  },
});

type BatchItem = z.infer<ReturnType<typeof batchItem>>;

async function runOne(call: SubCall, index: number, ctx: Context, signal: AbortSignal): Promise<BatchItem> {
  const capability = findEligible(call, index, ctx);
  const costUsd = fromMicros(await quoteOf(capability, call, ctx));
  const result = await ctx.call(capability, call.params, { signal });
  return { index, endpoint: call.endpoint, costUsd, result: isFile(result) ? toJson(result) : result };
}

async function quoteOf(capability: AnyCapability, { params }: SubCall, ctx: Context): Promise<Micros> {
  const { input } = await capability.parse(params, ctx);
  return ctx.quote(capability, input);
}

const NOT_MOUNTED = "is not an endpoint of this service";
/** A batch imports none of its neighbours, or every bundle with a batch in it would hold them all. */
const NOT_IMPORTED =
  "is not known to this process: import it first (coinslot/capabilities has all), or pass it in options.capabilities";

/** The capability that a sub-call names, if a batch may contain it. Refuses the whole batch otherwise. */
function findEligible({ endpoint }: SubCall, index: number, ctx: Context): AnyCapability {
  const capability = ctx.find(endpoint);
  const path = `calls.${index}.endpoint`;
  if (!capability) throw invalid(path, `"${endpoint}" ${ctx.mounted ? NOT_MOUNTED : NOT_IMPORTED}`);
  if (capability.composite) throw invalid(path, `${endpoint} cannot be part of a batch: batches do not nest`);
  if (!capability.batchable || capability.deprecated || capability.price.mode === "dynamic")
    throw invalid(path, `${endpoint} cannot be part of a batch: its price or its use is metered; call it on its own`);
  return capability;
}

/** Files travel in JSON as text or base64. */
function toJson({ contentType, body }: BinaryResult): object {
  return typeof body === "string"
    ? { contentType, body }
    : { contentType, base64: Buffer.from(body).toString("base64") };
}

const isFile = (result: unknown): result is BinaryResult =>
  typeof result === "object" && result !== null && "contentType" in result && "body" in result;

function failureOf(index: number, { endpoint }: SubCall, thrown: unknown): BatchFailure {
  const { status, code, message } = toCapabilityError(thrown);
  return { index, endpoint, status, code, detail: message };
}

function batchFailed(failures: BatchFailure[]): CapabilityError {
  const sorted = failures.sort((a, b) => a.index - b.index);
  const byInput = sorted.every(({ status }) => status === 400 || status === 404);
  const list = sorted.map(({ index, endpoint, detail }) => `calls.${index} (${endpoint}): ${detail}`).join(" ");
  return new CapabilityError("BATCH_FAILED", `Nothing was charged. ${list}`.slice(0, 2000), {
    failures: sorted,
    ...(byInput ? { status: 400 } : {}),
  });
}
