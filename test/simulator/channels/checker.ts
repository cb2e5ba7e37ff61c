/** What must never happen with channels, looked at after every step, and what must be true when everything is at rest. */
import type { CallEvent } from "../../../src/payment/events/events.js";
import type { LedgerReport } from "../../../src/payment/ledger/report.js";
import { namesVictim } from "./wallets.js";
import type { ChannelWorld } from "./world.js";

/** A request that somebody wants to buy. */
export interface Purchase {
  n: number;
  path: string;
  /** In micro-dollars. */
  price: bigint;
  charge: bigint;
  /** Its buyer names it by an idempotency key, which is a secret where it is long. */
  named?: "long" | "short";
}

/** An answer that was saved, and with it its charge. */
interface Saved {
  channel: string;
  ceiling: bigint;
  charge: bigint;
  flight: string;
  outcome: string;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

export class Checker {
  readonly purchases = new Map<number, Purchase>();
  readonly delivered = new Set<number>();
  /** What delivered calls were charged, by request. */
  readonly charged = new Map<string, bigint>();
  /** What the host gives back, as the store has it. */
  readonly #givenBack = new Map<string, { requestId: string; amount: bigint; state: string }>();
  lost = 0n;
  readonly #world: ChannelWorld;
  #failure: string | undefined;
  #runs = 0;
  readonly #saved = new Map<number, Saved[]>();
  /** Ceilings that the service meant to put into a claim. */
  readonly #published = new Set<string>();
  /** By channel and what is charged in all: for what. */
  readonly #levels = new Map<string, number>();

  constructor(world: ChannelWorld) {
    this.#world = world;
  }

  fail(rule: string, what: string): void {
    this.#failure ??= `${rule}: ${what}`;
  }

  assertSound(): void {
    if (this.#failure) throw new Error(this.#failure);
  }

  ran(n: number): number {
    if (!this.purchases.has(n)) this.fail("CH-55", `a run for ${n}, which nobody bought`);
    return ++this.#runs;
  }

  /** What was bought on a channel, as whoever listens knows. */
  boughtOn(id: string): Purchase[] {
    const ns = [...this.#saved].filter(([, all]) => all.some(({ channel }) => channel === id)).map(([n]) => n);
    return ns.flatMap((n) => this.purchases.get(n) ?? []);
  }

  /** Whose call the work is told that it is. */
  ranFor(wallet: string | undefined): void {
    if (wallet !== undefined && namesVictim(wallet)) this.fail("ATK-1", `${wallet} is taken for a buyer`);
  }

  told(event: CallEvent): void {
    const { payer = "" } = event;
    if (namesVictim(payer)) this.fail("ATK-1", `an event names ${payer}, who signed nothing`);
    if (event.kind !== "channel" || event.outcome !== "lost") return;
    const { channelUsd } = event;
    this.lost += BigInt(Math.round(Number(channelUsd) * 1e6));
    if (this.#world.settings.attended) this.fail("CH-40", `${channelUsd} was lost although somebody looked`);
  }

  /** Whether a voucher may stand on chain: whoever sends it may be anybody. */
  #isPublished({ channel, ceiling }: Saved): boolean {
    return ceiling <= (this.#world.contract.reached.get(channel) ?? 0n) || this.#published.has(`${channel} ${ceiling}`);
  }

  wrote(key: string, value: string): void {
    if (key.startsWith("channel:")) {
      const { id, published } = JSON.parse(value) as { id: string; published: string[] };
      for (const ceiling of published) this.#published.add(`${id} ${ceiling}`);
    }
    if (key.startsWith("host-refund:")) this.#wroteRefund(key, JSON.parse(value));
    if (!key.startsWith("reply:")) return;
    const reply = JSON.parse(value) as { flight: string; charge: string; ceiling: string; outcome?: string };
    if (reply.outcome === undefined) return;
    const n = Number(/\\?"n\\?":(\d+)/.exec(reply.outcome)?.[1]);
    const purchase = this.purchases.get(n);
    if (!purchase) {
      this.fail("simulator", `an answer to nobody: ${reply.outcome}`);
      return;
    }
    const charge = BigInt(reply.charge);
    if (charge !== purchase.charge) this.fail("CH-26", `purchase ${n} is charged ${charge}, not ${purchase.charge}`);
    if (charge === 0n) return;
    const channel = key.split(":").slice(3, 4)[0] ?? "";
    const { flight, outcome } = reply;
    const saved = { channel, ceiling: BigInt(reply.ceiling), charge, flight, outcome };
    const before = (this.#saved.get(n) ?? []).filter((each) => each.flight !== flight);
    // Its answer was lost, and a claim has made the voucher everybody's: without a name of its own it is bought anew.
    for (const each of before)
      if (purchase.named === "long" || !this.#isPublished(each))
        this.fail("CH-14", `purchase ${n} is charged a second time`);
    this.#saved.set(n, [...before, saved]);
  }

  #wroteRefund(key: string, { requestId, refund }: { requestId: string; refund: { amount: string; state: string } }) {
    const entry = { requestId, amount: BigInt(refund.amount), state: refund.state };
    const before = this.#givenBack.get(key);
    if (before && (before.amount !== entry.amount || (before.state !== "owed" && before.state !== entry.state)))
      this.fail("host refund", `${key} was ${before.state} ${before.amount}, and is ${entry.state} ${entry.amount}`);
    this.#givenBack.set(key, entry);
  }

  /** What the host gave back is credit, once for each call, of what the call was charged. */
  #assertGivenBack(): bigint {
    const all = [...this.#givenBack.values()];
    if (new Set(all.map(({ requestId }) => requestId)).size !== all.length)
      this.fail("host refund", "a call is given back twice");
    for (const { requestId, amount, state } of all)
      if (state !== "credited" || amount !== this.charged.get(requestId))
        this.fail("host refund", `${requestId}, charged ${this.charged.get(requestId)}, is ${state} ${amount}`);
    return all.reduce((sum, { amount }) => sum + amount, 0n);
  }

  /** What honest buyers get. */
  answered(purchase: Purchase, { status, headers, text }: Answer): void {
    const { n, price } = purchase;
    if (status === 500) this.fail("RES-9", `purchase ${n} is answered ${text}`);
    if (status !== 200) return;
    const receipt = JSON.parse(Buffer.from(headers.get("payment-response") ?? "", "base64").toString());
    const { chargedAmount, channelState } = receipt.extra;
    const [charge, level] = [BigInt(chargedAmount), BigInt(channelState.chargedCumulativeAmount)];
    if (charge > price) this.fail("CH-26", `purchase ${n} costs ${charge} of at most ${price}`);
    if (charge !== purchase.charge) this.fail("CH-26", `purchase ${n} costs ${charge}, not ${purchase.charge}`);
    const saved = this.#saved.get(n) ?? [];
    if (charge > 0n && !saved.some(({ outcome }) => text.includes(innerOf(outcome))))
      this.fail("CH-24", `purchase ${n} is answered with what was not saved`);
    if (charge > 0n) {
      const name = `${channelState.channelId} ${level}`;
      const other = this.#levels.get(name);
      if (other !== undefined && other !== n) this.fail("CH-4", `purchases ${other} and ${n} are one charge, ${level}`);
      this.#levels.set(name, n);
    }
    if (charge > 0n) this.charged.set(JSON.parse(text).meta.requestId, charge);
    this.delivered.add(n);
  }

  /** Who holds what a claim published, or signed nothing at all, gets neither work nor news. */
  answeredStranger(rule: string, { status, headers }: Answer): void {
    if (status === 200) this.fail(rule, "a stranger is served");
    const quote = headers.get("payment-required");
    if (quote && Buffer.from(quote, "base64").toString().includes("channelState"))
      this.fail(rule, "a stranger is told of a channel");
  }

  /** Everything was claimed or is lost, and all books say the same. */
  assertSettled(report: LedgerReport): void {
    const { channels, total } = report;
    if (namesVictim(JSON.stringify(report))) this.fail("ATK-1", "the ledger names somebody who signed nothing");
    const { contract } = this.#world;
    const micros = (usd = "0") => BigInt(Math.round(Number(usd) * 1e6));
    const [earned, claimed, lost, unclaimed] = [
      micros(channels?.earnedUsd),
      micros(channels?.claimedUsd),
      micros(channels?.lostUsd),
      micros(channels?.unclaimedUsd),
    ];
    const saved = [...this.#saved.values()].flat().reduce((sum, { charge }) => sum + charge, 0n);
    const is = (rule: string, a: bigint, b: bigint, what: string) => {
      if (a !== b) this.fail(rule, `${what}: ${a} and ${b}`);
    };
    is("CH-53", earned, claimed + lost + unclaimed, "earned is not what was claimed, lost and is unclaimed");
    is("CH-52", earned, saved, "earned is not what was saved");
    is("CH-52", claimed, contract.claimed, "claimed is not what the chain says");
    const back = this.#assertGivenBack();
    is("host refund", micros(total.creditedUsd), back, "credit in the ledger is not what was given back");
    is("CH-53", micros(total.earnedUsd) + back, earned, "the ledger's sales are not what was earned");
    is("CH-36", unclaimed, 0n, "something is left to claim");
    is("CH-42", contract.swept, contract.claimed, "something is left to sweep");
    const held = [...contract.channels.values()].reduce((sum, { balance }) => sum + balance, 0n);
    const permitted = this.#world.settings.permits ? contract.signedDeposits : 0;
    is("simulator", BigInt(contract.permitted), BigInt(permitted), "deposits did not come in the offered way");
    is("simulator", contract.deposited, held + contract.returned, "the contract does not add up");
    const signed = new Map<string, bigint>();
    for (const { id, ceiling } of contract.signed.values())
      if (ceiling > (signed.get(id) ?? 0n)) signed.set(id, ceiling);
    for (const [id, { claimed }] of contract.channels)
      if (claimed > (signed.get(id) ?? 0n)) this.fail("CH-52", `${id} is claimed beyond what was signed`);
    if (this.#world.settings.attended) is("CH-40", lost, 0n, "something was lost");
    this.assertSound();
  }
}

/** The item within an outcome, which is an answer as text. */
const innerOf = (outcome: string): string =>
  /\{\\?"n\\?":\d+,\\?"run\\?":\d+\}/.exec(outcome)?.[0]?.replaceAll("\\", "") ?? "-";
