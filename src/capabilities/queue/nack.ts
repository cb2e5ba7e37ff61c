import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const leases = /* @__PURE__ */ lazy(() => import("../../state/queues/leases.js"));

export const queueNack = /* @__PURE__ */ defineCapability({
  id: "queue.nack",
  method: "POST",
  summary:
    "Give leased messages of a queue of your wallet back, at once or later; those out of attempts are set aside.",
  keywords: ["retry later", "reject message", "failed job", "worker", "dead letter"],
  price: "0.002",
  source: fields.walletData,
  wallet: { effects: true },
  input: () =>
    z.strictObject({
      queue: fields.queue(),
      ...fields.receipts(),
      delaySeconds: z.int().min(0).max(604_800).default(0).describe("How long they stay hidden, in seconds"),
      error: text(0, 500).describe("The reason, shown with messages that were set aside").optional(),
    }),
  output: rows(() => z.object({ id: z.string(), nacked: z.boolean(), deadLettered: z.boolean() })),
  example: { queue: "jobs", id: "1", leaseToken: fields.SAMPLE_TOKEN, delaySeconds: 60, error: "timed out" },
  read: ({ queue, delaySeconds, error, ...given }) => ({
    // May be a stack trace: control characters are replaced, because the database stores neither NUL nor half a
    // character, and others are useless.
    queue,
    delaySeconds,
    error: error?.replace(/[^\P{Cc}\t\n]|\p{Cs}/gu, " "),
    messages: fields.receiptsOf(given),
  }),
  async run(query, ctx) {
    const items = await (await leases()).nack(ctx, query);
    return { items, total: items.length, meta: fields.ownedBy(ctx) };
  },
});
