/** The host's side of accounts, checked before anything is read or written. */

import { fromMicros } from "../../lib/money.js";
import { listOf, shape } from "../../lib/options/check.js";
import { count, text, usd as usdOf } from "../../lib/options/kinds.js";
import type { AccountEntry, AccountGrant, AccountKey, AccountLimits, AccountSummary } from "../options/accounts.js";
import type { AccountInvoice, InvoiceParty } from "../options/invoices.js";
import { assertAccount, assertText, exactUsdOf, lastMomentOf, momentOf, NOTHING } from "./admin-checks.js";
import type { AccountBook } from "./book.js";
import { createGrantAdmin, type GivenGrant } from "./grant-admin.js";
import type { AccountInvoices } from "./invoices/invoices.js";
import { shownInvoice } from "./invoices/shown.js";
import type { Keys, NewKey } from "./keys.js";
import { storedLimits } from "./limits.js";
import { hasLabel, summaryOf } from "./listing.js";
import type { ClosedFacts } from "./record/grant-record.js";
import { type AccountRecord, type BalanceEntry, shownEntry, signedUsd } from "./record/record.js";

export interface EntriesQuery {
  /** The first and last moment, as a Date or in ISO 8601; a day alone means all of it. Default: everything. */
  from?: string | Date;
  to?: string | Date;
  /** Id of the entry to begin after. */
  after?: string;
}

export interface AccountsQuery {
  /** Id of the account to begin after. */
  after?: string;
  /** How the ids begin. Default: all. */
  prefix?: string;
  /** A text in the label of one of its keys, in whatever case; this reads all accounts. */
  label?: string;
}

const MOST_LISTED = 100;
const MOST_ENTRIES = 1000;
const STEP = 200;

const LIMITS = shape<AccountLimits>({
  perMinute: count(1, 1_000_000),
  usdPerHour: usdOf({ zero: true }),
  usdPerDay: usdOf({ zero: true }),
  usdPerMonth: usdOf({ zero: true }),
  endpoints: listOf(text('the id of an endpoint, such as "convert.unit"'), { most: 500 }),
  groups: listOf(text('a group of endpoints, such as "convert"'), { most: 500 }),
  freePerMonth: shape<NonNullable<AccountLimits["freePerMonth"]>>({ calls: count(0), usd: usdOf({ zero: true }) }),
});

/** Accounts of the host's own users. Amounts are decimal USD as text. */
export interface HostAccounts {
  createKey(
    account: string,
    facts?: { label?: string; limits?: AccountLimits; expiresAt?: string | Date },
  ): Promise<NewKey>;
  listKeys(account: string): Promise<AccountKey[]>;
  revokeKey(id: string): Promise<void>;
  rotateKey(id: string, options?: { overlapSeconds?: number }): Promise<NewKey>;
  topUp(account: string, usd: string, facts: { reference: string }): Promise<AccountEntry>;
  adjust(account: string, usd: string, facts: { reference: string; note?: string }): Promise<AccountEntry>;
  refund(requestId: string, options?: { usd?: string }): Promise<AccountEntry>;
  setLimits(account: string, limits: AccountLimits): Promise<void>;
  /**
   * Refuses all that is bought from an account, and payments into it, with NOT_ALLOWED and the reason, which its callers
   * read. Its balance stays, and so does what a call holds that is under way. Opens the account.
   */
  freeze(account: string, options?: { reason?: string }): Promise<void>;
  unfreeze(account: string): Promise<void>;
  /**
   * Closes an account: its keys end, what is left of bought balances goes back to the wallets that paid (`refund`, by default
   * as `accounts.closing` says), and its data are erased but for its book, which is kept until a date.
   */
  close(account: string, options?: { refund?: boolean }): Promise<ClosedFacts>;
  /** Up to 100 accounts with their balance and use, in the order of their ids. */
  list(query?: AccountsQuery): Promise<AccountSummary[]>;
  /** `restrictedUsd` is the part of it that is kept for some endpoints, or for later; absent if there is none. */
  balance(account: string): Promise<{ availableUsd: string; heldUsd: string; restrictedUsd?: string }>;
  /** Gives money or calls for some endpoints, or for a time; opens the account. Rejects with QUOTA_EXCEEDED beyond 100. */
  grant(account: string, given: GivenGrant): Promise<AccountGrant>;
  /** The grants that are left of an account, in the order of their use. */
  grants(account: string): Promise<AccountGrant[]>;
  entries(account: string, query?: EntriesQuery): Promise<AccountEntry[]>;
  /** Up to 1000 invoices and credit notes of all accounts, in the order of their numbers; `after` is the last one's. */
  invoices(query?: { after?: string }): Promise<AccountInvoice[]>;
}

/** The same, with what a change found and left, for the log of them. */
export interface AccountAdmin extends Omit<HostAccounts, "close" | "setLimits" | "freeze" | "unfreeze"> {
  setLimits(account: string, limits: AccountLimits): Promise<Changed>;
  freeze(account: string, options?: { reason?: string }): Promise<Changed>;
  unfreeze(account: string): Promise<Changed>;
}

interface Changed {
  before: object;
  after: object;
}

interface AdminOptions {
  book: AccountBook;
  billing: Pick<AccountInvoices, "all">;
  keys: Keys;
  now: () => number;
  isMounted(endpoint: string): boolean;
  hasGroup(group: string): boolean;
}

export function createAdmin({ book, billing, keys, now, isMounted, hasGroup }: AdminOptions): AccountAdmin {
  const { records } = book;
  const checkLimits = (limits: unknown): AccountLimits => {
    LIMITS("limits", limits);
    const checked = limits as AccountLimits;
    const unknown = checked.endpoints?.find((id) => !isMounted(id));
    if (unknown !== undefined) throw new TypeError(`limits.endpoints: no endpoint "${unknown}" is mounted here.`);
    const other = checked.groups?.find((group) => !hasGroup(group));
    if (other !== undefined) throw new TypeError(`limits.groups: no endpoint of "${other}" is mounted here.`);
    return storedLimits(checked);
  };

  return {
    ...createGrantAdmin({ book, now, isMounted }),
    async createKey(account, { label, limits, expiresAt } = {}) {
      assertAccount(account);
      if (label !== undefined) assertText("label", label, 100);
      const expires = expiresAt === undefined ? undefined : momentOf("expiresAt", expiresAt);
      if (expires !== undefined && expires <= now()) throw new TypeError("expiresAt must be in the future.");
      return keys.create(account, { label, limits: limits && checkLimits(limits), expiresAt: expires });
    },
    listKeys: async (account) => keys.list(assertAccount(account)),
    revokeKey: async (id) => keys.revoke(assertText("id", id, 100)),
    async rotateKey(id, { overlapSeconds = 0 } = {}) {
      count(0, 31_536_000)("overlapSeconds", overlapSeconds);
      return keys.rotate(assertText("id", id, 100), overlapSeconds * 1000);
    },
    async topUp(account, usd, { reference } = NOTHING) {
      const amount = exactUsdOf(usd);
      if (amount <= 0n) throw new TypeError(`usd must be above 0, not "${usd}".`);
      return post(account, { kind: "topup", amount, reference });
    },
    async adjust(account, usd, { reference, note } = NOTHING) {
      const amount = exactUsdOf(usd);
      if (amount === 0n) throw new TypeError("usd must not be 0.");
      if (note !== undefined) assertText("note", note, 500);
      return post(account, { kind: "adjustment", amount, reference, note });
    },
    async refund(requestId, { usd } = {}) {
      assertText("requestId", requestId, 100);
      const amount = usd === undefined ? undefined : exactUsdOf(usd);
      if (amount !== undefined && amount <= 0n) throw new TypeError(`usd must be above 0, not "${usd}".`);
      return shownEntry((await book.refund(requestId, amount)).entry);
    },
    async setLimits(account, limits) {
      assertAccount(account);
      const checked = checkLimits(limits);
      const replace = (record: AccountRecord) => {
        const before = record.limits;
        record.limits = checked as typeof record.limits;
        return { before: { limits: before }, after: { limits: checked } };
      };
      return records.change(account, replace, { create: true });
    },
    async freeze(account, { reason } = {}) {
      assertAccount(account);
      if (reason !== undefined) assertText("reason", reason, 500);
      const frozen = { at: now(), ...(reason === undefined ? {} : { reason: sentence(reason) }) };
      return setFrozen(account, frozen, { create: true });
    },
    async unfreeze(account) {
      return setFrozen(assertAccount(account), undefined);
    },
    async list({ after, prefix = "", label } = {}) {
      if (after !== undefined) assertAccount(after);
      if (prefix !== "") assertAccount(prefix);
      if (label !== undefined) assertText("label", label, 100);
      const found: AccountSummary[] = [];
      for await (const { id, record } of records.all({ after, prefix })) {
        if (label === undefined || hasLabel(record, label)) found.push(summaryOf(id, record, now()));
        if (found.length === MOST_LISTED) break;
      }
      return found;
    },
    async balance(account) {
      const { available, held, restricted } = await book.balance(assertAccount(account));
      return {
        ...{ availableUsd: signedUsd(available), heldUsd: fromMicros(held) },
        ...(restricted > 0n ? { restrictedUsd: fromMicros(restricted) } : {}),
      };
    },
    async entries(account, { from, to, after } = {}) {
      assertAccount(account);
      const first = from === undefined ? Number.NEGATIVE_INFINITY : momentOf("from", from);
      const last = to === undefined ? Number.POSITIVE_INFINITY : lastMomentOf("to", to);
      if (after !== undefined && !/^\d{1,15}$/.test(after)) throw new TypeError("after must be the id of an entry.");
      // A grant that ended by now has its entry, also if nobody has asked for the account since.
      await records.tend(account);
      const found: BalanceEntry[] = [];
      for (let seq = after === undefined ? 0 : Number(after) + 1; found.length < MOST_ENTRIES; seq += STEP) {
        const page = await records.entriesFrom(account, seq, STEP);
        found.push(...page.filter(({ at }) => at >= first && at <= last));
        if (page.length < STEP) break;
      }
      return found.slice(0, MOST_ENTRIES).map(shownEntry);
    },
    async invoices({ after } = {}) {
      if (after !== undefined) assertText("after", after, 40);
      const found = await billing.all({ after, limit: MOST_ENTRIES });
      return found.map((stored) => {
        const { account, buyer } = stored;
        return {
          ...shownInvoice(stored),
          ...(account ? { account } : {}),
          ...(buyer ? { buyer: buyer as InvoiceParty } : {}),
        };
      });
    },
  };

  function setFrozen(account: string, frozen: AccountRecord["frozen"], options?: { create: true }): Promise<Changed> {
    const change = (record: AccountRecord) => {
      const before = { frozen: record.frozen ?? false };
      if (frozen) record.frozen = frozen;
      else delete record.frozen;
      return { before, after: { frozen: frozen ?? false } };
    };
    return records.change(account, change, options);
  }

  async function post(account: string, posting: Parameters<AccountBook["post"]>[1]): Promise<AccountEntry> {
    assertAccount(account);
    assertText("reference", posting.reference, 255);
    return shownEntry(await book.post(account, posting));
  }
}

const sentence = (text: string): string => (/[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`);
