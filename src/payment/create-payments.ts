/** Puts all parts of a host's payments together, once. */
import type { AnyCapability } from "../capability/types.js";
import { within } from "../lib/abort.js";
import { lazy } from "../lib/lazy.js";
import { silent } from "../lib/logger.js";
import { type Micros, toMicros } from "../lib/money.js";
import { onLambda, onWorkers } from "../lib/packages/platform.js";
import { MINUTE_MS } from "../lib/time.js";
import { createLeaseOwner } from "../stores/owner.js";
import { storeSecret } from "../stores/secret.js";
import type { Store } from "../stores/store.js";
import { createAccounts, type PaymentAccounts } from "./accounts/accounts.js";
import type { BalanceWatchOptions } from "./balances.js";
import { createChannels } from "./channels/channels.js";
import { authorize, dueOn } from "./checkout/authorize.js";
import { boughtBy, openBoughtBefore } from "./checkout/open-bought-before.js";
import { createRequirements } from "./checkout/requirements.js";
import { createEdgePayments } from "./edge-payments.js";
import { createFailures, readLimits } from "./failures/failures.js";
import { findPlanned } from "./find-planned.js";
import { createTellLoss } from "./ledger/loss.js";
import { openPayments, overdueRefunds, unearned } from "./ledger/open.js";
import { familyOf, sameAccount } from "./networks/accounts.js";
import { createAssetCheck } from "./networks/asset-check.js";
import { createRails, createSignIns, needsSupported, warnOfUnsold } from "./networks/rails.js";
import { voucherWaitMsOf } from "./options/channels.js";
import { isEdge } from "./options/edge.js";
import type { LowBalanceOptions, PaymentOptions } from "./options/options.js";
import { freeOf, freePayments, type Payments, type PaymentsOptions, type PaymentsSources } from "./payments.js";
import { openPayouts } from "./payouts/open-payouts.js";
import type { Rail } from "./rails/rail.js";
import { createRates } from "./rails/rates.js";
import type { OwnAccounts } from "./record/own-accounts.js";
import { createRecords } from "./record/records.js";
import { createCredits } from "./refund/credit.js";
import { createCreditCalls } from "./refund/credit-call.js";
import { createCreditReturns } from "./refund/credit-return.js";
import { openHostRefunds } from "./refund/open-host-refunds.js";
import { createRefunds } from "./refund/refunds.js";
import { createRecheckOnChain } from "./settlement/chain-recheck.js";
import { createExposure } from "./settlement/exposure.js";
import { createGuard } from "./settlement/guard.js";
import { createLanding } from "./settlement/landing.js";
import { createPaymentLeases } from "./settlement/lease.js";
import { createLetGo } from "./settlement/let-go.js";
import { createRounds } from "./settlement/rounds.js";
import { createSettler } from "./settlement/settlement.js";
import { createTransfers } from "./settlement/transfers.js";
import { createUnpaidReplies } from "./settlement/unpaid-replies.js";
import { createWalletCredit } from "./settlement/wallet-credit.js";
import { createTrials } from "./trial/trial.js";
import { builderCodesOf, readBuilderCodes } from "./x402/builder-code.js";
import type { ToldExtension } from "./x402/extension-responses.js";
import { createFacilitators } from "./x402/facilitators.js";
import { besideCharges } from "./x402/own-charges.js";
import { createReach } from "./x402/reach.js";
import { watchSupported } from "./x402/supported.js";
import type { PaymentPayload } from "./x402/wire.js";

const BALANCES_MS = MINUTE_MS;
/** Quotes wait no longer for a store that is down. */
const SECRET_WAIT_MS = 1000;

function secretOf(store: Store): Pick<Payments, "knownSecret" | "secret"> {
  let known: string | undefined;
  return {
    knownSecret: () => known,
    async secret() {
      known ??= await within(SECRET_WAIT_MS, () => storeSecret(store)).catch(() => undefined);
      return known;
    },
  };
}

/** Undefined if settlements are not attributed. */
function builderCodesFor({ builderCode }: PaymentOptions) {
  return (
    builderCode && (({ builderCodes }: PaymentPayload) => builderCodesOf(builderCode, readBuilderCodes(builderCodes)))
  );
}

const toldExtensions = /* @__PURE__ */ lazy(() => import("./x402/told-extensions.js"));

/** In the background, because no payment waits for news. */
const keepingExtensions = (store: Store, now: () => number) => (told: ToldExtension) =>
  void toldExtensions()
    .then(({ keepExtension }) => keepExtension(store, told, now()))
    .catch(() => {});

/** Looks at the balances now and then in a long-lived process. */
function openBalances(
  options: LowBalanceOptions,
  { slug, ...shared }: Omit<BalanceWatchOptions, "host" | "options"> & { own: OwnAccounts; slug: string },
) {
  const watch = lazy(async () => {
    const { createBalanceWatch } = await import("./balances.js");
    return createBalanceWatch({ ...shared, options, host: shared.own.names[0] ?? slug });
  });
  const check = async () => (await watch()).check();
  let timer: NodeJS.Timeout | undefined;
  return {
    check,
    start() {
      if (timer) return;
      timer = setInterval(() => void check(), BALANCES_MS).unref();
      void check();
    },
    stop: () => clearInterval(timer),
  };
}

function creditBoundOf({ maxCreditUsd = "0.05" }: PaymentOptions, least: Micros): Micros {
  const most = toMicros(maxCreditUsd);
  return most > least ? most : least;
}

/** Without accounts no balance is sold, and none is taken back. */
const soldBy = (
  accounts: PaymentAccounts | undefined,
): Pick<PaymentAccounts, "sells"> & Partial<Pick<PaymentAccounts, "takeLost" | "takeRefunded">> =>
  accounts ?? { sells: () => false };

/** Throws a TypeError that names a missing or invalid option. */
export function createPayments(options: PaymentsOptions, sources: PaymentsSources): Payments {
  const { store, ledger, own, pricing, emit, admission, receipts, listing, slug, durable, measured, now, jobs } =
    sources;
  if (options.payment === false) return freeOf(options, admission);
  if (isEdge(options.payment)) return createEdgePayments(options.payment, options, sources);
  const payment: PaymentOptions | undefined = options.payment;
  if (!payment?.treasury || !payment.facilitator)
    throw new TypeError("payment needs a treasury and a facilitator; set payment: false to give every call away.");
  const { fetch, logger = silent } = options;
  const { facilitator: asked, each } = createFacilitators(payment.facilitator, {
    ...{ fetch, sameAccount, logger, listing, measured },
    keepExtension: keepingExtensions(store, now),
  });
  const facilitator = besideCharges(asked, (network) => rails.get(network));
  const background = !onWorkers();
  const onAnswer = () => warnOfUnsold(rails, logger);
  const watched = { facilitator, familyOf, now, logger, background, onAnswer, waits: true };
  const supported = needsSupported(payment) ? watchSupported(watched) : undefined;
  const rates = createRates({ store, host: own.names[0] ?? slug, logger, now });
  const rails = createRails(payment, fetch, { logger, supported, rates });
  const assets = createAssetCheck(rails, logger);
  const reach = createReach({ facilitators: each, networks: [...rails.keys()], logger, now });
  const records = createRecords(store, now, own);
  const owner = createLeaseOwner(store, now);
  const credits = createCredits(store, now, own, owner);
  const minReturn = toMicros(payment.minReturnUsd ?? "0.005");
  const exposure = createExposure(store, toMicros(payment.maxUnsettledUsd ?? "1"));
  const failures = createFailures(store, now, readLimits(payment.maxFailures));
  const transfers = createTransfers(store);
  const unpaidReplies = createUnpaidReplies(store, now);
  const kept = { store, ledger, own, owner, emit, durable, now, logger, slug };
  const accounts =
    options.accounts &&
    createAccounts(
      { ...options.accounts, products: options.products },
      { ...kept, eraseState: sources.eraseState, refundPayment: (of, usd) => hostRefunds.refund(of, { usd }) },
    );
  const balancesSold = soldBy(accounts);
  const tellLoss = createTellLoss({ ledger, emit, now, takeBack: balancesSold.takeLost });
  const shared = {
    records,
    credits,
    tellLoss,
    facilitator,
    rails,
    exposure,
    transfers,
    unpaidReplies,
    ledger,
    own,
    owner,
    emit,
    durable,
    now,
    logger,
  };
  const creditReturns = createCreditReturns({ ...shared, store, bound: creditBoundOf(payment, minReturn) });
  const refunds = createRefunds({ ...shared, minReturn, onCredit: creditReturns.consider });
  const settler = createSettler({ ...shared, refunds });
  const creditCalls = createCreditCalls({ ...shared, store });
  const balances = payment.lowBalance && openBalances(payment.lowBalance, { ...shared, store, slug });
  const hostRefunds = openHostRefunds({
    ...{ ...shared, store, admission },
    soldByVoucher: async (requestId) => channels?.soldByVoucher(requestId),
    takeBack: balancesSold.takeRefunded,
  });
  const payouts = openPayouts({ ...shared, payment, fetch, store, admission, sources: { supported, rates } });
  const letGo = createLetGo(shared);
  const looks = { recheck: createRecheckOnChain(shared), lookForLanding: createLanding(shared) };
  const settling = { ...shared, settler, refunds, letGo, accounts, jobs };
  const reconciling = { ...settling, ...looks, creditCalls, creditReturns, hostRefunds, receipts };
  const rounds = lazy(async () => (await import("./settlement/reconcile.js")).createReconciler(reconciling));
  const reconciler = createRounds(rounds, logger);
  const channels = createChannels({ ...shared, payment, store });
  const chosen = new Set(payment.settleFirst);
  // A payment that expires before the work ends is settled first.
  const settlesFirst = ({ id, timeoutMs }: Pick<AnyCapability, "id" | "timeoutMs">, rail?: Pick<Rail, "maxWorkMs">) =>
    chosen.has(id) || balancesSold.sells(id) || timeoutMs > (rail?.maxWorkMs ?? Number.POSITIVE_INFINITY);
  const voucherWaitMs = voucherWaitMsOf(payment.channels);
  const minTimeoutSeconds = payment.maxTimeoutSeconds ?? 60;
  const boughtBefore = openBoughtBefore(payment, { ...shared, store });
  const deps = {
    ...shared,
    boughtBefore,
    builderCodes: builderCodesFor(payment),
    store,
    accounts,
    creditCalls,
    channels,
    failures,
    admission,
    settlesFirst,
    receipts,
    trials: options.trial === false ? undefined : createTrials(options.trial ?? {}, store),
    guard: createGuard({
      ...settling,
      leases: createPaymentLeases(settling),
      walletCredit: createWalletCredit(shared),
    }),
    ...secretOf(store),
    requirementsFor: createRequirements({
      pricing,
      rails,
      settlesFirst,
      minTimeoutSeconds,
      sellsParts: voucherWaitMs > 0,
      paidAtOnce: ({ id }) => balancesSold.sells(id),
    }),
    voucherWaitMs,
  };

  return {
    charges: true,
    admission,
    givesTrials: deps.trials !== undefined,
    v1Body: payment.v1Body ?? false,
    mpp: payment.mpp !== false,
    secret: deps.secret,
    knownSecret: deps.knownSecret,
    accounts,
    boughtBefore: boughtBy(boughtBefore),
    signIns: createSignIns(payment, fetch),
    recentBlocks: new Map(
      [...rails].flatMap(([network, { recentBlock }]) => (recentBlock ? [[network, recentBlock] as const] : [])),
    ),
    get revision() {
      return (supported?.revision ?? 0) + rates.revision;
    },
    extendsBy: (extension) => supported?.extendsBy(extension) ?? false,
    facilitators: () => facilitator.health?.(),
    rails: reach.rails,
    assetProblems() {
      assets.start();
      return assets.problems();
    },
    quote: (prices, capability, input, ctx) => prices.quote(capability, input, ctx),
    requirementsFor: deps.requirementsFor,
    chargeOf: (offer) => rails.get(offer.network)?.charge?.(offer),
    dueOn: (order, credentials) => dueOn(deps, order, credentials),
    authorize: (order, credentials, due) => authorize(deps, order, credentials, due),
    kept: deps,
    openPayments: () => openPayments(store, { records, own }, now()),
    async overdueRefunds() {
      const lists = await Promise.all([overdueRefunds(store, { records, own }, now()), hostRefunds.overdue()]);
      return lists.flat();
    },
    takeVoucher: (sent, stream) =>
      channels ? channels.takeVoucher(sent, stream) : freePayments.takeVoucher(sent, stream),
    unearned: async () => {
      const [inAdvance, sold = []] = await Promise.all([
        unearned(store, { records, own }, now()),
        accounts?.unbooked(),
      ]);
      return [...inAdvance, ...sold];
    },
    isRefund: (sent) => channels?.isRefund(sent) ?? false,
    refund: (sent, request) =>
      channels
        ? channels.refund(sent, { ...request, permit: (wallets) => admission?.assertNotSanctioned(wallets) })
        : freePayments.refund(sent, request),
    refundSale: hostRefunds.refund,
    payouts,
    findPlanned: (of) => findPlanned({ accounts, channels }, of),
    debts: async (most) => (await import("./debts.js")).debtsOf({ store, own, accounts }, most),
    channelSums: async () => channels?.sums(),
    async reconcile(endsAt) {
      const [looked] = await Promise.all([reconciler.run(endsAt), balances?.check()]);
      // After the others, so that what they book is counted.
      return looked + ((await channels?.run(endsAt)) ?? 0) + (await payouts.run(endsAt));
    },
    open() {
      supported?.start();
      void rates.refresh();
      if (background && !onLambda()) reach.start();
    },
    begin() {
      const rated = rates.refresh();
      const refreshed = background ? undefined : supported?.refreshed();
      const needed = rated && refreshed ? Promise.all([rated, refreshed]).then(() => {}) : (rated ?? refreshed);
      if (!background) return needed;
      assets.start();
      reconciler.start();
      balances?.start();
      channels?.start();
      payouts.start();
      return needed;
    },
    close() {
      reconciler.stop();
      balances?.stop();
      channels?.stop();
      payouts.stop();
      supported?.stop();
      reach.stop();
    },
  };
}
