/** The options of a host, composed of the options of its parts. */
import type { AnyCapability, CallOptions } from "../capability/types.js";
import type { WalletOptions } from "../capability/wallets.js";
import type { DriftEvent, LiveOptions } from "../drift/options.js";
import type { HostWebhook } from "../host-webhooks/options.js";
import type { BudgetOptions } from "../metering/budgets.js";
import type { CountOptions } from "../metering/call-counts.js";
import type { FloodOptions } from "../metering/flood-options.js";
import type { MetricsOptions } from "../metrics/options.js";
import type { AdmissionOptions } from "../payment/admission/options.js";
import type { CallEvent } from "../payment/events/events.js";
import type { AccountsOptions, Product } from "../payment/options/accounts.js";
import type { EdgePaymentOptions } from "../payment/options/edge.js";
import type { PaymentOptions } from "../payment/options/options.js";
import type { RefundPolicy } from "../payment/options/refund-policy.js";
import type { PricingOptions } from "../payment/pricing/pricing.js";
import type { TrialOptions } from "../payment/trial/trial.js";
import type { SigningOptions } from "../signing/options.js";
import type { Store } from "../stores/store.js";

/** The name under which callers see the service. */
export interface Brand {
  /** Name in documents. */
  name: string;
  /** Part of header names such as `X-<SLUG>-Trial` and `x-<slug>-price`. Letters, digits, hyphens. */
  slug: string;
  /**
   * The public address, if a proxy hides it: `https://api.example.com`. Includes the path that the proxy cuts off: with
   * `https://example.com/shop`, callers' `/shop/api/...` arrives here as `/api/...`.
   */
  baseUrl?: string;
  description?: string;
  /** Up to five words by which catalogues of paid APIs sort the service. Default: each endpoint's group. */
  tags?: readonly string[];
  /** Address of an image for catalogues, on the public web. */
  iconUrl?: string;
  contact?: { name?: string; url?: string; email?: string };
}

/** Options of the catalogue for models, served over the Model Context Protocol. */
export interface McpOptions {
  /**
   * Capabilities listed as separate tools, in addition to the three tools that search, describe and call: groups
   * (`"aviation"`), ids (`"convert.unit"`), or `"all"`. Default: all if there are at most 40, otherwise none, because
   * models choose badly from long lists. A client may choose its own: `<basePath>/mcp?tools=aviation,convert.unit`.
   */
  tools?: "all" | readonly string[];
  /**
   * `"auto"`: a call without payment uses the caller's free trial, if one is left. `"asked"`: only if the call asks for
   * it.
   */
  trial?: "auto" | "asked";
  /** Text that a model reads before it chooses. Default: how to find, call and pay. */
  instructions?: string;
  /**
   * Quotes as results of the type `payment_required`, in the extension `org.x402/payment`, for clients of 2026-07-28 that
   * list it. Default false: x402 has not merged the extension yet, and its name may change.
   */
  x402Extension?: boolean;
  /**
   * Above this price, in US dollars, the person behind the client is asked (elicitation) before a call is charged, whoever
   * signed for it; a client that cannot ask anybody gets an error instead. A call may name a lower bound of its own in
   * `_meta["<slug>/ask-above-usd"]`. Default: nobody is asked.
   */
  askAboveUsd?: string;
}

/** Agents that sign their requests (Web Bot Auth, RFC 9421). */
export interface AgentsOptions {
  /**
   * Addresses of the key directories of agents that are known here, such as
   * `"https://agent.example/.well-known/http-message-signatures-directory"`: no other is ever asked.
   */
  directories: readonly string[];
}

/** Paid calls whose answer is fetched later. */
export interface JobOptions {
  /** Ids of endpoints that always answer 202, whether asked to or not. Default: none. */
  always?: readonly string[];
  /** How many jobs of one payer may be open at a time, over all instances; more are 429 RATE_LIMITED. Default 32. */
  maxPerPayer?: number;
}

export interface HandlerOptions<C extends readonly AnyCapability[] = readonly AnyCapability[]>
  extends Omit<CallOptions, "signal" | "wallet" | "idempotencyKey" | "wallets">,
    AdmissionOptions {
  /** Capabilities to mount. */
  capabilities: C;
  /**
   * `false` makes every call free, for hosts that bill in their own way. Required, so that nobody gives work away by
   * accident.
   */
  payment: PaymentOptions | EdgePaymentOptions | false;
  brand?: Partial<Brand>;
  pricing?: PricingOptions;
  trial?: TrialOptions | false;
  /** Accounts beside wallets: the host's own users buy from a balance, named by its login or by a key. Default: none. */
  accounts?: AccountsOptions;
  /**
   * Paid calls whose answer is fetched later, for callers who send `Prefer: respond-async`; `false` turns them off.
   * Default: on, but not on Lambda and Workers, where work ends with its request.
   */
  jobs?: JobOptions | false;
  /**
   * True mounts a page at `<basePath>/account` where customers see and manage their accounts. Needs `accounts` with `keys`,
   * or with balances that wallets buy. Default false.
   */
  customer?: boolean;
  /** Passes and bundles that wallets buy at `account.buy`; needs `accounts`. Default: none. */
  products?: readonly Product[];
  /** When buyers may ask for their money back, at `payment.refund-request`; shown to them before they pay. Default: never. */
  refundPolicy?: RefundPolicy;
  /**
   * Names the agent that signed a request, for `policy`, `accounts.identify` and events. Needs `brand.baseUrl`, which
   * signatures are for. Default: nobody is asked for a signature, and none is read.
   */
  agents?: AgentsOptions;
  /**
   * Keeps state for paying wallets, which `store.*` and related capabilities need. `{}` or `true`: an embedded database
   * in a folder of `dataDir`, for one process; payments are kept beside it unless `store` is set. Default: off.
   */
  wallets?: WalletOptions | boolean;
  /** Default `/api`. */
  basePath?: string;
  /** `false` removes the documentation page at `<basePath>/docs` and at the root of the origin. */
  docs?: false;
  /** Keeps trial counters, payment records and stored replies. Default: memory of this process. */
  store?: Store;
  /**
   * Number of processes that serve this. More than one need a shared store; with Solana this is enforced. Default 1.
   */
  instances?: number;
  /** Days for which the ledger is kept. Default 400; 30 in memory, where its entries use the store's room. */
  ledgerDays?: number;
  /** `false` removes the CORS headers, for a host that sets its own. Default: any origin may read answers. */
  cors?: false;
  /** The catalogue for models at `<basePath>/mcp`, over streamable HTTP; `false` removes it. */
  mcp?: McpOptions | false;
  /** Signs answers on request (`?sign=1`); the public key is published at `/.well-known/jwks.json`. */
  signing?: SigningOptions;
  /**
   * `false` removes the alias of `ai.chat` for clients of OpenAI's API, `POST <basePath>/ai/chat/completions`, which is
   * mounted with it.
   */
  openaiAlias?: false;
  /** Largest request body in bytes. Default 1 MB. */
  maxBodyBytes?: number;
  /** Largest answer in bytes; a larger one is refused before anything is charged. Default 6 MB. */
  maxResponseBytes?: number;
  /** How many streams of one payer may be open at a time, in each process; more are 429 RATE_LIMITED. Default 16. */
  maxStreamsPerPayer?: number;
  /**
   * Bounds quotes, trials and refused payments by the caller's address and its network; more are 429 RATE_LIMITED before
   * anything is read. Paid calls cost nothing. Default: off.
   */
  floods?: true | FloodOptions;
  onCall?: (event: CallEvent) => void;
  /**
   * Counts how calls end, by day and endpoint, so that the earnings page tells 402s, sales, refusals and failures.
   * `{ ownWallets }` leaves the host's own out. Default: off.
   */
  countCalls?: boolean | CountOptions;
  /**
   * Serves the host's measurements as a page in Prometheus' text form. Wants the package `prom-client`. Default: off; a host
   * that registered OpenTelemetry's metrics has the same there.
   */
  metrics?: true | MetricsOptions;
  /**
   * Daily budgets of upstreams, by the name of their secret: `{ AI_GATEWAY_API_KEY: { usdPerDay: "20" } }`. Endpoints that
   * need it answer 503 BUDGET_SPENT once it is spent.
   */
  budgets?: Readonly<Record<string, BudgetOptions>>;
  /** Signed webhooks to the host, at least once for each event. */
  webhooks?: readonly HostWebhook[];
  /**
   * Asks one free call of each provider in so many hours, by one process of all, and stops selling what three times in a
   * row could not be read. Default: off.
   */
  live?: LiveOptions;
  /** Told when an upstream changed its answers, and when it recovered. Needs `live`. */
  onDrift?: (event: DriftEvent) => void;
}
