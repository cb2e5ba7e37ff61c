/** The book of all accounts: a call holds its price, is charged what it used, and frees the rest. */
import { CapabilityError } from "../../errors.js";
import type { Micros } from "../../lib/money.js";
import type { LeaseOwner } from "../../stores/owner.js";
import type { DurableEvents } from "../events/durable-events.js";
import type { Emit } from "../events/events.js";
import type { AccountCaller, PaidByGrant } from "../options/accounts.js";
import { giveGrant } from "./give.js";
import { restrictedOf } from "./grants/grants.js";
import type { NewGrant } from "./grants/new-grant.js";
import { accountEventOf } from "./grants/shown.js";
import {
  ACCOUNT,
  dropHold,
  endExpired,
  freePartOf,
  heldAgain,
  restOf,
  sell,
  sellNow,
  soldBefore,
  usedParts,
} from "./holds.js";
import { admit, assertEndpoint, paceHeaders } from "./limits.js";
import type { LimitedCall, Meter } from "./metered.js";
import { createNotes, notedCallOf } from "./notes.js";
import { assertNotFrozen } from "./record/frozen.js";
import type { StoredGrant, UntoldEvent } from "./record/grant-record.js";
import {
  type AccountRecord,
  addEntry,
  type BalanceEntry,
  heldIn,
  type Key,
  newAccount,
  PAGE,
  shownParts,
} from "./record/record.js";
import { type AccountRecords, type AccountRecordsOptions, createAccountRecords } from "./records.js";
import { findEntry, refundCall } from "./refund.js";

export interface AccountHold {
  /** Number of pages of the book when the hold was made, for `charge`. */
  pages: number;
  /** Number of the next entry then, from which on the sale is found. */
  next: number;
  /** The part of the price that free allowances and calls of grants pay, before the balance does. */
  free: Micros;
  /** Which grants pay for what the call uses. */
  paidBy(used: Micros): PaidByGrant[];
}

export interface HoldRequest extends Omit<LimitedCall, "now"> {
  /** Called with the headers that tell the caller its pace, admitted or not. */
  tellPace(headers: Record<string, string>): void;
}

export interface AccountSale {
  endpoint: string;
  /** The endpoints of a batch's calls. */
  parts?: readonly string[];
  requestId: string;
  used: Micros;
  /** Names the purchase if it may come back; it is charged once. */
  reference?: string | undefined;
  /** Of the hold; undefined for a purchase that comes back. */
  pages?: number | undefined;
}

export interface AccountBook {
  readonly records: AccountRecords;
  /** Refuses a frozen account with NOT_ALLOWED, a dead key with INVALID_KEY, and one that may not call the endpoint. */
  assertKey(caller: AccountCaller, asked: Pick<LimitedCall, "endpoint" | "parts">): Promise<void>;
  /**
   * Whether an account, and the key that ordered a run or its successor, may still call an endpoint. Rejects with
   * INVALID_KEY or PaymentRefused.
   */
  assertMayRun(caller: AccountCaller, endpoint: string): Promise<void>;
  /**
   * Reserves the price of a call under a name; undefined while a copy of the call holds it.
   * Rejects with INVALID_KEY, RATE_LIMITED or PaymentRefused.
   */
  hold(caller: AccountCaller, name: string, asked: HoldRequest): Promise<AccountHold | undefined>;
  /** Ends a hold and books what its call used, once, however often it is repeated. */
  charge(caller: AccountCaller, name: string, sale: AccountSale): Promise<BalanceEntry>;
  /** Notes what was sent of a stream, which is sold when its hold ends by itself. */
  advance(caller: AccountCaller, name: string, sale: AccountSale): Promise<void>;
  /** Ends the hold of a failed call. */
  release(caller: AccountCaller, name: string): Promise<void>;
  /** Books money that comes or goes, once for its reference. Rejects with INVALID_INPUT for the same reference and another amount. */
  post(id: string, posting: Posting): Promise<BalanceEntry>;
  /** Gives a grant, once for its reference; opens the account. Rejects with QUOTA_EXCEEDED. */
  give(id: string, grant: NewGrant, reference?: string): Promise<StoredGrant>;
  /** Notes which account a request buys from, so that its call can be given back by its id; resolves to a version. */
  note(requestId: string, of: { account: string; from: number }): Promise<number | undefined>;
  /** Takes the note of a failed call back. */
  forget(requestId: string, version: number): Promise<void>;
  /** Gives back the price of a call, or a part of it, once. Rejects with NOT_FOUND or INVALID_INPUT. */
  refund(requestId: string, usd?: Micros): Promise<{ account: string; entry: BalanceEntry }>;
  /** The sale of a call; "open" while its hold lasts. Of a stream that broke off, what was sent is sold. */
  findSale(id: string, requestId: string, hold: string): Promise<BalanceEntry | "open" | undefined>;
  findRefund(requestId: string): Promise<{ account: string; entry: BalanceEntry } | undefined>;
  /** `restricted` is the part of what is available that grants keep for some endpoints, or for later. */
  balance(id: string): Promise<{ available: Micros; held: Micros; restricted: Micros }>;
}

export interface Posting {
  kind: "topup" | "adjustment";
  amount: Micros;
  reference: string;
  note?: string | undefined;
}

/** References of a host's own bookings cannot collide with those of calls. */
export const bookingReference = (kind: string, reference: string) => `${kind}:${reference}`;

export const invalidKey = (): CapabilityError =>
  new CapabilityError("INVALID_KEY", "The key is not known here, has expired, or was revoked. Nothing was charged.");

/** The key that a caller sent, if it is still good. Throws INVALID_KEY. */
export function goodKey(record: AccountRecord | undefined, id: string, now: number): Key {
  const key = record && Object.hasOwn(record.keys, id) ? record.keys[id] : undefined;
  if (!key || !isGood(key, now)) throw invalidKey();
  return key;
}

// guard: accounts: a revoked key buys nothing | - revokedAt === undefined && | keys
const isGood = ({ revokedAt, expiresAt = Number.POSITIVE_INFINITY }: Key, now: number): boolean =>
  revokedAt === undefined && expiresAt > now;

const isHeld = ({ holds }: AccountRecord, order: string): boolean =>
  Object.values(holds).some((one) => one.order === order);

function metersOf(record: AccountRecord, { key: id }: AccountCaller, now: number): Meter[] {
  const own = { id: ACCOUNT, limits: record.limits };
  if (id === undefined) return [own];
  const key = goodKey(record, id, now);
  return key.limits ? [{ id: key.meter, limits: key.limits }, own] : [own];
}

export interface BookOptions extends AccountRecordsOptions {
  owner: LeaseOwner;
  emit: Emit;
  /** Absent if the host has no webhooks. */
  durable?: Pick<DurableEvents, "planEvent" | "tell"> | undefined;
}

export function createBook(options: BookOptions): AccountBook {
  const { store, owner, emit, durable, now } = options;
  const notes = createNotes(store);
  const tell = durable && ((account: string, event: UntoldEvent) => durable.tell(...accountEventOf(account, event)));
  const records = createAccountRecords({ ...options, tell });

  /** Books a call that has no name of its own. Without its hold it may be sold, and its entry moved to a page since. */
  async function addUnlessSold(
    id: string,
    name: string,
    { requestId, add, since }: { requestId: string; add(record: AccountRecord): BalanceEntry; since: number },
  ): Promise<BalanceEntry> {
    for (let known = since; ; ) {
      // guard: accounts: a sale that has moved to a page is not charged again | never | accounts/faults
      const edit = (record: AccountRecord): BalanceEntry | number =>
        record.pages > known && !record.holds[name] && !soldBefore(record, requestId) ? record.pages : add(record);
      const done = await records.change(id, edit, { writes: (result) => typeof result !== "number" });
      const there = { account: id, from: known * PAGE };
      const sale = typeof done === "number" ? await findEntry(records, there, { kind: "sale", requestId }) : done;
      if (sale) return sale;
      known = Number(done);
    }
  }

  /** Ends what calls hold whose process has died. Whether there was any. */
  async function endDead(id: string): Promise<boolean> {
    const owners = Object.values((await records.read(id))?.holds ?? {}).flatMap((hold) => hold.owner ?? []);
    const dead = owners.length === 0 ? undefined : await owner.deadOf(owners);
    if (!dead?.size) return false;
    return records.change(id, (record) => endExpired(record, now(), dead), { writes: (ended) => ended });
  }

  /** Again without what the dead hold, if it was refused. */
  async function unlessDead<T>(id: string, hold: () => Promise<T | undefined>): Promise<T | undefined> {
    let refused: unknown;
    const held = await hold().catch((error: unknown) => {
      refused = error;
      return undefined;
    });
    if (held !== undefined) return held;
    // guard: accounts: what a dead process holds refuses nobody | gone | leases
    if (await endDead(id)) return hold();
    if (refused !== undefined) throw refused;
    return undefined;
  }

  return {
    records,
    async assertKey(caller, asked) {
      const record = (await records.read(caller.id)) ?? newAccount(undefined);
      // guard: accounts: a frozen account gets no answer that is kept | gone | accounts/frozen
      assertNotFrozen(record);
      if (caller.key === undefined) return;
      // guard: accounts: a kept answer is for keys that may call its endpoint | gone | keys
      for (const meter of metersOf(record, caller, now())) assertEndpoint(meter, asked);
    },
    async assertMayRun({ id, key }, endpoint) {
      const record = (await records.read(id)) ?? newAccount(undefined);
      const asked = { endpoint, parts: [] };
      // guard: accounts: nothing runs for a frozen account | gone | watch-gate
      assertNotFrozen(record);
      assertEndpoint({ id: ACCOUNT, limits: record.limits }, asked);
      if (key === undefined) return;
      const meter = record.keys[key]?.meter;
      const good = Object.values(record.keys).filter((one) => one.meter === meter && isGood(one, now()));
      if (good.length === 0) throw invalidKey();
      for (const { limits = {} } of good) assertEndpoint({ id: key, limits }, asked);
    },
    async hold(caller, name, asked) {
      const hold = (record: AccountRecord): AccountHold | undefined => {
        const at = now();
        const meters = metersOf(record, caller, at);
        // guard: accounts: a frozen account buys nothing | gone | accounts/frozen
        assertNotFrozen(record);
        try {
          // guard: accounts: a hold that is made again takes nothing more | - heldAgain(record.holds[name], asked) ?? |
          //   accounts/faults --accounts
          record.holds[name] = heldAgain(record.holds[name], asked) ?? admit(record, meters, { ...asked, now: at });
        } catch (error) {
          // guard: accounts: a copy of a call waits for the one that holds what there is | always | copies
          if (asked.order === undefined || !isHeld(record, asked.order)) throw error;
          return undefined;
        } finally {
          asked.tellPace(paceHeaders(record, meters, at));
        }
        if (caller.key !== undefined) Object.assign(record.keys[caller.key] ?? {}, { lastUsedAt: at });
        const { free, grants = [] } = record.holds[name];
        const allowed = free.reduce((sum, { usd }) => sum + usd, 0n);
        const paidBy = (used: Micros) => shownParts(usedParts(grants, used > allowed ? used - allowed : 0n).used);
        const next = record.pages * PAGE + record.recent.length;
        return { pages: record.pages, next, free: freePartOf(record.holds[name]), paidBy };
      };
      const writes = (held: AccountHold | undefined) => held !== undefined;
      return unlessDead(caller.id, () => records.change(caller.id, hold, { create: true, writes }));
    },
    async charge({ id, key }, name, { used, reference, pages, endpoint, parts = [], requestId }) {
      const sold = { endpoint, parts, requestId, reference, key };
      const add = (record: AccountRecord): BalanceEntry => sell(record, name, { ...sold, used, at: now() });
      const entry = await (reference === undefined
        ? addUnlessSold(id, name, { requestId, add, since: pages ?? 0 })
        : records.addOnce(id, reference, add, { since: pages }));
      const rest = restOf(entry, used);
      if (rest === 0n) {
        if (entry.brokenOff) await this.release({ id }, name);
        return entry;
      }
      // Its hold ended before the stream did, and took what was sent until then for all of it.
      const restName = bookingReference("rest", reference ?? requestId);
      return records.addOnce(id, restName, (record) =>
        sellNow(record, name, { ...sold, reference: restName, used: rest, at: now() }),
      );
    },
    async advance({ id, key }, name, { used, endpoint, requestId, reference }) {
      const sent = {
        ...{ used, endpoint, requestId },
        ...(reference === undefined ? {} : { reference }),
        ...(key === undefined ? {} : { key }),
      };
      await records.change(id, (record) => {
        const held = record.holds[name];
        if (held) held.sent = sent;
      });
    },
    async release({ id }, name) {
      await records.change(id, (record) => dropHold(record, name, now()), { writes: (ended) => ended });
    },
    async post(id, { kind, amount, reference, note }) {
      const name = bookingReference(kind, reference);
      const facts = { kind, amount, reference: name, ...(note === undefined ? {} : { note }) };
      const add = (record: AccountRecord) => addEntry(record, { ...facts, at: now() });
      const entry = await records.addOnce(id, name, add, { create: kind === "topup" });
      if (entry.amount === amount) return entry;
      throw new CapabilityError(
        "INVALID_INPUT",
        `The reference "${reference}" was used for another amount before; nothing was booked.`,
      );
    },
    give: (id, grant, reference) => {
      const name = reference === undefined ? undefined : bookingReference("grant", reference);
      return giveGrant(records, { id, grant, name, now: now() });
    },
    note: notes.add,
    forget: notes.remove,
    refund: (requestId, usd) => refundCall({ store, records, emit, durable, now }, requestId, usd),
    async findRefund(requestId) {
      const call = await notedCallOf(store, requestId);
      const entry = call && (await findEntry(records, call, { kind: "refund", requestId }));
      return call && entry && { account: call.account, entry };
    },
    async findSale(id, requestId, hold) {
      const call = await notedCallOf(store, requestId);
      const find = async () => call && findEntry(records, call, { kind: "sale", requestId });
      const sale = await find();
      if (sale) return sale;
      // Not ended here: a process that is only slow may still charge what nobody would tell then.
      const isOpen = await records.change(id, ({ holds }) => Object.hasOwn(holds, hold));
      return isOpen ? "open" : find();
    },
    async balance(id) {
      const seen = (record: AccountRecord) => {
        const held = heldIn(record);
        return { available: record.balance - held, held, restricted: restrictedOf(record, now()) };
      };
      const look = () => records.change(id, seen, { writes: () => false });
      const there = await look();
      return there.held > 0n && (await endDead(id)) ? look() : there;
    },
  };
}
