/** The offers of a 402, and which of them a payment takes up. */

import type { PaymentOptions } from "../options.js";
import { evmRail, sameAddress } from "./evm.js";
import type { Micros } from "./money.js";
import { knownNetwork } from "./networks.js";
import type { CheckedPayment, Rail } from "./rail.js";
import { PaymentRefused } from "./refusal.js";
import { createRpc } from "./rpc.js";
import type { OfferedPayment, Terms } from "./wire.js";

/** What a host accepts: one rail per network of its treasury, in the host's order. */
export type Rails = ReadonlyMap<string, Rail>;

/** Builds the rails once, when the host starts. Throws for a network or address that could never be paid. */
export function createRails(options: PaymentOptions, fetch = globalThis.fetch): Rails {
  const rails = new Map<string, Rail>();
  for (const [network, payTo] of Object.entries(options.treasury)) {
    if (!/^eip155:\d{1,15}$/.test(network))
      throw new TypeError(`payment.treasury: "${network}" is not a CAIP-2 network such as eip155:8453.`);
    const known = knownNetwork(network);
    const asset = options.assets?.[network] ?? (known && { ...known, address: known.asset });
    if (!asset) throw new TypeError(`payment.assets["${network}"] is needed: no USDC is known on that network.`);
    const rpcUrl = options.rpc === false ? undefined : (options.rpc?.[network] ?? known?.rpcUrl);
    const rpc = rpcUrl ? createRpc(rpcUrl, fetch) : undefined;
    rails.set(network, evmRail({ network, asset, payTo, rpc, refunds: options.refunds?.[network] }));
  }
  if (rails.size === 0) throw new TypeError("payment.treasury must name at least one network and address.");
  return rails;
}

/** The entries of `accepts` for an amount. */
export function offer(rails: Rails, amount: Micros, maxTimeoutSeconds: number): Terms[] {
  return [...rails.values()].flatMap((rail) => rail.terms(amount, maxTimeoutSeconds) ?? []);
}

export interface Accepted {
  terms: Terms;
  checked: CheckedPayment;
}

/** Finds our own terms for a payment and checks it against them. What the facilitator later sees is ours alone. */
export async function accept(payment: OfferedPayment, accepts: Terms[], rails: Rails): Promise<Accepted> {
  const terms = accepts.find(({ scheme, network }) => scheme === payment.scheme && network === payment.network);
  const rail = rails.get(payment.network);
  if (!terms || !rail)
    throw new PaymentRefused(
      "PAYMENT_NOT_OFFERED",
      `Scheme "${clip(payment.scheme)}" on network "${clip(payment.network)}" is not among the offers.`,
    );
  if (payment.accepted) checkCopy(payment.accepted, terms);
  return { terms, checked: await rail.check(payment, terms) };
}

/** The caller's copy must be what we would offer now; addresses of EVM networks may differ in case. */
function checkCopy(copy: Record<string, unknown>, terms: Terms): void {
  const sameText = terms.network.startsWith("eip155:") ? sameAddress : (a: string, b: string) => a === b;
  const differs = (name: "asset" | "payTo") => typeof copy[name] !== "string" || !sameText(copy[name], terms[name]);
  const wrong =
    copy.amount !== terms.amount
      ? "amount"
      : copy.maxTimeoutSeconds !== terms.maxTimeoutSeconds
        ? "maxTimeoutSeconds"
        : (["asset", "payTo"] as const).find(differs);
  if (wrong)
    throw new PaymentRefused("PAYMENT_MISMATCH", `The payment's ${wrong} is not the one offered for this request.`);
  const extra = typeof copy.extra === "object" && copy.extra !== null ? (copy.extra as Record<string, unknown>) : {};
  for (const [name, value] of Object.entries(terms.extra))
    if (extra[name] !== value)
      throw new PaymentRefused("PAYMENT_MISMATCH", `The payment's extra.${name} is not the one offered.`);
}

const clip = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
