/** All parts of a host's payment, put together once. A host whose calls are free has a stand-in. */
import type { AnyCapability, Context } from "../capability/types.js";
import { CapabilityError } from "../errors.js";
import { within } from "../lib/abort.js";
import { type Logger, silent } from "../lib/logger.js";
import { type Micros, toMicros } from "../lib/money.js";
import { onWorkers } from "../lib/packages/platform.js";
import { MINUTE_MS } from "../lib/time.js";
import { storeSecret } from "../stores/secret.js";
import type { Store } from "../stores/store.js";
import { createAccounts, type PaymentAccounts } from "./accounts/accounts.js";
import type { AccountsOptions } from "./accounts/options.js";
import type { Admission } from "./admission/admission.js";
import { type BalanceWatchOptions, createBalanceWatch } from "./balances.js";
import { createChannels } from "./channels/channels.js";
import type { RefundRequest } from "./channels/refund.js";
import { authorize, dueOn } from "./checkout/authorize.js";
import { type Credentials, type Due, freeGrant, type Grant, type Order, type Replay } from "./checkout/order.js";
import { createRequirements, type RequirementsFor } from "./checkout/requirements.js";
import type { DurableEvents, Foretold, ForetoldEnd } from "./durable-events.js";
import type { Emit } from "./events.js";
import { createFailures, readLimits } from "./failures/failures.js";
import { findForetold } from "./find-foretold.js";
import type { Ledger, LedgerEntry } from "./ledger/ledger.js";
import { createTellLoss } from "./ledger/loss.js";
import { type OpenPayment, type OverdueRefund, openPayments, overdueRefunds, unearned } from "./ledger/open.js";
import type { ChannelSums } from "./ledger/report.js";
import type { LowBalanceOptions, PaymentOptions } from "./options.js";
import type { OwnAccounts } from "./own-accounts.js";
import type { Pricing } from "./pricing/pricing.js";
import { familyOf, sameAccount } from "./rails/accounts.js";
import { type AssetProblem, createAssetCheck } from "./rails/asset-check.js";
import { voucherWaitMsOf } from "./rails/channel-options.js";
import type { SignIn } from "./rails/rail.js";
import { createRails, createSignIns, needsSupported, warnOfUnsold } from "./rails/rails.js";
import { createRates } from "./rails/rates.js";
import { createRecords } from "./records.js";
import { createCredits } from "./refund/credit.js";
import { createCreditCalls } from "./refund/credit-call.js";
import { createHostRefunds, type HostRefunds } from "./refund/host-refund.js";
import { createRefunds } from "./refund/refunds.js";
import { createExposure } from "./settlement/exposure.js";
import { createGuard } from "./settlement/guard.js";
import { createKeptReplies } from "./settlement/kept.js";
import { createPaymentLeases } from "./settlement/lease.js";
import { createReconciler, type Receipts } from "./settlement/reconcile.js";
import { createSecondLook } from "./settlement/second-look.js";
import { createSettler } from "./settlement/settlement.js";
import { createTransfers } from "./settlement/transfers.js";
import { createTrials, type TrialOptions } from "./trial/trial.js";
import type { ClientOptions } from "./x402/facilitator.js";
import { createFacilitators, type FacilitatorHealth } from "./x402/facilitators.js";
import { PaymentRefused, type SettleResponse } from "./x402/refusal.js";
import { watchSupported } from "./x402/supported.js";
import type { PaymentPayload } from "./x402/wire.js";

export interface Payments {
  /** False if every call is free. */
  readonly charges: boolean;
  /** Whether callers have free trials. */
  readonly givesTrials: boolean;
  /** Whether a 402 has the version-1 body unless the caller asks otherwise. */
  readonly v1Body: boolean;
  /** Whether buyers of the Machine Payments Protocol can pay. */
  readonly mpp: boolean;
  /** Secret of the challenges, shared by all instances on the store; undefined while the store does not answer. */
  secret(): Promise<string | undefined>;
  /** The same without a wait; undefined before it was read. */
  knownSecret(): string | undefined;
  /** Accounts of the host's own users; undefined if it has none. */
  readonly accounts?: PaymentAccounts | undefined;
  /** Sign-in methods of wallets, by network. */
  readonly signIns: ReadonlyMap<string, SignIn>;
  /** Grows when the facilitator's answer changes: quotes of an earlier revision may be outdated. */
  readonly revision: number;
  /** Whether the facilitator knows an extension of the protocol. */
  extendsBy(extension: string): boolean;
  /** Who may buy; absent if everybody may. */
  readonly admission: Admission | undefined;
  /** Which facilitators answer, if there are several. */
  facilitators(): FacilitatorHealth[] | undefined;
  /** Networks whose token is not what offers say, as far as the host's nodes have told. */
  assetProblems(): AssetProblem[];
  /** The price of an input here. */
  quote(capability: AnyCapability, input: unknown, ctx: Context, at?: number): Promise<Micros>;
  requirementsFor: RequirementsFor;
  /** The part of an order's price that the caller's credit leaves to pay. */
  dueOn(order: Order, credentials: Credentials): Promise<Due>;
  /** Reserves the trial, payment or credit that covers an order. Rejects with PaymentRefused if none does. */
  authorize(order: Order, credentials: Credentials, due: Due): Promise<Grant | Replay>;
  /** Payments whose settlement is not certain yet. */
  openPayments(): Promise<OpenPayment[]>;
  /** Refunds that are overdue. */
  overdueRefunds(): Promise<OverdueRefund[]>;
  /** Advance payments for work that is not done, and sales to accounts that are not booked yet. */
  unearned(): Promise<LedgerEntry[]>;
  /** Takes the next voucher of a stream that is paid in parts; resolves to the sum of all. Rejects with PaymentRefused. */
  takeVoucher(payment: PaymentPayload, stream: string): Promise<Micros>;
  /** Whether a payment asks to withdraw the rest of a channel's deposit. */
  isRefund(payment: PaymentPayload): boolean;
  /** Returns the rest of the deposit. Rejects with PaymentRefused. */
  refund(
    payment: PaymentPayload,
    request: Omit<RefundRequest, "message">,
  ): Promise<{ receipt: SettleResponse; channelId: string }>;
  /** Gives back what a sale to a wallet earned. */
  readonly refundSale: HostRefunds["refund"];
  /** Looks a change that was foretold up in the records. */
  findForetold(of: Foretold): Promise<ForetoldEnd>;
  /** Sums over payment channels; undefined if the host has none. */
  channelSums(): Promise<ChannelSums | undefined>;
  /**
   * Settles open payments once, and starts no new one after `endsAt` (of `performance.now()`). Resolves to the number
   * handled.
   */
  reconcile(endsAt?: number): Promise<number>;
  /**
   * Asks the facilitator for its supported kinds. Called when the host is complete, because a host with invalid options
   * must send no request.
   */
  open(): void;
  /**
   * Starts the background work with the first call, because some platforms allow none before. Without background work
   * it refreshes the facilitator's supported kinds, for this call, if they are outdated.
   */
  begin(): Promise<void> | undefined;
  /** Ends the background work. */
  close(): void;
}

/** Payments of a host whose calls are free: everybody is entitled. */
const freePayments: Payments = {
  charges: false,
  admission: undefined,
  givesTrials: false,
  v1Body: false,
  mpp: false,
  secret: async () => undefined,
  knownSecret: () => undefined,
  signIns: new Map(),
  revision: 0,
  extendsBy: () => false,
  facilitators: () => undefined,
  assetProblems: () => [],
  quote: async () => 0n,
  requirementsFor: () => ({ exact: [], upto: [], channel: [] }),
  dueOn: async () => ({ payable: 0n }),
  authorize: async (order) => freeGrant(order),
  openPayments: async () => [],
  overdueRefunds: async () => [],
  unearned: async () => [],
  takeVoucher: () => Promise.reject(new PaymentRefused("PAYMENT_NOT_OFFERED", "There are no channels here.")),
  isRefund: () => false,
  refund: () => Promise.reject(new Error("nothing was paid here")),
  refundSale: () => Promise.reject(new CapabilityError("NOT_FOUND", "Every call is free here, so nothing was paid.")),
  findForetold: async () => undefined,
  channelSums: async () => undefined,
  reconcile: async () => 0,
  open() {},
  begin: () => undefined,
  close() {},
};

/** The same for the callers that the host admits. */
const freeFor = (admission: Admission): Payments => ({
  ...freePayments,
  admission,
  async authorize(order) {
    await admission.admit(order, { via: "free" });
    return freeGrant(order);
  },
});

export interface PaymentsOptions {
  payment: PaymentOptions | false;
  trial?: TrialOptions | false | undefined;
  accounts?: AccountsOptions | undefined;
  /** Default: the global one, looked up at each call. */
  fetch?: typeof globalThis.fetch | undefined;
  logger?: Logger | undefined;
}

export interface PaymentsSources {
  store: Store;
  ledger: Ledger;
  own: OwnAccounts;
  pricing: Pricing;
  emit: Emit;
  admission: Admission | undefined;
  /** Whether a call has done its work on its wallet's state; undefined if the host keeps none. */
  receipts?: Receipts | undefined;
  /** The description of an endpoint for facilitators. */
  listing: NonNullable<ClientOptions["listing"]>;
  /** The brand's, with which keys of accounts begin. */
  slug: string;
  /** Absent if the host has no webhooks. */
  durable?: DurableEvents | undefined;
  now: () => number;
}

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

function freeOf({ accounts }: PaymentsOptions, admission: Admission | undefined): Payments {
  if (accounts) throw new TypeError("accounts: with payment: false every call is free, and no account can be charged.");
  return admission ? freeFor(admission) : freePayments;
}

/** Looks at the balances now and then in a long-lived process. */
function openBalances(
  options: LowBalanceOptions,
  { slug, ...shared }: Omit<BalanceWatchOptions, "host" | "options"> & { own: OwnAccounts; slug: string },
) {
  const { check } = createBalanceWatch({ ...shared, options, host: shared.own.names[0] ?? slug });
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

/** Throws a TypeError that names a missing or invalid option. */
export function createPayments(options: PaymentsOptions, sources: PaymentsSources): Payments {
  const { store, ledger, own, pricing, emit, admission, receipts, listing, slug, durable, now } = sources;
  if (options.payment === false) return freeOf(options, admission);
  const payment: PaymentOptions | undefined = options.payment;
  if (!payment?.treasury || !payment.facilitator)
    throw new TypeError("payment needs a treasury and a facilitator; set payment: false to give every call away.");
  const fetch = options.fetch ?? ((...args: Parameters<typeof globalThis.fetch>) => globalThis.fetch(...args));
  const { logger = silent } = options;
  const facilitator = createFacilitators(payment.facilitator, { fetch, sameAccount, logger, listing });
  const background = !onWorkers();
  const onAnswer = () => warnOfUnsold(rails, logger);
  const watched = { facilitator, familyOf, now, logger, background, onAnswer, waits: true };
  const supported = needsSupported(payment) ? watchSupported(watched) : undefined;
  const rates = createRates({ store, host: own.names[0] ?? slug, logger, now });
  const rails = createRails(payment, fetch, { logger, supported, rates });
  const assets = createAssetCheck(rails, logger);
  const records = createRecords(store, now, own);
  const credits = createCredits(store, now, own);
  const minReturn = toMicros(payment.minReturnUsd ?? "0.005");
  const exposure = createExposure(store, toMicros(payment.maxUnsettledUsd ?? "1"));
  const failures = createFailures(store, now, readLimits(payment.maxFailures));
  const transfers = createTransfers(store);
  const kept = createKeptReplies(store, now);
  const tellLoss = createTellLoss({ ledger, emit, now });
  const shared = {
    records,
    credits,
    tellLoss,
    facilitator,
    rails,
    exposure,
    transfers,
    kept,
    ledger,
    own,
    emit,
    durable,
    now,
    logger,
  };
  const refunds = createRefunds({ ...shared, minReturn });
  const settler = createSettler({ ...shared, refunds });
  const creditCalls = createCreditCalls({ ...shared, store });
  const balances = payment.lowBalance && openBalances(payment.lowBalance, { ...shared, store, slug });
  const hostRefunds = createHostRefunds({
    ...{ ...shared, store, admission },
    soldByVoucher: async (requestId) => channels?.soldByVoucher(requestId),
  });
  const lookAgain = createSecondLook(shared);
  const reconciler = createReconciler({ ...shared, settler, refunds, creditCalls, hostRefunds, lookAgain, receipts });
  const channels = createChannels({ ...shared, payment, store });
  const chosen = new Set(payment.settleFirst);
  const settlesFirst = ({ id }: Pick<AnyCapability, "id">) => chosen.has(id);
  const voucherWaitMs = voucherWaitMsOf(payment.channels);
  const minTimeoutSeconds = payment.maxTimeoutSeconds ?? 60;
  const accounts = options.accounts && createAccounts(options.accounts, { ...shared, store, slug });
  const deps = {
    ...shared,
    store,
    accounts,
    creditCalls,
    channels,
    failures,
    admission,
    settlesFirst,
    receipts,
    trials: options.trial === false ? undefined : createTrials(options.trial ?? {}, store),
    guard: createGuard({ ...shared, settler, leases: createPaymentLeases({ ...shared, settler, refunds }) }),
    ...secretOf(store),
    requirementsFor: createRequirements({
      pricing,
      rails,
      settlesFirst,
      minTimeoutSeconds,
      sellsParts: voucherWaitMs > 0,
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
    signIns: createSignIns(payment, fetch),
    get revision() {
      return (supported?.revision ?? 0) + rates.revision;
    },
    extendsBy: (extension) => supported?.extendsBy(extension) ?? false,
    facilitators: () => facilitator.health?.(),
    assetProblems() {
      assets.start();
      return assets.problems();
    },
    quote: pricing.quote,
    requirementsFor: deps.requirementsFor,
    dueOn: (order, credentials) => dueOn(deps, order, credentials),
    authorize: (order, credentials, due) => authorize(deps, order, credentials, due),
    openPayments: () => openPayments(store, { records, own }, now()),
    overdueRefunds: () => overdueRefunds(store, { records, own }, now()),
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
    findForetold: (of) => findForetold({ accounts, channels }, of),
    channelSums: async () => channels?.sums(),
    async reconcile(endsAt) {
      const [looked] = await Promise.all([reconciler.run(endsAt), balances?.check()]);
      return looked + ((await channels?.run(endsAt)) ?? 0);
    },
    open() {
      supported?.start();
      void rates.refresh();
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
      return needed;
    },
    close() {
      reconciler.stop();
      balances?.stop();
      channels?.stop();
      supported?.stop();
    },
  };
}
