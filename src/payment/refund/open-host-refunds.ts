/** Refunds by the host, loaded where one is asked for or was left: most instances make none. */
import { lazy } from "../../lib/lazy.js";
import type { HostRefunds, HostRefundsOptions } from "./host-refund.js";
import { isHostRefund } from "./host-refund-key.js";

const load = /* @__PURE__ */ lazy(() => import("./host-refund.js"));

export function openHostRefunds(options: HostRefundsOptions): HostRefunds {
  const refunds = lazy(async () => (await load()).createHostRefunds(options));
  return {
    owns: isHostRefund,
    refund: async (...asked) => (await refunds()).refund(...asked),
    overdue: async () => (await refunds()).overdue(),
    finish: async (key) => (await refunds()).finish(key),
  };
}
