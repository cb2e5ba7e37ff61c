import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const load = /* @__PURE__ */ lazy(() => import("../../state/export.js"));

export const storeErase = /* @__PURE__ */ defineCapability({
  id: "store.erase",
  method: "POST",
  summary: "Erase everything that your wallet keeps here, or one namespace of it; nothing of it can be brought back.",
  keywords: ["delete all", "forget me", "right to erasure", "gdpr", "wipe", "reset"],
  price: "0.001",
  source: fields.walletData,
  wallet: { effects: true, signIn: true },
  input: () =>
    z.strictObject({
      confirm: z
        .literal("erase everything")
        .describe(
          "These very words. A wallet may sign in 60 times an hour, and the callers of one address 240 times; nothing is written for a wallet that keeps nothing here",
        ),
      ns: fields
        .namespace()
        .describe(
          "Only the values, documents, vectors and files of this namespace; otherwise all, queues, locks, schedules and topics too",
        )
        .optional(),
    }),
  output: one(() => z.object({ erased: z.record(z.string(), z.int()).describe("How many of each kind") })),
  example: { confirm: "erase everything" },
  run: async (input, ctx) => ({ item: { erased: await (await load()).erase(ctx, input) }, meta: fields.ownedBy(ctx) }),
});
