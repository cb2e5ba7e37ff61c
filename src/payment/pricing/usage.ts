/** Price of a call with up-to billing: the usage, at most the authorized amount. */

import type { AnyCapability } from "../../capability/types.js";
import type { Meter } from "../../capability/usage.js";
import type { Micros } from "../../lib/money.js";
import type { Prices } from "./pricing.js";

export interface Bill {
  /** The quoted maximum. */
  authorized: Micros;
  /** The amount to pay. */
  charge: Micros;
  /** True if no usage was reported, so that `charge` is an estimate. */
  estimated: boolean;
  /** For a call that failed in part: the quote of the failed rest. */
  lost?: Micros;
  /** Usage beyond the maximum, which the host loses. */
  excess: Micros;
}

/** The full price, for everything that is not billed by usage. */
const fullBill = (amount: Micros): Bill => ({
  authorized: amount,
  charge: amount,
  estimated: false,
  excess: 0n,
});

export interface MeteredRun {
  capability: AnyCapability;
  input: unknown;
  result: unknown;
  meter: Meter;
  /** Whether its order was quoted as a maximum, of which the usage is charged. */
  byUsage: boolean;
}

export function billFor(
  { capability, input, result, meter, byUsage }: MeteredRun,
  authorized: Micros,
  prices: Pick<Prices, "withMarkup">,
): Bill {
  if (!byUsage) return fullBill(authorized);
  const measured = meter.used;
  const used = prices.withMarkup(measured ?? capability.estimate(input, result) ?? authorized, capability);
  const estimated = measured === undefined;
  // An estimate of zero would give the work away.
  const charge = estimated && used === 0n ? 1n : used;
  // guard: usage never costs more than was authorized | always | USAGE
  if (charge <= authorized) return { authorized, charge, estimated, excess: 0n };
  return { authorized, charge: authorized, estimated, excess: charge - authorized };
}
