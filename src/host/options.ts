/** What a host may choose; rooms with much to choose have options of their own, and this composes them. */
import type { AnyCapability, CallOptions } from "../capability/types.js";
import type { WalletOptions } from "../capability/wallets.js";
import type { CallEvent } from "../payment/events.js";
import type { PaymentOptions } from "../payment/options.js";
import type { PricingOptions } from "../payment/pricing/pricing.js";
import type { TrialOptions } from "../payment/trial/trial.js";
import type { SigningOptions } from "../signing/options.js";
import type { Store } from "../stores/store.js";

/** Whose service callers see. */
export interface Brand {
  /** Shown in documents. */
  name: string;
  /** Makes `X-<SLUG>-Trial`, `x-<slug>-price` and the like. Letters, digits, hyphens. */
  slug: string;
  /**
   * The public address, where a proxy hides it: `https://api.example.com`. With a path where the proxy cuts that off
   * before it gets here: `https://example.com/shop` for what is asked here as `/api/...`.
   */
  baseUrl?: string;
  description?: string;
  /** Up to five words by which catalogues of paid APIs sort what is sold; by default each endpoint's group. */
  tags?: readonly string[];
  /** A picture for catalogues: an address on the public web. */
  iconUrl?: string;
  contact?: { name?: string; url?: string; email?: string };
}

/** How a host offers its catalogue to models, over the Model Context Protocol. */
export interface McpOptions {
  /**
   * What is a tool of its own besides the three that search, describe and call: groups (`"aviation"`), ids
   * (`"convert.unit"`), or `"all"`. Default: everything where that is at most 40, else nothing, since models drown in
   * long lists. A client may ask otherwise: `<basePath>/mcp?tools=aviation,convert.unit`.
   */
  tools?: "all" | readonly string[];
  /** `"auto"`: a call without payment uses the caller's free trial where there is one. `"asked"`: only when it says so. */
  trial?: "auto" | "asked";
  /** What a model reads before it chooses; default: how to find, call and pay. */
  instructions?: string;
}

export interface HandlerOptions<C extends readonly AnyCapability[] = readonly AnyCapability[]>
  extends Omit<CallOptions, "signal" | "wallet" | "idempotencyKey" | "wallets"> {
  /** What to mount. */
  capabilities: C;
  /** `false`: every call is free, for hosts with an own way to bill. Required, so that nobody gives work away by accident. */
  payment: PaymentOptions | false;
  brand?: Partial<Brand>;
  pricing?: PricingOptions;
  trial?: TrialOptions | false;
  /**
   * Keeps state for the wallets that pay: what `store.*` and its like need. `{}` or `true`: embedded, in a folder of
   * `dataDir`, for one process; payments are then kept beside it unless `store` says otherwise. Default: off.
   */
  wallets?: WalletOptions | true;
  /** Default `/api`. */
  basePath?: string;
  /** `false`: no documentation page at `<basePath>/docs`, nor at the root of an origin that is served whole. */
  docs?: false;
  /** Trial counters, payment guard, stored replies. Default: in memory, for this process only. */
  store?: Store;
  /** How many processes serve this. More than one need a shared store; with Solana that is enforced. Default 1. */
  instances?: number;
  /** How long the ledger is kept, in days. Default 400; 30 in memory, where its entries take up the store's room. */
  ledgerDays?: number;
  /** `false`: the answers carry no CORS headers, for a host that sets its own. Default: any origin may read them. */
  cors?: false;
  /** The catalogue for models at `<basePath>/mcp`, over streamable HTTP; `false` leaves it out. */
  mcp?: McpOptions | false;
  /** Signs answers for callers who ask (`?sign=1`); the public key is published at `/.well-known/jwks.json`. */
  signing?: SigningOptions;
  /** Largest request body in bytes. Default 1 MB. */
  maxBodyBytes?: number;
  /** Largest answer in bytes; a larger one is refused before anything is charged. Default 6 MB. */
  maxResponseBytes?: number;
  onCall?: (event: CallEvent) => void;
}
