/** The offers of a 402, and which of them a payment takes up. */

import type { Logger } from "../context.js";
import { CapabilityError } from "../errors.js";
import type { PaymentOptions } from "../options.js";
import { evmRail, sameAddress } from "./evm.js";
import type { Micros } from "./money.js";
import { knownNetwork } from "./networks.js";
import type { CheckedPayment, Rail } from "./rail.js";
import { PaymentRefused } from "./refusal.js";
import { createRpc, type Rpc } from "./rpc.js";
import { solanaRail } from "./solana.js";
import { isSolanaAddress, warnOfMissingAccount } from "./solana-token.js";
import type { Supported } from "./supported.js";
import type { OfferedPayment, Terms } from "./wire.js";

/** What a host accepts: one rail per network of its treasury, in the host's order. */
export type Rails = ReadonlyMap<string, Rail>;

export interface RailSources {
  /** What the facilitator supports; without it only fee payers that the host names are known. */
  supported?: Pick<Supported, "feePayer" | "acceptsFeePayer"> | undefined;
  logger?: Logger;
}

/** Builds the rails once, when the host starts. Throws for a network or address that could never be paid. */
export function createRails(options: PaymentOptions, fetch = globalThis.fetch, sources: RailSources = {}): Rails {
  const rails = new Map<string, Rail>();
  for (const [network, payTo] of Object.entries(options.treasury)) {
    const rpcUrl = options.rpc === false ? undefined : (options.rpc?.[network] ?? knownNetwork(network)?.rpcUrl);
    const account = { network, payTo, rpc: rpcUrl ? createRpc(rpcUrl, fetch) : undefined };
    if (/^eip155:\d{1,15}$/.test(network)) rails.set(network, createEvmRail(account, options));
    else if (/^solana:[1-9A-HJ-NP-Za-km-z]{32}$/.test(network))
      rails.set(network, createSolanaRail(account, options, sources));
    else throw new TypeError(`payment.treasury: "${network}" is not a CAIP-2 network such as eip155:8453.`);
  }
  if (rails.size === 0) throw new TypeError("payment.treasury must name at least one network and address.");
  return rails;
}

/** An entry of the treasury. */
interface Account {
  network: string;
  payTo: string;
  rpc: Rpc | undefined;
}

function createEvmRail({ network, payTo, rpc }: Account, options: PaymentOptions): Rail {
  const known = knownNetwork(network);
  const { address, name, version } = options.assets?.[network] ?? { address: known?.asset, ...known?.domain };
  if (!address) throw unknownAsset(network);
  if (!name || !version)
    throw new TypeError(`payment.assets["${network}"] needs the token's EIP-712 name and version too.`);
  return evmRail({ network, asset: { address, name, version }, payTo, rpc, refunds: options.refunds?.[network] });
}

function createSolanaRail({ network, payTo, rpc }: Account, options: PaymentOptions, sources: RailSources): Rail {
  const asset = options.assets?.[network]?.address ?? knownNetwork(network)?.asset;
  if (!asset) throw unknownAsset(network);
  if (options.refunds?.[network])
    throw new TypeError(
      `payment.refunds["${network}"]: on Solana the unused part becomes credit; leave the wallet out.`,
    );
  const { supported, logger } = sources;
  const named = options.feePayers?.[network];
  if (named !== undefined && !isSolanaAddress(named))
    throw new TypeError(`payment.feePayers["${network}"] must be a Solana address: 32 bytes in base58.`);
  const rail = solanaRail({
    network,
    asset,
    payTo,
    rpc,
    feePayer: () => named ?? supported?.feePayer(network),
    acceptsFeePayer: (address) => supported?.acceptsFeePayer(network, address) ?? false,
  });
  if (rpc && logger) void warnOfMissingAccount({ owner: payTo, mint: asset }, rpc, logger);
  return rail;
}

const unknownAsset = (network: string) =>
  new TypeError(`payment.assets["${network}"] is needed: no USDC is known on that network.`);

export interface OfferOptions {
  maxTimeoutSeconds: number;
  /** How long the work may take; rails whose payments do not outlive it are left out. */
  workMs: number;
}

/** The entries of `accepts` for an amount. */
export function offer(rails: Rails, amount: Micros, { maxTimeoutSeconds, workMs }: OfferOptions): Terms[] {
  return [...rails.values()]
    .filter(({ maxWorkMs = Number.POSITIVE_INFINITY }) => workMs <= maxWorkMs)
    .flatMap((rail) => rail.terms(amount, maxTimeoutSeconds) ?? []);
}

export interface Accepted {
  terms: Terms;
  checked: CheckedPayment;
}

/** Finds our own terms for a payment and checks it against them. What the facilitator later sees is ours alone. */
export async function accept(payment: OfferedPayment, accepts: Terms[], rails: Rails): Promise<Accepted> {
  const offered = accepts.find(({ scheme, network }) => scheme === payment.scheme && network === payment.network);
  const rail = rails.get(payment.network);
  // Not now, but probably soon: whoever gets a 402 for a payment already made signs another one.
  if (rail && !rail.terms(0n, 0)) throw notReady();
  if (!offered || !rail)
    throw new PaymentRefused(
      "PAYMENT_NOT_OFFERED",
      `Scheme "${clip(payment.scheme)}" on network "${clip(payment.network)}" is not among the offers.`,
    );
  const terms = (await rail.termsTaken?.(payment, offered)) ?? offered;
  if (payment.accepted) checkCopy(payment.accepted, terms);
  return { terms, checked: await rail.check(payment, terms) };
}

const notReady = () =>
  new CapabilityError(
    "FACILITATOR_UNAVAILABLE",
    "Payments on this network cannot be taken at the moment. Nothing was charged; the same payment can be sent again.",
    { retryAfter: 5 },
  );

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
