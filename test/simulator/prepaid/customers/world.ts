/** One seeded world of wallets that buy balances: processes that die, copies, lost answers, refunds, a chain that takes back. */
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { fromMicros, toMicros } from "../../../../src/lib/money.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../src/lib/time.js";
import { parseAccountRecord } from "../../../../src/payment/accounts/record/record.js";
import { createMemoryStore } from "../../../../src/stores/memory/memory.js";
import type { Store } from "../../../../src/stores/store.js";
import type { Authorization } from "../../../support/wallets.js";
import { authorizationKey, Chain } from "../../chain.js";
import { Facilitator } from "../../facilitator.js";
import type { Process, Surroundings } from "../../process.js";
import { Random } from "../../random.js";
import { enter, Timeline } from "../../timeline.js";
import { people, REFUND_ADDRESS } from "../../wallets.js";
import { Customer } from "./customer.js";
import { CustomerOracle } from "./oracle.js";
import { CustomerShop, ORIGIN } from "./shop.js";

const RICH = 1_000_000_000_000n;
const OTHER = "ada";
const MAX_CRASHES = 4;
const PATIENCE_MS = 90_000;
/** A charge is given up after so many. */
const ATTEMPTS = 3;
/** Within so many minutes the background has booked, looked again at the chain, and given back. */
const REST_MINUTES = 75;
const PREFIX = "account:";

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

type Trouble = "crash" | "delay" | "store" | "failure" | "rpc" | "rpcLag" | "rpcForgets";

export class Customers implements Surroundings {
  readonly random: Random;
  readonly timeline = new Timeline();
  readonly chain: Chain;
  readonly facilitator: Facilitator;
  readonly oracle: CustomerOracle;
  readonly store: Store;
  readonly settings: { skewMs: number; calm: boolean; reorganises: number; closes: boolean };
  readonly troubles: Record<Trouble, number>;
  readonly #shops: CustomerShop[] = [];
  readonly #authorizations = new Map<string, Authorization>();
  readonly #sold: string[] = [];
  #births = 0;
  #crashes = 0;
  #serial = 0;
  #calls = 0;
  #named = 0;
  #isOver = false;
  #failure: string | undefined;

  constructor(seed: number) {
    this.random = new Random(seed);
    enter(this.timeline, this.random);
    Object.assign(this.timeline, { turns: 8, patience: 5000 });
    const { random } = this;
    // Keys and offers to sign in differ.
    Object.assign(crypto, { randomBytes: (size: number) => Buffer.from(random.hex(size), "hex") });
    syncBuiltinESMExports();
    const calm = random.chance(0.3);
    const often = (...rates: number[]) => (calm ? 0 : random.pick(rates));
    this.settings = {
      skewMs: random.pick([0, 0, 4000, 89_000]),
      calm,
      reorganises: random.chance(0.4) ? (calm ? 0.6 : 0.3) : 0,
      closes: random.chance(0.4),
    };
    this.troubles = {
      crash: often(0, 0.005, 0.02),
      delay: often(0.1, 0.3, 0.8),
      store: often(0, 0, 0.01, 0.05),
      failure: often(0, 0.1, 0.4),
      rpc: often(0, 0, 0.2),
      rpcLag: often(0, 0, 0.3),
      rpcForgets: often(0, 0, 0.3),
    };
    this.chain = new Chain(this.timeline, random);
    this.chain.reorganises = this.settings.reorganises;
    const troubleRate = often(0, 0.1, 0.3, 0.6);
    this.facilitator = new Facilitator(this.chain, { timeline: this.timeline, random, troubleRate });
    this.oracle = new CustomerOracle(this.chain);
    for (const { address } of people) this.chain.fund(address, RICH);
    this.chain.fund(REFUND_ADDRESS, RICH);
    const kept = createMemoryStore({ clock: () => new Date(this.timeline.now) });
    this.store = {
      ...kept,
      put: async (key, value, options) => {
        const version = await kept.put(key, value, options);
        if (version !== undefined && key.startsWith(PREFIX))
          this.#judged(() => this.oracle.wrote(key.slice(PREFIX.length), parseAccountRecord(value)));
        return version;
      },
    };
    for (let i = random.int(1, 3); i > 0; i--) this.#shops.push(this.#born());
  }

  #born(): CustomerShop {
    return new CustomerShop(this, `process ${++this.#births}`);
  }

  /** What the shop does must not hide in an error that it catches. */
  #judged(judge: () => void): void {
    try {
      judge();
    } catch (error) {
      this.#failure ??= error instanceof Error ? error.message : String(error);
    }
  }

  crashed(process: Process): void {
    const slot = this.#shops.indexOf(process as CustomerShop);
    if (++this.#crashes >= MAX_CRASHES) this.troubles.crash = 0;
    if (slot >= 0) this.#shops[slot] = this.#born();
  }

  serial = (): number => this.#serial++;
  nextCall = (): number => this.#calls++;
  named = (n: number): string => `key-${n}-${++this.#named}`;
  signed = (authorization: Authorization): void =>
    void this.#authorizations.set(authorizationKey(authorization), authorization);
  authorizationOf = (key: string): Authorization => this.#authorizations.get(key) as Authorization;

  returning(authorization: Authorization, signature: string): void {
    this.facilitator.register(authorization, signature);
    this.#judged(() => this.oracle.returns(authorization.to, BigInt(authorization.value)));
  }

  /** What a process answers; undefined if it dies or takes too long. */
  async #with<T>(work: (shop: CustomerShop) => Promise<T>): Promise<T | undefined> {
    const shop = this.random.pick(this.#shops);
    const late = this.timeline.sleep(PATIENCE_MS).then(() => undefined);
    return Promise.race([work(shop), shop.death.promise.then(() => undefined), late]);
  }

  /** One request to some process; undefined when no answer came back. */
  async #ask(path: string, init: RequestInit): Promise<(Answer & { isSilent: boolean }) | undefined> {
    const answer = await this.#with(async (shop) => {
      const { failures } = shop;
      const { status, headers, text } = await answerOf(shop, path, init);
      return { status, headers, text, isSilent: shop.failures - failures >= ATTEMPTS };
    });
    this.timeline.note(() => `${init.method ?? "GET"} ${path}: ${answer?.status} ${answer?.text.slice(0, 200)}`);
    if (answer?.status === 500) throw new Error(`500: ${answer.text}`);
    return answer && !this.random.chance(this.settings.calm ? 0 : 0.05) ? answer : undefined;
  }

  get = (path: string, headers: Record<string, string>) => this.#ask(path, { headers });
  post = (path: string, body: object, headers: Record<string, string>) =>
    this.#ask(path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });

  async call(n: number, path: string, headers: Record<string, string>): Promise<number> {
    const answer = await this.get(path, headers);
    if (!answer) return 0;
    const hasKey = headers["idempotency-key"] !== undefined;
    const { sales } = this.oracle;
    if (answer.status !== 200) {
      if (!hasKey && !answer.isSilent) sales.failed(JSON.parse(answer.text).requestId);
      return answer.status;
    }
    const { data, meta } = JSON.parse(answer.text);
    const [{ run }] = data.items;
    // A call of a grant is told as one, at no cost.
    const isCall = meta.grants?.some(({ calls }: { calls?: number }) => calls !== undefined);
    const [cost, quoted] = [isCall ? sales.costOf(run) : toMicros(meta.costUsd), toMicros(meta.quotedUsd)];
    sales.delivered({ n, run, cost, quoted, requestId: meta.requestId }, hasKey);
    this.#sold.push(meta.requestId);
    return 200;
  }

  /** The background of some process. */
  async #backgroundNowAndThen(): Promise<void> {
    while (!this.#isOver) {
      await this.timeline.sleep(this.random.int(5000, 30_000));
      void this.#with(({ handle }) => handle.reconcile().catch(() => {}));
    }
  }

  /** The host gives payments and calls back, each more than once, grants some money for a while, and closes accounts. */
  async #host(): Promise<void> {
    const { random, timeline, settings } = this;
    const closes = settings.closes ? [this.#closes] : [];
    for (let i = random.int(2, 8); i > 0; i--) {
      await timeline.sleep(random.int(2000, 30_000));
      const act = random.pick([this.#refunds, this.#refunds, this.#givesBack, this.#grants, ...closes]);
      await act();
    }
  }

  #refunds = async (): Promise<void> => {
    const { random, chain, oracle } = this;
    const paid = [...oracle.bought.values()].filter(oracle.isSettled);
    if (paid.length === 0) return;
    const bought = random.pick(paid);
    const { transaction = "" } = chain.transferOf(bought.key) ?? {};
    const part = random.chance(0.5) ? bought.price / random.pick([2n, 3n, 10n]) : bought.price;
    bought.asked.add(part);
    const ask = () =>
      this.#with(({ handle }) =>
        handle.refund({ transaction }, part === bought.price ? {} : { usd: fromMicros(part) }).then(
          ({ state, usd }) => this.timeline.note(() => `refund of ${bought.key}: ${state} ${usd}`),
          (error: Error) => this.timeline.note(() => `refund of ${bought.key}: ${error.message}`),
        ),
      );
    await Promise.all(Array.from({ length: random.int(1, 2) }, ask));
    await ask();
  };

  #givesBack = async (): Promise<void> => {
    const requestId = this.#sold.at(-1);
    if (!requestId) return;
    const ask = () => this.#with(({ handle }) => handle.refund({ requestId }).catch(() => undefined));
    await Promise.all([ask(), ask()]);
  };

  /** By several processes at once, beside purchases and calls. */
  #closes = async (): Promise<void> => {
    const { random, oracle } = this;
    const accounts = [...oracle.records.keys()];
    if (accounts.length === 0) return;
    const account = random.pick(accounts);
    oracle.closes(account);
    const close = () =>
      this.#with(({ handle }) =>
        handle.accounts.close(account).then(
          (facts) => this.timeline.note(() => `${account} is closed: ${JSON.stringify(facts)}`),
          (error: Error) => this.timeline.note(() => `${account} is not closed: ${error.message}`),
        ),
      );
    await Promise.all(Array.from({ length: random.int(1, 3) }, close));
    await close();
  };

  #grants = async (): Promise<void> => {
    const { random, timeline } = this;
    const accounts = [...this.oracle.records.keys()];
    if (accounts.length === 0) return;
    const reference = `gift-${this.serial()}`;
    const until = new Date(timeline.now + random.int(120_000, 400_000));
    const worth = random.chance(0.5) ? { usd: "0.03" } : { calls: 2 };
    const where = random.chance(0.5) ? { endpoints: ["test.work"] } : {};
    const account = random.pick(accounts);
    const give = () =>
      this.#with(({ handle }) =>
        handle.accounts.grant(account, { ...worth, ...where, until, reference }).catch(() => undefined),
      );
    await Promise.all([give(), give()]);
  };

  async #story(): Promise<void> {
    const { random, timeline } = this;
    // Whatever the clocks say, all of it is one day.
    await timeline.sleep(600_000);
    void this.#backgroundNowAndThen();
    const customers = people.slice(0, random.int(1, 3)).map((wallet) => new Customer(this, wallet));
    const made = random.chance(0.4)
      ? await this.#born()
          .handle.accounts.createKey(OTHER)
          .catch(() => undefined)
      : undefined;
    if (made) customers.push(new Customer(this, random.pick(people), { account: OTHER, key: made.key }));
    await Promise.all([...customers.map((customer) => customer.live()), this.#host()]);
    timeline.note(() => "--- the troubles are over");
    this.#isOver = true;
    for (const name of Object.keys(this.troubles) as Trouble[]) this.troubles[name] = 0;
    this.facilitator.troubleRate = 0;
    this.chain.reorganises = 0;
    const living = this.#born();
    this.#shops.splice(0, this.#shops.length, living);
    await this.#lookAfter(living, REST_MINUTES, MINUTE_MS);
    this.oracle.assertBooked();
    await Promise.all(customers.flatMap((customer) => customer.signed.map((signed) => customer.insist(signed))));
    await this.#lookAfter(living, 60, HOUR_MS);
    await this.#assertAtRest(living);
  }

  async #lookAfter({ handle }: CustomerShop, rounds: number, everyMs: number): Promise<void> {
    for (let i = 0; i < rounds; i++) {
      await this.timeline.sleep(everyMs);
      await handle.reconcile();
    }
  }

  async #assertAtRest({ handle }: CustomerShop): Promise<void> {
    const { oracle, chain } = this;
    const accounts = [...oracle.records.keys()];
    const all = await Promise.all(
      accounts.map(async (account) => ({
        entries: await handle.accounts.entries(account),
        balance: await handle.accounts.balance(account),
      })),
    );
    const sum = (member: "availableUsd" | "heldUsd") =>
      fromMicros(all.reduce((total, { balance }) => total + toMicros(balance[member]), 0n));
    const entries = all.flatMap((one) => one.entries);
    oracle.sales.assertBook(entries, { availableUsd: sum("availableUsd"), heldUsd: sum("heldUsd") }, this.#named);
    oracle.assertPasses();
    oracle.assertClosed();
    oracle.assertGrants(this.timeline.now - DAY_MS / 4);
    this.#assertReturned();
    const { total } = await handle.ledger({ by: [] });
    const paid = [...oracle.bought.values()].filter(oracle.isBooked);
    const settled = paid.reduce((all, { price }) => all + price, 0n);
    if (toMicros(total.settledUsd) !== settled)
      throw new Error(`TOP-1: the ledger has ${total.settledUsd} settled, booked are ${settled}`);
    const back = chain.transfers.filter(({ authorization }) => authorization.from === REFUND_ADDRESS);
    const returned = back.reduce((all, { authorization }) => all + BigInt(authorization.value), 0n);
    if (toMicros(total.returnedUsd) !== returned || total.owedUsd !== "0")
      throw new Error(
        `TOP-5: the ledger has ${total.returnedUsd} returned, the chain ${returned}, owed ${total.owedUsd}`,
      );
    this.#assertLost(total.lostUsd);
  }

  /** To each payer no more went back than was taken. */
  #assertReturned(): void {
    const { chain, oracle } = this;
    for (const { address } of people) {
      const back = chain.transfers.filter(
        ({ authorization: { from, to } }) => from === REFUND_ADDRESS && to.toLowerCase() === address.toLowerCase(),
      );
      const asked = [...oracle.bought.values()].filter(
        (one) =>
          one.payer === address.toLowerCase() &&
          (one.asked.size > 0 || oracle.isClosing(one)) &&
          oracle.backsOf(one).length > 0,
      );
      if (back.length > asked.length) throw new Error(`TOP-5: ${back.length} refunds of ${asked.length} to ${address}`);
    }
  }

  /** What the chain took back for good is the host's loss, and its balance is gone, as far as it was left. */
  #assertLost(lostUsd = "0"): void {
    const { oracle, settings } = this;
    if (!settings.calm) return;
    const lost = [...oracle.bought.values()].filter((one) => oracle.isLost(one) && oracle.isBooked(one));
    const sum = lost.reduce((all, { price }) => all + price, 0n);
    if (toMicros(lostUsd) !== sum) throw new Error(`TOP-5: ${sum} are lost, the ledger has ${lostUsd}`);
    const kept = lost.find((one) => oracle.backsOf(one).length === 0);
    if (kept) throw new Error(`TOP-5: ${kept.key} is lost, and its balance is still there`);
  }

  #assertSound = (): void => {
    if (this.#failure) throw new Error(this.#failure);
  };

  /** Lives through the whole story. Rejects at the first thing that must not happen. */
  async live(): Promise<void> {
    let isOver = false;
    this.timeline.note(() => JSON.stringify([this.settings, this.troubles]));
    void this.#story()
      .catch((error: unknown) => {
        this.#failure ??= error instanceof Error ? (error.stack ?? error.message) : String(error);
      })
      .finally(() => {
        isOver = true;
      });
    await this.timeline.run(() => isOver, this.#assertSound);
    this.#assertSound();
  }
}

async function answerOf({ handle }: CustomerShop, path: string, init: RequestInit): Promise<Answer> {
  const response = await handle(new Request(`${ORIGIN}/api/${path}`, init), { clientAddress: "203.0.113.7" });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
