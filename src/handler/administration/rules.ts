/** Judges rules before they are stored, as the options of a host are judged. */
import type { Host } from "../../host/host.js";
import { assertOverridesMounted } from "../../host/option-checks.js";
import { byName, shape } from "../../lib/options/check.js";
import { text } from "../../lib/options/kinds.js";
import { payersOptions } from "../../payment/admission/payers.js";
import { pricingOptions } from "../../payment/networks/option-checks.js";
import type { HostRules } from "../../payment/pricing/rules.js";

const rulesOptions = shape<HostRules>({
  pricing: pricingOptions,
  payers: payersOptions,
  stopped: byName(text("a sentence for callers, of up to 500 characters", /^(?=.*\S)[^\p{Cc}]{1,500}$/u)),
});

/** Throws a TypeError. */
export function assertRules({ byId, payments }: Pick<Host, "byId" | "payments">, rules: HostRules): void {
  rulesOptions("", rules);
  const { pricing = {}, payers, stopped = {} } = rules;
  assertOverridesMounted(pricing, byId);
  const unknown = Object.keys(stopped).find((id) => !byId.has(id));
  if (unknown !== undefined) throw new TypeError(`stopped: unknown capability "${unknown}". It is not mounted here.`);
  // guard: rules: lists of wallets are not set where nobody would look at them | gone | handler/rules
  if (payers && !payments.admission)
    throw new TypeError("payers cannot be set while the host runs, unless it was created with payers, if only {}.");
}
