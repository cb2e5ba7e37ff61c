/** What a host may choose: each module owns its own options, and this composes them. */
import type { AnyCapability, CallOptions } from "./capability/types.js";
import type { WalletOptions } from "./capability/wallets.js";
import type { CallEvent } from "./host/events.js";
import type { Brand } from "./host/options.js";
import type { McpOptions } from "./mcp/options.js";
import type { PaymentOptions } from "./payment/options.js";
import type { PricingOptions } from "./payment/pricing/pricing.js";
import type { TrialOptions } from "./payment/trial/trial.js";
import type { SigningOptions } from "./signing/options.js";
import type { Store } from "./stores/store.js";

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
