import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { CapabilityError, invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";
import { conditionType, watcher, watchers } from "./_watcher.js";

const load = /* @__PURE__ */ lazy(() => import("../../state/watchers/watchable.js"));

const MAX_BYTES = 16 * 1024;
const MIN_SECONDS = 300;
const NUMERIC = ["above", "below", "pct_up", "pct_down"];

export const watchersArm = /* @__PURE__ */ defineCapability({
  id: "watchers.arm",
  method: "POST",
  summary:
    "Watch the answer of an endpoint of this service, and have a URL of yours called when it changes, crosses a threshold or has new rows.",
  keywords: [
    "alert",
    "monitor",
    "notify me when",
    "price alert",
    "track changes",
    "watch for",
    "trigger",
    "new results",
  ],
  price: {
    min: "0.05",
    max: "50",
    quote: async (input, ctx) => (await load()).watchPrice(ctx, input),
  },
  packages: ["standardwebhooks"],
  timeoutMs: 60_000,
  source: fields.walletData,
  wallet: { effects: true, callsBack: true },
  input: () =>
    z.strictObject({
      endpoint: z
        .string()
        .max(64)
        .regex(/^[a-z0-9-]+\.[a-z0-9-]+$/, { error: "must be of the form group.name" })
        .describe("What is watched: an endpoint with a fixed price of at most 0.01 USD, such as crypto.fear-greed"),
      params: fields.jsonObject(MAX_BYTES).default({}).describe("Its input"),
      everySeconds: z.int().min(MIN_SECONDS).max(86_400).default(3600).describe("How often it is asked"),
      conditionType: conditionType().describe(
        "changed and new_items look at a list or value; above, below and equals fire on becoming so; pct_up and pct_down against the value that last fired",
      ),
      path: fields
        .jsonPointer()
        .describe(
          "JSON pointer into data of the answer, such as /items/0/value; /items for changed and new_items unless said",
        )
        .optional(),
      threshold: z.number().describe("For above, below, and in percent for pct_up and pct_down").optional(),
      value: fields.jsonValue(MAX_BYTES).describe("For equals: any JSON").optional(),
      itemKey: fields
        .jsonPointer()
        .describe("For new_items: JSON pointer into a row to what names it, such as /id; otherwise the whole row")
        .optional(),
      callbackUrl: fields.callbackUrl(),
      payload: fields.payload(),
      expiresInSeconds: z
        .int()
        .min(600)
        .max(fields.MAX_TTL_SECONDS)
        .default(2_592_000)
        .describe(
          "How long it watches, in seconds; polls beyond the first hundred cost extra. A wallet has up to 50 armed watchers",
        ),
      maxFires: z
        .int()
        .min(1)
        .max(1000)
        .describe("How many calls at most: 1 unless it is said, and 25 with changed and new_items")
        .optional(),
      label: fields.label(),
    }),
  output: one(() =>
    watcher().extend({
      baseline: z.unknown().describe("What the first poll saw at the path; null where that is larger than 16 KB"),
      secret: z.string().describe("Verifies the calls, by Standard Webhooks; shown here, and nowhere else"),
      publicKey: z.string().describe("Also verifies the calls, without the secret"),
    }),
  ),
  example: {
    endpoint: "crypto.fear-greed",
    everySeconds: 21_600,
    conditionType: "below",
    path: "/items/0/value",
    threshold: 20,
    callbackUrl: "https://example.com/hooks/fear",
  },
  async check(input, ctx) {
    const { everySeconds, expiresInSeconds } = input;
    assertCondition(input);
    const shortest = ctx.wallets?.watch?.minSeconds ?? MIN_SECONDS;
    if (everySeconds < shortest) throw invalid("everySeconds", `must be at least ${shortest} here`);
    if (expiresInSeconds < everySeconds) throw invalid("expiresInSeconds", "must be at least everySeconds");
    const endpoint = (await load()).watchable(ctx, input.endpoint);
    await endpoint.parse(input.params, ctx).catch((error: unknown) => {
      throw withinParams(error);
    });
  },
  async read({ conditionType: type, path = "/items", threshold, value, itemKey, maxFires, ...input }, ctx) {
    const isList = type === "changed" || type === "new_items";
    return {
      ...input,
      condition: { type, path, threshold, value, itemKey },
      maxFires: maxFires ?? (isList ? 25 : 1),
      watched: (await load()).watchable(ctx, input.endpoint),
    };
  },
  /** An endpoint that its buyer may not call may not be watched. */
  parts: ({ watched }) => [watched],
  prepare: async (watch, ctx) => (await watchers()).prepareToArm(ctx, watch),
  async run(watch, ctx, seen) {
    return { item: await (await watchers()).arm(ctx, watch, seen), meta: fields.ownedBy(ctx) };
  },
});

interface ConditionInput {
  conditionType: string;
  path?: string | undefined;
  threshold?: number | undefined;
  value?: unknown;
  itemKey?: string | undefined;
}

/** Each type of condition needs its own fields, and takes no others. */
function assertCondition({ conditionType: type, path, threshold, value, itemKey }: ConditionInput): void {
  const isNumeric = NUMERIC.includes(type);
  if (isNumeric !== (threshold !== undefined))
    throw invalid("threshold", isNumeric ? `is required with ${type}` : `has no meaning with ${type}`);
  if (type.startsWith("pct_") && (threshold ?? 0) <= 0) throw invalid("threshold", "must be a percentage above 0");
  if ((type === "equals") !== (value !== undefined))
    throw invalid("value", type === "equals" ? "is required with equals" : `has no meaning with ${type}`);
  if (itemKey !== undefined && type !== "new_items") throw invalid("itemKey", `has no meaning with ${type}`);
  if ((isNumeric || type === "equals") && path === undefined) throw invalid("path", `is required with ${type}`);
}

/** An error of a field of the endpoint's input, under our field `params`. */
function withinParams(error: unknown): unknown {
  if (!CapabilityError.is(error) || !error.issues) return error;
  const issues = error.issues.map(({ path, message }) => ({ path: path ? `params.${path}` : "params", message }));
  return new CapabilityError(error.code, issues.map(({ path, message }) => `${path}: ${message}`).join("; "), {
    issues,
  });
}
