/**
 * Closes an account: nothing is bought from it any more, what goes back is stored and sent, and what the law does not want
 * kept is erased. Each step may be repeated, so a closing that broke off is gone on with.
 */
import { CapabilityError } from "../../errors.js";
import { fromMicros, type Micros } from "../../lib/money.js";
import { DAY_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";
import { type ClosingOptions, walletOfAccount } from "../options/accounts.js";
import type { AccountBook } from "./book.js";
import type { BalanceSales } from "./bought.js";
import { assertManages, type Manager, pointerKey } from "./keys.js";
import { assertNotFrozen } from "./record/frozen.js";
import type { ClosedFacts, StoredGrant } from "./record/grant-record.js";
import { type AccountRecord, addEntry, type Closing, PAGE } from "./record/record.js";
import { createShares } from "./shares.js";

const KEEP_DAYS = 3650;

export interface CloseOptions {
  /** Whether what is left of bought balances goes back. Default: by the host's rule. */
  refund?: boolean | undefined;
  /** The owner who asks. Absent for the host, which closes frozen accounts, too. */
  by?: Manager | undefined;
}

interface ClosingDeps {
  store: Store;
  book: AccountBook;
  bought: BalanceSales;
  now: () => number;
  rule: ClosingOptions | undefined;
  refundPayment(of: { payment: string; at: number }, usd: string): Promise<unknown>;
  eraseState?: ((wallet: string) => Promise<unknown>) | undefined;
}

type Back = Closing["back"][number];

const nextOf = ({ pages, recent }: AccountRecord): number => pages * PAGE + recent.length;

export function createClosing({ store, book, bought, now, rule = {}, refundPayment, eraseState }: ClosingDeps) {
  const { records } = book;
  const sharesOf = createShares({ bought, records, now });

  /** Begins, or adds what came since. Resolves to the closing; undefined if the account is closed. */
  async function begin(id: string, { refund, by }: CloseOptions): Promise<Closing | ClosedFacts> {
    for (;;) {
      // Calls of processes that died hold nothing.
      await book.balance(id);
      const seen = await records.change(id, (record) => structuredClone(record), { writes: () => false });
      const gives = seen.closing?.refund ?? refund ?? rule.balance !== "forfeit";
      const back = gives ? await sharesOf(id, seen) : [];
      const begun = await records.change(id, (record): Closing | ClosedFacts | undefined => {
        if (record.closed) return factsOf(record.closed, [0n, 0n, 0n]);
        if (!record.closing) assertMayClose(record, by, now());
        // Purchases and bookings since then are looked at anew.
        if (nextOf(record) !== nextOf(seen) || Boolean(record.closing) !== Boolean(seen.closing)) return undefined;
        const { closing } = record;
        record.closing = {
          ...{ at: now(), from: nextOf(record), refund: gives, keepMs: (rule.keepDays ?? KEEP_DAYS) * DAY_MS },
          ...{ keys: Object.keys(record.keys), ...closing },
          back: [...(closing?.back ?? []), ...back],
        };
        record.keys = {};
        return structuredClone(record.closing);
      });
      if (begun) return begun;
    }
  }

  /** Resolves to what goes back: nothing of a payment that was given back before, or whose payer is refused. */
  async function giveBack({ payment, at, amount }: Back): Promise<Micros> {
    try {
      await refundPayment({ payment, at }, fromMicros(amount));
      return amount;
    } catch (error) {
      if (CapabilityError.is(error) && error.status < 429) return 0n;
      throw error;
    }
  }

  return {
    async close(id: string, options: CloseOptions = {}): Promise<ClosedFacts> {
      for (;;) {
        const begun = await begin(id, options);
        if (!("back" in begun)) return begun;
        let refunded = 0n;
        for (const one of begun.back) refunded += await giveBack(one);
        for (const key of begun.keys) await forget(key);
        await eraseState?.(walletOfAccount(id));
        const done = await records.change(id, (record) => finished(record, { begun, refunded, now: now() }), {
          writes: (facts) => facts !== undefined,
        });
        if (done) return done;
      }
    },
  };

  async function forget(key: string): Promise<void> {
    const found = await store.get(pointerKey(key));
    if (found) await store.remove(pointerKey(key), found.version);
  }
}

function assertMayClose(record: AccountRecord, by: Manager | undefined, now: number): void {
  if (by) {
    assertNotFrozen(record);
    assertManages(record, by, now);
  }
  const { length } = Object.keys(record.holds);
  // guard: own account: what a call holds is not closed away | never | accounts/closing
  if (length > 0)
    throw new CapabilityError("RATE_LIMITED", `The account has ${length} calls under way: close it when they ended.`, {
      retryAfter: 1,
    });
  // guard: own account: a debt is not closed away | never | accounts/closing
  if (record.balance < 0n)
    throw new CapabilityError("NOT_ALLOWED", `The account owes ${fromMicros(-record.balance)} USD: it is paid first.`);
}

const factsOf = (
  { at, keptUntil }: NonNullable<AccountRecord["closed"]>,
  [refunded, forfeited, owed]: readonly [Micros, Micros, Micros],
): ClosedFacts => ({
  ...{ closedAt: new Date(at).toISOString(), keptUntil: new Date(keptUntil).toISOString() },
  ...{ refundedUsd: fromMicros(refunded), forfeitedUsd: fromMicros(forfeited), owedUsd: fromMicros(owed) },
});

/** The last step. Undefined if something was bought or booked since the closing was looked at. */
function finished(
  record: AccountRecord,
  { begun, refunded, now }: { begun: Closing; refunded: Micros; now: number },
): ClosedFacts | undefined {
  const { closing, grants = [] } = record;
  if (!closing) return record.closed && factsOf(record.closed, [refunded, 0n, 0n]);
  const isNew = ({ id, payment = "" }: StoredGrant) =>
    Number(id.slice("grant_".length)) >= begun.from && !begun.back.some((one) => one.payment === payment);
  // Bought while it closed, so it goes back as well.
  if (begun.refund && grants.some((grant) => grant.payment !== undefined && isNew(grant))) return undefined;
  const given = grants.reduce((sum, { usd, paid }) => (paid ? sum : sum + (usd?.left ?? 0n)), 0n);
  const rest = record.balance > given ? record.balance - given : 0n;
  if (record.balance !== 0n)
    addEntry(record, { kind: "adjustment", amount: -record.balance, at: now, reference: `closed:${begun.at}` });
  const closed = { at: now, keptUntil: now + begun.keepMs };
  const facts = factsOf(closed, begun.refund ? [refunded, 0n, rest] : [refunded, rest, 0n]);
  Object.assign(record, { closed, keys: {}, limits: {}, usage: {} });
  delete record.closing;
  delete record.grants;
  // guard: invoices: the particulars of a buyer go with the account | gone | invoices/invoices
  delete record.buyer;
  record.untold = [...(record.untold ?? []), { type: "account.closed", at: now, closed: facts }];
  return facts;
}
