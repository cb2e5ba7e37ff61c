import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const locks = /* @__PURE__ */ lazy(() => import("../../state/locks/locks.js"));

export const lockRelease = /* @__PURE__ */ defineCapability({
  id: "lock.release",
  method: "POST",
  summary: "Give a lock of your wallet back before its time is over.",
  keywords: ["unlock", "free", "mutex"],
  price: "0.002",
  source: fields.walletData,
  wallet: { effects: true },
  input: () => z.strictObject({ key: fields.key().describe("Name of the lock"), token: fields.token() }),
  output: one(() => z.object({ released: z.boolean().describe("False if it was not held any more") })),
  example: { key: "nightly-report", token: fields.SAMPLE_TOKEN },
  run: async (input, ctx) => ({ item: await (await locks()).release(ctx, input), meta: fields.ownedBy(ctx) }),
});
