/** What a call of up-to billing costs: what it used, never more than what was authorized. */

import type { AnyCapability, Meter } from "../../capability/types.js";
import type { Micros } from "../../lib/money.js";
import type { Pricing } from "./pricing.js";

export interface Bill {
  /** The quoted maximum. */
  authorized: Micros;
  /** What is to be paid of it. */
  charge: Micros;
  /** True when nobody reported the usage, so that `charge` is our own estimate. */
  estimated: boolean;
  /** Of a call that failed in part: what was quoted for the rest. */
  lost?: Micros;
  /** Usage beyond the maximum: our loss. */
  excess: Micros;
}

/** The whole price, for everything that is not billed by usage. */
const fullBill = (amount: Micros): Bill => ({
  authorized: amount,
  charge: amount,
  estimated: false,
  excess: 0n,
});

export interface Run {
  capability: AnyCapability;
  input: unknown;
  result: unknown;
  meter: Meter;
}

export function billFor({ capability, input, result, meter }: Run, authorized: Micros, pricing: Pricing): Bill {
  // A host that set a fixed price sells at that price, whatever is used.
  if (capability.billing === "exact" || pricing.isFixed(capability)) return fullBill(authorized);
  const measured = meter.used;
  const used = pricing.withMarkup(measured ?? capability.estimate(input, result) ?? authorized, capability);
  const estimated = measured === undefined;
  // An estimate of nothing would give the work away.
  const charge = estimated && used === 0n ? 1n : used;
  if (charge <= authorized) return { authorized, charge, estimated, excess: 0n };
  return { authorized, charge: authorized, estimated, excess: charge - authorized };
}
