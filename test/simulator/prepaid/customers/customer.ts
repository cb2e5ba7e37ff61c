/** A wallet that buys balances and products, and spends them by a key or by signing in, while all goes wrong. */
import { createSIWxPayload, encodeSIWxHeader } from "@x402/extensions/sign-in-with-x";
import { toMicros } from "../../../../src/lib/money.js";
import { quoteOf, toHeader } from "../../../support/wallets.js";
import { authorizationKey } from "../../chain.js";
import { NETWORK, signFor, type Wallet } from "../../wallets.js";
import type { Bought } from "./oracle.js";
import { ENDPOINTS, type Endpoint, ORIGIN, PRODUCTS, TOP_UPS } from "./shop.js";
import type { Customers } from "./world.js";

/** How long somebody keeps asking after the payment has expired. */
const PATIENCE_MS = 60_000;

interface Ordered {
  path: string;
  body: object;
  price: bigint;
  usd: bigint | undefined;
  calls: number | undefined;
}

/** Sent again and again, by several at once. */
export interface Signed {
  bought: Bought;
  path: string;
  body: object;
  headers: Record<string, string>;
  validBefore: number;
}

export class Customer {
  /** Of its own account, once an answer showed one; or of another one, for which it pays. */
  key: string | undefined;
  readonly account: string;
  readonly signed: Signed[] = [];
  readonly #world: Customers;
  readonly #wallet: Wallet;
  readonly #paysFor: string | undefined;

  /** With the key of another account it pays for that. */
  constructor(world: Customers, wallet: Wallet, other?: { account: string; key: string }) {
    this.#world = world;
    this.#wallet = wallet;
    this.#paysFor = other?.key;
    this.key = other?.key;
    this.account = other?.account ?? `${NETWORK}:${wallet.address.toLowerCase()}`;
  }

  async live(): Promise<void> {
    const { random, timeline } = this.#world;
    for (let i = random.int(1, 4); i > 0; i--) {
      await timeline.sleep(random.int(0, 15_000));
      // Now and then two at once, also of one kind.
      const order = this.#order();
      const orders = random.pick([[order], [order], [order, this.#order()], [order, order]]);
      await Promise.all(orders.map((one) => this.#buys(one)));
      await Promise.all(Array.from({ length: random.int(1, 3) }, () => this.#spends()));
    }
  }

  #order(): Ordered {
    const { random } = this.#world;
    const key = this.#paysFor === undefined && random.chance(0.6);
    if (random.chance(0.5)) {
      const usd = random.pick(TOP_UPS);
      return { path: "account/top-up", body: { usd, key }, price: toMicros(usd), usd: toMicros(usd), calls: undefined };
    }
    const { id, priceUsd, grant } = random.pick(PRODUCTS);
    const worth = { usd: grant.usd === undefined ? undefined : toMicros(grant.usd), calls: grant.calls };
    return { path: "account/buy", body: { product: id, key }, price: toMicros(priceUsd), ...worth };
  }

  async #buys(order: Ordered): Promise<void> {
    const { random, timeline, chain } = this.#world;
    const signed = await this.#sign(order);
    if (!signed) return;
    this.signed.push(signed);
    const { bought } = signed;
    const trick = random.int(0, 19);
    if (trick < 2) bought.meddled = true;
    const authorization = this.#world.authorizationOf(bought.key);
    if (trick === 0) chain.cancel(authorization);
    if (trick === 1) chain.bundle(authorization, []);
    // The same money for something else at the same time.
    const other = trick === 2 ? [this.#sendOther(signed)] : [];
    const copies = Array.from({ length: random.pick([1, 1, 2, 3]) }, () => this.insist(signed));
    await Promise.all([...copies, ...other]);
    await timeline.sleep(random.int(0, 5000));
  }

  async #sign({ path, body, price, usd, calls }: Ordered): Promise<Signed | undefined> {
    const { random, timeline, oracle } = this.#world;
    for (let tries = 0; tries < 20; tries++) {
      const answer = await this.#world.post(path, body, this.#beside());
      const [terms] = answer?.status === 402 ? quoteOf(answer as unknown as Response).accepts : [];
      if (!terms) {
        await timeline.sleep(1000);
        continue;
      }
      const lifeSeconds = random.chance(0.3) ? 600 : undefined;
      const made = await signFor(terms, {
        wallet: this.#wallet,
        now: timeline.now,
        serial: this.#world.serial(),
        lifeSeconds,
      });
      this.#world.facilitator.register(made.authorization, made.payment.payload.signature ?? "");
      const facts = { payer: this.#wallet.address.toLowerCase(), account: this.account, price, usd, calls };
      const bought = { key: authorizationKey(made.authorization), ...facts, meddled: false, asked: new Set<bigint>() };
      this.#world.signed(made.authorization);
      oracle.bought.set(bought.key, bought);
      const headers = { "payment-signature": toHeader(made.payment), ...this.#beside() };
      return { bought, path, body, headers, validBefore: Number(made.authorization.validBefore) * 1000 };
    }
    return undefined;
  }

  #beside(): Record<string, string> {
    return this.#paysFor === undefined ? {} : { authorization: `Bearer ${this.#paysFor}` };
  }

  /** Sends a payment until an answer settles the matter, or until it has long expired. */
  async insist({ bought, path, body, headers, validBefore }: Signed): Promise<void> {
    const { random, timeline, oracle, chain } = this.#world;
    for (;;) {
      const wasPaid = chain.transferOf(bought.key) !== undefined && !chain.takenBack.has(bought.key);
      const answer = await this.#world.post(path, body, headers);
      if (answer?.status === 200) {
        const told = JSON.parse(answer.text) as { account: string; key?: string };
        oracle.answered(bought, told);
        if (this.#paysFor === undefined) this.key = told.key ?? this.key;
        return;
      }
      if (answer?.status === 402 && wasPaid && !bought.meddled)
        throw new Error(`PAY-27: ${bought.key} was paid, and is asked for again: ${answer.text}`);
      if (answer && answer.status < 500) return;
      if (timeline.now > validBefore + PATIENCE_MS) return;
      await timeline.sleep(random.int(200, 10_000));
    }
  }

  async #sendOther({ bought, headers }: Signed): Promise<void> {
    let other = this.#order();
    while (other.price === bought.price) other = this.#order();
    const answer = await this.#world.post(other.path, other.body, headers);
    if (answer?.status === 200) throw new Error(`TOP-1: ${bought.key} bought ${JSON.stringify(other.body)} as well`);
  }

  /** Calls by the key, or by signing in, now and then with copies at once. */
  async #spends(): Promise<void> {
    const { random, timeline } = this.#world;
    for (let i = random.int(1, 4); i > 0; i--) {
      const n = this.#world.nextCall();
      const endpoint = random.pick(ENDPOINTS);
      const name = random.chance(0.5) ? this.#world.named(n) : undefined;
      const ask = async () => {
        for (let tries = 0; tries < 4; tries++) {
          const status = await this.#call(n, endpoint, name);
          if (!name || status === 200 || status === 402) return;
          await timeline.sleep(random.int(200, 20_000));
        }
      };
      await Promise.all(Array.from({ length: name && random.chance(0.3) ? 2 : 1 }, ask));
      await timeline.sleep(random.int(0, 8000));
    }
  }

  async #call(n: number, endpoint: Endpoint, name: string | undefined): Promise<number> {
    const path = `test/${endpoint}?n=${n}`;
    const own: Record<string, string> = name === undefined ? {} : { "idempotency-key": name };
    const proof = this.key === undefined ? await this.#proofFor(path) : {};
    if (!proof) return 0;
    const auth = this.key === undefined ? proof : { authorization: `Bearer ${this.key}` };
    return this.#world.call(n, path, { ...own, ...auth });
  }

  /** Signs in as the official client does. */
  async #proofFor(path: string): Promise<Record<string, string> | undefined> {
    const answer = await this.#world.get(path, {});
    if (answer?.status !== 402) return undefined;
    const offer = quoteOf(answer as unknown as Response).extensions?.["sign-in-with-x"] as { info: object };
    const told = { ...offer.info, chainId: NETWORK, type: "eip191" } as never;
    const made = createSIWxPayload(told, this.#wallet.account as never, `${ORIGIN}/api/${path}`);
    this.#world.timeline.stopFor(made);
    return { "sign-in-with-x": encodeSIWxHeader(await made) };
  }
}
