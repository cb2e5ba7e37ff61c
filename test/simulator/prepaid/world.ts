/** One seeded world of accounts: processes that die, webhooks told again, calls at once, holds that end by themselves. */
import { fromMicros, toMicros } from "../../../src/lib/money.js";
import { parseAccountRecord } from "../../../src/payment/accounts/record/record.js";
import { createMemoryStore } from "../../../src/stores/memory/memory.js";
import type { Store } from "../../../src/stores/store.js";
import type { Process, Surroundings } from "../process.js";
import { Random } from "../random.js";
import { enter, Timeline } from "../timeline.js";
import { AccountShop } from "./instance.js";
import { Oracle } from "./oracle.js";

const USER = "ada";
const MAX_CRASHES = 4;
/** A charge is given up after so many. */
const ATTEMPTS = 3;
const PATIENCE_MS = 90_000;
/** Longer than any hold. */
const REST_MS = 15 * 60_000;

export class Prepaid implements Surroundings {
  readonly random: Random;
  readonly timeline = new Timeline();
  readonly oracle = new Oracle();
  readonly store: Store;
  readonly settings: {
    skewMs: number;
    usdPerDay: bigint | undefined;
    rich: boolean;
    listens: boolean;
    reprices: number;
  };
  readonly troubles: { crash: number; delay: number; store: number; failure: number; receiver: number };
  readonly #shops: AccountShop[] = [];
  #births = 0;
  #crashes = 0;
  #purchases = 0;
  #keys = 0;
  #failure: string | undefined;
  /** The account as the store has it. */
  #account: ReturnType<typeof parseAccountRecord> | undefined;

  constructor(seed: number) {
    this.random = new Random(seed);
    enter(this.timeline, this.random);
    Object.assign(this.timeline, { turns: 8, patience: 5000 });
    const { random } = this;
    this.settings = {
      skewMs: random.pick([0, 0, 4000, 89_000]),
      usdPerDay: random.chance(0.3) ? 80_000n : undefined,
      rich: random.chance(0.5),
      listens: random.chance(0.5),
      // How often a price is set while a call runs.
      reprices: random.pick([0, 0.1]),
    };
    this.troubles = {
      crash: random.pick([0, 0.005, 0.02]),
      delay: random.pick([0.1, 0.3, 0.8]),
      store: random.pick([0, 0, 0.01, 0.05]),
      failure: random.pick([0, 0.1, 0.4]),
      receiver: random.pick([0, 0.2]),
    };
    const kept = createMemoryStore({ clock: () => new Date(this.timeline.now) });
    this.store = {
      ...kept,
      put: async (key, value, options) => {
        const version = await kept.put(key, value, options);
        if (version !== undefined && key === `account:${USER}`) this.#account = parseAccountRecord(value);
        return version;
      },
    };
    for (let i = random.int(1, 3); i > 0; i--) this.#shops.push(this.#born());
  }

  #born(): AccountShop {
    return new AccountShop(this, `process ${++this.#births}`);
  }

  crashed(process: Process): void {
    const slot = this.#shops.indexOf(process as AccountShop);
    if (++this.#crashes >= MAX_CRASHES) this.troubles.crash = 0;
    if (slot >= 0) this.#shops[slot] = this.#born();
  }

  /** No more is held and spent than there is, at any time. */
  #assertSound = (): void => {
    if (this.#failure) throw new Error(this.#failure);
    if (!this.#account) return;
    const { balance, holds, usage } = this.#account;
    const held = Object.values(holds).reduce((sum, { amount }) => sum + amount, 0n);
    if (balance < held) throw new Error(`ACC-7: ${held} are held of ${balance}`);
    const { usdPerDay } = this.settings;
    const spent = usage.account?.day.spent ?? 0n;
    if (usdPerDay !== undefined && spent > usdPerDay)
      throw new Error(`ACC-8: ${spent} are spent of ${usdPerDay} a day`);
  };

  /** What a process answers; undefined if it dies or takes too long. */
  async #with<T>(work: (shop: AccountShop) => Promise<T>): Promise<T | undefined> {
    const shop = this.random.pick(this.#shops);
    const late = this.timeline.sleep(PATIENCE_MS).then(() => undefined);
    return Promise.race([work(shop), shop.death.promise.then(() => undefined), late]);
  }

  async #call(n: number, endpoint: string, key: string | undefined): Promise<number> {
    const headers = { "x-user": USER, ...(key ? { "idempotency-key": key } : {}) };
    const request = () => new Request(`http://shop.test/api/test/${endpoint}?n=${n}`, { headers });
    const answer = await this.#with(async (shop) => {
      const { failures } = shop;
      const response = await shop.handle(request());
      const text = await response.text();
      return { status: response.status, text, isSilent: shop.failures - failures >= ATTEMPTS };
    });
    if (!answer) return 0;
    this.timeline.note(() => `purchase ${n}${key ? ` (${key})` : ""}: ${answer.status}`);
    if (answer.status === 500) throw new Error(`500: ${answer.text}`);
    if (answer.status !== 200) {
      if (!key && !answer.isSilent) this.oracle.failed(JSON.parse(answer.text).requestId);
      return answer.status;
    }
    const { data, meta } = JSON.parse(answer.text);
    const [{ run }] = data.items;
    const [cost, quoted] = [toMicros(meta.costUsd), toMicros(meta.quotedUsd)];
    this.oracle.delivered({ n, run, cost, quoted, requestId: meta.requestId }, key !== undefined);
    return 200;
  }

  /** Buys, now and then with copies at once, and asks again under the same key until it knows. */
  async #buyer(): Promise<void> {
    const { random, timeline } = this;
    for (let i = random.int(3, 12); i > 0; i--) {
      const n = this.#purchases++;
      const endpoint = random.pick(["work", "model"]);
      const key = random.chance(0.5) ? `key-${n}` : undefined;
      if (key) this.#keys++;
      const copies = key && random.chance(0.3) ? 3 : 1;
      const ask = async () => {
        for (let tries = 0; tries < 6; tries++) {
          const status = await this.#call(n, endpoint, key);
          if (!key || status === 200 || status === 402) return;
          await timeline.sleep(random.int(200, 30_000));
        }
      };
      await Promise.all(Array.from({ length: copies }, ask));
      await timeline.sleep(random.int(0, 20_000));
    }
  }

  /** A payment provider tells each payment until it hears that it was booked, and now and then once more. */
  async #provider(): Promise<void> {
    const { random, timeline } = this;
    for (let i = random.int(2, 5); i > 0; i--) {
      const reference = `payment-${i}`;
      const amount = BigInt(this.settings.rich ? random.int(100_000, 500_000) : random.int(5000, 40_000));
      this.oracle.paidIn(reference, amount);
      const tell = () =>
        this.#with(({ handle }) =>
          handle.accounts.topUp(USER, fromMicros(amount), { reference }).then(
            () => true,
            () => false,
          ),
        );
      while (!(await tell())) await timeline.sleep(random.int(500, 20_000));
      if (random.chance(0.4)) await Promise.all([tell(), tell()]);
      await timeline.sleep(random.int(0, 30_000));
    }
  }

  /** Gives some calls back, each of them more than once. */
  async #refunds(): Promise<void> {
    const { random, timeline } = this;
    for (let i = random.int(0, 4); i > 0; i--) {
      await timeline.sleep(random.int(10_000, 60_000));
      const answer = this.oracle.answers.at(-1);
      if (!answer) continue;
      const { requestId } = answer;
      // By either way, and at once by more than one process.
      const ask = () =>
        this.#with<unknown>(({ handle }) =>
          (random.chance(0.5) ? handle.refund({ requestId }) : handle.accounts.refund(requestId)).catch(
            () => undefined,
          ),
        );
      await Promise.all([ask(), ask()]);
      await ask();
    }
  }

  async #story(): Promise<void> {
    const { random, timeline } = this;
    // Whatever the clocks say, all of it is one day.
    await timeline.sleep(600_000);
    const { usdPerDay } = this.settings;
    if (usdPerDay !== undefined) {
      const limit = () =>
        this.#with(({ handle }) =>
          handle.accounts.setLimits(USER, { usdPerDay: fromMicros(usdPerDay) }).then(
            () => true,
            () => false,
          ),
        );
      while (!(await limit())) await timeline.sleep(1000);
    }
    const buyers = Array.from({ length: random.int(1, 4) }, () => this.#buyer());
    await Promise.all([this.#provider(), this.#refunds(), ...buyers]);
    Object.assign(this.troubles, { crash: 0, delay: 0, store: 0, failure: 0, receiver: 0 });
    await timeline.sleep(REST_MS);
    // What was put off for an hour or more comes, too.
    for (let rounds = 0; this.settings.listens && rounds < 12; rounds++) {
      await this.#born().handle.tick();
      await timeline.sleep(REST_MS);
    }
    await this.#assertAtRest();
  }

  async #assertAtRest(): Promise<void> {
    const { handle } = this.#born();
    const entries = await handle.accounts.entries(USER);
    this.oracle.assertBook(entries, await handle.accounts.balance(USER), this.#keys);
    if (this.settings.listens) this.oracle.assertHeard(entries);
    const { total } = await handle.ledger({ by: [] });
    const sum = (kind: string) =>
      entries.filter((entry) => entry.kind === kind).reduce((all, { usd }) => all + Math.round(Number(usd) * 1e6), 0);
    const [sold, back] = [-sum("sale"), sum("refund")];
    if (total.prepaidUsd !== (sold > 0 ? fromMicros(BigInt(sold)) : undefined))
      throw new Error(`ACC-9: the ledger has sales of ${total.prepaidUsd}, the book of ${sold}`);
    if (total.creditedUsd !== fromMicros(BigInt(back)) || total.owedUsd !== "0")
      throw new Error(`ACC-9: the ledger has ${total.creditedUsd} given back, the book ${back}`);
  }

  /** Lives through the whole story. Rejects at the first thing that must not happen. */
  async live(): Promise<void> {
    let isOver = false;
    void this.#story()
      .catch((error: unknown) => {
        this.#failure ??= error instanceof Error ? error.message : String(error);
      })
      .finally(() => {
        isOver = true;
      });
    await this.timeline.run(() => isOver, this.#assertSound);
    this.#assertSound();
  }
}
