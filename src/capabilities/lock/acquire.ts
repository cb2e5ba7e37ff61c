import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const locks = /* @__PURE__ */ lazy(() => import("../../state/locks/locks.js"));

export const lockAcquire = /* @__PURE__ */ defineCapability({
  id: "lock.acquire",
  method: "POST",
  summary:
    "Take a lock of your wallet for some seconds, with a fencing number that only grows; told when to retry if it is held.",
  keywords: [
    "mutex",
    "lease",
    "mutual exclusion",
    "only one worker",
    "leader election",
    "fencing token",
    "critical section",
  ],
  price: "0.002",
  source: fields.walletData,
  wallet: { effects: true },
  input: () =>
    z.strictObject({
      key: fields.key().describe("Name of the lock; a wallet holds up to 100"),
      ttlSeconds: fields.leaseSeconds(86_400),
      holder: fields.storedText(1, 128).describe("Who holds it, shown to callers who find it taken").optional(),
    }),
  output: one(() =>
    z.object({
      acquired: z.boolean(),
      token: z.string().describe("Renews and releases it; shown once").optional(),
      fencingToken: z
        .int()
        .describe("Higher than of every earlier holder: let the resource refuse lower ones")
        .optional(),
      expiresInSeconds: z.int().optional(),
      expiresAt: fields.expiresAt().optional(),
      retryInSeconds: z.int().describe("When the current holder's lock expires, if it is not renewed").optional(),
      holder: z.string().optional(),
    }),
  ),
  example: { key: "deploy", ttlSeconds: 60, holder: "worker-7" },
  precheck: async (input, ctx) => (await locks()).prepareToAcquire(ctx, input),
  run: async (input, ctx) => ({ item: await (await locks()).acquire(ctx, input), meta: fields.ownedBy(ctx) }),
});
