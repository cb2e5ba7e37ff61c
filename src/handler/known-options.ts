/**
 * Refuses unknown options: a misspelt one would be ignored and its default used, which could leave a treasury
 * unguarded.
 */

import type { WalletLimits, WalletOptions, WatchOptions } from "../capability/wallets.js";
import type { Brand, HandlerOptions, McpOptions } from "../host/options.js";
import type { FailureOptions } from "../payment/failures/failures.js";
import type { PaymentOptions } from "../payment/options.js";
import type { PricingOptions } from "../payment/pricing/pricing.js";
import type { ChannelOptions } from "../payment/rails/channel-options.js";
import type { TrialOptions } from "../payment/trial/trial.js";
import type { SigningOptions } from "../signing/options.js";

type Names<T> = Record<keyof T, true>;

const HANDLER: Names<HandlerOptions> = {
  capabilities: true,
  payment: true,
  brand: true,
  pricing: true,
  trial: true,
  wallets: true,
  basePath: true,
  docs: true,
  store: true,
  instances: true,
  ledgerDays: true,
  maxBodyBytes: true,
  maxResponseBytes: true,
  cors: true,
  mcp: true,
  signing: true,
  onCall: true,
  fetch: true,
  secrets: true,
  clock: true,
  cache: true,
  dataDir: true,
  logger: true,
  outbound: true,
};
const WALLETS: Names<WalletOptions> = {
  db: true,
  schema: true,
  dataDir: true,
  limits: true,
  secret: true,
  encryption: true,
  runner: true,
  signIn: true,
  httpCallbacks: true,
  watch: true,
};
const LIMITS: Names<WalletLimits> = { bytes: true };
const WATCH: Names<WatchOptions> = { allow: true, pollRate: true, minSeconds: true };
const BRAND: Names<Brand> = {
  name: true,
  slug: true,
  baseUrl: true,
  description: true,
  contact: true,
  tags: true,
  iconUrl: true,
};
const MCP: Names<McpOptions> = { tools: true, trial: true, instructions: true };
const SIGNING: Names<SigningOptions> = { key: true };
const PRICING: Names<PricingOptions> = { markup: true, overrides: true };
const TRIAL: Names<TrialOptions> = {
  perHour: true,
  maxQuoteUsd: true,
  callerBudgetUsd: true,
  deploymentBudgetUsd: true,
};
const PAYMENT: Names<PaymentOptions> = {
  treasury: true,
  formerTreasuries: true,
  facilitator: true,
  schemes: true,
  channels: true,
  assets: true,
  feePayers: true,
  rpc: true,
  refunds: true,
  minReturnUsd: true,
  settleFirst: true,
  maxUnsettledUsd: true,
  maxFailures: true,
  maxTimeoutSeconds: true,
  v1Body: true,
  mpp: true,
};
const FAILURES: Names<FailureOptions> = { runs: true, usd: true };

const CHANNELS: Names<ChannelOptions> = {
  signer: true,
  minDepositUsd: true,
  claimAboveUsd: true,
  claimAfterSeconds: true,
  withdrawDelaySeconds: true,
  former: true,
  allowMemoryStore: true,
};

/** Throws a TypeError that names unknown options and options of a wrong type. */
export function assertKnownOptions(options: HandlerOptions): void {
  assertNames("", options, HANDLER);
  assertNames("brand", options.brand, BRAND);
  assertNames("pricing", options.pricing, PRICING);
  assertNames("signing", options.signing, SIGNING);
  if (options.mcp !== false) assertNames("mcp", options.mcp, MCP);
  if (options.wallets !== undefined && options.wallets !== true) {
    assertNames("wallets", options.wallets, WALLETS);
    assertNames("wallets.limits", options.wallets.limits, LIMITS);
    assertNames("wallets.watch", options.wallets.watch, WATCH);
  }
  if (options.trial !== false) assertNames("trial", options.trial, TRIAL);
  const { payment } = options;
  if (payment === false || payment === undefined) return;
  assertNames("payment", payment, PAYMENT);
  assertNames("payment.maxFailures", payment.maxFailures, FAILURES);
  assertNames("payment.channels", payment.channels, CHANNELS);
  const facilitator: unknown = payment.facilitator;
  if (typeof facilitator !== "object" || facilitator === null)
    throw new TypeError(
      'payment.facilitator must be { url: "https://…" }, or an object with supported, verify and settle.',
    );
}

function assertNames(where: string, given: object | undefined, known: Record<string, true>): void {
  if (given === undefined) return;
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new TypeError(`${where || "options"} must be an object.`);
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const names = Object.keys(known).sort().join(", ");
  throw new TypeError(`Unknown option "${where ? `${where}.` : ""}${unknown}". Known: ${names}.`);
}

/** A price override for an id that is not mounted would leave the catalogue's price in force. */
export function assertOverridesMounted(
  { overrides = {} }: PricingOptions,
  mounted: ReadonlyMap<string, unknown>,
): void {
  const unknown = Object.keys(overrides).find((id) => !mounted.has(id));
  if (unknown !== undefined)
    throw new TypeError(`pricing.overrides: there is no "${unknown}" among the capabilities that are mounted.`);
}
