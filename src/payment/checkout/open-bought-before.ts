/** Answers that wallets bought, loaded where they may have them again. */
import { lazy } from "../../lib/lazy.js";
import type { PaymentOptions } from "../options/options.js";
import type { Order, Replay } from "../order/order.js";
import { fingerprintOf } from "../record/input-digest.js";
import type { BoughtBefore, BoughtBeforeOptions } from "./bought-before.js";

const load = /* @__PURE__ */ lazy(() => import("./bought-before.js"));

/** Undefined if wallets do not get again what they bought. */
export function openBoughtBefore(
  { signIn }: Pick<PaymentOptions, "signIn">,
  options: BoughtBeforeOptions,
): BoughtBefore | undefined {
  if (!signIn?.again) return undefined;
  const bought = lazy(async () => (await load()).createBoughtBefore(options));
  return {
    note: async (...noted) => (await bought()).note(...noted),
    find: async (...asked) => (await bought()).find(...asked),
  };
}

export const boughtBy =
  (bought: BoughtBefore | undefined) =>
  async (order: Order, wallet: string): Promise<Replay | undefined> =>
    bought?.find({ wallet, fingerprint: fingerprintOf(order) });
