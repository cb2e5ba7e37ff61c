/** The money of a world, counted on chain and compared with what the service wrote down and handed out. */
import { toMicros } from "../../src/lib/money.js";
import { type PaymentRecord, parseRecord } from "../../src/payment/record/record.js";
import { amountOf } from "../../src/payment/x402/facilitator.js";
import type { Authorization } from "../support/wallets.js";
import { authorizationKey, type Transfer } from "./chain.js";
import { chargeFor, earnedBy, type Run } from "./goods.js";
import { type HostRefund, returnHash } from "./host-refunds.js";
import { memoOf, SOLANA_REFUND_ADDRESS } from "./solana.js";
import { type CreditReturn, WalletCredits } from "./wallet-credit.js";
import { isOurs, PAYOUT_ADDRESS, REFUND_ADDRESS } from "./wallets.js";
import type { World } from "./world.js";

interface CreditState {
  issued: bigint;
  balance: bigint;
}

type Fail = (rule: string, what: string) => void;

/** A settlement is looked for again this long before its authorization ends, and some time goes by between two looks. */
const STILL_VALID_MS = 60_000;
/** Bytes of one payer's. */
const MOST_UNPAID = 32 * 1024;

export class Accounts {
  /** What each run did. */
  readonly runs = new Map<number, Run>();
  readonly #world: World;
  readonly #fail: Fail;
  readonly #results = new Set<number>();
  /** Ids of payments that were to be settled, and of those that were. */
  readonly #taken = new Set<string>();
  readonly #settled = new Set<string>();
  readonly #givenBack = new Set<string>();
  /** The newest record of each saved run. */
  readonly #byRun = new Map<number, PaymentRecord>();
  readonly #credits = new Map<string, CreditState>();
  readonly walletCredits: WalletCredits;
  /** Ids of payments that a wallet's credit replaced. */
  readonly #onCredit = new Set<string>();
  /** Replies that are kept for payments that were refused, by payment. */
  readonly #unpaid = new Map<string, { payer: string; size: number }>();
  /** Calls that credit paid for whole: what each delivered run cost. */
  readonly #creditCalls = new Map<number, bigint>();
  #mayLoseCredit = false;

  constructor(world: World, fail: Fail) {
    this.#world = world;
    this.#fail = fail;
    this.walletCredits = new WalletCredits(fail);
  }

  /** Whether credit is held for a payment's call, instead of the payment. */
  isOnCredit(key: string): boolean {
    return [...this.#onCredit].some((id) => id.endsWith(key));
  }

  /** Whether a result was saved for a purchase. */
  hasResult(n: number): boolean {
    return this.#results.has(n);
  }

  /** Whether a run was sold for a payment; what credit alone pays for is not kept. */
  isSaved(run: number): boolean {
    return this.#byRun.has(run);
  }

  /** Whether the service knows that a payment was settled. */
  isRecorded(key: string): boolean {
    return [...this.#settled].some((id) => id.endsWith(key));
  }

  /** Whether the service was about to settle a payment. */
  isTaken(key: string): boolean {
    return [...this.#taken].some((id) => id.endsWith(key));
  }

  /** Whether a payment that was settled before its work came to nothing, and goes back whole. */
  isGivenBack(key: string): boolean {
    return [...this.#givenBack].some((id) => id.endsWith(key));
  }

  /** Something was written to the store. */
  wrote(key: string, value: string): void {
    if (key.startsWith("credit:")) this.#wroteCredit(key.slice("credit:".length), value);
    this.walletCredits.wrote(key, value);
    if (key.startsWith("payment:") || key.startsWith("order:")) this.#wrotePayment(value);
  }

  #wrotePayment(value: string): void {
    const stored: unknown = JSON.parse(value);
    if (typeof stored === "object" && stored !== null && "alias" in stored) return;
    // Throws where it contradicts itself: no step may write such a record.
    const record = parseRecord(stored);
    const { id, state } = record;
    if (record.byCredit) this.#onCredit.add(id);
    else this.#onCredit.delete(id);
    if (record.byCredit && record.receipt) this.#fail("credit", `${id} was paid by credit, and settled`);
    if (state === "settling" || record.receipt?.success) this.#taken.add(id);
    if (state === "settled") this.#settled.add(id);
    if (state === "settled" && record.outcome === undefined && record.refund) this.#givenBack.add(id);
    this.#checkKept(record);
    if (record.outcome === undefined) return;
    const { n, run } = deliveredBy(record);
    const before = this.#byRun.get(run);
    this.#results.add(n);
    this.#byRun.set(run, record);
    if (before?.state === "settled" && record.state !== "settled")
      this.#fail("one way only", `purchase ${n} was settled and is ${record.state} again`);
    if (before?.refund && before.refund.state !== "owed" && before.refund.state !== record.refund?.state)
      this.#fail("PAY-40", `the rest of purchase ${n} was ${before.refund.state} and is ${record.refund?.state} now`);
    if (record.state === "settled") this.#checkBill(record);
  }

  /** Replies that nobody paid for are kept up to a bound; those of which it is not known are owed, and have another. */
  #checkKept(record: PaymentRecord): void {
    const { id, outcome = "", receipt, payment } = record;
    const kept = "kept" in record ? record.kept : undefined;
    const isUnpaid = receipt?.success === false && kept?.as !== "unclear";
    if (outcome !== "" && isUnpaid) this.#unpaid.set(id, { payer: payment.payer, size: outcome.length });
    else this.#unpaid.delete(id);
    const own = [...this.#unpaid.values()].filter(({ payer }) => payer === payment.payer);
    const sum = own.reduce((all, { size }) => all + size, 0);
    if (sum > MOST_UNPAID)
      this.#fail("ATK-16", `${sum} bytes of replies are kept that ${payment.payer} did not pay for`);
  }

  /** What came in is earned, returned, credited or owed, at every step. */
  #checkBill(record: PaymentRecord): void {
    const { n, run } = deliveredBy(record);
    const did = this.runs.get(run);
    if (!did) {
      this.#fail("no surprise", `purchase ${n} tells of run ${run}, which never was`);
      return;
    }
    const signed = BigInt(record.payment.requirements.amount) + BigInt(record.covered ?? 0);
    const authorized = record.byCredit ? BigInt(record.byCredit.amount) : signed;
    const earned = earnedBy(did, authorized);
    const settled = record.receipt?.success ? BigInt(amountOf(record.payment)) : 0n;
    const cameIn = settled + BigInt(record.credit?.used ?? 0);
    const goesBack = BigInt(record.refund?.amount ?? 0);
    if (cameIn !== earned + goesBack)
      this.#fail("PAY-40", `purchase ${n}: ${cameIn} came in, ${earned} are earned, ${goesBack} go back`);
  }

  #wroteCredit(id: string, value: string): void {
    const { balance: text, holds } = JSON.parse(value) as {
      balance: string;
      holds: Record<string, { amount: string; ended?: true }>;
    };
    const balance = BigInt(text);
    const live = Object.values(holds).filter(({ ended }) => !ended);
    const held = live.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    // What a token spends is its wallet's.
    const known = this.#credits.get(id);
    if (balance < 0n || held > balance) this.#fail("credit", `${held} of a balance of ${balance} are held`);
    if (known && balance > known.balance) this.#fail("credit", `a balance rose from ${known.balance} to ${balance}`);
    this.#credits.set(id, { issued: known?.issued ?? balance, balance });
  }

  /** A call was delivered that brought no payment. */
  creditCall(path: string, run: number, costUsd: string): void {
    const did = this.runs.get(run);
    const cost = toMicros(costUsd);
    if (!did || chargeFor(did) !== cost)
      this.#fail("credit", `${path} cost ${cost} instead of ${did && chargeFor(did)}`);
    this.#creditCalls.set(run, cost);
  }

  /** Credit may be gone without an answer: a process died, or the store was silent for too long. */
  excuseCredit(): void {
    this.#mayLoseCredit = true;
  }

  /** Whether a run that nothing was settled for costs nothing, or credit paid for it. */
  isCovered(run: number): boolean {
    const did = this.runs.get(run);
    const { byCredit, credit } = this.#byRun.get(run) ?? {};
    if (!did) return false;
    const cost = byCredit ? earnedBy(did, BigInt(byCredit.amount)) : chargeFor(did);
    return cost === BigInt(credit?.used ?? 0);
  }

  /** At rest every transfer has its reason, everything owed is given back, and the books agree. */
  async assertBalanced(): Promise<void> {
    const records = await this.#records();
    for (const transfer of this.#world.chain.transfers) this.#checkTransfer(transfer, records);
    const sum = { settled: 0n, returned: 0n, credited: 0n, creditUsed: 0n, owed: 0n, void: 0n };
    let phantom = 0n;
    let takenBack = 0n;
    for (const record of records) {
      const { refund, credit, receipt } = record;
      if (record.state !== "settled") continue;
      if (receipt?.success) sum.settled += BigInt(amountOf(record.payment));
      if (receipt?.success && this.#isPhantom(record)) phantom += BigInt(amountOf(record.payment));
      else if (receipt?.success && this.#isTakenBack(record)) {
        takenBack += BigInt(amountOf(record.payment));
        this.#checkTried(record);
      }
      sum.creditUsed += BigInt(credit?.used ?? 0);
      if (refund) sum[refund.state] += BigInt(refund.amount);
      const landed = "landed" in record && record.landed?.isCredited ? BigInt(record.payment.requirements.amount) : 0n;
      sum.settled += landed;
      sum.credited += landed;
      this.#checkGivenBack(record);
    }
    for (const given of this.walletCredits.returns()) {
      this.#checkCreditReturn(given);
      if (given.state === "returned") sum.returned += given.amount;
    }
    for (const given of this.#world.hostRefunds.all()) {
      this.#checkHostRefund(given);
      if (given.state === "returned" || given.state === "credited") sum[given.state] += given.amount;
    }
    const arrived = this.#world.chain.transfers.filter(
      ({ authorization, own }) => isOurs(authorization.to) && !(own && this.#isIgnored(records, authorization)),
    );
    const total = (list: Transfer[]) => list.reduce((all, { authorization }) => all + BigInt(authorization.value), 0n);
    const recorded = sum.settled - phantom - takenBack;
    await this.#checkLost(takenBack);
    if (total(arrived) !== recorded) this.#fail("PAY-40", `${total(arrived)} arrived, ${recorded} are recorded`);
    const byToken = [...this.#credits.values()].reduce((all, credit) => all + credit.issued, 0n);
    const issued = byToken + this.walletCredits.issued;
    if (issued !== sum.credited) this.#fail("PAY-40", `${issued} of credit exist, ${sum.credited} are recorded`);
    const taken = this.#checkCredit(sum.creditUsed);
    await this.#checkBooks({ ...sum, taken });
  }

  /** A gift of its payer: neither sold for nor known to be credit. */
  #isIgnored(records: PaymentRecord[], authorization: Authorization): boolean {
    const key = authorizationKey(authorization);
    const isLanded = (each: PaymentRecord) => "landed" in each && each.landed?.isCredited && each.id.endsWith(key);
    return !this.isTaken(key) && !records.some(isLanded);
  }

  /** Credit beyond its bound goes back once, to its wallet. */
  #checkCreditReturn({ name, payer, amount, state }: CreditReturn): void {
    const back = this.#world.chain.transfers.filter(({ authorization }) => isReturnOf(authorization, name));
    if (back.length !== (state === "returned" ? 1 : 0))
      this.#fail("PAY-40", `the credit ${name} is ${state}, and went back ${back.length} times`);
    for (const { authorization } of back)
      if (authorization.value !== String(amount) || authorization.to !== payer)
        this.#fail("PAY-40", `${authorization.value} of credit went to ${authorization.to}, not ${amount} to ${payer}`);
    if (state === "owed") this.#fail("PAY-40", `the credit ${name} is owed when all is at rest`);
  }

  /** Whether anything is to go back that has not. */
  async owes(): Promise<boolean> {
    const all = [...(await this.#records()).map(({ refund }) => refund), ...this.#world.hostRefunds.all()];
    return all.some((refund) => refund?.state === "owed");
  }

  /** Days later nothing is owed, nor tried, of what never came or was lost for good. */
  async assertEnded(): Promise<void> {
    if (await this.owes()) this.#fail("PAY-40", "something is owed for days, of what is not there");
    const report = await this.#world.instances[0]?.handle.ledger();
    const { owedUsd = "0" } = report?.total ?? {};
    if (toMicros(owedUsd) !== 0n) this.#fail("ledger", `the books owe ${owedUsd} days later`);
  }

  async #records(): Promise<PaymentRecord[]> {
    const found = await Promise.all(
      ["payment:", "order:"].map((prefix) => this.#world.store.list(prefix, { limit: 1000 })),
    );
    return found
      .flat()
      .map(({ value }) => JSON.parse(value) as PaymentRecord)
      .filter(({ state }) => state !== undefined);
  }

  #checkTransfer(transfer: Transfer, records: PaymentRecord[]): void {
    const { authorization } = transfer;
    const key = authorizationKey(authorization);
    const incoming = isOurs(authorization.to);
    if (this.walletCredits.returns().some(({ name }) => isReturnOf(authorization, name))) return;
    if (authorization.from === PAYOUT_ADDRESS) return;
    const given = this.#world.hostRefunds.all().filter(({ order }) => isReturnOf(authorization, order));
    if (given.length > 0) {
      this.#checkGiven(transfer, given);
      return;
    }
    // A refund may be on its way when the chain takes its settlement back; it stays owed then.
    const reasons = records.filter((each) =>
      incoming
        ? each.state === "settled" && each.id.endsWith(key)
        : (each.refund?.state === "returned" || this.#isTakenBack(each)) && isReturnOf(authorization, each.id),
    );
    const [record] = reasons;
    if (transfer.own && !this.isTaken(key)) return;
    if (reasons.length !== 1 || !record) {
      this.#fail("PAY-40", `a transfer of ${key} has ${reasons.length} reasons`);
      return;
    }
    const due = incoming ? amountOf(record.payment) : record.refund?.amount;
    if (authorization.value !== due) this.#fail("PAY-40", `a transfer of ${authorization.value} instead of ${due}`);
    if (!incoming && authorization.to !== record.payment.payer) this.#fail("PAY-40", "a return went to a stranger");
  }

  #checkGiven({ authorization }: Transfer, given: HostRefund[]): void {
    if (given.length > 1) this.#fail("host refund", `a transfer has ${given.length} reasons`);
    for (const refund of given) this.#checkSent(authorization, refund);
  }

  #checkSent(authorization: Authorization, { state, amount, payer, payment }: HostRefund): void {
    if (state !== "returned" && !this.#isTakenBack({ id: payment }))
      this.#fail("host refund", `${payment} is ${state}, and its money went back`);
    if (authorization.value !== String(amount) || authorization.to !== payer)
      this.#fail("host refund", `${authorization.value} went to ${authorization.to} for ${payment}, not ${amount}`);
  }

  /** What the host gives back goes once, and never of what did not come. */
  #checkHostRefund({ order, payment, state }: HostRefund): void {
    const returns = this.#world.chain.transfers.filter(({ authorization }) => isReturnOf(authorization, order)).length;
    const isLost = this.#isTakenBack({ id: payment });
    const isPhantom = this.#isPhantom({ id: payment });
    if (returns !== (state === "returned" ? 1 : 0) && !isLost)
      this.#fail("host refund", `${payment} is ${state}, and went back ${returns} times`);
    if (isPhantom && this.#isReturnedUnseen(payment, order))
      this.#fail("host refund", `${payment} went back, and never came`);
    if (state === "owed" && !isLost && !isPhantom) this.#fail("host refund", `${payment} is owed when all is at rest`);
  }

  /** Whether the chain took a payment back, for good. */
  #isTakenBack({ id }: Pick<PaymentRecord, "id">): boolean {
    const { chain } = this.#world;
    return [...chain.takenBack.keys()].some((key) => id.endsWith(key) && !chain.transferOf(key));
  }

  /** Where nothing goes wrong, what the chain took back is settled again as long as it can be. */
  #checkTried({ id, outcome, validBefore = 0 }: PaymentRecord): void {
    const { chain, facilitator, settings } = this.#world;
    const [key = "", at = 0] = [...chain.takenBack].find(([each]) => id.endsWith(each)) ?? [];
    if (!settings.calm || outcome === undefined || validBefore * 1000 < at + STILL_VALID_MS) return;
    // Its payer took it back, or used it up otherwise.
    if (chain.isSpent(key)) return;
    if ((facilitator.askedAt.get(key) ?? 0) <= at) this.#fail("ATK-26", `${key} was taken back and not settled again`);
  }

  /** What the chain took back and nobody could settle again is told, in worlds where nothing else is missing. */
  async #checkLost(takenBack: bigint): Promise<void> {
    if (this.#world.settings.lies) return;
    const report = await this.#world.instances[0]?.handle.ledger();
    const told = toMicros(report?.total.lostUsd ?? "0");
    if (told !== takenBack) this.#fail("ATK-26", `the chain took ${takenBack} back for good, ${told} are told as lost`);
  }

  /** Whether the facilitator said that a payment came which never did. */
  #isPhantom = ({ id }: Pick<PaymentRecord, "id">): boolean => this.#world.facilitator.isPhantom(id);

  /** Whether an order's money went back while its payment was not on the chain: before the chain took it back, it was. */
  #isReturnedUnseen(payment: string, order: string): boolean {
    const { takenBack, transfers } = this.#world.chain;
    const [, at = 0] = [...takenBack].find(([key]) => payment.endsWith(key)) ?? [];
    return transfers.some((transfer) => isReturnOf(transfer.authorization, order) && transfer.at > at);
  }

  #checkGivenBack(record: PaymentRecord): void {
    const { id, refund, receipt, credit, payment } = record;
    const returns = this.#world.chain.transfers.filter(({ authorization }) => isReturnOf(authorization, id)).length;
    if (returns !== (refund?.state === "returned" ? 1 : 0) && !this.#isTakenBack(record))
      this.#fail("PAY-40", `the rest of ${id} is recorded as ${refund?.state}, on chain returned ${returns} times`);
    if (this.#isPhantom(record) && this.#isReturnedUnseen(id, id))
      this.#fail("PAY-40", `a return of ${id}, which never came`);
    // Nothing goes back of what the chain does not show.
    if (refund?.state === "owed" && !this.#isPhantom(record) && !this.#isTakenBack(record))
      this.#fail("PAY-40", `the rest of ${id} is still owed when all is at rest`);
    if (credit && !credit.captured) this.#fail("credit", `the credit of ${id} was never captured`);
    if (receipt?.success && BigInt(payment.requirements.amount) <= 0n) this.#fail("PAY-40", "a payment of nothing");
  }

  /** Nothing was bought with credit that was not there, and no credit is gone for nothing; returns what was taken. */
  #checkCredit(usedByPayments: bigint): bigint {
    const byToken = [...this.#credits.values()].reduce((all, { issued, balance }) => all + issued - balance, 0n);
    const taken = byToken + this.walletCredits.spent;
    const spent = [...this.#creditCalls.values()].reduce((all, cost) => all + cost, usedByPayments);
    if (taken < spent) this.#fail("credit", `${spent} were bought with ${taken} of credit`);
    if (taken > spent && !this.#mayLoseCredit)
      this.#fail("PAY-46", `${taken} of credit are gone, and ${spent} were bought with it`);
    const returns = this.walletCredits.returns().filter(({ state }) => state === "returned");
    return returns.reduce((all, { amount }) => all + amount, taken);
  }

  async #checkBooks(sum: {
    settled: bigint;
    returned: bigint;
    credited: bigint;
    owed: bigint;
    taken: bigint;
  }): Promise<void> {
    const report = await this.#world.instances[0]?.handle.ledger();
    if (!report) return;
    const { settledUsd, returnedUsd, creditedUsd, owedUsd, creditUsedUsd } = report.total;
    const books = [settledUsd, returnedUsd, creditedUsd, owedUsd, creditUsedUsd].map(toMicros).join(" ");
    const truth = [sum.settled, sum.returned, sum.credited, sum.owed, sum.taken].join(" ");
    if (books !== truth) this.#fail("ledger", `the books say ${books}, but it was ${truth}`);
  }
}

/** A refund is found by what follows from its payment: its nonce, and on Solana its memo. */
function isReturnOf({ from, nonce }: Authorization, id: string): boolean {
  const hash = returnHash(id);
  if (from === SOLANA_REFUND_ADDRESS) return memoOf(nonce) === hash;
  return from.toLowerCase() === REFUND_ADDRESS.toLowerCase() && BigInt(nonce) === BigInt(`0x${hash}`);
}

/** The result that a record holds. */
function deliveredBy({ outcome = "" }: PaymentRecord): { n: number; run: number } {
  const { data } = JSON.parse(outcome) as { data: string };
  const { items } = JSON.parse(data) as { items: [{ n: number; run: number }] };
  return items[0];
}
