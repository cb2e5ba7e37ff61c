import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { isoDateTime } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import * as fields from "../../state/wallet/fields.js";
import { lastValue, watcher, watcherId, watchers } from "./_watcher.js";

const delivery = () =>
  z.object({
    messageId: z.string().describe("The webhook-id of the call"),
    number: z.int().describe("Which poll it came of"),
    state: z.enum(["pending", "delivered", "dead", "dropped"]),
    attempts: z.int(),
    lastStatus: z.int().nullable(),
    lastOutcome: z.string().nullable(),
    createdAt: isoDateTime(),
    doneAt: isoDateTime().nullable(),
    nextAttemptAt: isoDateTime().nullable(),
  });

export const watchersStatus = /* @__PURE__ */ defineCapability({
  id: "watchers.status",
  summary: "How a watcher of your wallet is doing: what it saw last, when it looks next, and what did not arrive.",
  keywords: ["alert status", "last value seen", "monitor health", "failed alert", "is my alert working"],
  price: "0.001",
  source: fields.walletData,
  wallet: { signIn: true },
  input: () => z.strictObject({ watcherId: watcherId() }),
  output: one(() =>
    watcher().extend({
      lastValue: lastValue(),
      recentDeliveries: z.array(delivery()).describe("The latest 20"),
      undelivered: z.array(delivery().extend({ body: z.unknown() })).describe("The oldest 20, with their bodies"),
    }),
  ),
  example: { watcherId: "wat_00000000000000000000000000000001" },
  run: async (input, ctx) => ({ item: await (await watchers()).watcherStatus(ctx, input), meta: fields.ownedBy(ctx) }),
});
