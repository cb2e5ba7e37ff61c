/**
 * Debts to those who share an account, and their payment on chain. An amount leaves what is owed in the same write that
 * begins its payout, and a payout is named by a random id, from which its authorization follows: so neither a crash nor
 * a second instance pays it twice.
 */
import { randomUUID } from "node:crypto";
import { CapabilityError } from "../../errors.js";
import { fromMicros, type Micros, toMicros } from "../../lib/money.js";
import { usd as usdOption } from "../../lib/options/kinds.js";
import { update } from "../../stores/update.js";
import type { Admission } from "../admission/admission.js";
import { sameAccount } from "../networks/accounts.js";
import type { Rails } from "../networks/rails.js";
import type { SettledPayment } from "../record/record.js";
import { createRefundAttempt, type Keep, pauseBefore, type RefundAttemptOptions } from "../refund/attempt.js";
import { networkId } from "../x402/networks.js";
import { type CountingOptions, countEntries } from "./counting.js";
import { answerOf, lastPayouts, type Payout, type PayoutRecord, payoutOf, writePayout } from "./record.js";
import { type ReceiverShare, receiverRows } from "./report.js";
import {
  type BegunPayout,
  earnedBy,
  owedTo,
  parseShares,
  partsOf,
  plainOn,
  readShares,
  type Shares,
  sharesOptions,
  writtenAs,
} from "./shares.js";

const ANOTHER_TOKEN = "it began in a token that is not this network's any more";

export interface PayOptions {
  /** Only these; default all. A network by its CAIP-2 id or name. */
  network?: string;
  payTo?: string;
  /** Smaller amounts stay owed, in decimal USD. Default: none does. */
  minUsd?: string;
}

export interface HostPayouts {
  /** Earnings, payouts and debt of each of those who share a treasury. */
  list(): Promise<ReceiverShare[]>;
  /**
   * Pays what is owed. Asked again, or by several instances at once, it pays nothing twice. Rejects with a
   * TypeError that names a wrong option.
   */
  pay(options?: PayOptions): Promise<Payout[]>;
}

export interface Payouts extends HostPayouts {
  /** Counts what was sold, and goes on with payouts that are pending; resolves to the number handled. */
  run(endsAt?: number): Promise<number>;
}

export interface PayoutsOptions
  extends CountingOptions,
    Omit<RefundAttemptOptions, "credits" | "minReturn" | "onCredit"> {
  /** Those whose refunds are made by the wallets of payouts. */
  rails: Rails;
  admission: Admission | undefined;
}

export function createPayouts(options: PayoutsOptions): Payouts {
  const { store, own, rails, admission, now, logger } = options;
  const attempt = createRefundAttempt({ ...options, credits: undefined, minReturn: 0n });

  /** Accounts that are, or were, shared. */
  async function* shared(): AsyncGenerator<{ account: string; shares: Shares }> {
    for (const account of own.names) {
      const { shares } = await readShares(store, account);
      if (shares.sums.length > 0 || own.splitOf(account)) yield { account, shares };
    }
  }

  /** Begins the payout of all that a receiver is owed; the one that is under way, if there is one. */
  async function begin(account: string, to: string, least: Micros): Promise<BegunPayout | undefined> {
    return update(store, sharesOptions(account), (found) => {
      const shares = parseShares(found);
      const open = shares.begun.find((one) => one.to === to);
      const amount = owedTo(account, shares, to);
      if (open || amount <= 0n || amount < least) return { value: undefined, result: open };
      const id = `${String(now()).padStart(14, "0")}-${randomUUID()}`;
      const payTo = writtenAs(account, shares).get(to) ?? to;
      const next = { id, to, payTo, amount: String(amount), at: now(), ...unitsFor(account, amount) };
      // guard: payouts: an amount leaves what is owed when its payout begins | - + amount | payouts
      const paid = { ...shares.paid, [to]: String(BigInt(shares.paid[to] ?? 0) + amount) };
      return { value: JSON.stringify({ ...shares, paid, begun: [...shares.begun, next] }), result: next };
    });
  }

  function unitsFor(account: string, amount: Micros): Pick<BegunPayout, "asset" | "units" | "isRated" | "by"> {
    const rail = rails.get(partsOf(account).network);
    const offer = rail?.requirements(amount, 0);
    if (!offer) throw new CapabilityError("FACILITATOR_UNAVAILABLE", "Nothing can be paid on this network now.");
    const { asset, amount: units, extra } = offer;
    const by = rail?.refundBy?.(offer);
    return { asset, units, ...(extra.usd === undefined ? {} : { isRated: true }), ...(by ? { by } : {}) };
  }

  /** A payout as an attempt takes it: nothing was settled that it gives back. */
  function recordOf(id: string, { account, to, asset, units, isRated, sent, at }: PayoutRecord): SettledPayment {
    const { network, address: payTo } = partsOf(account);
    const extra = isRated ? { usd: fromMicros(BigInt(sent.amount)) } : {};
    const requirements = { scheme: "exact", network, asset, payTo, amount: units, maxTimeoutSeconds: 0, extra };
    const payment = { payload: {}, requirements, payer: to };
    return { id: `payout ${id}`, payment, settledAt: at } as unknown as SettledPayment;
  }

  /** The list of sanctions may name a receiver after its payout began, and the host may take another token. */
  async function send(id: string, record: PayoutRecord, keep: Keep): Promise<PayoutRecord["sent"]> {
    // guard: payouts: one that began waits for a receiver that is sanctioned since |
    //   await refusalOf(record.to) -> undefined | payouts
    const reason = isInAnotherToken(record) ? ANOTHER_TOKEN : await refusalOf(record.to);
    if (reason === undefined) return attempt(recordOf(id, record), record.sent, keep);
    const { network } = partsOf(record.account);
    logger.warn({ network, payTo: record.payTo, reason }, "payouts: one that was begun waits");
    return { ...record.sent, reason };
  }

  /** An authorization of another token would be accepted beside one that is on chain already. */
  function isInAnotherToken({ account, asset, units }: PayoutRecord): boolean {
    const { network } = partsOf(account);
    const offer = rails.get(network)?.requirements(BigInt(units), 0);
    // guard: payouts: one that began is not sent in another token | returns false | payouts
    return offer !== undefined && !sameAccount(network, offer.asset, asset);
  }

  async function refusalOf(to: string): Promise<string | undefined> {
    const refused = await admission?.assertNotSanctioned([to]).catch((error: unknown) => error);
    return refused instanceof Error ? refused.message : undefined;
  }

  /** Tries once, unless it is too early, and takes what is paid off the list of what is under way. */
  async function advance(account: string, open: BegunPayout): Promise<PayoutRecord> {
    const { id } = open;
    let { record, version } = await payoutOf(store, account, open);
    const write = async (next: PayoutRecord) => {
      const written = await writePayout(store, { account, id, version }, next);
      version = written ?? version;
      return written !== undefined;
    };
    if (record.sent.state === "owed" && (record.nextAt ?? 0) <= now()) {
      const sent = await send(id, record, (kept) => write({ ...record, sent: kept }));
      const at = now();
      const ended =
        sent.state === "owed" ? { nextAt: at + pauseBefore(sent.attempts, at - record.at) } : { paidAt: at };
      const next = { ...record, sent, ...ended };
      // After a concurrent write its writer goes on; both sent the same payout.
      if (!(await write(next))) return next;
      record = next;
    }
    if (record.sent.state === "owed") return record;
    const isNew = await update(store, sharesOptions(account), (found) => {
      const shares = parseShares(found);
      const begun = shares.begun.filter((one) => one.id !== id);
      const isDone = begun.length === shares.begun.length;
      return { value: isDone ? undefined : JSON.stringify({ ...shares, begun }), result: !isDone };
    });
    const { network } = partsOf(account);
    if (isNew) logger.info({ network, payTo: open.to, usd: fromMicros(BigInt(open.amount)) }, "payouts: paid");
    return record;
  }

  /** Why nothing can be paid to a receiver; undefined if it can. */
  async function obstacle(account: string, to: string): Promise<string | undefined> {
    const { network } = partsOf(account);
    if (!rails.get(network)?.refund)
      return `payment.payouts["${network}"] names no wallet, and payment.refunds["${network}"] none either`;
    return refusalOf(to);
  }

  function held(account: string, payTo: string, amount: Micros, reason: string): Payout {
    const { network } = partsOf(account);
    logger.warn({ network, payTo, reason }, "payouts: what is owed cannot be paid");
    return { network, payTo, usd: fromMicros(amount), state: "held", reason };
  }

  async function payTo(account: string, to: string, least: Micros): Promise<Payout[]> {
    const { shares } = await readShares(store, account);
    const isOpen = shares.begun.some((one) => one.to === to);
    const amount = owedTo(account, shares, to);
    if (!isOpen && (amount <= 0n || amount < least)) return [];
    const reason = isOpen ? undefined : await obstacle(account, to);
    const holding = (why: string) => [held(account, writtenAs(account, shares).get(to) ?? to, amount, why)];
    if (reason !== undefined) return holding(reason);
    const open = await begin(account, to, least).catch(asRefusal);
    // One network that cannot pay now does not keep the others from it.
    if (open instanceof CapabilityError) return holding(open.message);
    return open ? [answerOf(await advance(account, open))] : [];
  }

  return {
    async list() {
      await countEntries(options);
      const rows: ReceiverShare[] = [];
      for await (const { account, shares } of shared())
        rows.push(
          ...receiverRows(account, shares, { now: own.splitOf(account), made: await lastPayouts(store, account) }),
        );
      return rows;
    },
    async pay(given = {}) {
      const { least, ...of } = readPayOptions(given);
      await countEntries(options);
      const made: Payout[] = [];
      for await (const { account, shares } of shared())
        for (const to of payeesOf(account, shares, of)) made.push(...(await payTo(account, to, least)));
      return made;
    },
    async run(endsAt) {
      let handled = await countEntries(options, endsAt);
      for await (const { account, shares } of shared())
        for (const open of shares.begun) {
          if (endsAt !== undefined && performance.now() >= endsAt) return handled;
          await advance(account, open).catch((error: unknown) =>
            logger.error({ payTo: open.to, error }, "payouts: a payout waits for the next round"),
          );
          handled++;
        }
      return handled;
    },
  };
}

function asRefusal(error: unknown): CapabilityError {
  if (error instanceof CapabilityError) return error;
  throw error;
}

/** Those who are paid by payouts, as far as they are asked for: the first of a list has its money already. */
function payeesOf(
  account: string,
  shares: Shares,
  { network, payTo }: Pick<PayOptions, "network" | "payTo">,
): string[] {
  const { network: on, address } = partsOf(account);
  if (network !== undefined && network !== on) return [];
  const wanted = payTo === undefined ? undefined : plainOn(account, payTo);
  return [...earnedBy(account, shares).keys()].filter(
    (to) => to !== address && (wanted === undefined || to === wanted),
  );
}

function readPayOptions({ network, payTo, minUsd }: PayOptions): { network?: string; payTo?: string; least: Micros } {
  for (const [name, value] of Object.entries({ network, payTo }))
    if (value !== undefined && typeof value !== "string") throw new TypeError(`payouts.pay: ${name} must be a text.`);
  if (minUsd !== undefined) usdOption()("payouts.pay: minUsd", minUsd);
  return {
    ...(network === undefined ? {} : { network: networkId(network) }),
    ...(payTo === undefined ? {} : { payTo }),
    least: minUsd === undefined ? 1n : toMicros(minUsd),
  };
}
