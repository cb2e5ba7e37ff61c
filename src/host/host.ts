import type { AuditLog } from "../audit/log.js";
import type { WalletOptions } from "../capability/wallets.js";
import type { Live } from "../drift/service.js";
import type { HostWebhooks } from "../host-webhooks/webhooks.js";
import type { Logger } from "../lib/logger.js";
import type { OwnedResources } from "../lib/resources.js";
import type { Budgets } from "../metering/budgets.js";
import type { CallCounts } from "../metering/call-counts.js";
import type { Floods } from "../metering/floods.js";
import type { Metrics } from "../metrics/metrics.js";
import type { EndedCallEvent } from "../payment/events/events.js";
import type { Ledger } from "../payment/ledger/ledger.js";
import type { Payments } from "../payment/payments.js";
import type { Pricing } from "../payment/pricing/pricing.js";
import type { Switches } from "../payment/pricing/switches.js";
import type { Signer } from "../signing/signer.js";
import type { Store } from "../stores/store.js";
import type { Catalogue } from "./catalogue.js";
import type { HandlerOptions } from "./options.js";

/** The state that all steps of a call share. */
export interface Host extends Catalogue {
  readonly options: HostOptions;
  readonly pricing: Pricing;
  /** The log of all that persons and keys did; loaded by its first use. */
  audit(): Promise<AuditLog>;
  /** Stopped endpoints and changed prices. */
  readonly switches: Switches;
  /** Checks of the upstreams; undefined if the host wants none. */
  live?: (Live & { close(): Promise<void> }) | undefined;
  readonly resources: OwnedResources;
  /** Deletes expired data of wallets; resolves to the number of rows. Starts no new work after `endsAt`. */
  cleanUp(endsAt?: number): Promise<number>;
  readonly payments: Payments;
  /** Reads the sanctions list ahead, if the host refuses listed wallets. */
  warmSanctions(): Promise<unknown> | undefined;
  readonly store: Store;
  /** Names the host in the store, which others may use as well. */
  readonly storeName: string;
  readonly ledger: Ledger;
  /** Told of the end of each call, in this order; the answer waits for the promises among what they return. */
  readonly ended: readonly ((event: EndedCallEvent) => unknown)[];
  readonly maxBodyBytes: number;
  readonly maxResponseBytes: number;
  readonly exposedHeaders: string;
  /** Signs answers on request; absent if the host has no signing key. */
  readonly signer: Signer | undefined;
  /** Budgets of upstreams; absent if the host set none. */
  readonly budgets: Budgets | undefined;
  /** Counts of how calls end; undefined if the host wants none. */
  readonly counts: CallCounts | undefined;
  /** Bounds callers who pay nothing; undefined if the host wants none. */
  readonly floods: (() => Promise<Floods>) | undefined;
  /** Records measurements, where they are wanted. */
  readonly metrics: Metrics;
  /** Tells the host of events; absent if it asked for none. */
  readonly webhooks: HostWebhooks | undefined;
  /** Calls whose answer is fetched later; undefined if each is answered at once. */
  readonly jobs: HostJobs | undefined;
  /** Sends callbacks for wallets; absent if no mounted capability creates any. */
  callbacks?: Callbacks | undefined;
  /** Ends what is still to be told of the start. */
  beQuiet?(): void;
  /** Work that outlasts no host: `close` waits for it. */
  readonly underWay: Set<Promise<unknown>>;
  now(): number;
}

/** How a host takes calls whose answer is fetched later. */
export interface HostJobs {
  /** Its name among the hosts of its store, and all under which it may have taken some. */
  readonly name: string;
  readonly names: readonly string[];
  /** Paths of the endpoints whose answer is always fetched later. */
  readonly always: ReadonlySet<string>;
  /** How many of one payer may be open at a time. */
  readonly perPayer: number;
}

/** The given options, completed with defaults. */
export type HostOptions = Omit<HandlerOptions, "wallets"> & { logger: Logger; wallets?: WalletOptions };

/** Sender of callbacks for wallets. */
export interface Callbacks {
  /**
   * Runs one round, which starts no new work after `endsAt` (of `performance.now()`). Resolves to the number of items
   * handled.
   */
  run(endsAt: number): Promise<number>;
  /** Public keys that verify the signatures of callbacks; absent if the host only deletes expired data. */
  publicKeys?(): Promise<object>;
  /** Starts no further round, and waits for the current one. */
  close(): Promise<void>;
}
