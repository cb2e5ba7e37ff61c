/** A host's choices, checked once when it starts: whoever mounts us wrongly learns it then, not at the first call. */

import { DEFAULT_MAX_RESPONSE_BYTES } from "../capability/context.js";
import { missing } from "../capability/define.js";
import type { AnyCapability, OutboundOptions } from "../capability/types.js";
import type { WalletOptions } from "../capability/wallets.js";
import { addKeys } from "../discovery/keys.js";
import { listingOf } from "../discovery/listing.js";
import { addDiscovery } from "../discovery/pages.js";
import { addDocs } from "../docs/mount.js";
import { CapabilityError } from "../errors.js";
import { within } from "../lib/abort.js";
import { consoleLogger, type Logger } from "../lib/logger.js";
import { createResources, type OwnedResources } from "../lib/resources.js";
import { mcpService } from "../mcp/mount.js";
import type { HandlerOptions } from "../options.js";
import { createLedger, type Ledger } from "../payment/ledger/ledger.js";
import { createPricing, type Pricing } from "../payment/pricing/pricing.js";
import { familyOf } from "../payment/rails/accounts.js";
import { createTill, type Till } from "../payment/till.js";
import type { PaidFor } from "../payment/x402/facilitator.js";
import { contextFor } from "../request/call.js";
import { exposedHeaders } from "../request/headers.js";
import { openSigner, type Signer } from "../signing/signer.js";
import { storeBesideWallets } from "../stores/beside-wallets.js";
import { createMemoryStore } from "../stores/memory.js";
import type { Store } from "../stores/store.js";
import { cleanUpOf, openWallets, receiptsOf } from "../wallet/open.js";
import { readWallets } from "../wallet/options.js";
import { type Callbacks, createCallbacks } from "./callbacks.js";
import type { Catalogue } from "./catalogue.js";
import { createEmit, type Emit } from "./events.js";
import { addHealth } from "./health.js";
import { assertKnownOptions, assertOverridesMounted } from "./known-options.js";
import type { Brand } from "./options.js";
import { createRoutes, pathBelow } from "./routes.js";

/** Everything that the steps of a call share. */
export interface Host extends Catalogue {
  readonly options: HostOptions;
  readonly pricing: Pricing;
  readonly resources: OwnedResources;
  /** Clears away what wallets have no more right to; resolves to how many rows went. Begins nothing after `endsAt`. */
  cleanUp(endsAt?: number): Promise<number>;
  readonly till: Till;
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

type HostOptions = Omit<HandlerOptions, "wallets"> & { logger: Logger; wallets?: WalletOptions };

const DEFAULT_MAX_BODY_BYTES = 1024 * 1024;
const LEDGER_DAYS = 400;
/** A store in memory has only so much room, and is gone with its process. */
const LEDGER_DAYS_IN_MEMORY = 30;

export function createHost(given: HandlerOptions): Host {
  assertKnownOptions(given);
  const wallets = readWallets(given);
  const { wallets: _, ...rest } = given;
  const options: HostOptions = {
    ...rest,
    logger: given.logger ?? consoleLogger,
    outbound: withoutLoops(given),
    ...(wallets ? { wallets } : {}),
  };
  const { capabilities } = options;
  if (!Array.isArray(capabilities)) throw new TypeError("capabilities must be an array of capabilities to mount.");
  const basePath = readBasePath(options.basePath ?? "/api");
  const byId = indexById(capabilities);
  assertOverridesMounted(options.pricing ?? {}, byId);
  const brand = readBrand(options.brand);
  const prefix = prefixOf(brand);
  const pricing = createPricing(options.pricing);
  const now = () => (options.clock?.() ?? new Date()).getTime();
  const resources = createResources();
  const store = failClosed(options.store ?? defaultStore(options, resources));
  assertStoreFits(options, store);
  const secrets = options.secrets ?? process.env;
  const ledger = createLedger(store, options.ledgerDays ?? (store.shared ? LEDGER_DAYS : LEDGER_DAYS_IN_MEMORY));
  const emit = createEmit(options);
  const listing = (paidFor: PaidFor) => listingOf(host, paidFor);
  const receipts = wallets && receiptsOf({ wallets, dataDir: options.dataDir, resources });
  const till = createTill(options, { store, ledger, pricing, emit, receipts, listing, now });

  const host: Host = {
    options,
    brand,
    basePath,
    capabilities,
    byId,
    routes: createRoutes(),
    resources,
    pricing,
    till,
    store,
    ledger,
    emit,
    maxBodyBytes: options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES,
    maxResponseBytes: options.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES,
    exposedHeaders: exposedHeaders(brand.slug),
    signer: options.signing && openSigner(options.signing),
    now,
    pathOf: ({ id }) => basePath + pathBelow(id),
    publicPath: (path) => prefix + path,
    priceOf: (capability) => pricing.listed(capability),
    contextFor: (capability) => contextFor(host, capability),
    paid: till.charges,
    docs: options.docs !== false,
    trialsPerHour: till.givesTrials && options.trial ? (options.trial.perHour ?? 1) : till.givesTrials ? 1 : 0,
    cleanUp: wallets ? cleanUpOf({ wallets, dataDir: options.dataDir, resources }, options.clock) : async () => 0,
    missing: (capability) => missing(capability, { secret: (name) => secrets[name] || undefined, wallets }),
  };
  for (const capability of capabilities) host.routes.add(host.pathOf(capability), { kind: "capability", capability });
  addDiscovery(host);
  if (host.docs) addDocs(host);
  addHealth(host);
  if (host.signer) addKeys(host, host.signer);
  if (options.mcp !== false) host.routes.add(`${basePath}/mcp`, mcpService(host));
  host.callbacks = createCallbacks(host);
  // The first opening takes seconds: no caller should wait for it.
  if (wallets)
    openWallets({ wallets, dataDir: options.dataDir, resources }).catch((error: unknown) =>
      options.logger.error({ error }, "wallets"),
    );
  return host;
}

/**
 * Where the wallets' state survives a crash, so does what is known of payments: a mutation must not be forgotten between
 * its settlement and its end.
 */
function defaultStore({ wallets, clock, dataDir }: HostOptions, resources: OwnedResources): Store {
  if (!wallets) return createMemoryStore(clock ? { clock } : {});
  return storeBesideWallets(() => openWallets({ wallets, dataDir, resources }));
}

function indexById(capabilities: readonly AnyCapability[]): ReadonlyMap<string, AnyCapability> {
  const byId = new Map<string, AnyCapability>();
  for (const capability of capabilities) {
    if (typeof capability !== "function" || !capability.id)
      throw new TypeError("capabilities: every entry must be made by defineCapability.");
    if (byId.has(capability.id)) throw new TypeError(`capabilities: ${capability.id} is mounted twice.`);
    byId.set(capability.id, capability);
  }
  return byId;
}

function readBasePath(path: string): string {
  const trimmed = path.replace(/\/+$/, "");
  if (trimmed !== "" && !/^(?:\/[\w.~-]+)+$/.test(trimmed))
    throw new TypeError(`basePath must look like "/api", not "${path}".`);
  return trimmed;
}

function readBrand(brand: Partial<Brand> = {}): Brand {
  const { slug = "svc", name = "Coinslot", baseUrl } = brand;
  if (!/^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$/.test(slug))
    throw new TypeError(`brand.slug makes header names: letters, digits and hyphens only, not "${slug}".`);
  if (baseUrl !== undefined && !(/^https?:\/\/[^/?#]+(?:\/[\w.~-]+)*\/?$/.test(baseUrl) && URL.canParse(baseUrl)))
    throw new TypeError(
      "brand.baseUrl must be an address such as https://api.example.com, with a path only where a proxy cuts that off; basePath is added to it.",
    );
  const { tags = [], iconUrl } = brand;
  if (tags.length > 5 || !tags.every((tag) => /^[\x20-\x7e]{1,32}$/.test(tag)))
    throw new TypeError("brand.tags are at most five, each of 1 to 32 letters, digits or signs of ASCII.");
  if (iconUrl !== undefined && !/^https?:\/\/[^\s]{1,2000}$/.test(iconUrl))
    throw new TypeError(`brand.iconUrl must be an http or https URL of at most 2000 characters, not "${iconUrl}".`);
  return { ...brand, name, slug: slug.toLowerCase(), ...(baseUrl ? { baseUrl: baseUrl.replace(/\/$/, "") } : {}) };
}

/** The path of a base URL: a proxy cuts it off before a request gets here. */
const prefixOf = ({ baseUrl }: Brand): string => (baseUrl ? new URL(baseUrl).pathname.replace(/\/$/, "") : "");

/** No capability fetches through this service's own front door: such calls would feed on themselves. */
function withoutLoops({ outbound, brand }: HandlerOptions): OutboundOptions {
  const own = brand?.baseUrl && URL.canParse(brand.baseUrl) ? [new URL(brand.baseUrl).host] : [];
  return { ...outbound, denyHosts: [...(outbound?.denyHosts ?? []), ...own] };
}

/**
 * A store in memory knows this process only: the same payment sent to a second one would buy twice there until the
 * chain refuses it. On Solana facilitators may say yes to both, so there several instances are refused.
 */
function assertStoreFits({ payment, logger, instances = 1 }: HostOptions, store: Store): void {
  if (store.shared || payment === false || !payment) return;
  const network = Object.keys(payment.treasury ?? {}).find((network) => familyOf(network)?.needsSharedStore);
  if (network !== undefined && instances > 1)
    throw new TypeError(
      `store: several instances that are paid on ${network} need a shared store, coinslot/stores/redis or postgres.`,
    );
  logger?.warn(
    { instances },
    "coinslot: payments, replies and trials are guarded in this process only; several instances need a shared store",
  );
}

/** A store that is frozen would hold every call; what it does in the end is found by the next that looks. */
const STORE_TIMEOUT_MS = 5000;

/** A store that cannot be reached stops the call before anything is given away. */
function failClosed(store: Store): Store {
  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      await store.opened?.();
      return await within(STORE_TIMEOUT_MS, work);
    } catch (cause) {
      const message = "The service cannot reach its own state; try the same request again shortly.";
      throw new CapabilityError("OVERLOADED", message, { retryAfter: 5, cause });
    }
  };
  return {
    shared: store.shared,
    get: (key) => guard(() => store.get(key)),
    put: (key, value, options) => guard(() => store.put(key, value, options)),
    remove: (key, ifVersion) => guard(() => store.remove(key, ifVersion)),
    increment: (key, by, options) => guard(() => store.increment(key, by, options)),
    due: (now, limit) => guard(() => store.due(now, limit)),
    list: (prefix, options) => guard(() => store.list(prefix, options)),
    close: () => store.close(),
  };
}
