import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const load = /* @__PURE__ */ lazy(() => import("../../state/usage.js"));

const counted = () => z.object({ count: z.int(), bytes: z.int() });

export const storeUsage = /* @__PURE__ */ defineCapability({
  id: "store.usage",
  method: "POST",
  summary: "How much your wallet keeps here, kind by kind, and how much room it has.",
  keywords: ["quota", "storage used", "space left", "limits", "how full"],
  price: "0.002",
  source: fields.walletData,
  wallet: { signIn: true },
  input: () => z.strictObject({}),
  output: one(() =>
    z.object({
      totalBytes: z
        .int()
        .describe(
          "What counts towards capBytes: also schedules and watchers, until 30 days after their end, what was published or called, for a week, and ids against doubles, for a day",
        ),
      capBytes: z.int(),
      kv: counted(),
      docs: counted(),
      vectors: counted(),
      blobs: counted(),
      queue: counted(),
      locks: z.int(),
      topics: z.int(),
      subscriptions: z.int(),
      schedules: z.int(),
      watchers: z.int(),
    }),
  ),
  example: {},
  run: async (_, ctx) => ({ item: await (await load()).usage(ctx), meta: fields.ownedBy(ctx) }),
});
