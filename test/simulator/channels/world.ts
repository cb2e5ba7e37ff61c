/** One seeded world of channels: two instances on one store, a contract, a facilitator, buyers of all kinds, and bad luck. */
import { createMemoryStore } from "../../../src/stores/memory/memory.js";
import type { Store } from "../../../src/stores/store.js";
import type { Process, Surroundings } from "../process.js";
import { Random } from "../random.js";
import { enter, Timeline } from "../timeline.js";
import { buyers, calmBuyers } from "./buyers.js";
import { type Answer, Checker, type Purchase } from "./checker.js";
import { Contract, type Sent } from "./contract.js";
import { Instance } from "./instance.js";
import { Facilitator } from "./surroundings.js";

const MAX_CRASHES = 6;
const CALM = { crash: 0, delay: 0, store: 0, rpc: 0, rpcLag: 0, failure: 0, slow: 0, reply: 0 };
const PRICES = { work: 1000n, metered: 10_000n } as const;

export class ChannelWorld implements Surroundings {
  readonly random: Random;
  readonly timeline = new Timeline();
  readonly contract: Contract;
  readonly facilitator: Facilitator;
  readonly store: Store;
  readonly checker: Checker;
  readonly instances: Instance[] = [];
  /** Payments as they were sent, which whoever listens knows. */
  /** Channels whose buyers wanted their money back: a refund that is signed may be asked for again. */
  readonly leaving = new Set<string>();
  readonly payments: { accepted: object; payload: Sent }[] = [];
  readonly settings: {
    delaySeconds: number;
    /** Whether somebody ticks before a withdrawal is over: else, and only then, something may be lost. */
    attended: boolean;
    /** How far the clocks of processes are off. */
    skewMs: number;
    /** Nothing goes wrong. */
    calm: boolean;
    /** Whether the host gives calls back of its own accord. */
    givesBack: boolean;
    /** Whether deposits go through Permit2. */
    permits: boolean;
  };
  /** How many were in a hurry where nothing goes wrong. */
  rushed = 0;
  /** How often something goes wrong, from 0 to 1. */
  readonly troubles: Record<"crash" | "delay" | "store" | "rpc" | "rpcLag" | "failure" | "slow" | "reply", number>;
  #crashes = 0;
  #births = 0;
  #purchases = 0;
  #open = 0;
  /** Nobody comes any more. */
  #isOver = false;

  /** `store` instead of one in memory: empty, and slow in nothing but real time. */
  constructor(seed: number, store?: Store) {
    const random = new Random(seed);
    this.random = random;
    enter(this.timeline, random);
    this.settings = {
      delaySeconds: random.pick([3600, 3600, 86_400]),
      attended: random.chance(0.85),
      skewMs: random.pick([0, 0, 1000, 8000]),
      calm: random.chance(0.15),
      givesBack: random.chance(0.3),
      // By its number and not by chance, so that the other worlds are the same as before.
      permits: seed % 4 === 1,
    };
    const often = (...rates: number[]) => random.pick(rates);
    this.troubles = {
      crash: often(0, 0.005, 0.02),
      delay: often(0.1, 0.3, 0.8),
      store: often(0, 0, 0.01, 0.04),
      rpc: often(0, 0, 0.1, 0.3),
      rpcLag: often(0, 0, 0.3),
      failure: often(0, 0.1, 0.3),
      slow: often(0, 0.1),
      reply: often(0, 0.05, 0.2),
    };
    if (this.settings.calm) Object.assign(this.troubles, CALM);
    const { timeline } = this;
    this.contract = new Contract(timeline, this.settings.delaySeconds);
    const troubleRate = this.settings.calm ? 0 : often(0, 0.1, 0.4);
    this.facilitator = new Facilitator(this.contract, { timeline, random, troubleRate });
    this.store = store ? this.#outside(store) : createMemoryStore({ clock: () => new Date(timeline.now) });
    this.checker = new Checker(this);
    for (let i = 0; i < 2; i++) this.instances.push(this.#born());
  }

  #born = (): Instance => new Instance(this, `process ${++this.#births}`);

  /** Time stands still until a store in the real world has answered. */
  #outside(store: Store): Store {
    const held = <T>(work: Promise<T>): Promise<T> => {
      this.timeline.stopFor(work.catch(() => {}));
      return work;
    };
    return {
      shared: true,
      get: (...args) => held(store.get(...args)),
      put: (...args) => held(store.put(...args)),
      remove: (...args) => held(store.remove(...args)),
      increment: (...args) => held(store.increment(...args)),
      due: (...args) => held(store.due(...args)),
      list: (...args) => held(store.list(...args)),
      close: async () => {},
    };
  }

  /** Lives through the whole story. Rejects at the first thing that must not happen. */
  async live(): Promise<void> {
    const { random, timeline, checker } = this;
    const check = () => checker.assertSound();
    for (let i = random.int(1, 3); i > 0; i--)
      this.#begin(random.pick(this.settings.calm ? calmBuyers : buyers), random.int(0, 30_000));
    if (this.settings.attended) void this.#tickNowAndThen();
    if (this.settings.givesBack) void this.#giveBackNowAndThen();
    await timeline.run(() => this.#open === 0, check);
    timeline.note(() => "--- the troubles are over");
    this.#isOver = true;
    for (const name of Object.keys(this.troubles) as (keyof typeof this.troubles)[]) this.troubles[name] = 0;
    this.facilitator.troubleRate = 0;
    for (const { handle } of this.instances.splice(0, this.instances.length, this.#born())) void handle.close();
    this.#open++;
    void this.#rest()
      .catch((error: unknown) => checker.fail("simulator", String(error instanceof Error ? error.message : error)))
      .finally(() => this.#open--);
    await timeline.run(() => this.#open === 0, check);
  }

  #begin(kind: (typeof buyers)[0], delayMs: number): void {
    this.#open++;
    this.timeline.at(delayMs, () => {
      this.timeline.note(() => `a buyer comes: ${kind.name}`);
      void kind(this)
        .catch((error: unknown) => this.checker.fail("simulator", String(error instanceof Error ? error.stack : error)))
        .finally(() => this.#open--);
    });
  }

  /** As timers do, or a clock that calls: often enough for a withdrawal never to be over unseen. */
  async #tickNowAndThen(): Promise<void> {
    const { delaySeconds } = this.settings;
    while (this.#open > 0) {
      const isWithdrawing = [...this.contract.channels.values()].some(({ withdrawal }) => withdrawal);
      const [least, most] = isWithdrawing ? [20, 50] : [80, 200];
      await this.timeline.sleep(this.random.int(delaySeconds * least, delaySeconds * most));
      void this.random
        .pick(this.instances)
        .handle.tick()
        .catch(() => 0);
    }
  }

  /** Calls are given back again and again, at once by more than one process. */
  async #giveBackNowAndThen(): Promise<void> {
    const { random, timeline, checker } = this;
    for (let times = random.int(5, 40); times > 0 && !this.#isOver; times--) {
      await timeline.sleep(random.pick([random.int(1000, 60_000), this.settings.delaySeconds * random.int(10, 1000)]));
      const [requestId = ""] = checker.charged.size > 0 ? random.pick([...checker.charged]) : [];
      if (requestId === "") continue;
      const by = Array.from({ length: random.int(1, 3) }, () => random.pick(this.instances));
      const asks = by.map(({ handle, death }) =>
        Promise.race([handle.refund({ requestId }).catch((error: Error) => error), death.promise]),
      );
      for (const answer of await Promise.all(asks))
        timeline.note(() => `the host gives ${requestId} back: ${JSON.stringify(answer) ?? "a process dies"}`);
    }
  }

  async #rest(): Promise<void> {
    const { timeline, checker, settings } = this;
    const [living] = this.instances;
    if (!living) return;
    for (let round = 0; round < 5; round++) {
      await timeline.sleep(Math.max(settings.delaySeconds * 400, 40_000_000));
      for (let i = 0; i < 2; i++) {
        await living.handle.tick();
        await timeline.sleep(180_000);
      }
    }
    checker.assertSettled(await living.handle.ledger({ from: "2020-01-01" }));
  }

  crashed(instance: Process): void {
    if (++this.#crashes >= MAX_CRASHES) this.troubles.crash = 0;
    // Its timers are gone with it.
    void (instance as Instance).handle.close();
    this.timeline.at(this.random.int(100, 5000), () => {
      const slot = this.instances.indexOf(instance as Instance);
      if (slot >= 0) this.instances[slot] = this.#born();
    });
  }

  newPurchase(metered = this.random.chance(0.4), uses?: bigint): Purchase {
    const { random, checker } = this;
    const n = ++this.#purchases;
    const used = uses ?? BigInt(random.pick([0, 1, 1000, 9000, 10_000, 20_000]));
    const name = metered ? "metered" : "work";
    const price = PRICES[name];
    const charge = !metered ? price : used > price ? price : used;
    const named = random.chance(0.4) ? { named: random.pick(["long", "long", "short"] as const) } : {};
    const purchase = { n, path: `/test/${name}?n=${n}&used=${used}`, price, charge, ...named };
    checker.purchases.set(n, purchase);
    return purchase;
  }

  /** One request to some process, or to this one; undefined when no answer came back. */
  async call(path: string, headers: Record<string, string> = {}, at?: Instance): Promise<Answer | undefined> {
    const { random, timeline, troubles } = this;
    const instance = at ?? random.pick(this.instances);
    const sent = headers["payment-signature"];
    if (sent) this.payments.push(JSON.parse(Buffer.from(sent, "base64").toString()));
    await timeline.sleep(random.int(0, 40));
    if (instance.dead) return undefined;
    const answering = instance.handle(new Request(`http://shop.test/api${path}`, { headers }));
    const answered = answering.then(async (response) => {
      const answer = { status: response.status, headers: response.headers, text: await response.text() };
      if (instance.dead) return undefined;
      const code = /"code":"(\w+)"/.exec(answer.text)?.[1] ?? "";
      timeline.note(() => `${instance.name} answers ${answer.status} ${path} ${sent ? "paid" : ""} ${code}`);
      return answer;
    });
    const answer = await Promise.race([answered, instance.death.promise.then(() => undefined)]);
    if (!answer) return undefined;
    await timeline.sleep(random.int(0, 40));
    return random.chance(troubles.reply) ? undefined : answer;
  }
}
