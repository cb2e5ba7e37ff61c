/** The book of all accounts: a call holds its price, is charged what it used, and frees the rest. */
import { CapabilityError } from "../../errors.js";
import type { Micros } from "../../lib/money.js";
import { dropHold, sell } from "./holds.js";
import { ACCOUNT, type Asked, admit, type Meter, paceHeaders } from "./limits.js";
import type { AccountCaller } from "./options.js";
import { type AccountRecord, addEntry, type Entry, heldIn, type Key, PAGE } from "./record.js";
import { type AccountRecords, type AccountRecordsOptions, createAccountRecords } from "./records.js";
import { noteCall, refundCall } from "./refund.js";

export interface AccountHold {
  /** Number of pages of the book when the hold was made, for `charge`. */
  pages: number;
  /** Number of the next entry then, from which on the sale is found. */
  next: number;
}

export interface HoldRequest extends Omit<Asked, "now"> {
  /** Called with the headers that tell the caller its pace, admitted or not. */
  tellPace(headers: Record<string, string>): void;
}

export interface AccountSale {
  endpoint: string;
  requestId: string;
  used: Micros;
  /** Names the purchase if it may come back; it is charged once. */
  reference?: string | undefined;
  /** Of the hold; undefined for a purchase that comes back. */
  pages?: number | undefined;
}

export interface AccountBook {
  readonly records: AccountRecords;
  /** Refuses a key that is expired or revoked, with INVALID_KEY. */
  assertKey(caller: AccountCaller): Promise<void>;
  /** Reserves the price of a call under a name. Rejects with INVALID_KEY, RATE_LIMITED or PaymentRefused. */
  hold(caller: AccountCaller, name: string, asked: HoldRequest): Promise<AccountHold>;
  /** Ends a hold and books what its call used. */
  charge(caller: AccountCaller, name: string, sale: AccountSale): Promise<void>;
  /** Notes what was sent of a stream, which is sold when its hold ends by itself. */
  advance(caller: AccountCaller, name: string, sale: AccountSale): Promise<void>;
  /** Ends the hold of a failed call. */
  release(caller: AccountCaller, name: string): Promise<void>;
  /** Books money that comes or goes, once for its reference. Rejects with INVALID_INPUT for the same reference and another amount. */
  post(id: string, posting: Posting): Promise<Entry>;
  /** Notes which account a request buys from, so that its call can be given back by its id. */
  note(requestId: string, of: { account: string; from: number }): Promise<void>;
  /** Gives back the price of a call, or a part of it, once. Rejects with NOT_FOUND or INVALID_INPUT. */
  refund(requestId: string, usd?: Micros): Promise<{ account: string; entry: Entry }>;
  balance(id: string): Promise<{ available: Micros; held: Micros }>;
}

export interface Posting {
  kind: "topup" | "adjustment";
  amount: Micros;
  reference: string;
  note?: string | undefined;
}

/** References of a host's own bookings cannot collide with those of calls. */
export const named = (kind: string, reference: string) => `${kind}:${reference}`;

export const invalidKey = (): CapabilityError =>
  new CapabilityError("INVALID_KEY", "The key is not known here, has expired, or was revoked. Nothing was charged.");

/** The key that a caller sent, if it is still good. Throws INVALID_KEY. */
export function goodKey(record: AccountRecord | undefined, id: string, now: number): Key {
  const key = record && Object.hasOwn(record.keys, id) ? record.keys[id] : undefined;
  if (!key || key.revokedAt !== undefined || (key.expiresAt ?? Number.POSITIVE_INFINITY) <= now) throw invalidKey();
  return key;
}

function metersOf(record: AccountRecord, { key: id }: AccountCaller, now: number): Meter[] {
  const own = { id: ACCOUNT, limits: record.limits };
  if (id === undefined) return [own];
  const key = goodKey(record, id, now);
  return key.limits ? [{ id: key.meter, limits: key.limits }, own] : [own];
}

export function createBook(options: AccountRecordsOptions): AccountBook {
  const { store, now } = options;
  const records = createAccountRecords(options);

  return {
    records,
    async assertKey({ id, key }) {
      if (key !== undefined) goodKey(await records.read(id), key, now());
    },
    async hold(caller, name, asked) {
      const hold = (record: AccountRecord): AccountHold => {
        const at = now();
        const meters = metersOf(record, caller, at);
        try {
          record.holds[name] = admit(record, meters, { ...asked, now: at });
        } finally {
          asked.tellPace(paceHeaders(record, meters, at));
        }
        if (caller.key !== undefined) Object.assign(record.keys[caller.key] ?? {}, { lastUsedAt: at });
        return { pages: record.pages, next: record.pages * PAGE + record.recent.length };
      };
      return records.change(caller.id, hold, { create: true });
    },
    async charge({ id, key }, name, { used, reference, pages, endpoint, requestId }) {
      const sold = { used, endpoint, requestId, reference, key };
      const add = (record: AccountRecord): Entry => sell(record, name, { ...sold, at: now() });
      if (reference === undefined) await records.change(id, add);
      else await records.addOnce(id, reference, add, { since: pages });
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
      await records.change(id, (record) => dropHold(record, name), { writes: (ended) => ended });
    },
    async post(id, { kind, amount, reference, note }) {
      const name = named(kind, reference);
      const facts = { kind, amount, reference: name, ...(note === undefined ? {} : { note }) };
      const create = kind === "topup";
      const entry = await records.addOnce(id, name, (record) => addEntry(record, { ...facts, at: now() }), { create });
      if (entry.amount === amount) return entry;
      throw new CapabilityError(
        "INVALID_INPUT",
        `The reference "${reference}" was used for another amount before; nothing was booked.`,
      );
    },
    note: (requestId, of) => noteCall(store, requestId, of),
    refund: (requestId, usd) => refundCall({ store, records, now }, requestId, usd),
    async balance(id) {
      const record = await records.change(id, (there) => there, { writes: () => false });
      const held = heldIn(record);
      return { available: record.balance - held, held };
    },
  };
}
