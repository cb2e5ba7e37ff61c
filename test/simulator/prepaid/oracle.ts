/** What happened, as seen from outside: who got what, and what was paid in. */
import { toMicros } from "../../../src/lib/money.js";
import type { AccountEntry } from "../../../src/payment/options/accounts.js";

export interface Delivered {
  n: number;
  run: number;
  cost: bigint;
  quoted: bigint;
  requestId: string;
}

/** Prices that the host sets now and then: a call that was quoted at one costs it, any other what it used. */
export const SET_PRICES = ["0.003", "0.05"] as const;

const micros = (usd: string) => (usd.startsWith("-") ? -toMicros(usd.slice(1)) : toMicros(usd));

export class Oracle {
  /** What each run that came to its end cost. */
  readonly #runs: { n: number; cost: bigint }[] = [];
  readonly #delivered = new Map<string, Delivered>();
  readonly #paidIn = new Map<string, bigint>();
  readonly #byKey = new Map<number, number>();
  /** Requests that were told that nothing came of them. */
  readonly #failed = new Set<string>();
  /** What the host heard, by kind and request. */
  readonly #heard = new Map<string, { id: string; usd: bigint }>();

  ran(n: number, cost: bigint): number {
    return this.#runs.push({ n, cost });
  }

  costOf = (run: number): bigint => this.#runs[run - 1]?.cost ?? -1n;

  paidIn(reference: string, amount: bigint): void {
    this.#paidIn.set(reference, amount);
  }

  /** An answer that somebody got; purchases under a key are made once. */
  delivered(answer: Delivered, hasKey: boolean): void {
    const { n, run, cost, quoted, requestId } = answer;
    const made = this.#runs[run - 1];
    const due = SET_PRICES.some((usd) => micros(usd) === quoted) ? quoted : made?.cost;
    if (made?.n !== n || due !== cost) throw new Error(`ACC-1: run ${run} of ${n} cost ${due}, told ${cost}`);
    const before = this.#delivered.get(requestId);
    if (before && before.run !== run) throw new Error(`ACC-2: ${requestId} was answered by two runs`);
    if (hasKey && (this.#byKey.get(n) ?? run) !== run) throw new Error(`ACC-2: purchase ${n} was made twice`);
    if (hasKey) this.#byKey.set(n, run);
    this.#delivered.set(requestId, answer);
  }

  /** A call without a key got an error, though the store was not silent for long: it must cost nothing. */
  failed(requestId: string): void {
    this.#failed.add(requestId);
  }

  /** An event that reached the host. */
  heard(
    id: string,
    { type, data }: { type: string; data: { requestId?: string; usd?: string; refundedUsd?: string } },
  ) {
    const { requestId = "", usd, refundedUsd } = data;
    if (type !== "sale" && type !== "refund") return;
    const name = `${type} ${requestId}`;
    const told = this.#heard.get(name) ?? { id, usd: micros(usd ?? refundedUsd ?? "0") };
    if (told.id !== id) throw new Error(`ACC-30: ${name} was told under two ids`);
    this.#heard.set(name, told);
  }

  /** Each sale and refund of the book was told, and nothing else. */
  assertHeard(entries: AccountEntry[]): void {
    const booked = entries.filter(({ kind, usd }) => (kind === "sale" || kind === "refund") && micros(usd) !== 0n);
    for (const { kind, requestId, usd } of booked) {
      const told = this.#heard.get(`${kind} ${requestId}`);
      if (!told) throw new Error(`ACC-30: the ${kind} ${requestId} was not told`);
      const amount = micros(usd) < 0n ? -micros(usd) : micros(usd);
      if (told.usd !== amount) throw new Error(`ACC-30: the ${kind} ${requestId} of ${amount} was told as ${told.usd}`);
    }
    if (this.#heard.size !== booked.length) throw new Error(`ACC-30: ${this.#heard.size} told of ${booked.length}`);
  }

  get answers(): Delivered[] {
    return [...this.#delivered.values()];
  }

  /** What must hold of a book at rest. */
  assertBook(entries: AccountEntry[], balance: { availableUsd: string; heldUsd: string }, keys: number): void {
    const sum = entries.reduce((all, { usd }) => all + micros(usd), 0n);
    if (balance.heldUsd !== "0") throw new Error(`ACC-3: ${balance.heldUsd} are still held`);
    if (sum !== micros(balance.availableUsd))
      throw new Error(`ACC-4: entries sum to ${sum}, the balance is ${balance.availableUsd}`);
    const references = entries.flatMap(({ reference }) => reference ?? []);
    if (new Set(references).size !== references.length) throw new Error("ACC-5: a reference is booked twice");
    this.#assertPaidIn(entries);
    this.#assertSales(
      entries.filter(({ kind }) => kind === "sale"),
      keys,
    );
  }

  #assertPaidIn(entries: AccountEntry[]): void {
    const booked = entries.filter(({ kind }) => kind === "topup");
    if (booked.length !== this.#paidIn.size) throw new Error(`ACC-5: ${booked.length} top-ups of ${this.#paidIn.size}`);
    for (const { reference = "", usd } of booked)
      if (this.#paidIn.get(reference) !== micros(usd)) throw new Error(`ACC-5: ${reference} is ${usd}`);
  }

  #assertSales(sales: AccountEntry[], keys: number): void {
    if (sales.length > this.#runs.length) throw new Error(`ACC-6: ${sales.length} sales of ${this.#runs.length} runs`);
    const lost = sales.find(({ requestId = "" }) => this.#failed.has(requestId));
    if (lost) throw new Error(`ACC-10: ${lost.requestId} failed, and ${lost.usd} was charged`);
    const named = sales.filter(({ reference }) => reference !== undefined);
    if (named.length > keys) throw new Error(`ACC-2: ${named.length} sales under ${keys} keys`);
    for (const { requestId, cost, n } of this.answers) {
      const [sale, ...more] = sales.filter((one) => one.requestId === requestId);
      if (!sale) throw new Error(`ACC-1: ${n} was delivered and not charged`);
      if (more.length > 0) throw new Error(`ACC-2: ${n} was charged ${more.length + 1} times`);
      // Calls of a grant pay beside the balance.
      const charged = micros(sale.freeUsd ?? "0") - micros(sale.usd);
      if (charged !== cost) throw new Error(`ACC-1: ${n} cost ${cost}, and ${charged} was charged`);
    }
  }
}
