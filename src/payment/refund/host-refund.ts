import { CapabilityError, invalid } from "../../errors.js";
import { exactMicros, fromMicros, type Micros } from "../../lib/money.js";
import type { Store } from "../../stores/store.js";
import type { Admission } from "../admission/admission.js";
import type { Ledger } from "../ledger/ledger.js";
import { type OverdueRefund, readDue } from "../ledger/open.js";
import { findSale, type SaleEntry } from "../ledger/sales.js";
import type { Refund } from "../record/facts.js";
import type { OwnAccounts } from "../record/own-accounts.js";
import type { SettledPayment } from "../record/record.js";
import type { Records } from "../record/records.js";
import type { PaymentToSettle } from "../x402/facilitator.js";
import { createRefundAttempt, pauseBefore, RETRY_MS, type RefundAttemptOptions } from "./attempt.js";
import { hostRefundKey, isHostRefund } from "./host-refund-key.js";
import { begun, type HostRefund, KEPT_MS, lateRefund, readHostRefund } from "./host-refund-record.js";
import { createTellOverdue, type OverdueOptions, type Owed } from "./overdue.js";

/** A sale, by the request that it answered or by the transaction that paid it. */
export type Refunded = { requestId: string } | { transaction: string };

/** The same, or a payment and when it was made. */
export type RefundedSale = Refunded | { payment: string; at: number };

export interface RefundAnswer {
  /** `owed`: it is retried in the background. */
  state: "returned" | "credited" | "owed";
  usd: string;
  payer: string;
  endpoint: string;
  network?: string;
  transaction?: string;
  /** For credit: the token that the buyer sends along with the next call. */
  creditToken?: string;
}

export interface HostRefunds {
  /** Rejects with NOT_FOUND for an unknown sale, and with INVALID_INPUT for an amount beyond it or a second refund. */
  refund(of: RefundedSale, options?: { usd?: string | undefined }): Promise<RefundAnswer>;
  owns(key: string): boolean;
  /** Those that are owed for more than an hour, among what the background handles next. */
  overdue(): Promise<OverdueRefund[]>;
  /** Completes a refund that a crash left; false if it is another host's. */
  finish(key: string): Promise<boolean>;
}

export interface HostRefundsOptions extends Omit<RefundAttemptOptions, "minReturn">, OverdueOptions {
  store: Store;
  ledger: Ledger;
  own: OwnAccounts;
  records: Records;
  admission: Admission | undefined;
  /** The sale of a single call by voucher, which the ledger has in sums alone. */
  soldByVoucher(requestId: string): Promise<SaleEntry | undefined>;
  /** Takes what a sale bought for an account back. Rejects with INVALID_INPUT for what is spent. */
  takeBack?: ((sale: SaleEntry, amount: Micros) => Promise<void>) | undefined;
}

export function createHostRefunds(options: HostRefundsOptions): HostRefunds {
  const { store, ledger, own, records, credits, emit, admission, now, logger } = options;
  // The host asks for this very refund, so none is too small.
  const attempt = createRefundAttempt({ ...options, minReturn: 0n });
  const tellOverdue = createTellOverdue(options);
  const orderOf = ({ payment }: HostRefund) => `${payment} refund`;

  async function write(key: string, ifVersion: number, entry: HostRefund): Promise<number | undefined> {
    const isOwed = entry.refund.state === "owed";
    // guard: host refund: pauses grow | without Math.max | handler/refund
    const due = isOwed || !entry.booked ? { dueAt: Math.max(now() + RETRY_MS, (isOwed && entry.nextAt) || 0) } : {};
    const value = JSON.stringify(isOwed ? entry : { ...entry, settled: undefined, nextAt: undefined });
    return store.put(key, value, { ifVersion, ttlMs: KEPT_MS, ...due });
  }

  /** Tries once, and books the end. */
  async function advance(key: string, version: number, entry: HostRefund): Promise<HostRefund> {
    let at = version;
    const keep = async (refund: Refund) => {
      const kept = await write(key, at, { ...entry, refund });
      at = kept ?? at;
      return kept !== undefined;
    };
    const { refund } = entry;
    const next = refund.state === "owed" ? { ...entry, refund: await send(entry, keep) } : entry;
    // guard: host refund: what stays owed is told | = undefined | handler/refund
    const told = await tellOverdue(owedBy(next));
    const { refund: left } = told ?? next;
    const done = left.state === "owed" ? putOff({ ...next, refund: left }) : { ...next, booked: await book(next) };
    if ((await write(key, at, done)) === undefined) return done;
    told?.report();
    if (refund.state === "owed" && done.refund.state !== "owed") tell(done);
    return done;
  }

  /** The same request may also be owed its unused part, so this has another name. */
  const owedBy = (entry: HostRefund): Owed => {
    const { endpoint, requestId = "", payer, network = "", refund, soldAt, askedAt = soldAt } = entry;
    return {
      ...{ payment: orderOf(entry), endpoint, requestId, payer, network, refund },
      ...{ since: askedAt, settledAt: soldAt, name: "back-overdue" },
    };
  };

  /** Without a pause, credit could come beside a signed refund that is still on its way. */
  function putOff(entry: HostRefund): HostRefund {
    const { refund, askedAt = now() } = entry;
    return { ...entry, nextAt: now() + pauseBefore(refund.attempts, now() - askedAt) };
  }

  async function send(entry: HostRefund, keep: (refund: Refund) => Promise<boolean>): Promise<Refund> {
    const { refund, payer, account, network } = entry;
    if (network !== undefined) return attempt(await recordOf(entry, network), refund, keep);
    await credits.issue(orderOf(entry), payer, BigInt(refund.amount), account);
    return { ...refund, state: "credited" };
  }

  /** The refund as an attempt takes it: with the payment, as long as it is kept, so that its settlement is looked up. */
  async function recordOf(entry: HostRefund, network: string): Promise<SettledPayment> {
    const { payment: id, payer, account = "", asset = "", transaction, soldAt, refund, scheme = "exact" } = entry;
    const known = entry.settled ?? (await paymentOf(id).catch(() => undefined));
    const payTo = account.slice(network.length + 1);
    const requirements = {
      scheme,
      network,
      asset,
      payTo,
      amount: refund.amount,
      maxTimeoutSeconds: 0,
      extra: {},
    };
    const payment = known ?? { payload: {}, requirements, payer };
    const receipt = { success: true, transaction, network, payer };
    return { id: orderOf(entry), payment, receipt, settledAt: soldAt } as unknown as SettledPayment;
  }

  /** Payments are recorded for some days, sales for as long as the ledger. */
  const paymentOf = async (id: string): Promise<PaymentToSettle | undefined> =>
    (await records.locate(id)).found?.record.payment;

  async function book(entry: HostRefund): Promise<boolean> {
    const { endpoint, requestId, payer, account, network, asset, soldAt, refund } = entry;
    const amount = BigInt(refund.amount);
    const nothing = { settled: 0n, creditUsed: 0n, returned: 0n, credited: 0n };
    const back = refund.state === "void" ? {} : { [refund.state]: amount, earned: -amount };
    const of = { payment: orderOf(entry), endpoint, requestId, payer, account, network, asset };
    const made = { transaction: refund.transaction ?? "", at: now(), soldAt };
    try {
      await ledger.book([{ kind: "return", because: "host-refund", ...of, ...nothing, earned: 0n, ...back, ...made }]);
      return true;
    } catch (error) {
      logger.error({ payment: entry.payment, error }, "refund: the ledger entry is left to the background");
      return false;
    }
  }

  function tell({ payment, endpoint, requestId = "", payer, network = "", soldAt, refund }: HostRefund): void {
    if (refund.state === "void") {
      const facts = { payment, network, payer };
      logger.error(facts, "refund: the settlement never reached the chain, so nothing is given back");
      return;
    }
    const { transaction } = refund;
    emit({
      ...{ kind: "refund", outcome: "refunded", id: endpoint, requestId, payer, network },
      refundedUsd: fromMicros(BigInt(refund.amount)),
      ...(transaction ? { transaction } : {}),
      durationMs: now() - soldAt,
    });
  }

  async function saleOf(of: RefundedSale): Promise<SaleEntry> {
    const voucher = "requestId" in of ? await options.soldByVoucher(of.requestId) : undefined;
    // Before the ledger, which contains it then.
    const isBooked = !("payment" in of) || (await isInLedger(of.payment));
    const sale =
      voucher ??
      (await findSale(ledger, now(), of).catch((error: unknown) => {
        // guard: own account: money is not given up before its sale is booked | never | accounts/closing-crashes
        if (!isBooked) throw notBookedYet();
        throw error;
      }));
    // Credit would be a second return: the balance has it back already.
    // guard: host refund: no credit for what an account paid | gone | handler/refund
    if (sale.prepaid !== undefined) throw paidByAccount();
    return sale;
  }

  /** False while a sale is to be booked. */
  async function isInLedger(payment: string): Promise<boolean> {
    const { record } = (await records.locate(payment)).found ?? {};
    return record?.state !== "settled" || record.booked === true;
  }

  async function answerOf(entry: HostRefund): Promise<RefundAnswer> {
    const { refund, payer, endpoint, network } = entry;
    if (refund.state === "void")
      throw new CapabilityError(
        "NOT_FOUND",
        "The chain reversed the settlement of this sale, so nothing is given back.",
      );
    return {
      state: refund.state,
      usd: fromMicros(BigInt(refund.amount)),
      payer,
      endpoint,
      ...(network === undefined ? {} : { network }),
      ...(refund.transaction ? { transaction: refund.transaction } : {}),
      ...(refund.state === "credited" ? { creditToken: await credits.tokenOf(orderOf(entry)) } : {}),
    };
  }

  return {
    owns: isHostRefund,
    async finish(key) {
      const found = await readHostRefund(store, key);
      if (!found) return true;
      if (!own.hasId(found.entry.account)) return false;
      await advance(key, found.version, found.entry);
      return true;
    },
    async overdue() {
      const late: OverdueRefund[] = [];
      const read = (key: string) => readHostRefund(store, key).catch(() => undefined);
      for await (const { entry } of readDue(store, now(), read))
        if (own.hasId(entry.account)) late.push(...lateRefund(entry, now()));
      return late;
    },
    async refund(of, { usd } = {}) {
      const asked = usd === undefined ? undefined : readUsd(usd);
      const sale = await saleOf(of);
      const amount = asked ?? sale.earned;
      // guard: refund: never more than the sale earned | gone | handler/refund
      if (amount > sale.earned)
        throw invalid("usd", `must be at most ${fromMicros(sale.earned)}, which this sale earned`);
      await admission?.assertNotSanctioned([sale.payer]);
      // Before anything is sent: what is spent of it meanwhile is not given back.
      // guard: top-up: a refund takes the balance back | gone | accounts/top-up --accounts
      await options.takeBack?.(sale, amount);
      const key = hostRefundKey(sale.payment);
      const settled = sale.network === undefined ? undefined : await paymentOf(sale.payment);
      // guard: host refund: its payment is kept while it is owed | never | handler/refund
      const entry = { ...begun(sale, amount), askedAt: now(), ...(settled ? { settled } : {}) };
      // guard: refund: the intent is stored before anything is sent |
      //   await write(key, 0, entry) -> (await store.get(key)) ? undefined : 0 | handler/refund
      const version = await write(key, 0, entry);
      return answerOf(version === undefined ? await again(key, amount) : await advance(key, version, entry));
    },
  };

  /** A refund that was asked for before; tried again where that is due. */
  async function again(key: string, amount: Micros): Promise<HostRefund> {
    const found = await readHostRefund(store, key);
    if (!found) throw new CapabilityError("INTERNAL", "The refund was changed meanwhile; ask again.");
    const before = found.entry;
    const { refund, nextAt = 0 } = before;
    // guard: refund: no second one of another amount | gone | handler/refund
    if (BigInt(refund.amount) !== amount)
      throw invalid("usd", `${fromMicros(BigInt(refund.amount))} of this sale is given back already, once for all`);
    // guard: host refund: nothing is tried before its pause is over | - && now() >= nextAt | handler/refund
    return refund.state === "owed" && now() >= nextAt ? advance(key, found.version, before) : before;
  }
}

const paidByAccount = () =>
  new CapabilityError(
    "NOT_FOUND",
    "An account paid for this call, and its note is gone: adjust the account's balance instead.",
  );

const notBookedYet = () =>
  new CapabilityError("RATE_LIMITED", "This payment is being booked: ask again in a moment.", { retryAfter: 1 });

/** Exact: an amount finer than a millionth is refused, not rounded. Throws INVALID_INPUT. */
export function readUsd(usd: unknown): Micros {
  let amount = 0n;
  try {
    amount = typeof usd === "string" ? exactMicros(usd) : 0n;
  } catch {
    // Refused below.
  }
  if (amount <= 0n)
    throw invalid("usd", 'must be US dollars above 0 as text with at most six decimals, such as "0.05"');
  return amount;
}
