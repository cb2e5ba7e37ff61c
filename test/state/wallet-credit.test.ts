/** Changes of a wallet's state that the wallet's credit pays for: made once, charged once, also where a process dies. */
import { afterEach, expect, it } from "vitest";
import { storeKvGet, storeKvIncrement } from "../../src/capabilities/store/index.js";
import { createCredits } from "../../src/payment/refund/credit.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { fakeClock } from "../support/clock.js";
import { fated } from "../support/mortal-store.js";
import { openWalletShop, type WalletShop } from "../support/wallet-shop.js";
import { alice, quoteOf, sign, TREASURY, toHeader } from "../support/wallets.js";
import { onBothEngines } from "../support/wallets-engine.js";

const NETWORK = "eip155:8453";
const ACCOUNT = `${NETWORK}:${TREASURY.toLowerCase()}`;
const own = { hasId: () => true, names: [ACCOUNT], on: () => ACCOUNT };

onBothEngines("a change that a wallet's credit pays for", (engine) => {
  const shops: WalletShop[] = [];
  afterEach(async () => {
    for (const { handle } of shops.splice(0)) await handle.close();
  });

  async function open(key: string) {
    const clock = fakeClock(new Date().toISOString());
    const living = createMemoryStore({ clock });
    const fate = { left: Number.POSITIVE_INFINITY, done: true, forGood: true };
    const mortal = fated(living, fate);
    const credits = createCredits(living, () => clock().getTime(), own);
    await credits.issue("earlier", alice.address, 100_000n, ACCOUNT);
    const shopOn = (store: typeof living, facilitator?: WalletShop["facilitator"]) => {
      const shop = openWalletShop({
        capabilities: [storeKvIncrement, storeKvGet],
        ...{ wallets: engine.options(), trial: false, store, clock },
        ...(facilitator ? { facilitator } : {}),
      });
      shops.push(shop);
      return shop;
    };
    const next = shopOn(living);
    const dying = shopOn(mortal.store, next.facilitator);
    const input = { ns: "credit", key, by: 1 };
    const [terms] = quoteOf(await next.post("store.kv-increment", input)).accepts;
    if (!terms) throw new Error("nothing offered");
    const validBefore = String(clock.seconds() + 86_400);
    const payment = toHeader(await sign(terms, { now: clock.seconds(), authorization: { validBefore } }));
    const pay = (shop: WalletShop) => shop.pay("store.kv-increment", input, payment);
    const left = async () => (await credits.ofWallet(NETWORK, alice.address))?.available;
    return { clock, fate, mortal, next, dying, pay, left, price: BigInt(terms.amount) };
  }

  const valueIn = async (response: Response) =>
    ((await response.json()) as { data: { items: { value: number }[] } }).data.items[0]?.value;

  it("is made and charged once, and nothing is settled", async () => {
    const { next, pay, left, price } = await open("plain");
    const first = await pay(next);
    expect([first.status, await valueIn(first)]).toEqual([200, 1]);
    expect(await valueIn(await pay(next))).toBe(1);
    expect([await left(), next.facilitator.asked("settle")]).toEqual([100_000n - price, 0]);
  });

  it.each([8, 10, 12, 13])(
    "is made and charged once though a process dies at operation %i of its store",
    async (operations) => {
      const { clock, fate, mortal, next, dying, pay, left, price } = await open(`crash-${operations}`);
      await dying.post("store.kv-increment", { ns: "credit", key: "warm", by: 1 });
      fate.left = operations;
      const answer = pay(dying).catch(() => undefined);
      await Promise.race([answer, mortal.failed]);
      clock.advance(400);
      await next.handle.reconcile();
      const again = await pay(next);
      expect([again.status, await valueIn(again)]).toEqual([200, 1]);
      clock.advance(3000);
      await next.handle.reconcile();
      await next.handle.reconcile();
      expect([await left(), next.facilitator.asked("settle")]).toEqual([100_000n - price, 0]);
    },
  );

  it("is charged where nobody comes back for its answer", async () => {
    const { clock, fate, mortal, next, dying, pay, left, price } = await open("gone");
    await dying.post("store.kv-increment", { ns: "credit", key: "warm", by: 1 });
    // The credit is held on for the work, whose end is not written any more.
    fate.left = 11;
    const answer = pay(dying).catch(() => undefined);
    await Promise.race([answer, mortal.failed]);
    for (let i = 0; i < 4; i++) {
      clock.advance(1000);
      await next.handle.reconcile();
    }
    const made = (await next.handle
      .call(
        "store.kv-get" as never,
        { ns: "credit", key: "gone" } as never,
        {
          wallet: `${NETWORK}:${alice.address.toLowerCase()}`,
        } as never,
      )
      .then(() => true)
      .catch(() => false)) as boolean;
    expect(await left()).toBe(made ? 100_000n - price : 100_000n);
  });
});
