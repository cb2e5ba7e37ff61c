/** Checks the host's options once, at start, so that a wrong option fails then and not at the first call. */

import { DEFAULT_MAX_RESPONSE_BYTES } from "../../capability/context.js";
import { missing } from "../../capability/define.js";
import { termsOf } from "../../capability/terms.js";
import type { AnyCapability } from "../../capability/types.js";
import { addCallbackKeys, addKeys } from "../../discovery/keys.js";
import { listingOf } from "../../discovery/listing.js";
import { addDiscovery } from "../../discovery/pages.js";
import { addAccountPage, addDocs } from "../../docs/mount.js";
import type { Host, HostOptions } from "../../host/host.js";
import { assertKnownOptions, assertOverridesMounted } from "../../host/option-checks.js";
import type { HandlerOptions } from "../../host/options.js";
import { createRoutes, pathBelow } from "../../host/routes.js";
import { lazy } from "../../lib/lazy.js";
import { consoleLogger } from "../../lib/logger.js";
import { withPlainErrors } from "../../lib/plain-errors.js";
import { createResources, type OwnedResources } from "../../lib/resources.js";
import { mcpService } from "../../mcp/mount.js";
import { type CallCountsOptions, createCallCounts } from "../../metering/call-counts.js";
import type { PayersOptions } from "../../payment/admission/options.js";
import { createPayments } from "../../payment/create-payments.js";
import { createEmit, type EndedCallEvent } from "../../payment/events/events.js";
import { createLedger } from "../../payment/ledger/ledger.js";
import { isCharge } from "../../payment/mpp/challenge.js";
import { ownPayment } from "../../payment/options/edge.js";
import type { RefundPolicy } from "../../payment/options/refund-policy.js";
import type { Payments } from "../../payment/payments.js";
import { createPricing } from "../../payment/pricing/pricing.js";
import { createSwitches } from "../../payment/pricing/switches.js";
import { ownAccounts } from "../../payment/record/own-accounts.js";
import type { PaidFor } from "../../payment/x402/facilitator.js";
import { withNetworkIds } from "../../payment/x402/networks.js";
import { contextFor } from "../../request/call.js";
import { exposedHeaders } from "../../request/headers.js";
import { OPENAI_ENDPOINT, openAiPathOf } from "../../request/openai/alias.js";
import { openSigner } from "../../signing/signer.js";
import { openForPayments, openWallets } from "../../state/database/open.js";
import { cleanUpOf, receiptLookup } from "../../state/for-host.js";
import { readWallets } from "../../state/wallet/options.js";
import { failClosed } from "../../stores/fail-closed.js";
import { createMemoryStore } from "../../stores/memory/memory.js";
import { storeBesideWallets } from "../../stores/postgres/beside-wallets.js";
import type { Store } from "../../stores/store.js";
import { createWallets } from "../administration/wallet-admin.js";
import { createBuy } from "../customers/buy.js";
import { BALANCE, createOwnEndpoints, SESSION } from "../customers/own.js";
import { createRefundRequest } from "../customers/refund-request.js";
import { createTopUp } from "../customers/top-up.js";
import { openAdmission } from "./admission.js";
import { createCallbacks } from "./background.js";
import { addHealth } from "./health.js";
import { addJobs, isJobKey, openJobs } from "./jobs.js";
import { byPackage, tellStart, usableWallets } from "./lacks.js";
import { openMetrics } from "./metrics.js";
import { openBudgets } from "./open-budgets.js";
import { openLive } from "./open-drift.js";
import { openWebhooks, toldTo } from "./open-webhooks.js";
import {
  assertAgentsAddressed,
  assertFitsEdge,
  assertStoreFits,
  indexById,
  prefixOf,
  readBasePath,
  readBrand,
  signInOf,
  takesSignIns,
  warnOfCredit,
  withoutLoops,
} from "./read-options.js";

const DEFAULT_MAX_BODY_BYTES = 1024 * 1024;
const LEDGER_DAYS = 400;
/** A memory store has little room and ends with its process, so it keeps the ledger for a shorter time. */
const LEDGER_DAYS_IN_MEMORY = 30;

/** `continueJob` goes on with a job that another process began; false for another host's. */
export function createHost(written: HandlerOptions, continueJob: (host: Host, key: string) => Promise<boolean>): Host {
  const given = withNamedNetworks(written);
  assertKnownOptions(given);
  const { wallets, withoutDatabase } = usableWallets(readWallets(given));
  const options = hostOptionsOf(given, wallets);
  const capabilities = [...options.capabilities, ...ofCustomers(options, () => host)];
  const basePath = readBasePath(options.basePath ?? "/api");
  const byId = indexById(capabilities);
  assertOverridesMounted(options.pricing ?? {}, byId);
  const brand = readBrand(options.brand);
  const prefix = prefixOf(brand);
  const now = () => (options.clock?.() ?? new Date()).getTime();
  const resources = createResources();
  const { metrics, ...measured } = openMetrics(options, () => host);
  const store = measured.store(failClosed(options.store ?? defaultStore(options, resources)));
  assertStoreFits(options, store);
  assertFitsEdge(options, brand);
  assertAgentsAddressed(options, brand);
  const secrets = options.secrets ?? process.env;
  const settingOf = (name: string) => secrets[name] || undefined;
  const ledgerDays = options.ledgerDays ?? (store.shared ? LEDGER_DAYS : LEDGER_DAYS_IN_MEMORY);
  const own = ownAccounts(options.payment);
  /** Others may use the same store. */
  const [name = brand.slug, ...formerNames] = own.names;
  const switches = createSwitches({
    store,
    host: name,
    formerNames,
    now,
    onRules: ({ digest }) => options.logger.info({ digest }, "rules: set by another instance"),
  });
  const pricing = createPricing(options.pricing, { changes: switches.prices, now });
  const webhooks = openWebhooks(options, {
    ...{ store, host: name, formerNames, slug: brand.slug, now },
    find: (of) => host.payments.findPlanned(of),
    review: () => host.budgets?.review(),
  });
  const { ledger, emit } = toldTo(webhooks, createLedger(store, ledgerDays, own), createEmit(options), now);
  const listing = (paidFor: PaidFor) => listingOf(host, paidFor);
  const receipts = wallets && receiptLookup({ wallets, dataDir: options.dataDir, resources });
  const { admission, sanctions } = openAdmission(options, {
    resources,
    payersNow: () => switches.payers() as PayersOptions | undefined,
  });
  const payments = createPayments(options, {
    store,
    ledger,
    admission,
    own,
    pricing,
    emit,
    receipts,
    listing,
    now,
    slug: brand.slug,
    durable: webhooks,
    jobs: { owns: isJobKey, finish: (key) => continueJob(host, key) },
    eraseState: erasing(wallets, () => host),
    measured: measured.facilitator,
  });

  const host: Host = {
    options,
    brand,
    basePath,
    capabilities,
    byId,
    routes: createRoutes(),
    openAiPath: openAiPathOf({ basePath, byId, openAiAlias: options.openaiAlias !== false }),
    resources,
    audit: lazy(async () =>
      (await import("../../audit/log.js")).createAuditLog({
        ...{ store, host: name, formerNames, now, logger: options.logger },
      }),
    ),
    pricing,
    switches,
    payments,
    store,
    storeName: name,
    ledger,
    ended: [
      emit,
      (event) => host.live?.note(event),
      (event) => host.counts?.note(event),
      metrics.call,
      ...notingRefunds(options, () => host),
    ],
    metrics,
    webhooks,
    counts: countsOf(options, { store, host: name, formerNames, days: ledgerDays, now }),
    budgets: openBudgets(options, { store, host: name, formerNames, emit, webhooks, settingOf, now }),
    floods: floodsOf(options),
    maxBodyBytes: options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES,
    maxResponseBytes: options.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES,
    exposedHeaders: exposedHeaders(brand.slug),
    signer: options.signing && openSigner(options.signing),
    underWay: new Set(),
    jobs: openJobs(options, { payments, name, formerNames, byId, pathOf: (id) => basePath + pathBelow(id) }),
    now,
    pathOf: ({ id, mountedAt = id }) => basePath + pathBelow(mountedAt),
    publicPath: (path) => prefix + path,
    priceKey: switches.priceKey,
    priceOf: (capability) => pricing.listed(capability),
    contextFor: (capability) => contextFor(host, capability),
    paid: payments.charges,
    refunds: refundsOf(options),
    networks: Object.keys(ownPayment(options.payment)?.treasury ?? {}),
    recentBlocks: payments.recentBlocks,
    accountKeys: payments.accounts?.keys === true,
    signIn: payments.charges && takesSignIns(wallets, brand),
    ...signInOf(options, byId, brand),
    ownSignIn: byId.has(SESSION),
    docs: options.docs !== false,
    trialsPerHour: trialsPerHourOf(payments, options),
    warmSanctions: () => sanctions?.read(),
    cleanUp: wallets ? cleanUpOf({ wallets, dataDir: options.dataDir, resources }, options.clock) : async () => 0,
    missing: (capability) =>
      byPackage(missing(capability, { secret: settingOf, setting: settingOf, wallets }), withoutDatabase),
    unsound: ({ id }) => host.live?.reasonOf(id),
    chargesOf: (capability) =>
      payments.mpp
        ? payments
            .requirementsFor({ capability, amount: pricing.atLeast(capability) })
            .exact.filter((offer) => isCharge(offer) || payments.chargeOf(offer))
        : [],
    // guard: a row tells the terms of the source that its host chose | returns capability.terms | terms
    termsOf: (capability) => termsOf(capability.originsAt({ secret: settingOf, setting: settingOf })),
  };
  for (const capability of capabilities) host.routes.add(host.pathOf(capability), { kind: "capability", capability });
  mountOthers(host);
  measured.mount(host);
  host.live = openLive(host, name);
  if (wallets) openAhead({ wallets, dataDir: options.dataDir, resources }, options);
  warnOfCredit(host);
  payments.open();
  host.beQuiet = tellStart(host, withoutDatabase, options.logger);
  return host;
}

/** Throws a TypeError for what nobody could buy, spend or have invoiced. */
function assertSpendable({ accounts, products, brand }: HostOptions, isSold: boolean): void {
  if (products && !accounts) throw new TypeError("products needs accounts, for which they are bought.");
  if (accounts?.invoices && !isSold)
    throw new TypeError("accounts.invoices needs accounts.topUp or products: invoices are of what wallets buy.");
  if (isSold && !accounts?.keys && brand?.baseUrl === undefined)
    throw new TypeError(
      `${accounts?.topUp ? "accounts.topUp" : "products"} needs accounts.keys, or brand.baseUrl at which wallets sign in to spend.`,
    );
}

/** The endpoints of the host's customers, where it has some. Throws a TypeError for a balance that nobody could spend. */
function ofCustomers(options: HostOptions, host: () => Host): AnyCapability[] {
  const { accounts: own, products, brand, capabilities, refundPolicy } = options;
  const { topUp, keys = false } = own ?? {};
  const accounts = () => host().payments.accounts;
  const isSold = topUp !== undefined || products !== undefined;
  assertSpendable(options, isSold);
  const isMounted = (endpoint: string) => capabilities.some(({ id }) => id === endpoint);
  const shown = { keys, invoices: own?.invoices !== undefined };
  return [
    ...(topUp ? [createTopUp({ options: topUp, keys, accounts }) as unknown as AnyCapability] : []),
    ...(products ? [createBuy({ products, keys, isMounted, accounts }) as unknown as AnyCapability] : []),
    ...(keys || isSold ? createOwnEndpoints({ ...shown, signIns: isSold && brand?.baseUrl !== undefined, host }) : []),
    ...(refundPolicy ? [createRefundRequest(readRefundPolicy(options, refundPolicy), host)] : []),
  ];
}

/** Throws a TypeError where nobody could ask, or nothing was paid. */
function readRefundPolicy({ payment, accounts, brand }: HostOptions, policy: RefundPolicy): RefundPolicy {
  if (payment === false) throw new TypeError("refundPolicy: every call is free here (payment: false).");
  if (!accounts?.keys && !accounts?.identify && brand?.baseUrl === undefined)
    throw new TypeError("refundPolicy needs accounts.keys, or brand.baseUrl at which wallets sign in to ask.");
  return policy;
}

const refundsOf = ({ refundPolicy }: HostOptions) =>
  refundPolicy && { withinDays: refundPolicy.withinDays, conditions: refundPolicy.conditions };

const notingRefunds = ({ refundPolicy }: HostOptions, host: () => Host) => (refundPolicy ? [noteRefundable(host)] : []);

/** Remembers what wallets paid for, before the answer leaves; an answer does not wait for a store that fails. */
const noteRefundable = (host: () => Host) => async (event: EndedCallEvent) => {
  const { outcome, requestId, id: endpoint, payer, network, chargedUsd: usd = "0" } = event;
  if (outcome !== "paid" || payer === undefined || network === undefined || usd === "0") return;
  const { options, now } = host();
  try {
    const { refundRequestsOf } = await import("../customers/refund-runs.js");
    await refundRequestsOf(host()).note(requestId, { endpoint, payer, network, usd, at: now() });
  } catch (error) {
    options.logger.error({ requestId, error }, "refunds: a call could not be noted, so its buyer cannot ask for it");
  }
};

const countsOf = (
  { countCalls, logger }: HostOptions,
  shared: Pick<CallCountsOptions, "days" | "formerNames" | "host" | "now" | "store">,
) => (countCalls ? createCallCounts({ ...shared, options: countCalls, logger }) : undefined);

const withNamedNetworks = (given: HandlerOptions): HandlerOptions =>
  given?.payment ? { ...given, payment: withNetworkIds(given.payment) } : given;

function hostOptionsOf(given: HandlerOptions, wallets: HostOptions["wallets"]): HostOptions {
  const { wallets: _, ...rest } = given;
  return {
    ...rest,
    logger: given.logger ? withPlainErrors(given.logger) : consoleLogger(given.brand?.name),
    outbound: withoutLoops(given),
    ...(wallets ? { wallets } : {}),
  };
}

/** Loaded by the first call, where the host wants them. */
const floodsOf = ({ floods }: HostOptions) =>
  floods && lazy(async () => (await import("../../metering/open-floods.js")).openFloods(floods));

/** Undefined where nothing is kept for wallets. */
const erasing = (wallets: HostOptions["wallets"], host: () => Host) =>
  wallets && ((wallet: string) => createWallets(host()).erase(wallet));

/** Opens the database ahead, because the first opening takes seconds. */
function openAhead(location: Parameters<typeof openWallets>[0], { logger }: HostOptions): void {
  openWallets(location).catch((error: unknown) =>
    logger.error({ error }, `wallets: ${error instanceof Error ? error.message : "cannot be opened"}`),
  );
}

function trialsPerHourOf({ givesTrials }: Payments, { trial }: HostOptions): number {
  if (!givesTrials) return 0;
  return trial ? (trial.perHour ?? 1) : 1;
}

/** Throws a TypeError where no account has an owner. */
function openToCustomers(host: Host): void {
  const { accounts } = host.options;
  if (!host.byId.has(BALANCE))
    throw new TypeError("customer needs accounts.keys, accounts.topUp or products: nobody could open an account here.");
  addAccountPage(host, { forfeits: accounts?.closing?.balance === "forfeit" });
}

/** The documents and services beside the capabilities. */
function mountOthers(host: Host): void {
  addDiscovery(host);
  const aliased = host.byId.get(OPENAI_ENDPOINT);
  if (host.openAiPath && aliased) host.routes.add(host.openAiPath, { kind: "capability", capability: aliased });
  if (host.docs) addDocs(host);
  if (host.options.customer) openToCustomers(host);
  addHealth(host);
  if (host.jobs) addJobs(host);
  if (host.signer) addKeys(host, host.signer);
  if (host.options.mcp !== false) host.routes.add(`${host.basePath}/mcp`, mcpService(host));
  host.callbacks = createCallbacks(host);
  if (host.callbacks?.publicKeys) addCallbackKeys(host, host.callbacks.publicKeys);
}

/**
 * If the state of wallets survives a crash, payments must survive it, too: a mutation must not be forgotten between its
 * settlement and its end.
 */
function defaultStore({ wallets, clock, dataDir }: HostOptions, resources: OwnedResources): Store {
  if (!wallets) return createMemoryStore(clock ? { clock } : {});
  return storeBesideWallets((makeTables) => openForPayments({ wallets, dataDir, resources }, makeTables));
}
