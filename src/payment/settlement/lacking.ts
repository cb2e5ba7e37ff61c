/** Tells a buyer in plain words that its wallet has too little, where a facilitator only says that a transfer fails. */
import { within } from "../../lib/abort.js";
import { fromMicros } from "../../lib/money.js";
import { type Rails, railFor } from "../networks/rails.js";
import { type PaymentToSettle, saysPoor } from "../x402/facilitator.js";
import { networkAlias } from "../x402/networks.js";
import { isRated } from "../x402/usd.js";

/** A refusal does not wait longer for its reason. */
const WAIT_MS = 2000;

const mayLack = (reason: string): boolean => saysPoor(reason) || /simulation_failed/.test(reason);

/** The lack of a wallet whose payment was refused, told in words; undefined for another reason, and while no node tells. */
export async function lackOf(rails: Rails, payment: PaymentToSettle, reason: string): Promise<string | undefined> {
  const { requirements, payer } = payment;
  const owned = railFor(rails, requirements)?.owned;
  if (!owned || !mayLack(reason) || isRated(requirements)) return undefined;
  const [needed, has] = await Promise.all([
    BigInt(requirements.amount),
    within(WAIT_MS, () => owned(payer)).catch(() => undefined),
  ]);
  if (has === undefined || has >= needed) return undefined;
  return `This wallet has ${fromMicros(has)} USDC on ${nameOf(requirements.network)}; ${fromMicros(needed)} needed.`;
}

/** "Base Sepolia" for eip155:84532. */
const nameOf = (network: string): string =>
  networkAlias(network)
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
