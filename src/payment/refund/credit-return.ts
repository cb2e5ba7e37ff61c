/**
 * Returns a wallet's credit to it on chain once it is beyond a bound. A note is stored before the amount leaves the
 * credit, so that a crash neither loses it nor pays it twice; the refund itself is made by the background.
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { once } from "../../lib/lazy.js";
import type { Logger } from "../../lib/logger.js";
import type { Micros } from "../../lib/money.js";
import { DAY_MS, MINUTE_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";
import type { Ledger } from "../ledger/ledger.js";
import { accountId } from "../networks/accounts.js";
import type { Rails } from "../networks/rails.js";
import { type Refund, refundSchema } from "../record/facts.js";
import type { OwnAccounts } from "../record/own-accounts.js";
import type { SettledPayment } from "../record/record.js";
import type { PaymentRequirements } from "../x402/wire.js";
import { createRefundAttempt, pauseBefore, type RefundAttemptOptions } from "./attempt.js";
import { type Credits, isWalletCredit } from "./credit.js";

const PREFIX = "credit-return:";
const KEPT_MS = 400 * DAY_MS;
/** A note whose amount did not leave the credit by then is void. */
const BEGIN_MS = MINUTE_MS;
/** After a refund that cannot be made the credit stays credit for so long. */
const KEEP_MS = 7 * DAY_MS;

const note = once(() =>
  z.object({
    /** Id of the wallet's credit. */
    credit: z.string(),
    payer: z.string(),
    /** Account of the host that owes it. */
    account: z.string(),
    network: z.string(),
    asset: z.string(),
    payTo: z.string(),
    endpoint: z.string(),
    requestId: z.string(),
    refund: refundSchema(),
    begunAt: z.number(),
  }),
);
type Note = z.infer<ReturnType<typeof note>>;

export interface CreditReturns {
  /** Begins the return of the credit that a call added to, if it is beyond the bound now. */
  consider(of: SettledPayment): Promise<void>;
  owns(key: string): boolean;
  /** Goes on with a return; false if it is another host's. */
  finish(key: string): Promise<boolean>;
}

export interface CreditReturnsOptions extends Omit<RefundAttemptOptions, "minReturn" | "onCredit"> {
  store: Store;
  credits: Credits;
  ledger: Ledger;
  own: OwnAccounts;
  rails: Rails;
  /** Credit beyond it is returned. */
  bound: Micros;
  now: () => number;
  logger: Logger;
}

export function createCreditReturns(options: CreditReturnsOptions): CreditReturns {
  const { store, credits, ledger, own, rails, bound, now, logger } = options;
  const attempt = createRefundAttempt({ ...options, minReturn: 0n });
  const nameOf = (key: string) => key.slice(PREFIX.length);

  async function write(key: string, ifVersion: number, entry: Note, dueAt: number): Promise<number | undefined> {
    return store.put(key, JSON.stringify(entry), { ifVersion, ttlMs: KEPT_MS, dueAt });
  }

  async function begin(credit: string, { payment, requestId, endpoint }: SettledPayment): Promise<void> {
    const amount = await credits.payable(credit);
    if (amount <= bound) return;
    const { network, asset, payTo } = payment.requirements;
    const key = PREFIX + randomUUID();
    const entry: Note = {
      ...{ credit, payer: payment.payer, account: accountId(network, payTo), network, asset, payTo },
      ...{ endpoint, requestId, begunAt: now() },
      refund: { amount: amount.toString(), state: "owed", attempts: 0 },
    };
    const version = await write(key, 0, entry, now() + BEGIN_MS);
    if (version === undefined) return;
    // Otherwise another call was faster, or used the credit, and the note goes.
    if (await credits.takeOut(credit, { name: nameOf(key), amount, until: entry.begunAt + BEGIN_MS / 2 }))
      await write(key, version, entry, now());
    else await store.remove(key, version);
  }

  /** The refund as an attempt takes it: nothing on chain names the many settlements whose rests it is. */
  function recordOf(key: string, { network, asset, payTo, payer, refund, begunAt, ...of }: Note): SettledPayment {
    const { amount } = refund;
    const requirements: PaymentRequirements = {
      ...{ scheme: "exact", network, asset, payTo, amount, maxTimeoutSeconds: 0, extra: {} },
    };
    const payment = { payload: {}, requirements, payer };
    return { id: nameOf(key), payment, settledAt: begunAt, ...of } as unknown as SettledPayment;
  }

  async function book(key: string, { payer, account, network, asset, endpoint, requestId, refund, begunAt }: Note) {
    const amount = BigInt(refund.amount);
    const of = { payment: nameOf(key), endpoint, requestId, payer, account, network, asset };
    // It was credited, and leaves the credit as it leaves the host.
    const sums = { settled: 0n, creditUsed: amount, returned: amount, credited: 0n, earned: 0n };
    const at = { transaction: refund.transaction ?? "", at: now(), soldAt: begunAt };
    await ledger.book([{ kind: "return", because: "credit-limit", ...of, ...sums, ...at }]);
  }

  async function advance(key: string, version: number, entry: Note): Promise<void> {
    let at = version;
    const keep = async (refund: Refund) => {
      const kept = await write(key, at, { ...entry, refund }, now() + MINUTE_MS);
      at = kept ?? at;
      return kept !== undefined;
    };
    const { refund: before } = entry;
    const refund = before.state === "owed" ? await attempt(recordOf(key, entry), before, keep) : before;
    const next = { ...entry, refund };
    const dueAt = refund.state === "owed" ? now() + pauseBefore(refund.attempts, now() - entry.begunAt) : now();
    const written = await write(key, at, next, dueAt);
    if (written === undefined || refund.state === "owed") return;
    if (refund.state === "returned") await book(key, next);
    else
      logger.warn(
        { network: entry.network, payer: entry.payer },
        "payment: credit could not be returned, and stays credit",
      );
    await credits.paidOut(entry.credit, nameOf(key), refund.state === "returned" ? undefined : now() + KEEP_MS);
    await store.remove(key, written);
  }

  return {
    async consider(record) {
      const { network, payTo } = record.payment.requirements;
      if (!rails.get(network)?.refund || rails.get(network)?.ratedAsset !== undefined) return;
      const credit = await credits.ofWallet(network, record.payment.payer);
      if (!credit || !isWalletCredit(credit.id) || credit.account !== accountId(network, payTo)) return;
      await begin(credit.id, record).catch((error: unknown) =>
        logger.error({ network, error }, "payment: credit beyond its bound is not returned yet"),
      );
    },
    owns: (key) => key.startsWith(PREFIX),
    async finish(key) {
      const found = await store.get(key);
      if (!found) return true;
      const entry = note().parse(JSON.parse(found.value));
      if (!own.hasId(entry.account)) return false;
      if (await credits.isOut(entry.credit, nameOf(key))) await advance(key, found.version, entry);
      else await store.remove(key, found.version);
      return true;
    },
  };
}
