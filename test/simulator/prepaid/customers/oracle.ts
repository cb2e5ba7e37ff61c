/** Payments, and what they bought, as seen from outside: by the chain, the answers, and the accounts as the store has them. */
import { DAY_MS } from "../../../../src/lib/time.js";
import type { StoredGrant } from "../../../../src/payment/accounts/record/grant-record.js";
import { type AccountRecord, type BalanceEntry, heldIn, PAGE } from "../../../../src/payment/accounts/record/record.js";
import type { Chain } from "../../chain.js";
import { Oracle } from "../oracle.js";

/** A payment that was signed for a balance or a product. */
export interface Bought {
  key: string;
  payer: string;
  account: string;
  price: bigint;
  /** Absent for calls, and for free use. */
  usd: bigint | undefined;
  calls: number | undefined;
  /** The payer took it back, or brought it to the chain: then it need not be booked. */
  meddled: boolean;
  /** Amounts that the host wanted to give back. */
  asked: Set<bigint>;
}

export class CustomerOracle {
  /** What is said of sales holds of these, too. */
  readonly sales = new Oracle();
  readonly bought = new Map<string, Bought>();
  /** Accounts as they are stored. */
  readonly records = new Map<string, AccountRecord>();
  /** Terms of all grants, which records forget in time. */
  readonly #grants = new Map<string, StoredGrant>();
  readonly #booked = new Map<string, BalanceEntry>();
  /** Entries that took payments back, and all of each account. */
  readonly #backs = new Map<string, BalanceEntry[]>();
  readonly #entries = new Map<string, BalanceEntry[]>();
  readonly #keys = new Set<string>();
  /** Accounts that somebody wanted to close. */
  readonly #closing = new Set<string>();
  readonly #chain: Chain;

  constructor(chain: Chain) {
    this.#chain = chain;
  }

  isLost = ({ key }: Bought): boolean => this.#chain.takenBack.has(key) && !this.#chain.transferOf(key);
  isSettled = ({ key }: Bought): boolean => this.#chain.transferOf(key) !== undefined;
  isBooked = ({ key }: Bought): boolean => this.#booked.has(key);

  /** The payment that a reference of the book names. */
  #named(reference: string): Bought {
    const id = reference.toLowerCase();
    const found = [...this.bought.values()].find(({ key }) => id.endsWith(key));
    if (!found) throw new Error(`TOP-1: ${reference} is booked, and nobody signed it`);
    return found;
  }

  /** An account was written. */
  wrote(account: string, record: AccountRecord): void {
    const before = this.records.get(account);
    const seen = before ? before.pages * PAGE + before.recent.length : 0;
    this.records.set(account, record);
    for (const grant of record.grants ?? []) this.#grants.set(`${account} ${grant.id}`, structuredClone(grant));
    this.#assertCovered(account, record);
    assertHeldOnce(before, record);
    for (const entry of record.recent.filter(({ seq }) => seq >= seen)) this.#entered(account, entry, record);
    if (before && record.closed && !before.closed) this.#closed(account, before);
  }

  closes(account: string): void {
    this.#closing.add(account);
  }

  /** A closing gives all back that was bought and is left, but for payments that are lost, or were given back before. */
  #closed(account: string, { grants = [], holds }: AccountRecord): void {
    if (!this.#closing.has(account)) throw new Error(`CLO-2: ${account} is closed, and nobody asked`);
    if (Object.keys(holds).length > 0) throw new Error(`CLO-2: ${account} is closed while calls are under way`);
    for (const { id, paid, payment, usd, calls } of grants) {
      this.#grants.delete(`${account} ${id}`);
      if (!paid || !payment || ((usd?.left ?? 0n) === 0n && (calls?.left ?? 0) === 0)) continue;
      const bought = this.#named(payment);
      if (bought.asked.size === 0 && !this.#chain.takenBack.has(bought.key))
        throw new Error(
          `CLO-1: ${account} is closed, and ${usd?.left ?? calls?.left} of ${bought.key} did not go back`,
        );
    }
  }

  /** At rest no closing is left half done. */
  assertClosed(): void {
    for (const [account, { closing }] of this.records)
      if (closing) throw new Error(`CLO-4: ${account} is being closed for days`);
  }

  /** The balance covers what calls hold, and what is left of grants. */
  #assertCovered(account: string, record: AccountRecord): void {
    const { balance, grants = [] } = record;
    const left = grants.reduce((sum, { usd }) => sum + (usd?.left ?? 0n), 0n);
    const below = grants.find(({ usd, calls }) => (usd?.left ?? 0n) < 0n || (calls?.left ?? 0) < 0);
    if (below) throw new Error(`GRA-3: more than all of ${below.id} of ${account} is used`);
    if (balance < heldIn(record) + left)
      throw new Error(`ACC-7: ${account} has ${balance}, holds ${heldIn(record)} and has ${left} in grants`);
  }

  #entered(account: string, entry: BalanceEntry, record: AccountRecord): void {
    const { kind, reference = "", endpoint = "", grants = [] } = entry;
    this.#entries.set(account, [...(this.#entries.get(account) ?? []), structuredClone(entry)]);
    if (kind === "grant" && reference.startsWith("paid:")) this.#bookedOnce(account, entry);
    if (/^(?:back|lost):/.test(reference)) this.#takenBack(entry, record);
    if (kind !== "sale") return;
    for (const { id } of grants) {
      const { endpoints } = this.#grants.get(`${account} ${id}`) ?? {};
      if (endpoints && !endpoints.includes(endpoint))
        throw new Error(`GRA-1: ${id}, which is for ${endpoints}, paid ${endpoint}`);
    }
  }

  #bookedOnce(account: string, entry: BalanceEntry): void {
    const bought = this.#named(entry.reference ?? "");
    const { key, usd = 0n, calls } = bought;
    if (this.#booked.has(key)) throw new Error(`TOP-4: ${key} is booked twice`);
    this.#booked.set(key, entry);
    if (account !== bought.account) throw new Error(`TOP-1: ${key} is booked for ${account}`);
    if (entry.amount !== usd || entry.calls !== calls)
      throw new Error(`TOP-1: ${key} bought ${usd} and ${calls} calls, booked are ${entry.amount} and ${entry.calls}`);
    if (!this.#chain.transferOf(key) && !this.#chain.takenBack.has(key))
      throw new Error(`TOP-1: ${key} is booked, and was never settled`);
  }

  #takenBack(entry: BalanceEntry, record: AccountRecord): void {
    const bought = this.#named(entry.reference ?? "");
    const { key, asked, usd, price } = bought;
    const isLoss = entry.reference?.startsWith("lost:");
    if (isLoss ? !this.isLost(bought) : asked.size === 0 && !this.isClosing(bought))
      throw new Error(`TOP-5: ${key} is taken back, and is still paid`);
    const all = [...this.backsOf(bought), entry];
    this.#backs.set(key, all);
    if (usd !== price) return;
    // Of a balance, neither more than was paid, nor less while there is some.
    const taken = all.reduce((sum, { amount }) => sum - amount, 0n);
    if (taken > price || (isLoss && taken < price && spendableOf(record) > 0n))
      throw new Error(`TOP-5: ${taken} of ${price} are taken back, ${spendableOf(record)} are left`);
  }

  /** Whether a closing may give it back. */
  isClosing = ({ account }: Bought): boolean => this.#closing.has(account);

  /** A refund is signed: the balance, or the share of the product, must be gone by then. */
  returns(payer: string, amount: bigint): void {
    const paid = [...this.bought.values()].filter(
      (one) => one.payer === payer.toLowerCase() && (one.asked.has(amount) || this.isClosing(one)),
    );
    if (!paid.some((one) => this.#covers(one, amount)))
      throw new Error(`TOP-5: ${amount} go back to ${payer}, and no balance was taken for them`);
  }

  /** Whether what was taken is the share of a product, or of a balance, that an amount is of its price. */
  #covers(bought: Bought, amount: bigint): boolean {
    const { calls, usd, price } = bought;
    return this.backsOf(bought).some((entry) => {
      if (calls !== undefined) return BigInt(-(entry.calls ?? 0)) * price >= BigInt(calls) * amount;
      return usd === undefined || -entry.amount * price >= usd * amount;
    });
  }

  backsOf = ({ key }: Bought): BalanceEntry[] => this.#backs.get(key) ?? [];

  /** All that the answer to a payment says. */
  answered(bought: Bought, { account, key }: { account: string; key?: string }): void {
    if (account !== bought.account) throw new Error(`TOP-1: ${bought.key} is answered for ${account}`);
    if (!this.#booked.has(bought.key)) throw new Error(`TOP-1: ${bought.key} is answered, and not booked`);
    if (key === undefined) return;
    if (this.#keys.has(bought.key)) throw new Error(`TOP-1: ${bought.key} shows a second key`);
    this.#keys.add(bought.key);
  }

  /** The background alone has booked what is on chain, and nobody waits for it any longer. */
  assertBooked(): void {
    for (const bought of this.bought.values())
      if (this.isSettled(bought) && !bought.meddled && !this.isBooked(bought))
        throw new Error(`TOP-4: ${bought.key} is settled, and not booked in time`);
  }

  /** Passes of one product follow one another, each of a whole day. */
  assertPasses(): void {
    const passes = [...this.#grants].flatMap(([name, { product, from, until = 0, ended, usd }]) =>
      product === "day" && !usd ? [{ account: name.split(" ")[0], from, until, ended }] : [],
    );
    for (const one of passes)
      for (const other of passes) {
        if (one === other || one.account !== other.account) continue;
        if (one.until - one.from === DAY_MS && one.from <= other.from && other.from < one.until)
          if (other.until > other.from) throw new Error(`PRO-1: two passes of ${one.account} overlap`);
      }
  }

  /** Of each grant for itself: what was used, came back, expired and was taken is what it was, and what is left. */
  assertGrants(now: number): void {
    for (const [name, grant] of this.#grants) {
      const { id, usd, calls, until, endpoints, product } = grant;
      // Bought balances become one in time.
      if ((!usd && !calls) || (!until && !endpoints && !product && grant.paid)) continue;
      const account = name.slice(0, -id.length - 1);
      const entries = this.#entries.get(account) ?? [];
      const used = entries.reduce((sum, entry) => sum + usedBy(entry, id), 0n);
      const [total, left] = usd ? [usd.total, usd.left] : [BigInt(calls?.total ?? 0), BigInt(calls?.left ?? 0)];
      if (total !== used + left) {
        const all = entries.map((entry) =>
          JSON.stringify(entry, (_, one) => (typeof one === "bigint" ? `${one}` : one)),
        );
        throw new Error(
          `GRA-5: of ${name}, which was ${total}, ${used} are used and ${left} left:\n${all.filter((entry) => entry.includes(`"${id}"`)).join("\n")}`,
        );
      }
      if (until !== undefined && until < now && left > 0n)
        throw new Error(`GRA-4: ${left} of ${name} outlived its end`);
    }
  }
}

/** A hold keeps what it took until it ends. */
function assertHeldOnce(before: AccountRecord | undefined, { holds }: AccountRecord): void {
  for (const [name, { grants = [] }] of Object.entries(before?.holds ?? {})) {
    const after = holds[name]?.grants ?? (holds[name] && []);
    if (after && partsOf(after) !== partsOf(grants)) throw new Error(`ACC-32: ${name} holds other grants than before`);
  }
}

const partsOf = (grants: readonly { id: string; usd: bigint }[]): string =>
  grants.map(({ id, usd }) => `${id} ${usd}`).join(" ");

/** What an account may spend anywhere and at any time. */
const spendableOf = ({ balance, grants = [], ...record }: AccountRecord): bigint =>
  grants.reduce(
    (sum, { usd, paid, product, until, endpoints }) =>
      paid && !product && !until && !endpoints ? sum : sum - (usd?.left ?? 0n),
    balance - heldIn({ ...record, balance }),
  );

/** Calls, or money, by which an entry makes a grant smaller. */
function usedBy({ kind, grant, amount, calls, grants = [] }: BalanceEntry, id: string): bigint {
  if (kind === "expiry" || kind === "adjustment")
    return grant === id ? -(calls === undefined ? amount : BigInt(calls)) : 0n;
  const parts = grants.filter((part) => part.id === id);
  const used = parts.reduce((sum, { usd, isCall }) => sum + (isCall ? 1n : usd), 0n);
  return kind === "sale" ? used : kind === "refund" ? -used : 0n;
}
