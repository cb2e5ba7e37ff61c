import type { WalletOptions } from "../capability/wallets.js";
import type { Logger } from "../lib/logger.js";
import type { OwnedResources } from "../lib/resources.js";
import type { Emit } from "../payment/events.js";
import type { Ledger } from "../payment/ledger/ledger.js";
import type { Payments } from "../payment/payments.js";
import type { Pricing } from "../payment/pricing/pricing.js";
import type { Signer } from "../signing/signer.js";
import type { Store } from "../stores/store.js";
import type { Catalogue } from "./catalogue.js";
import type { HandlerOptions } from "./options.js";

/** Everything that the steps of a call share. */
export interface Host extends Catalogue {
  readonly options: HostOptions;
  readonly pricing: Pricing;
  readonly resources: OwnedResources;
  /** Clears away what wallets have no more right to; resolves to how many rows went. Begins nothing after `endsAt`. */
  cleanUp(endsAt?: number): Promise<number>;
  readonly payments: Payments;
  readonly store: Store;
  readonly ledger: Ledger;
  readonly emit: Emit;
  readonly maxBodyBytes: number;
  readonly maxResponseBytes: number;
  readonly exposedHeaders: string;
  /** Signs answers for those who ask; absent where the host has no key for it. */
  readonly signer: Signer | undefined;
  /** The calls made later on behalf of wallets; absent where nothing that is mounted makes any. */
  callbacks?: Callbacks | undefined;
  now(): number;
}

/** As given, with what is filled in where nothing is. */
export type HostOptions = Omit<HandlerOptions, "wallets"> & { logger: Logger; wallets?: WalletOptions };

/** The calls made later on behalf of wallets. */
export interface Callbacks {
  /** One round, which begins nothing after `endsAt` (of `performance.now()`). Resolves to how many things it did. */
  run(endsAt: number): Promise<number>;
  /** What their signatures verify with, for every receiver; absent where only what has expired is cleared away. */
  publicKeys?(): Promise<object>;
  /** Begins no further round, and waits for the one under way. */
  close(): Promise<void>;
}
