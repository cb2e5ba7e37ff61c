/** One payment does its work once, and is kept only where it did. */
import { afterAll, afterEach, expect, it } from "vitest";
import { z } from "zod";
import { convertUnit } from "../../src/capabilities/convert/index.js";
import { storeKvGet, storeKvIncrement, storeKvPut } from "../../src/capabilities/store/index.js";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import { CapabilityError } from "../../src/errors.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import type { Store } from "../../src/stores/store.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { openWalletShop, type WalletShop } from "../support/wallet-shop.js";
import { onBothEngines } from "../support/wallets-engine.js";

const COUNT = "store.kv-increment";

/** Passes what is looked up before its money moves, and then fails. */
const failing = defineCapability({
  id: "test.failing",
  method: "POST",
  summary: "Fails after its payment.",
  price: "0.002",
  source: { provider: "test", url: "", license: "MIT" },
  wallet: { effects: true },
  input: () => z.strictObject({ n: z.int().describe("Any number") }),
  output: one(z.object({ done: z.boolean() })),
  example: { n: 1 },
  async run(): Promise<{ item: { done: boolean } }> {
    throw new CapabilityError("NOT_FOUND", "Gone meanwhile.");
  },
});

const itemOf = async (response: Response): Promise<Record<string, unknown> | undefined> =>
  ((await response.json()) as { data?: { items: Record<string, unknown>[] } }).data?.items[0];

onBothEngines("a payment", (engine) => {
  const shops: WalletShop[] = [];
  /** What waits for its store as long as that may take: closing it waits along, so that is not for each test. */
  const dead: WalletShop[] = [];
  const open = (options: Partial<Parameters<typeof openWalletShop>[0]> = {}, among = shops) => {
    const capabilities = [storeKvPut, storeKvGet, storeKvIncrement, convertUnit, failing];
    const shop = openWalletShop({ capabilities, wallets: engine.options(), trial: false, ...options });
    among.push(shop);
    return shop;
  };
  afterEach(async () => {
    for (const shop of shops.splice(0)) await shop.handle.close();
  });
  afterAll(() => Promise.all(dead.map(({ handle }) => handle.close())));

  it("WAL-9 sent 40 times at once to two instances has one effect and one answer", async () => {
    const facilitator = fakeFacilitator();
    const [one, two] = [open({ facilitator }), open({ facilitator })];
    const input = { ns: "once", key: "copies" };
    const payment = await one.payFor(COUNT, input);
    const copies = Array.from({ length: 40 }, (_, i) => (i % 2 ? one : two).pay(COUNT, input, payment));
    const answers = await Promise.all((await Promise.all(copies)).map((response) => response.text()));
    expect([...new Set(answers)]).toEqual([answers[0]]);
    expect(answers[0]).toContain('"value":1,"changed":true');
    expect(facilitator.settled.length).toBe(1);
    expect(await itemOf(await one.buy("store.kv-get", input))).toMatchObject({ value: 1 });
  });

  it("WAL-14 signed anew under the same idempotency key buys nothing twice", async () => {
    const shop = open();
    const input = { ns: "once", key: "named" };
    const headers = { "idempotency-key": "order-7" };
    for (let i = 0; i < 2; i++)
      expect(await itemOf(await shop.buy(COUNT, input, { headers }))).toMatchObject({ value: 1 });
    expect((await shop.buy(COUNT, { ...input, by: 2 }, { headers })).status).toBe(402);
    expect(shop.facilitator.settled.length).toBe(1);
  });

  it.each([true, false])(
    "WAL-10 whose host dies between the work and its record is good for it (comes back: %s)",
    async (comesBack) => {
      const [facilitator, clock] = [fakeFacilitator(), fakeClock()];
      facilitator.setClock(clock.seconds);
      const store = createMemoryStore({ clock });
      const shared = { facilitator, clock, wallets: engine.options() };
      const dying = open({ ...shared, store: neverSaving(store) }, dead);
      const next = open({ ...shared, store });
      const input = { ns: "died", key: String(comesBack) };
      const payment = await next.payFor(COUNT, input);
      void dying.pay(COUNT, input, payment);
      const wallet = () => next.handle.call("store.kv-get" as never, input as never, { wallet: WALLET });
      await expect
        .poll(() =>
          wallet().then(
            () => "done",
            () => "not yet",
          ),
        )
        .toBe("done");
      clock.advance(300);
      if (comesBack) expect(await itemOf(await next.pay(COUNT, input, payment))).toMatchObject({ value: 1 });
      clock.advance(1800);
      for (let i = 0; i < 3; i++) await next.handle.reconcile();
      expect(facilitator.settled.map(({ value }) => value)).toEqual([2000n]);
      const late = await next.pay(COUNT, input, payment);
      expect([late.status, late.headers.get("x-svc-credit")]).toEqual([200, null]);
      expect(await itemOf(late)).toMatchObject({ value: 1, changed: true });
    },
  );

  it("WAL-6 is the proof of a wallet, and credit alone is none", async () => {
    const shop = open();
    const failed = await shop.buy("test.failing", { n: 1 });
    const credit = { "x-svc-credit": failed.headers.get("x-svc-credit") ?? "" };
    expect([failed.status, credit["x-svc-credit"].length > 0]).toEqual([404, true]);
    const alone = await shop.post(COUNT, { ns: "credit", key: "k" }, credit);
    expect(await bodyOf(alone)).toMatchObject({ extensions: { code: "WALLET_UNPROVEN" } });
    expect((await shop.buy(COUNT, { ns: "credit", key: "k" }, { headers: credit })).status).toBe(200);
    // The wallet that signed has that credit, so the purchase has used it up.
    const spent = new Request("http://shop.test/api/convert/unit?value=1&from=kg&to=lb", { headers: credit });
    expect((await shop.handle(spent)).status).toBe(402);
  });
});

const WALLET = "eip155:8453:0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a";

/** A process that dies once its work is done: it never gets to write the result down. */
const neverSaving = (store: Store): Store => ({
  ...store,
  put: (key, value, options) => (value.includes('"outcome"') ? new Promise(() => {}) : store.put(key, value, options)),
  close: async () => {},
});
