/**
 * Checks of a host's options before anything is created from them: a misspelt option would be ignored and its default
 * used, which could leave a treasury unguarded or give trials away.
 */
import { aCapability, SHARED, walletOptionsOfHost } from "../capability/option-checks.js";
import type { LiveOptions } from "../drift/options.js";
import { webhooksOptions } from "../host-webhooks/options.js";
import { anyOf, being, byName, type ChecksOf, hidden, listOf, needed, shape } from "../lib/options/check.js";
import { count, flag, func, having, off, oneOf, text, usd, webAddress } from "../lib/options/kinds.js";
import type { BudgetOptions } from "../metering/budgets.js";
import type { CountOptions } from "../metering/call-counts.js";
import type { FloodOptions } from "../metering/flood-options.js";
import { isToken, type MetricsOptions } from "../metrics/options.js";
import { payersOptions } from "../payment/admission/payers.js";
import {
  accountOptions,
  paymentOptionsOfHost,
  pricingOptions,
  productsOptions,
  trialOptions,
} from "../payment/networks/option-checks.js";
import { isPricedByPurchase } from "../payment/options/accounts.js";
import type { RefundPolicy } from "../payment/options/refund-policy.js";
import type { PricingOptions } from "../payment/pricing/pricing.js";
import type { SigningOptions } from "../signing/options.js";
import type { AgentsOptions, Brand, HandlerOptions, JobOptions, McpOptions } from "./options.js";

type Contact = NonNullable<Brand["contact"]>;

const CONTACT: ChecksOf<Contact> = {
  name: text(),
  url: webAddress,
  email: text('an e-mail address such as "api@example.com"', /^[^\s@]+@[^\s@]+\.[^\s@]+$/),
};
const contact = shape<Contact>(CONTACT);

const BRAND: ChecksOf<Brand> = {
  name: text(),
  slug: text(
    "letters, digits and hyphens, of which header names are made",
    /^(?=.{1,64}$)[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$/,
  ),
  baseUrl: webAddress,
  description: text(),
  tags: listOf(text("1 to 32 letters, digits or signs of ASCII", /^[\x20-\x7e]{1,32}$/), { most: 5 }),
  iconUrl: webAddress,
  contact: Object.assign(
    (name: string, value: unknown) => {
      contact(name, value);
      if (Object.keys(value as object).length === 0)
        throw new TypeError(`${name} must name email, url or name; leave it out if you have none.`);
    },
    { members: CONTACT },
  ),
};

const MCP: ChecksOf<McpOptions> = {
  tools: anyOf(oneOf("all"), listOf(text('a group or an id, such as "aviation"'))),
  trial: oneOf("auto", "asked"),
  instructions: text(),
  x402Extension: flag,
  askAboveUsd: usd(),
};
export const mcpOptions = shape<McpOptions>(MCP);

const A_STORE = "a store, as createMemoryStore, createRedisStore or createPostgresStore makes it";

const HANDLER: ChecksOf<HandlerOptions> = {
  ...SHARED,
  capabilities: needed(
    listOf(aCapability, { least: 1 }),
    "an array of capabilities to mount, such as that of coinslot/capabilities.",
  ),
  payment: needed(
    paymentOptionsOfHost,
    "payment needs a treasury and a facilitator; set payment: false to give every call away.",
  ),
  brand: shape<Brand>(BRAND),
  pricing: pricingOptions,
  trial: trialOptions,
  accounts: accountOptions,
  jobs: shape<JobOptions>({ always: listOf(text("the id of an endpoint")), maxPerPayer: count(1) }, { or: [false] }),
  customer: flag,
  products: productsOptions,
  refundPolicy: shape<RefundPolicy>({
    withinDays: needed(count(1, 365), "the days within which a buyer may ask."),
    conditions: needed(
      text("a sentence for buyers, of up to 300 characters", /^[^\p{Cc}]{1,300}$/u),
      "what is given back.",
    ),
    atOnce: shape<{ maxUsd?: string; perDay?: number }>(
      { maxUsd: usd(), perDay: count(1, 1000) },
      { or: [true, false] },
    ),
  }),
  agents: shape<AgentsOptions>({
    directories: needed(listOf(webAddress, { least: 1, most: 1000 }), "the addresses of agents' key directories."),
  }),
  wallets: walletOptionsOfHost,
  basePath: being('a path such as "/api"', (value) => typeof value === "string"),
  docs: off,
  store: having(A_STORE, "get", "put", "remove", "increment", "due", "list", "close"),
  instances: count(1),
  ledgerDays: count(1, 36_500),
  cors: off,
  mcp: shape<McpOptions>(MCP, { or: [false] }),
  signing: shape<SigningOptions>({
    key: needed(signingKey, "an Ed25519 key as a private JWK, or an account of viem."),
  }),
  openaiAlias: off,
  maxBodyBytes: count(1),
  maxResponseBytes: count(1),
  maxStreamsPerPayer: count(1),
  floods: shape<FloodOptions>(
    {
      perSecond: count(1, 100_000),
      burst: count(10, 1_000_000),
      maxTracked: count(100, 1_000_000),
      maxLagMs: count(10),
    },
    { or: [true] },
  ),
  onCall: func("a function of an event"),
  live: shape<LiveOptions>({ everyHours: needed(count(1, 168), "the hours between two checks of a provider.") }),
  onDrift: func("a function of an event"),
  policy: func("a function of a call that returns { allow }"),
  sanctions: flag,
  payers: payersOptions,
  webhooks: webhooksOptions,
  countCalls: anyOf(flag, shape<CountOptions>({ ownWallets: listOf(text("a wallet or an account of your own")) })),
  metrics: shape<MetricsOptions>(
    {
      token: hidden("at least 16 letters that a scraper sends as a bearer token", isToken),
      path: text('a path such as "/internal/metrics"', /^\/[\w./-]*$/),
      port: count(0, 65_535),
      address: text('an address of this machine, such as "127.0.0.1"'),
    },
    { or: [true] },
  ),
  budgets: byName(shape<BudgetOptions>({ usdPerDay: needed(usd(), 'US dollars a day, such as "20".') })),
};

function signingKey(name: string, value: unknown): void {
  if (typeof value !== "object" || value === null)
    throw new TypeError(`${name} must be a private Ed25519 JWK (kty, crv, x, d), or an account as viem's are.`);
}

export const handlerOptions = shape<HandlerOptions>(HANDLER);

/** Throws a TypeError that names what is not known, or what is of the wrong kind. */
export function assertKnownOptions(options: unknown): void {
  if (options === undefined)
    throw new TypeError("createHandler needs its options: createHandler({ capabilities, payment }).");
  handlerOptions("", options);
}

/** An override of what is not mounted would leave the catalogue's price standing. */
export function assertOverridesMounted(
  { overrides = {} }: PricingOptions,
  mounted: ReadonlyMap<string, unknown>,
): void {
  const unknown = Object.keys(overrides).find((id) => !mounted.has(id));
  if (unknown !== undefined)
    throw new TypeError(
      `pricing.overrides: unknown capability "${unknown}". Only mounted capabilities can have a price.`,
    );
  const sale = Object.keys(overrides).find(isPricedByPurchase);
  // guard: top-up: no price of the host's stands for a product's own | gone | accounts/products
  if (sale !== undefined) throw new TypeError(`pricing.overrides: the price of ${sale} is the amount that is bought.`);
}
