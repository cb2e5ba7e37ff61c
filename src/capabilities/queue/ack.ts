import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { rows } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const leases = /* @__PURE__ */ lazy(() => import("../../state/queues/leases.js"));

export const queueAck = /* @__PURE__ */ defineCapability({
  id: "queue.ack",
  method: "POST",
  summary: "Acknowledge leased messages of a queue of your wallet: they are done and never come again.",
  keywords: ["delete message", "done", "complete job", "worker"],
  price: "0.002",
  source: fields.walletData,
  wallet: { effects: true },
  input: () => z.strictObject({ queue: fields.queue(), ...fields.receipts() }),
  output: rows(() =>
    z.object({ id: z.string(), acked: z.boolean().describe("False if the lease had ended or is somebody else's") }),
  ),
  example: { queue: "jobs", id: "1", leaseToken: fields.SAMPLE_TOKEN },
  read: ({ queue, ...given }) => ({ queue, messages: fields.receiptsOf(given) }),
  async run(query, ctx) {
    const items = await (await leases()).ack(ctx, query);
    return { items, total: items.length, meta: fields.ownedBy(ctx) };
  },
});
