/** One seeded world: a shop of several processes, a chain, a facilitator, buyers of all kinds, and bad luck. */
import type { PaymentRequirements } from "../../src/payment/x402/wire.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import type { Store } from "../../src/stores/store.js";
import { associatedAccountOf } from "../support/solana.js";
import { buyers } from "./buyers.js";
import { Chain } from "./chain.js";
import { Checker, type Sale } from "./checker.js";
import { Facilitator } from "./facilitator.js";
import { HostRefunds } from "./host-refunds.js";
import { Instance } from "./instance.js";
import { Lines } from "./lines.js";
import { Neighbour } from "./neighbour.js";
import { Payouts } from "./payouts.js";
import type { Process } from "./process.js";
import { Random } from "./random.js";
import { type Dust, memoOf, SOLANA_REFUND_ADDRESS } from "./solana.js";
import { enter, Timeline } from "./timeline.js";
import {
  PAYOUT_ADDRESS,
  people,
  REFUND_ADDRESS,
  type Signed,
  type SignWish,
  signFor,
  TREASURIES,
  type Wallet,
} from "./wallets.js";

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/** What a process asks for its work. */
export interface Terms {
  markup: number;
  treasury: string;
}

type Trouble = "crash" | "delay" | "store" | "rpc" | "rpcLag" | "rpcForgets" | "failure" | "slow" | "reply";

export interface CallOptions {
  /** What is bought, where something is. */
  sale?: Sale | undefined;
  address?: string;
  /** The client may leave before the answer is there. */
  impatient?: boolean;
}

const RICH = 1_000_000_000_000n;
const MAX_CRASHES = 4;
/** Longer than every backoff of the service. */
/** A charge of credit is given up after so many. */
const ATTEMPTS = 3;
const REST_STEP_MS = 11 * 60_000;
const REST_STEPS = 10;
const MAX_ROUNDS = 20;
/** Nothing of what was lost is owed for longer. */
const OWED_HOURS = 80;
const HOURS_A_STEP = 8;

export class World {
  readonly random: Random;
  readonly timeline = new Timeline();
  readonly chain: Chain;
  readonly facilitator: Facilitator;
  readonly store: Store;
  readonly lines: Lines;
  readonly checker: Checker;
  readonly hostRefunds = new HostRefunds(this);
  readonly payouts = new Payouts(this);
  readonly instances: Instance[] = [];
  readonly neighbour: Neighbour | undefined;
  readonly settings: {
    rpc: boolean;
    returns: boolean;
    maxUnsettledUsd: string;
    /** The credit beyond which it goes back to its wallet. */
    maxCreditUsd: string;
    settleFirst: boolean;
    /** Whether usage can be settled through Permit2. */
    upto: boolean;
    /** Whether payments are taken on Solana too. */
    solana: boolean;
    /** Whether strangers fill the lists of token accounts there. */
    dust: boolean;
    /** Whether the facilitator claims payments that it did not make. */
    lies: boolean;
    /** How far the clocks of processes are off. */
    skewMs: number;
    /** Whether prices and the treasury change while payments are under way. */
    changesTerms: boolean;
    /** Whether the chain takes blocks back. */
    reorganises: boolean;
    /** Whether nothing else goes wrong. */
    calm: boolean;
    /** Whether another host, of another treasury, lives on the same store. */
    neighbour: boolean;
    /** Whether there are two facilitators, of which one may not be reached. */
    failover: boolean;
    /** Whether the host gives sales back of its own accord. */
    givesBack: boolean;
    /** Whether somebody shares what is sold, and is paid now and then. */
    shares: boolean;
    /** Whether whole amounts are paid through Permit2. */
    permit2: boolean;
  };
  /** What new processes sell at. */
  terms: Terms = { markup: 1, treasury: TREASURIES[0] };
  /** How often something goes wrong, from 0 to 1. */
  readonly troubles: Record<Trouble, number>;
  /** Purchases whose work always fails, and who pays for them. */
  readonly doomed = new Map<number, string>();
  /** Purchases with long answers. */
  readonly heavy = new Set<number>();
  /** What strangers put into the lists of token accounts on Solana. */
  readonly dust: Dust[] = [];
  readonly #tokenAccounts: string[] = [];
  #crashes = 0;
  #births = 0;
  readonly #all: Instance[] = [];
  #purchases = 0;
  #signatures = 0;
  #open = 0;
  /** Nobody comes any more. */
  #isOver = false;

  constructor(seed: number) {
    const random = new Random(seed);
    this.random = random;
    enter(this.timeline, random);
    this.settings = {
      rpc: random.chance(0.75),
      returns: random.chance(0.6),
      maxUnsettledUsd: random.chance(0.15) ? "0.03" : "1",
      maxCreditUsd: random.chance(0.3) ? "0.01" : "0.05",
      settleFirst: random.chance(0.3),
      upto: random.chance(0.5),
      solana: random.chance(0.35),
      dust: random.chance(0.7),
      lies: random.chance(0.2),
      skewMs: random.pick([0, 0, 500, 4000]),
      changesTerms: random.chance(0.3),
      reorganises: random.chance(0.3),
      calm: random.chance(0.6),
      neighbour: random.chance(0.3),
      failover: random.chance(0.3),
      givesBack: random.chance(0.3),
      shares: random.chance(0.3),
      permit2: random.chance(0.25),
    };
    // Permits and transactions of Solana name the account of one facilitator, to which they are bound.
    this.settings.upto &&= !this.settings.failover;
    this.settings.solana &&= !this.settings.failover;
    // Without a node nobody can tell a permit that was settled from one that cannot be any more.
    this.settings.upto &&= this.settings.rpc;
    this.settings.permit2 &&= this.settings.rpc;
    // What cannot be looked up is believed.
    this.settings.lies &&= this.settings.rpc;
    this.settings.dust &&= this.settings.solana;
    // Nobody looks again without a node.
    this.settings.reorganises &&= this.settings.rpc;
    this.settings.calm &&= this.settings.reorganises;
    this.settings.lies &&= !this.settings.calm;
    const often = (...rates: number[]) => random.pick(rates);
    this.troubles = {
      crash: often(0, 0, 0.005, 0.02),
      delay: often(0.1, 0.3, 0.8),
      store: often(0, 0, 0.01, 0.05),
      rpc: often(0, 0.2, 0.7),
      rpcLag: often(0, 0, 0.3),
      rpcForgets: often(0, 0, 0.3),
      failure: often(0, 0.1, 0.4),
      slow: often(0, 0.05, 0.2),
      reply: often(0, 0.05, 0.2),
    };
    if (this.settings.calm) this.#endTroubles();
    this.chain = new Chain(this.timeline, random);
    const troubleRate = this.settings.calm ? 0 : often(0, 0.1, 0.3, 0.6);
    this.facilitator = new Facilitator(this.chain, { timeline: this.timeline, random, troubleRate });
    if (this.settings.lies) this.facilitator.lieRate = 0.15;
    this.facilitator.secondAnswers = this.settings.rpc;
    if (this.settings.reorganises) this.chain.reorganises = this.settings.calm ? 0.8 : 0.3;
    this.store = createMemoryStore({ clock: () => new Date(this.timeline.now) });
    this.checker = new Checker(this);
    const isTroubled = this.settings.failover && !this.settings.calm;
    const fail = (rule: string, what: string) => this.checker.fail(rule, what);
    this.lines = new Lines(this, isTroubled ? often(0.02, 0.1, 0.3) : 0, fail);
    for (const { address } of people) this.chain.fund(address, RICH);
    this.chain.fund(SOLANA_REFUND_ADDRESS, random.chance(0.2) ? 15_000n : RICH);
    this.chain.fund(PAYOUT_ADDRESS, RICH);
    this.chain.fund(REFUND_ADDRESS, random.chance(0.2) ? 15_000n : RICH);
    for (let i = random.int(1, 3); i > 0; i--) this.instances.push(this.#born());
    if (this.settings.neighbour) this.neighbour = new Neighbour(this);
  }

  #born(): Instance {
    const instance = new Instance(this, `process ${++this.#births}`);
    this.#all.push(instance);
    return instance;
  }

  /** Lives through the whole story. Rejects at the first thing that must not happen. */
  async live(): Promise<void> {
    const { random, timeline, checker } = this;
    const check = () => checker.assertSound();
    timeline.note(() => JSON.stringify(this.settings));
    for (let i = random.int(2, 6); i > 0; i--) this.#begin(buyers, random.int(0, 20_000));
    void this.#reconcileNowAndThen();
    if (this.settings.dust) void this.#dustNowAndThen();
    if (this.settings.changesTerms) void this.#changeTermsNowAndThen();
    void this.#visitNowAndThen();
    if (this.settings.shares) void this.payouts.nowAndThen(() => this.#isOver);
    if (this.settings.givesBack) void this.hostRefunds.nowAndThen(() => this.#isOver);
    await timeline.run(() => this.#open === 0, check);
    timeline.note(() => "--- the troubles are over");
    this.#isOver = true;
    this.#endTroubles();
    this.facilitator.troubleRate = 0;
    this.facilitator.lieRate = 0;
    this.lines.troubleRate = 0;
    this.chain.reorganises = 0;
    this.instances.push(this.#born());
    this.#open++;
    void this.#rest().finally(() => this.#open--);
    await timeline.run(() => this.#open === 0, check);
    await checker.assertSettled();
    // Where strangers fill the lists, each look of these days reads all that they wrote.
    if (this.settings.dust) return;
    this.#open++;
    void this.#outlast().finally(() => this.#open--);
    await timeline.run(() => this.#open === 0, check);
    await checker.assertEnded();
  }

  /** Days go by where something is owed of what never came, or was taken back for good. */
  async #outlast(): Promise<void> {
    // Other processes have ended.
    for (const instance of this.#all) if (instance !== this.instances[0]) void instance.handle.close();
    for (let hours = 0; hours < OWED_HOURS && (await this.checker.accounts.owes()); hours += HOURS_A_STEP) {
      await this.timeline.sleep(HOURS_A_STEP * 3_600_000);
      await this.instances[0]?.handle.reconcile();
    }
  }

  #begin(kinds: readonly ((world: World) => Promise<void>)[], delayMs: number): void {
    const kind = this.random.pick(kinds);
    this.#open++;
    this.timeline.at(delayMs, () => {
      this.timeline.note(() => `a buyer comes: ${kind.name}`);
      void kind(this)
        .catch((error: unknown) => this.checker.fail("simulator", String(error instanceof Error ? error.stack : error)))
        .finally(() => this.#open--);
    });
  }

  #endTroubles(): void {
    for (const name of Object.keys(this.troubles) as Trouble[]) this.troubles[name] = 0;
  }

  /** A new configuration goes live, process by process; what the old ones have begun they bring to its end. */
  async #changeTermsNowAndThen(): Promise<void> {
    const { random, timeline } = this;
    for (let i = random.int(1, 4); i > 0; i--) {
      await timeline.sleep(random.int(500, 20_000));
      this.terms = { markup: random.pick([0.5, 1, 1.5]), treasury: random.pick(TREASURIES) };
      timeline.note(() => `the terms change: ${JSON.stringify(this.terms)}`);
      for (const slot of this.instances.keys()) {
        if (this.#open === 0) return;
        this.instances[slot] = this.#born();
        await timeline.sleep(random.int(0, 3000));
      }
    }
  }

  /** For next to nothing anybody gets transactions into the list of anybody's token account; a memo can be copied. */
  async #dustNowAndThen(): Promise<void> {
    const { random, timeline, chain } = this;
    const refunds = associatedAccountOf(SOLANA_REFUND_ADDRESS);
    while (!this.#isOver) {
      await timeline.sleep(random.int(500, 10_000));
      const landed = chain.transfers.map(({ authorization }) => memoOf(authorization.nonce) ?? null);
      const account = random.chance(0.7) ? refunds : random.pick([refunds, ...this.#tokenAccounts]);
      const memo = random.pick([null, "dust", landed.at(-1) ?? null]);
      this.dust.push({ account, at: timeline.now, count: random.pick([25, 105, 250]), memo });
    }
  }

  /** The other host looks after what it finds on the store, and somebody takes it for this one. */
  async #visitNowAndThen(): Promise<void> {
    while (this.neighbour && !this.#isOver) {
      await this.timeline.sleep(this.random.int(1000, 20_000));
      const { sales } = this.checker;
      const byCredit = sales.filter(({ headers }) => headers["x-svc-credit"]);
      const some = byCredit.length > 0 && this.random.chance(0.5) ? byCredit : sales;
      await this.neighbour.visit(some.length > 0 && this.random.chance(0.7) ? this.random.pick(some) : undefined);
    }
  }

  async #reconcileNowAndThen(): Promise<void> {
    while (this.#open > 0) {
      await this.timeline.sleep(this.random.int(5000, 30_000));
      const instance = this.random.pick(this.instances);
      void instance.handle.reconcile().catch(() => {});
    }
  }

  /** What goes back of a payment that the chain took back for good is due for days. */
  async #reconcileAll({ handle }: Instance): Promise<void> {
    for (let rounds = 0; rounds < MAX_ROUNDS && (await handle.reconcile()) > 0; rounds++)
      await this.timeline.sleep(61_000);
  }

  /** Everybody who is owed an answer asks again, in a world without troubles. */
  async #rest(): Promise<void> {
    const living = this.instances.at(-1);
    if (!living) return;
    this.instances.splice(0, this.instances.length, living);
    for (let step = 0; step < REST_STEPS; step++) {
      await this.timeline.sleep(REST_STEP_MS);
      await this.neighbour?.visit();
      await this.#reconcileAll(living);
    }
    this.checker.assertFinished();
    this.checker.resting = true;
    // Side by side: one after the other would take a day, after which a service may forget what it sold.
    let waiting = [...this.checker.sales];
    for (let tries = 0; tries < 5 && waiting.length > 0; tries++) {
      if (tries > 0) await this.timeline.sleep(REST_STEP_MS);
      const again: typeof waiting = [];
      for (const sale of waiting) {
        const answer = await this.call(sale.path, { ...sale.headers }, { sale });
        if (!answer || answer.status >= 500) again.push(sale);
      }
      waiting = again;
    }
    for (let step = 0; step < REST_STEPS; step++) {
      await this.timeline.sleep(REST_STEP_MS);
      await this.neighbour?.visit();
      await this.#reconcileAll(living);
    }
  }

  crashed(instance: Process): void {
    if (++this.#crashes >= MAX_CRASHES) this.troubles.crash = 0;
    this.timeline.at(this.random.int(100, 5000), () => {
      const slot = this.instances.indexOf(instance as Instance);
      if (slot >= 0) this.instances[slot] = this.#born();
    });
  }

  nextPurchase = (): number => ++this.#purchases;

  async sign(terms: PaymentRequirements, wallet: Wallet, wish: Partial<SignWish> = {}): Promise<Signed> {
    const signed = await signFor(terms, { wallet, now: this.timeline.now, serial: this.#signatures++, ...wish });
    const { signature, transaction } = signed.payment.payload;
    if (wallet.keypair) this.#tokenAccounts.push(associatedAccountOf(wallet.address));
    this.facilitator.register(signed.authorization, signature ?? transaction ?? "");
    return signed;
  }

  /** One request to some process; undefined when no answer came back. */
  async call(path: string, headers: Record<string, string>, options: CallOptions = {}): Promise<Answer | undefined> {
    const { random, timeline, troubles } = this;
    const { sale, address = "203.0.113.7", impatient } = options;
    const instance = random.pick(this.instances);
    await timeline.sleep(random.int(0, 40));
    if (instance.dead) return undefined;
    const leaving = impatient ? new AbortController() : undefined;
    const init = { headers, ...(leaving ? { signal: leaving.signal } : {}) };
    const answering = instance.handle(new Request(`http://shop.test/api${path}`, init), { clientAddress: address });
    const { failures } = instance;
    const answered = answering.then(async (response) => {
      const answer = { status: response.status, headers: response.headers, text: await response.text() };
      if (instance.dead) return undefined;
      timeline.note(
        () => `${instance.name} answers ${answer.status} ${path} ${sale?.key?.slice(-6) ?? ""} ${codeOf(answer)}`,
      );
      this.checker.answered(answer, path, { sale, address });
      return answer;
    });
    const ends: Promise<Answer | undefined>[] = [answered, instance.death.promise.then(() => undefined)];
    if (leaving) ends.push(timeline.sleep(random.int(0, 3000)).then(() => leaving.abort() as undefined));
    const answer = await Promise.race(ends);
    const isSilent = instance.failures - failures >= ATTEMPTS;
    if (headers["x-svc-credit"] && answer?.status !== 200 && (isSilent || instance.dead))
      this.checker.accounts.excuseCredit();
    if (!answer) return undefined;
    await timeline.sleep(random.int(0, 40));
    return random.chance(troubles.reply) ? undefined : answer;
  }
}

export function codeOf({ text }: Pick<Answer, "text">): string {
  return /"code":"(\w+)"/.exec(text)?.[1] ?? "";
}
