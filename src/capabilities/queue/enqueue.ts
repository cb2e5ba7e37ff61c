import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { rows } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const queues = /* @__PURE__ */ lazy(() => import("../../state/queues/queues.js"));

const MAX_BODY_BYTES = 256 * 1024;

const delay = () => z.int().min(0).max(604_800).describe("How long it stays hidden, in seconds").optional();
const dedup = () =>
  fields
    .storedText(1, 128)
    .describe("Under one id a queue takes one message in 24 hours, for which it counts towards the wallet's room")
    .optional();
const body = () =>
  fields.jsonValue(MAX_BODY_BYTES).describe("Any JSON, up to 256 KB and 100,000 elements and members in all");

export const queueEnqueue = /* @__PURE__ */ defineCapability({
  id: "queue.enqueue",
  method: "POST",
  summary: "Put one message, or up to ten, into a queue of your wallet, with a delay and a key against doubles.",
  keywords: ["send message", "job queue", "task queue", "background work", "publish job", "sqs"],
  price: "0.002",
  source: fields.walletData,
  wallet: { effects: true },
  maxBodyBytes: 6_000_000,
  anyJson: ["body"],
  input: () =>
    z.strictObject({
      queue: fields
        .queue()
        .describe("Name of the queue; the queues of a wallet hold up to 1,000 messages, dead ones included"),
      body: body().optional(),
      messages: z
        .array(z.strictObject({ body: body(), delaySeconds: delay(), dedupId: dedup() }))
        .min(1)
        .max(10)
        .describe("Instead of body: several, each with its own")
        .optional(),
      delaySeconds: delay(),
      dedupId: dedup(),
      maxAttempts: z.int().min(1).max(100).default(10).describe("How often it is handed out before it is set aside"),
      ttlSeconds: fields.ttlSeconds().describe("How long it waits at most, in seconds; otherwise 90 days"),
    }),
  output: rows(() =>
    z.object({ id: z.string(), duplicate: z.literal(true).describe("It was there already").optional() }),
  ),
  example: { queue: "jobs", body: { task: "resize", image: 42 } },
  read({ queue, body, messages, delaySeconds = 0, dedupId, maxAttempts, ttlSeconds = fields.MAX_TTL_SECONDS }) {
    if ((body === undefined) === (messages === undefined))
      throw invalid("body", "is required, or messages instead of it");
    if (messages && dedupId !== undefined)
      throw invalid("dedupId", "belongs in each of messages, if there are several");
    const all = messages ?? [{ body, dedupId, delaySeconds }];
    return {
      queue,
      messages: all.map((one) => ({ ...one, delaySeconds: one.delaySeconds ?? delaySeconds })),
      maxAttempts,
      ttlSeconds,
    };
  },
  prepare: async (query, ctx) => (await queues()).prepareToEnqueue(ctx, query),
  async run(query, ctx, numbers) {
    const items = await (await queues()).enqueue(ctx, query, numbers);
    return { items, total: items.length, meta: fields.ownedBy(ctx) };
  },
});
