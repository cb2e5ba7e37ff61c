/**
 * The one way to whatever runs an endpoint: a call, a batch's part, a call within a call, a watcher's poll. It asks
 * whether the endpoint can run here, then whether it is sold now, and of work without a request of its own also who it
 * is for.
 */
import { assertAvailable } from "../capability/define.js";
import type { AnyCapability } from "../capability/types.js";
import { CapabilityError } from "../errors.js";
import type { Host } from "../host/host.js";
import { ACCOUNT_WALLET } from "../payment/options/accounts.js";
import { PaymentRefused } from "../payment/x402/refusal.js";
import { assertFewHops, type Hopping } from "./hops.js";

type Selling = Pick<Host, "budgets" | "live" | "switches">;

/** Reads what other instances know of stops and checks; undefined if the last reading is recent. */
export function gateRead({ live, switches }: Selling): Promise<unknown> | undefined {
  const reading = switches.fresh();
  const looking = live?.fresh();
  return looking ? Promise.all([reading, looking]) : reading;
}

/** Throws for an endpoint that this host cannot run, and for a call that passed too many resellers. */
export function assertCallable(host: Pick<Host, "missing">, capability: AnyCapability, request?: Hopping): void {
  assertAvailable(capability, host.missing(capability));
  if (request) assertFewHops(request);
}

/**
 * Rejects with STOPPED, UPSTREAM_DRIFT or BUDGET_SPENT; with OVERLOADED if nothing is known of stops and prices yet, which
 * a quote need not wait for.
 */
export async function assertOpen(
  host: Selling,
  capability: AnyCapability,
  { isQuote = false }: { isQuote?: boolean } = {},
): Promise<void> {
  if (!isQuote) host.switches.assertKnown();
  assertSold(host, capability);
  // guard: budgets: nothing is sold beyond the day's budget | gone | upstream-budgets
  await host.budgets?.assertLeft(capability);
}

/** The same by what is known here, for calls within a call. */
export function assertKnownOpen(host: Selling, capability: AnyCapability): void {
  assertSold(host, capability);
  host.budgets?.assertKnownLeft(capability);
}

function assertSold(host: Selling, capability: AnyCapability): void {
  // guard: switches: a stopped endpoint answers before any price | gone | switches
  host.switches.assertRunning(capability.id);
  // guard: live: what cannot be read is not sold | gone | handler/live
  host.live?.assertSound(capability.id);
}

/** Where a call would be offered to a wallet's payment, nobody is there to pay. */
function unpayable(error: unknown): never {
  throw error instanceof PaymentRefused ? new CapabilityError("NOT_ALLOWED", error.message, { cause: error }) : error;
}

/** A run that was ordered before, for a wallet or an account. */
export interface OrderedRun {
  capability: AnyCapability;
  input: unknown;
  /** CAIP-10 account, or that of an account of the host. */
  wallet: string;
  /** Id of the key that ordered it, if an account's key did. */
  key?: string | undefined;
}

/**
 * Asks anew who may have it: the host's policy, its lists, sanctions, and what the account and its key may call. Rejects
 * as a call does.
 */
export async function admitRun(
  { payments, pricing }: Pick<Host, "payments" | "pricing">,
  { capability, input, wallet, key }: OrderedRun,
): Promise<void> {
  const account = wallet.startsWith(ACCOUNT_WALLET) ? wallet.slice(ACCOUNT_WALLET.length) : undefined;
  const [, network, payer] = /^([-a-z0-9]+:[-\w]+):(\w+)$/.exec(wallet) ?? [];
  // Any other name was given by the host itself.
  if (account === undefined && payer === undefined) return;
  const buyer = account === undefined ? { payer: payer as string, network: network as string } : { account };
  const amount = payments.charges ? pricing.atLeast(capability) : 0n;
  await payments.admission?.admitRun({ capability, amount, input }, { via: "watch", ...buyer });
  if (account === undefined || !payments.accounts) return;
  const book = await payments.accounts.book();
  await book.assertMayRun({ id: account, ...(key === undefined ? {} : { key }) }, capability.id).catch(unpayable);
}
