/** What must never happen, looked at after every step, and what must be true when everything has come to rest. */
import type { CallEvent } from "../../src/payment/events/events.js";
import type { SettleResponse } from "../../src/payment/x402/refusal.js";
import { Accounts } from "./accounts.js";
import { authorizationKey } from "./chain.js";
import type { Endpoint, Run } from "./goods.js";
import type { Instance } from "./instance.js";
import { isOurs } from "./wallets.js";
import { type Answer, type CallOptions, codeOf, type World } from "./world.js";

/** A payment for a request. */
export interface Sale {
  path: string;
  endpoint: Endpoint;
  n: number;
  /** What the chain knows the money by. */
  key: string;
  /** The idempotency key. */
  order: string | undefined;
  headers: Record<string, string>;
  /** Epoch milliseconds. */
  validBefore: number;
  /** Sent by somebody else than the payer. */
  foreign?: true;
  /** Tried for free as well: such a run is none of the payment's. */
  tried?: true;
}

const HOUR_MS = 3600 * 1000;
/** Twenty may fail within the hour, and each of the payer's two programs may be at its last one. */
const MOST_DOOMED = 21;
/** Work that fails is counted when it has failed, by a clock that may be behind. */
const COUNTED_LATE_MS = 30_000;

export class Checker {
  readonly sales: Sale[] = [];
  readonly accounts: Accounts;
  /** Once nothing goes wrong any more. */
  resting = false;
  readonly #world: World;
  #failure: string | undefined;
  #runs = 0;
  readonly #running = new Map<number, Instance>();
  /** What was delivered, by what it was delivered for. */
  readonly #delivered = new Map<string, string>();
  /** 402s that told a payer to pay anew: by payment, when. */
  readonly #refused = new Map<string, { sale: Sale; at: number }>();
  /** When work began that was to fail, by purchase, of who pays for it. */
  readonly #doomedRuns = new Map<string, Map<number, number>>();
  readonly #trials = new Map<string, number[]>();

  constructor(world: World) {
    this.#world = world;
    this.accounts = new Accounts(world, (rule, what) => this.fail(rule, what));
  }

  fail(rule: string, what: string): void {
    this.#failure ??= `${rule}: ${what}`;
  }

  assertSound(): void {
    if (this.#failure) throw new Error(this.#failure);
  }

  /** A run begins: never two at a time for one purchase, and none once a result of it was saved. */
  ran(what: Omit<Run, "run">, instance: Instance): number {
    const run = ++this.#runs;
    const { n } = what;
    this.#world.timeline.note(() => `${instance.name} runs ${what.endpoint} n=${n}, run ${run}`);
    const isTried = this.sales.some((sale) => sale.n === n && sale.tried);
    if (!isTried && this.#running.get(n)?.dead === false)
      this.fail("one winner", `two runs at a time for purchase ${n}`);
    if (!isTried && this.accounts.hasResult(n))
      this.fail("runs bounded", `purchase ${n} runs although its result was saved`);
    this.#running.set(n, instance);
    this.#checkDoomed(n);
    this.#checkSettledFirst(n, what.endpoint);
    this.accounts.runs.set(run, { ...what, run });
    return run;
  }

  /** A failure is not counted where its process died, or the store did not take it. */
  #checkDoomed(n: number): void {
    const { doomed, troubles, timeline } = this.#world;
    const payer = doomed.get(n);
    if (payer === undefined || troubles.crash > 0 || troubles.store > 0) return;
    const since = timeline.now - HOUR_MS + COUNTED_LATE_MS;
    const runs = this.#doomedRuns.get(payer) ?? new Map<number, number>();
    this.#doomedRuns.set(payer, runs.set(n, timeline.now));
    const recent = [...runs.values()].filter((at) => at > since).length;
    if (recent > MOST_DOOMED) this.fail("ATK-6", `${recent} runs that failed within an hour for ${payer}`);
  }

  /** A store that is too slow to be written to counts nothing, and its call is told so. */
  #forgive(n: number): void {
    this.#doomedRuns.get(this.#world.doomed.get(n) ?? "")?.delete(n);
  }

  /** The money of some work moves before it is done, also where it is a part of something else. */
  #checkSettledFirst(n: number, endpoint: Endpoint): void {
    if (!this.#world.settings.settleFirst || endpoint !== "test.other") return;
    const sales = this.sales.filter((sale) => sale.n === n);
    // Tried for free, or paid by credit.
    if (sales.length === 0 || sales.some(({ tried, headers }) => tried || headers["x-svc-credit"])) return;
    if (!sales.some(({ key }) => this.accounts.isRecorded(key) || this.accounts.isOnCredit(key)))
      this.fail("ATK-14", `the work of purchase ${n} began before its money moved`);
  }

  ended(n: number, instance: Instance): void {
    if (this.#running.get(n) === instance) this.#running.delete(n);
  }

  wrote(key: string, value: string): void {
    this.#world.hostRefunds.wrote(key, value);
    this.accounts.wrote(key, value);
  }

  /** The service says what became of a call. */
  told(event: CallEvent): void {
    if (event.kind !== "call") return;
    const { outcome, id, status } = event;
    if (outcome === "trial" && status !== 200) this.fail("trial", `a trial of ${id} ended in ${status}`);
  }

  answered(answer: Answer, path: string, { sale, address = "" }: CallOptions): void {
    if (answer.status === 500) this.fail("no surprise", `500 for ${path}: ${answer.text.slice(0, 300)}`);
    if (answer.headers.get("cache-control") !== "no-store")
      this.fail("PAY-44", `an answer that caches may keep: ${path}`);
    if (sale && codeOf(answer) === "OVERLOADED") this.#forgive(sale.n);
    if (answer.status === 200) this.#check200(answer, path, { sale, address });
    else if (sale && answer.status === 402) this.#check402(answer, sale);
  }

  #check200({ text, headers }: Answer, path: string, { sale, address }: CallOptions): void {
    const { data, meta } = JSON.parse(text) as { data: { items: { n: number; run: number }[] }; meta: Meta };
    const [item] = data.items;
    if (meta.caller === "paid") this.#world.hostRefunds.sold(meta.requestId, meta.costUsd);
    if (!item || !path.endsWith(`?n=${item.n}`)) this.fail("one winner", `${path} got the result of ${item?.n}`);
    else if (meta.caller === "trial") this.#checkTrial(`${address} ${path.split("?")[0]}`, meta);
    else if (sale && this.accounts.isSaved(item.run)) this.#checkPaid(sale, item, headers);
    else this.accounts.creditCall(path, item.run, meta.costUsd);
  }

  #checkPaid(sale: Sale, item: { n: number; run: number }, headers: Headers): void {
    const { key, order, n } = sale;
    if (sale.foreign) this.fail("PAY-45", `a stranger got what ${key} bought`);
    for (const name of [key, ...(order ? [order] : [])]) {
      const before = this.#delivered.get(name) ?? JSON.stringify(item);
      if (before !== JSON.stringify(item))
        this.fail("one winner", `${name} delivered ${before} and ${JSON.stringify(item)}`);
      this.#delivered.set(name, before);
    }
    this.#refused.delete(key);
    // Nobody can tell at once; what is looked at is whether anything goes back of it.
    if (this.#isAny(sale, this.#world.facilitator.lied) || this.#isAny(sale, this.#world.chain.takenBack)) return;
    // What cost nothing is not settled; its payer may still give the money away.
    const paidOnChain = this.#paid(sale) && !(this.#isGift(key) && this.accounts.isCovered(item.run));
    const isOnCredit = this.#checkOnCredit(sale, item.run, headers);
    if (!isOnCredit && headers.has("payment-response") !== paidOnChain)
      this.fail("PAY-27", `200 for purchase ${n}: its receipt and the chain disagree, on chain: ${paidOnChain}`);
    if (!paidOnChain && !this.accounts.isCovered(item.run))
      this.fail("PAY-27", `200 for purchase ${n}, which nobody paid`);
  }

  /** Credit pays instead of a payment: the receipt says so, and names no transaction. */
  #checkOnCredit({ n }: Sale, run: number, headers: Headers): boolean {
    const text = Buffer.from(headers.get("payment-response") ?? "", "base64").toString() || "{}";
    const { success, transaction, extensions } = JSON.parse(text) as Partial<SettleResponse>;
    if (!extensions?.credit) return false;
    if (!success || transaction !== "") this.fail("ATK-21", `the receipt of purchase ${n} on credit: ${text}`);
    if (!this.accounts.isCovered(run)) this.fail("ATK-21", `the credit of purchase ${n} does not cover run ${run}`);
    return true;
  }

  #check402(answer: Answer, sale: Sale): void {
    const { key, n, foreign } = sale;
    // Whoever tries one payment on several requests is told so.
    if (foreign || this.#claims(key).size > 1) return;
    // One that does not fit what is asked by now, or is past its time, cannot open what another one bought under its key, or
    // old ones off the chain could; the next one signed will.
    const isOther = sale.order !== undefined && /^PAYMENT_(?:MISMATCH|EXPIRED)$/.test(codeOf(answer) ?? "");
    if (this.#delivered.has(key) && !(isOther && !this.#world.chain.transferOf(key)))
      this.fail("PAY-3", `purchase ${n} was delivered, and then answered 402 ${codeOf(answer)}`);
    if (this.#paid(isOther ? { ...sale, order: undefined } : sale) && !this.#isGift(key))
      this.fail("PAY-27", `402 ${codeOf(answer)} for purchase ${n}, whose money had moved`);
    if (!this.resting) this.#refused.set(key, { sale, at: this.#world.timeline.now });
  }

  /** Trials of one caller and endpoint are an hour apart: the reset is told an hour after the reservation. */
  #checkTrial(caller: string, { trial }: Meta): void {
    const at = Date.parse(trial?.resetAt ?? "") - HOUR_MS;
    const others = this.#trials.get(caller) ?? [];
    // Told by two clocks that are apart, an hour may look shorter than it was.
    const hourMs = HOUR_MS - 2 * this.#world.settings.skewMs;
    if (others.some((other) => Math.abs(other - at) < hourMs)) this.fail("TRI-1", `two trials in an hour: ${caller}`);
    this.#trials.set(caller, [...others, at]);
  }

  #claims = (key: string) => new Set(this.sales.filter((sale) => sale.key === key).map(({ n }) => n));

  /** Whether a sale, or another one of its idempotency key, is among these payments. */
  #isAny({ key, order }: Sale, payments: { has(key: string): boolean }): boolean {
    return this.sales.some(
      (other) => (other.key === key || (order && other.order === order)) && payments.has(other.key),
    );
  }

  /** Whether the money of a sale, or of its idempotency key, is ours. */
  #paid({ key, order }: Sale): boolean {
    const keys = order ? this.sales.filter((other) => other.order === order).map((other) => other.key) : [key];
    return keys.some((each) => isOurs(this.#world.chain.transferOf(each)?.authorization.to ?? ""));
  }

  /** What was begun is finished by the service alone, also where no buyer comes back. */
  assertFinished(): void {
    for (const { authorization } of this.#world.chain.transfers) {
      const key = authorizationKey(authorization);
      if (this.#isGift(key)) continue;
      if (isOurs(authorization.to) && !this.accounts.isRecorded(key))
        this.fail("PAY-30", `the background left a payment alone that is on chain: ${key}`);
    }
  }

  /** Everything has come to rest and everybody has asked once more. */
  async assertSettled(): Promise<void> {
    for (const { sale, at } of this.#refused.values()) {
      const transfer = this.#world.chain.transferOf(sale.key);
      const isKept = !this.accounts.isGivenBack(sale.key);
      if (transfer && !this.#isGift(sale.key) && transfer.at > at && isKept)
        this.fail("PAY-27", `purchase ${sale.n} was answered 402, and then its money moved`);
    }
    for (const sale of this.sales) {
      const transfer = this.#world.chain.transferOf(sale.key);
      if (
        transfer &&
        !this.#isGift(sale.key) &&
        !this.#delivered.has(sale.key) &&
        !this.#deliveredOrder(sale) &&
        !this.accounts.isGivenBack(sale.key)
      )
        this.fail("PAY-27", `purchase ${sale.n} is paid for and was never delivered`);
    }
    await this.accounts.assertBalanced();
    await this.#world.payouts.assertPaid();
    this.assertSound();
  }

  /** Days later. */
  async assertEnded(): Promise<void> {
    await this.accounts.assertEnded();
    this.assertSound();
  }

  /**
   * Money that its payer moved by itself, for which the service never was about to take it: then it is no sale. From
   * when a result is saved for a payment, or it is settled first, it counts like any other.
   */
  #isGift = (key: string) => this.#world.chain.transferOf(key)?.own === true && !this.accounts.isTaken(key);

  #deliveredOrder = ({ order }: Sale) => order !== undefined && this.#delivered.has(order);
}

interface Meta {
  caller: string;
  requestId: string;
  costUsd: string;
  trial?: { resetAt: string };
}
