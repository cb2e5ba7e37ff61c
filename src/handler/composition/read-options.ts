/**
 * Options of a host that need more than a type check: completed with defaults, or refused with the way to correct them.
 */

import { DEFAULT_BRAND, DEFAULT_SLUG } from "../../capability/context.js";
import type { OutboundOptions } from "../../capability/outbound-options.js";
import type { AnyCapability } from "../../capability/types.js";
import type { WalletOptions } from "../../capability/wallets.js";
import type { Host, HostOptions } from "../../host/host.js";
import type { Brand, HandlerOptions } from "../../host/options.js";
import { isUrl } from "../../lib/http/url.js";
import { maybeOfSeveral } from "../../lib/packages/platform.js";
import { isPricedByPurchase } from "../../payment/options/accounts.js";
import { asksForSignIn } from "../../payment/options/auth-hints.js";
import { isEdge, ownPayment } from "../../payment/options/edge.js";
import type { Store } from "../../stores/store.js";

export function indexById(capabilities: readonly AnyCapability[]): ReadonlyMap<string, AnyCapability> {
  const byId = new Map<string, AnyCapability>();
  for (const capability of capabilities) {
    if (byId.has(capability.id)) throw new TypeError(`capabilities: ${capability.id} is mounted twice.`);
    byId.set(capability.id, capability);
  }
  return byId;
}

export function readBasePath(path: string): string {
  const trimmed = path.replace(/\/+$/, "");
  // URLs resolve segments of dots, so no request would ever reach them.
  if (trimmed !== "" && !/^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/.test(trimmed))
    throw new TypeError(`basePath must look like "/api", not "${path}".`);
  return trimmed;
}

export function readBrand(brand: Partial<Brand> = {}): Brand {
  const { slug = DEFAULT_SLUG, name = DEFAULT_BRAND, baseUrl } = brand;
  if (baseUrl !== undefined && !(/^https?:\/\/[^/?#]+(?:\/[\w.~-]+)*\/?$/.test(baseUrl) && isUrl(baseUrl)))
    throw new TypeError(
      "brand.baseUrl must be an address such as https://api.example.com, with a path only if a proxy cuts that path off; basePath is appended to it.",
    );
  return { ...brand, name, slug: slug.toLowerCase(), ...(baseUrl ? { baseUrl: baseUrl.replace(/\/$/, "") } : {}) };
}

/** A sign-in signature names the address that it is for, and only the host knows its public address. */
export function takesSignIns(wallets: WalletOptions | undefined, { baseUrl }: Brand): boolean {
  if (wallets?.signIn && baseUrl === undefined)
    throw new TypeError("wallets.signIn needs brand.baseUrl, the address that wallets sign in at.");
  return wallets !== undefined && baseUrl !== undefined && wallets.signIn !== false;
}

/** A signature is for the address that was asked for, and only the host knows its public one. */
export function assertAgentsAddressed({ agents }: HostOptions, { baseUrl }: Brand): void {
  if (agents && baseUrl === undefined)
    throw new TypeError("agents needs brand.baseUrl, the address that agents' signatures are for.");
}

/** Who may sign in for more than a wallet's own data. Throws a TypeError for an endpoint that cannot be given away so. */
export function signInOf(
  { payment }: HostOptions,
  byId: ReadonlyMap<string, AnyCapability>,
  { baseUrl }: Brand,
): Pick<Host, "signInFree" | "signInAgain"> {
  const { free = [], again = false } = ownPayment(payment)?.signIn ?? {};
  const isHinted = asksForSignIn(ownPayment(payment)?.authHints);
  if (isHinted && baseUrl === undefined)
    throw new TypeError(
      "payment.authHints needs brand.baseUrl for sign-in-with-x, the address that wallets sign in at.",
    );
  if ((free.length > 0 || again) && baseUrl === undefined)
    throw new TypeError("payment.signIn needs brand.baseUrl, the address that wallets sign in at.");
  for (const id of free) {
    const capability = byId.get(id);
    if (!capability) throw new TypeError(`payment.signIn.free names "${id}", which is not mounted.`);
    if (capability.wallet)
      throw new TypeError(`payment.signIn.free names "${id}", which uses the state of a wallet: that is paid for.`);
    // guard: top-up: no balance is given away for a sign-in | gone | accounts/products
    if (isPricedByPurchase(id)) throw new TypeError(`payment.signIn.free names "${id}", which sells what it is paid.`);
  }
  return { signInFree: new Set(free), signInAgain: again };
}

/** The path of the base URL, which a proxy cuts off before a request arrives. */
export const prefixOf = ({ baseUrl }: Brand): string => (baseUrl ? new URL(baseUrl).pathname.replace(/\/$/, "") : "");

/** No capability may fetch this service's own address, because such calls would repeat themselves. */
export function withoutLoops({ outbound, brand }: HandlerOptions): OutboundOptions {
  const own = brand?.baseUrl && isUrl(brand.baseUrl) ? [new URL(brand.baseUrl).host] : [];
  return { ...outbound, denyHosts: [...(outbound?.denyHosts ?? []), ...own] };
}

/**
 * A memory store belongs to one process: a payment sent to a second process would buy there again until the chain
 * refuses it. Facilitators for Solana may confirm both, so several instances are refused there.
 */
export function assertStoreFits({ payment, logger, instances }: HostOptions, store: Store): void {
  if (store.shared || payment === false) return;
  // guard: several processes do not share one's memory | gone | wrong-options
  if (instances !== undefined && instances > 1)
    throw new TypeError(
      `instances: ${instances} processes need a shared store: createRedisStore of coinslot/stores/redis, or createPostgresStore of coinslot/stores/postgres.`,
    );
  if (instances === 1 || !maybeOfSeveral()) return;
  logger.warn(
    {},
    "payments, replies and trials are guarded in this process only: several instances need a shared store; set instances: 1 if there is only one",
  );
}

/**
 * An edge names no wallet, so that lists of wallets would let everybody in. Documents are read at the base URL, and what is
 * bought at another address than the gateway's is refused.
 */
export function assertFitsEdge({ payment, payers, sanctions, logger }: HostOptions, { baseUrl }: Brand): void {
  if (!isEdge(payment)) return;
  for (const [name, value] of Object.entries({ payers, sanctions }))
    if (value)
      throw new TypeError(
        `${name} cannot stand beside payment.edge: its tokens name no wallet, so nobody would be refused.`,
      );
  const { origin } = payment.edge.cloudflare;
  if (baseUrl === undefined || new URL(baseUrl).origin === new URL(origin).origin) return;
  logger.warn(
    {},
    `brand.baseUrl: documents send buyers to ${baseUrl}, and payments are taken at ${origin} alone (payment.edge.cloudflare.origin)`,
  );
}

/**
 * Of a call that is billed by usage the maximum is settled. Without a wallet that returns the rest it stays with the
 * host, as its buyers' credit, also where a buyer never comes back.
 */
export function warnOfCredit({ options, capabilities, pricing }: Host): void {
  const { logger } = options;
  const payment = ownPayment(options.payment);
  if (!payment) return;
  const networks = Object.keys(payment.treasury).filter((network) => !payment.refunds?.[network]);
  const prices = pricing.at();
  const byUsage = capabilities.filter((one) => prices.byUsage(one));
  if (networks.length === 0 || byUsage.length === 0) return;
  const [first, ...others] = byUsage.map(({ id }) => id);
  logger.warn(
    { networks },
    `payment.refunds: no wallet returns what is left of calls that are billed by usage (${first}${others.length > 0 ? ` and ${others.length} more` : ""}), so it stays with you as your buyers' credit, which pays their next calls`,
  );
}
