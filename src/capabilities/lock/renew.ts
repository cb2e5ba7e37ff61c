import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const locks = /* @__PURE__ */ lazy(() => import("../../state/locks/locks.js"));

export const lockRenew = /* @__PURE__ */ defineCapability({
  id: "lock.renew",
  method: "POST",
  summary: "Hold a lock of your wallet for longer, while it has not run out.",
  keywords: ["extend lease", "heartbeat", "keep alive", "mutex"],
  price: "0.002",
  source: fields.walletData,
  wallet: { effects: true },
  input: () =>
    z.strictObject({
      key: fields.key().describe("Name of the lock"),
      token: fields.token(),
      ttlSeconds: fields.leaseSeconds(86_400),
    }),
  output: one(() =>
    z.object({
      renewed: z.boolean().describe("False if it expired or somebody else holds it"),
      fencingToken: z.int().optional(),
      expiresInSeconds: z.int().optional(),
    }),
  ),
  example: { key: "nightly-report", token: fields.SAMPLE_TOKEN, ttlSeconds: 120 },
  run: async (input, ctx) => ({ item: await (await locks()).renew(ctx, input), meta: fields.ownedBy(ctx) }),
});
