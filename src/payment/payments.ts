/** The payments of a host: their interface, and the stand-in of a host whose calls are free. */
import type { AnyCapability, Context } from "../capability/types.js";
import { CapabilityError } from "../errors.js";
import type { Logger } from "../lib/logger.js";
import type { Micros } from "../lib/money.js";
import type { Store } from "../stores/store.js";
import type { PaymentAccounts } from "./accounts/accounts.js";
import type { Admission } from "./admission/admission.js";
import type { RefundRequest } from "./channels/vouchers/refund.js";
import type { KeptSources } from "./checkout/kept-reply.js";
import type { RequirementsFor } from "./checkout/requirements.js";
import type { DurableEvents, PlannedEvent, PlannedOutcome } from "./events/durable-events.js";
import type { Emit } from "./events/events.js";
import type { Ledger, LedgerEntry } from "./ledger/ledger.js";
import type { OpenPayment, OverdueRefund } from "./ledger/open.js";
import type { ChannelSums } from "./ledger/report.js";
import type { AssetProblem } from "./networks/asset-check.js";
import type { AccountsOptions, Product } from "./options/accounts.js";
import type { EdgePaymentOptions } from "./options/edge.js";
import type { PaymentOptions } from "./options/options.js";
import { type Credentials, type Due, freeGrant, type Grant, type Order, type Replay } from "./order/order.js";
import type { HostPayouts } from "./payouts/payouts.js";
import type { Prices, Pricing } from "./pricing/pricing.js";
import type { RecentBlock, SignIn } from "./rails/rail.js";
import type { OwnAccounts } from "./record/own-accounts.js";
import type { HostRefunds } from "./refund/host-refund.js";
import type { Receipts, ReconcilerOptions } from "./settlement/reconcile.js";
import type { TrialOptions } from "./trial/trial.js";
import type { ClientOptions } from "./x402/facilitator.js";
import type { FacilitatorHealth, MeasuredFacilitator } from "./x402/facilitators.js";
import type { RailStates } from "./x402/reach.js";
import { PaymentRefused, type SettleResponse } from "./x402/refusal.js";
import type { PaymentPayload, PaymentRequirements } from "./x402/wire.js";

export interface Debts {
  /** By network. */
  credit: ReadonlyMap<string, Micros>;
  /** Absent if the host has no accounts. */
  balances?: { owed: Micros; overdrawn: Micros } | undefined;
}

/** By network. Each rejects with a CapabilityError while the chain cannot be read, or nobody can be paid. */
export type RecentBlocks = ReadonlyMap<string, () => Promise<RecentBlock>>;

export interface Payments {
  /** False if every call is free. */
  readonly charges: boolean;
  /** Set if an edge takes the payments: the header of its tokens, and the address that they are for. */
  readonly edge?: { header: string; origin: string };
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
  /** The answer that a wallet bought to an order; undefined if it is not kept, or the host keeps none for them. */
  boughtBefore(order: Order, wallet: string): Promise<Replay | undefined>;
  /** Sign-in methods of wallets, by network. */
  readonly signIns: ReadonlyMap<string, SignIn>;
  /** Recent blocks, for networks on which payers need one to sign and the host has a node. */
  readonly recentBlocks: RecentBlocks;
  /** Grows when the facilitator's answer changes: quotes of an earlier revision may be outdated. */
  readonly revision: number;
  /** Whether the facilitator knows an extension of the protocol. */
  extendsBy(extension: string): boolean;
  /** Who may buy; absent if everybody may. */
  readonly admission: Admission | undefined;
  /** Which facilitators answer, if there are several. */
  facilitators(): FacilitatorHealth[] | undefined;
  /** Asks the facilitators whether each network can be paid now, at most every ten seconds. Never rejects. */
  rails(): Promise<RailStates> | undefined;
  /** Networks whose token is not what offers say, as far as the host's nodes have told. */
  assetProblems(): AssetProblem[];
  /** The price of an input here. */
  quote(prices: Prices, capability: AnyCapability, input: unknown, ctx: Context): Promise<Micros>;
  requirementsFor: RequirementsFor;
  /** An offer as buyers of the Machine Payments Protocol pay it in a way that the host turned on; undefined without one. */
  chargeOf(offer: PaymentRequirements): PaymentRequirements | undefined;
  /** The part of an order's price that the caller's credit leaves to pay. */
  dueOn(order: Order, credentials: Credentials): Promise<Due>;
  /** Reserves the trial, payment or credit that covers an order. Rejects with PaymentRefused if none does. */
  authorize(order: Order, credentials: Credentials, due: Due): Promise<Grant | Replay>;
  /** Where the answers of orders are kept, for checkout/kept-reply.ts; undefined if there are none. */
  readonly kept?: KeptSources;
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
  /** The shares of those who share a treasury, and their payment. */
  readonly payouts: HostPayouts;
  /** Looks a change that was planned up in the records. */
  findPlanned(of: PlannedEvent): Promise<PlannedOutcome>;
  /** Credit of wallets and balances of accounts, of the first `most` of each. */
  debts(most: number): Promise<Debts>;
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

export interface PaymentsOptions {
  payment: PaymentOptions | EdgePaymentOptions | false;
  trial?: TrialOptions | false | undefined;
  accounts?: AccountsOptions | undefined;
  products?: readonly Product[] | undefined;
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
  /** Erases the state of a wallet; absent if the host keeps none. */
  eraseState?: ((wallet: string) => Promise<unknown>) | undefined;
  /** The brand's, with which keys of accounts begin. */
  slug: string;
  /** Jobs that their process left. Absent if the host has none. */
  jobs?: ReconcilerOptions["jobs"];
  /** Absent if the host has no webhooks. */
  durable?: DurableEvents | undefined;
  /** Times what a facilitator is asked; absent if nobody measures. */
  measured?: MeasuredFacilitator | undefined;
  now: () => number;
}

/** Payments of a host whose calls are free: everybody is entitled. */
export const freePayments: Payments = {
  charges: false,
  admission: undefined,
  givesTrials: false,
  v1Body: false,
  mpp: false,
  secret: async () => undefined,
  knownSecret: () => undefined,
  boughtBefore: async () => undefined,
  signIns: new Map(),
  recentBlocks: new Map(),
  revision: 0,
  extendsBy: () => false,
  facilitators: () => undefined,
  rails: () => undefined,
  assetProblems: () => [],
  quote: async () => 0n,
  requirementsFor: () => ({ exact: [], upto: [], channel: [] }),
  chargeOf: () => undefined,
  dueOn: async () => ({ payable: 0n }),
  authorize: async (order) => freeGrant(order),
  openPayments: async () => [],
  overdueRefunds: async () => [],
  unearned: async () => [],
  takeVoucher: () => Promise.reject(new PaymentRefused("PAYMENT_NOT_OFFERED", "There are no channels here.")),
  isRefund: () => false,
  refund: () => Promise.reject(new Error("nothing was paid here")),
  refundSale: () => Promise.reject(new CapabilityError("NOT_FOUND", "Every call is free here, so nothing was paid.")),
  payouts: { list: async () => [], pay: async () => [] },
  findPlanned: async () => undefined,
  debts: async () => ({ credit: new Map() }),
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

/** Throws a TypeError for accounts, which could not be charged. */
export function freeOf({ accounts }: PaymentsOptions, admission: Admission | undefined): Payments {
  if (accounts) throw new TypeError("accounts: with payment: false every call is free, and no account can be charged.");
  return admission ? freeFor(admission) : freePayments;
}
