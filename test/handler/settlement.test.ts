import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { FACILITATOR_URL, type Fault, fakeFacilitator } from "../support/facilitator.js";
import { failing, NETWORK, openShop, receiptOf } from "../support/shop.js";
import { alice, mallory, type SignedPayment, TREASURY, toHeader, withoutRetryKey } from "../support/wallets.js";

const WORK = "/test/work?n=1";
const codeOf = async (response: Response) => {
  const body = await bodyOf(response);
  return body.code ?? body.extensions?.code;
};

describe("a settlement whose outcome is unclear", () => {
  it.each<Fault>(["drop-after", "pending-after", "refuse-after", "other-payer"])(
    "PAY-24 %s, where the chain can be read, is looked up and delivered at once if it is there",
    async (fault) => {
      const shop = openShop({ node: true });
      shop.facilitator.showChain();
      shop.facilitator.faults.settle.push(fault);
      const payment = await shop.payFor(WORK);
      const first = await shop.pay(WORK, payment);
      if (fault === "other-payer") {
        // The lie moved nothing, so there is nothing to find, and the next try settles.
        expect(await codeOf(first)).toBe("SETTLEMENT_PENDING");
        expect((await shop.pay(WORK, payment)).status).toBe(200);
      } else {
        expect(first.status).toBe(200);
        expect(receiptOf(first).transaction).toBe(payment.payload.authorization.nonce);
      }
      expect([shop.runs(), shop.facilitator.settled.length]).toEqual([1, 1]);
    },
  );

  it("a refusal that hides a settlement is never answered 402: the payer would pay twice", async () => {
    const shop = openShop();
    shop.facilitator.faults.settle.push("refuse-after");
    const payment = await shop.payFor(WORK);
    expect(await codeOf(await shop.pay(WORK, payment))).toBe("SETTLEMENT_PENDING");
    expect((await shop.pay(WORK, payment)).status).toBe(200);
    expect([shop.runs(), shop.facilitator.settled.length]).toEqual([1, 1]);
  });

  it("a payment that is refused for want of money each time is answered 402 each time, and settled once there is some", async () => {
    const shop = openShop();
    const payment = await shop.payFor(WORK);
    shop.facilitator.faults.settle.push("refuse-poor", "refuse-poor", "refuse-poor");
    for (let i = 0; i < 3; i++) expect(await codeOf(await shop.pay(WORK, payment))).toBe("SETTLEMENT_REFUSED");
    expect((await shop.pay(WORK, payment)).status).toBe(200);
    expect([shop.runs(), shop.facilitator.settled.length]).toEqual([1, 1]);
  });

  it("ATK-2 an authorization that its payer cancels after a refusal for want of money buys nothing", async () => {
    const shop = openShop();
    const payment = await shop.payFor(WORK);
    shop.facilitator.faults.settle.push("refuse-poor");
    expect((await shop.pay(WORK, payment)).status).toBe(402);
    shop.facilitator.useUp(payment.payload.authorization, "cancelled");
    for (let i = 0; i < 3; i++) expect(await codeOf(await shop.pay(WORK, payment))).toBe("SETTLEMENT_PENDING");
    expect(shop.facilitator.settled).toEqual([]);
  });

  it("ATK-2 a refusal for want of money after an answer that was lost stays open", async () => {
    const shop = openShop();
    const payment = await shop.payFor(WORK);
    shop.facilitator.faults.settle.push("drop", "refuse-poor", "refuse-poor");
    for (let i = 0; i < 3; i++) expect(await codeOf(await shop.pay(WORK, payment))).toBe("SETTLEMENT_PENDING");
  });

  it.each([
    ["used by somebody who put it on chain first", "used" as const, 200],
    ["cancelled by its payer", "cancelled" as const, 402],
  ])("PAY-34 an authorization %s while we work is looked up", async (_, kind, status) => {
    const shop = openShop({ node: true });
    shop.facilitator.showChain();
    const payment = await shop.payFor(WORK);
    shop.behaviours.push(async () => void shop.facilitator.useUp(payment.payload.authorization, kind));
    expect((await shop.pay(WORK, payment)).status).toBe(status);
    expect(shop.facilitator.settled).toHaveLength(0);
  });

  it("ATK-2 that may have been lost is not taken for done while the named node is silent", async () => {
    const shop = openShop({ node: true });
    const payment = await shop.payFor(WORK);
    shop.facilitator.faults.settle.push("drop");
    expect(await codeOf(await shop.pay(WORK, payment))).toBe("SETTLEMENT_PENDING");
    // It never arrived, and its payer takes it back: to the facilitator that looks as if it had been settled.
    shop.facilitator.useUp(payment.payload.authorization, "cancelled");
    for (let i = 0; i < 3; i++) expect(await codeOf(await shop.pay(WORK, payment))).toBe("SETTLEMENT_PENDING");
    shop.facilitator.showChain();
    expect((await shop.pay(WORK, payment)).status).toBe(402);
  });

  it("ATK-2 a refusal counts for nothing while the named node is silent", async () => {
    const shop = openShop({ node: true });
    const payment = await shop.payFor(WORK);
    shop.facilitator.faults.settle.push("refuse-poor");
    expect(await codeOf(await shop.pay(WORK, payment))).toBe("SETTLEMENT_PENDING");
    expect((await shop.pay(WORK, payment)).status).toBe(200);
    expect([shop.runs(), shop.facilitator.settled.length]).toEqual([1, 1]);
  });

  it("ATK-1 is not proven by a transfer that was counted for another payment, whatever a node says", async () => {
    const facilitator = fakeFacilitator();
    facilitator.showChain();
    const nonces: string[] = [];
    /** A node that answers for every payment what it knows of the first. */
    const fetch: typeof globalThis.fetch = async (input, init) => {
      if (String(input) !== "https://mainnet.base.org") return facilitator.fetch(input, init);
      const [first = "", ...others] = nonces.map((nonce) => nonce.slice(2));
      const asked = others.reduce((body, other) => body.replaceAll(other, first), String(init?.body));
      const answer = await (await facilitator.fetch(input, { ...init, body: asked })).text();
      return new Response(answer, { headers: { "content-type": "application/json" } });
    };
    const shop = openShop({ facilitator, fetch, node: true });
    const answers = [];
    for (const fault of ["drop-after", "drop", "drop"] as const) {
      const payment = await shop.payFor(WORK);
      nonces.push(payment.payload.authorization.nonce);
      shop.facilitator.faults.settle.push(fault);
      answers.push((await shop.pay(WORK, payment)).status);
    }
    expect(answers).toEqual([200, 502, 502]);
    expect((await shop.handle.ledger()).total.calls).toBe(1);
  });

  it("PAY-25 is not taken from the facilitator's word for a transaction that it named for another payment", async () => {
    const shop = openShop({ node: true });
    shop.facilitator.showChain();
    const payments = [await shop.payFor(WORK), await shop.payFor(WORK)];
    shop.facilitator.faults.settle.push("lie-yes", "lie-yes");
    expect((await shop.pay(WORK, payments[0])).status).toBe(200);
    expect(await codeOf(await shop.pay(WORK, payments[1]))).toBe("SETTLEMENT_PENDING");
    expect((await shop.pay(WORK, payments[1])).status).toBe(200);
    expect(shop.facilitator.settled).toHaveLength(1);
  });

  it("PAY-25 is taken from the chain where one transaction holds the transfers of several payments", async () => {
    const facilitator = fakeFacilitator();
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const response = await facilitator.fetch(input, init);
      if (!String(input).endsWith("/settle")) return response;
      return Response.json({ ...((await response.json()) as object), transaction: "0xbatch" });
    };
    const shop = openShop({ facilitator, fetch, node: true });
    facilitator.showChain();
    for (let n = 0; n < 2; n++) expect((await shop.pay(WORK, await shop.payFor(WORK))).status).toBe(200);
    expect(facilitator.settled).toHaveLength(2);
  });

  it("PAY-34 without a claim of ours a used authorization is 402", async () => {
    const shop = openShop({ node: true });
    shop.facilitator.showChain();
    const payment = await shop.payFor(WORK);
    shop.facilitator.useUp(payment.payload.authorization, "used");
    expect((await shop.pay(WORK, payment)).status).toBe(402);
    expect(shop.runs()).toBe(0);
  });

  it("PAY-34 a cancelled authorization is not taken for a used one while the chain cannot be read", async () => {
    const shop = openShop({ node: true });
    const payment = await shop.payFor(WORK);
    shop.behaviours.push(async () => void shop.facilitator.useUp(payment.payload.authorization, "cancelled"));
    for (let i = 0; i < 3; i++) expect(await codeOf(await shop.pay(WORK, payment))).toBe("SETTLEMENT_PENDING");
    shop.facilitator.showChain();
    expect(await codeOf(await shop.pay(WORK, payment))).toBe("SETTLEMENT_REFUSED");
  });

  describe("where no node can be asked", () => {
    const QUARTER = 900;
    function open() {
      const store = createMemoryStore();
      const said: string[] = [];
      const say = (_: object, message: string) => void said.push(message);
      const shop = openShop({
        store,
        logger: { debug() {}, info() {}, warn() {}, error: say },
        payment: { treasury: { [NETWORK]: TREASURY }, facilitator: { url: FACILITATOR_URL }, rpc: false },
      });
      const pass = async (hours: number) => {
        for (let quarters = 0; quarters < 4 * hours; quarters++) {
          shop.clock.advance(QUARTER);
          await shop.handle.reconcile();
        }
      };
      const answer = async (payment: SignedPayment) => {
        const response = await shop.pay(WORK, payment);
        return [response.status, (await bodyOf(response)).code];
      };
      return { ...shop, store, said, pass, answer };
    }

    it.each(["used", "cancelled"] as const)(
      "PAY-24 and it was %s before it was settled first, it is neither delivered nor asked for again, and that ends in a day",
      async (kind) => {
        const shop = open();
        const payment = await shop.payFor(WORK);
        shop.behaviours.push(async () => void shop.facilitator.useUp(payment.payload.authorization, kind));
        expect(await shop.answer(payment)).toEqual([502, "SETTLEMENT_PENDING"]);
        // An answer that is lost later says nothing new.
        shop.facilitator.faults.settle.push("drop", "none", "drop");
        for (let i = 0; i < 4; i++) expect(await shop.answer(payment)).toEqual([502, "SETTLEMENT_PENDING"]);
        await shop.pass(25);
        expect([await shop.store.due(Number.MAX_SAFE_INTEGER, 10), shop.said.join()]).toEqual([
          [],
          expect.stringContaining("whether a payment was settled is unknown"),
        ]);
        const asked = shop.facilitator.asked("settle");
        await shop.pass(2);
        for (let i = 0; i < 2; i++) expect(await shop.answer(payment)).toEqual([410, "ANSWER_NOT_KEPT"]);
        expect([shop.runs(), shop.facilitator.asked("settle") - asked]).toEqual([1, 0]);
        expect((await shop.handle.ledger()).total).toMatchObject({ calls: 0, settledUsd: "0" });
      },
    );

    it("PAY-24 and the facilitator says at last that it settled it, it is delivered", async () => {
      const shop = open();
      const payment = await shop.payFor(WORK);
      shop.behaviours.push(async () => void shop.facilitator.useUp(payment.payload.authorization, "used"));
      expect(await shop.answer(payment)).toEqual([502, "SETTLEMENT_PENDING"]);
      shop.facilitator.faults.settle.push("lie-yes");
      expect((await shop.answer(payment))[0]).toBe(200);
      expect(shop.runs()).toBe(1);
    });

    it("PAY-24 and the facilitator is silent, it stays open", async () => {
      const shop = open();
      const payment = await shop.payFor(WORK);
      shop.facilitator.faults.settle.push("drop-after", ...Array.from({ length: 400 }, () => "drop" as const));
      expect(await shop.answer(payment)).toEqual([502, "SETTLEMENT_PENDING"]);
      await shop.pass(30);
      shop.facilitator.faults.settle.length = 0;
      expect((await shop.answer(payment))[0]).toBe(200);
      expect(shop.facilitator.settled).toHaveLength(1);
    });
  });

  it.each<[string, Fault[]]>([
    ["the facilitator's second look fails too", ["none", "drop"]],
    ["the chain does not show it yet", []],
  ])("PAY-24 a refusal that hides a settlement is no 402 where %s", async (_, verify) => {
    const shop = openShop({ node: true });
    // A node that lags behind shows nothing of what its chain took.
    const lagging: typeof fetch = async (url, init) =>
      String(url).includes("mainnet.base.org")
        ? Response.json({ result: String(init?.body).includes("eth_getLogs") ? [] : "0x10" })
        : shop.facilitator.fetch(url, init);
    const { handle } =
      verify.length > 0 ? shop : openShop({ node: true, facilitator: shop.facilitator, fetch: lagging });
    const payment = await shop.payFor(WORK);
    shop.facilitator.faults.verify.push(...verify);
    shop.facilitator.faults.settle.push("refuse-after");
    const request = () =>
      new Request("http://shop.test/api/test/work?n=1", { headers: { "payment-signature": toHeader(payment) } });
    expect(await codeOf(await handle(request()))).toBe("SETTLEMENT_PENDING");
    shop.facilitator.showChain();
  });

  it("PAY-4 a copy whose look at the facilitator comes too late gets what the other one bought", async () => {
    const store = createMemoryStore();
    const facilitator = fakeFacilitator();
    const ahead = openShop({ store, facilitator });
    let answered: Promise<Response> | undefined;
    const late: typeof fetch = async (url, init) => {
      // Between this instance's look into the store and its verification, the other one settles.
      if (String(url).endsWith("/verify")) await answered;
      return facilitator.fetch(url, init);
    };
    const behind = openShop({ store, facilitator, fetch: late });
    const payment = await ahead.payFor(WORK);
    const copy = behind.pay(WORK, payment);
    answered = ahead.pay(WORK, payment);
    expect((await copy).status).toBe(200);
    expect(await (await copy).text()).toBe(await (await answered).text());
    expect(facilitator.settled).toHaveLength(1);
  });

  it("PAY-31 whoever refuses a payment as too late takes it from those who were about to settle it", async () => {
    const memory = createMemoryStore();
    const [facilitator, clock] = [fakeFacilitator(), fakeClock()];
    const dead = openShop({ store: memory, facilitator, clock });
    dead.behaviours.push(() => new Promise(() => {}));
    const payment = await dead.payFor(WORK, { authorization: { validBefore: String(clock.seconds() + 200) } });
    void dead.pay(WORK, payment);
    while (dead.runs() === 0) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(95);
    let goOn = () => {};
    // Takes the dead one's claim over, while the time for it runs out.
    const slow = openShop({
      facilitator,
      clock,
      store: {
        ...memory,
        async remove(key, ifVersion) {
          if (key.startsWith("payment:")) await new Promise<void>((resolve) => (goOn = resolve));
          return memory.remove(key, ifVersion);
        },
      },
    });
    const late = slow.pay(WORK, payment);
    const begun = goOn;
    while (goOn === begun) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(80);
    const refused = await openShop({ store: memory, facilitator, clock }).pay(WORK, payment);
    goOn();
    expect([await codeOf(refused), await codeOf(await late)]).toEqual(["PAYMENT_EXPIRED", "PAYMENT_EXPIRED"]);
    expect(facilitator.settled).toHaveLength(0);
  });

  it("PAY-30 a payer's retry that dies while it settles leaves the payment to the background", async () => {
    const store = createMemoryStore();
    const facilitator = fakeFacilitator();
    const clock = fakeClock();
    const shop = openShop({ store, facilitator, clock });
    const payment = await shop.payFor(WORK);
    facilitator.faults.settle.push("drop");
    expect((await shop.pay(WORK, payment)).status).toBe(502);
    await new Promise<void>((died) => {
      const dies: typeof fetch = () => {
        died();
        return new Promise(() => {});
      };
      void openShop({ store, facilitator, clock, fetch: dies }).pay(WORK, payment);
    });
    clock.advance(600);
    expect(await shop.handle.reconcile()).toBe(1);
    expect(facilitator.settled).toHaveLength(1);
  });

  it("PAY-30 what a crash left due with nothing to do does not keep the background from the rest", async () => {
    const memory = createMemoryStore();
    const shop = openShop({ store: memory });
    const payment = await shop.payFor(WORK);
    await shop.pay(WORK, payment);
    const [listed] = await memory.list("payment:", { limit: 1 });
    if (!listed) throw new Error("nothing was kept");
    await memory.put(listed.key, listed.value, { ifVersion: listed.version, ttlMs: 1e6, dueAt: 0 });
    expect(await shop.handle.reconcile()).toBe(1);
    expect(await shop.handle.reconcile()).toBe(0);
  });

  it("PAY-24 that failed in truth ends in 402 on the retry", async () => {
    const shop = openShop({ node: true });
    shop.facilitator.showChain();
    const payment = await shop.payFor(WORK);
    shop.facilitator.faults.settle.push("drop", "refuse", "refuse-poor");
    // Whatever the facilitator says: what it sent on its way the first time can land as long as the payment lives.
    for (let i = 0; i < 3; i++) expect((await shop.pay(WORK, payment)).status).toBe(502);
    shop.facilitator.faults.settle.push("refuse");
    shop.clock.advance(200);
    const retry = await shop.pay(WORK, payment);
    expect([retry.status, await codeOf(retry)]).toEqual([402, "SETTLEMENT_REFUSED"]);
    expect(shop.facilitator.settled).toEqual([]);
  });

  it("PAY-30 is finished in the background, and the payer who comes back gets the result", async () => {
    const shop = openShop();
    const payment = await shop.payFor(WORK);
    shop.facilitator.faults.settle.push("status500", "status500");
    expect((await shop.pay(WORK, payment)).status).toBe(502);
    expect(await shop.handle.reconcile()).toBe(0);
    shop.clock.advance(16);
    expect(await shop.handle.reconcile()).toBe(1);
    expect(shop.facilitator.settled).toHaveLength(0);
    shop.clock.advance(31);
    expect(await shop.handle.reconcile()).toBe(1);
    expect(shop.facilitator.settled).toHaveLength(1);
    shop.clock.advance(3600);
    expect(await shop.handle.reconcile()).toBe(0);
    const answer = await shop.pay(WORK, payment);
    expect(answer.status).toBe(200);
    expect([shop.runs(), shop.facilitator.settled.length]).toEqual([1, 1]);
  });

  it("PAY-30 is finished by the clock of a platform without timers, within its budget", async () => {
    const shop = openShop();
    const payment = await shop.payFor(WORK);
    shop.facilitator.faults.settle.push("status500");
    expect((await shop.pay(WORK, payment)).status).toBe(502);
    shop.clock.advance(60);
    expect(await shop.handle.tick({ budgetMs: 0 })).toBe(0);
    expect(shop.facilitator.settled).toHaveLength(0);
    expect(await shop.handle.tick()).toBe(1);
    expect(shop.facilitator.settled).toHaveLength(1);
    expect(await shop.handle.tick()).toBe(0);
  });

  it("PAY-30 when the store fails after the result was saved is 502 pending, and delivered by the retry", async () => {
    const memory = createMemoryStore();
    let writes = 0;
    const shop = openShop({
      store: {
        ...memory,
        put: async (key, value, options) => {
          // Claim, result, settled: the third write is lost after the money moved.
          if (key.startsWith("payment:") && ++writes === 3) throw new Error("connection lost");
          return memory.put(key, value, options);
        },
      },
    });
    const payment = await shop.payFor(WORK);
    expect(await codeOf(await shop.pay(WORK, payment))).toBe("SETTLEMENT_PENDING");
    expect(shop.facilitator.settled).toHaveLength(1);
    shop.clock.advance(200);
    expect((await shop.pay(WORK, payment)).status).toBe(200);
    expect([shop.runs(), shop.facilitator.settled.length]).toEqual([1, 1]);
  });

  it("PAY-30 when the store is down before the claim is 502, and nothing runs", async () => {
    const memory = createMemoryStore();
    let down = true;
    const get: typeof memory.get = async (key) => {
      if (down) throw new Error("connection refused");
      return memory.get(key);
    };
    const shop = openShop({ store: { ...memory, get } });
    const payment = await shop.payFor(WORK);
    expect((await shop.pay(WORK, payment)).status).toBe(502);
    expect([shop.runs(), shop.facilitator.calls.length]).toEqual([0, 0]);
    down = false;
    expect((await shop.pay(WORK, payment)).status).toBe(200);
  });
});

describe("two holders of one payment", () => {
  it("PAY-31 one frozen past its lease is fenced off when it wakes up", async () => {
    const store = createMemoryStore();
    const facilitator = fakeFacilitator();
    const clock = fakeClock();
    const [frozen, other] = [openShop({ store, facilitator, clock }), openShop({ store, facilitator, clock })];
    const payment = await frozen.payFor(WORK, { authorization: { validBefore: String(clock.seconds() + 3600) } });
    let wake = () => {};
    let asleep = () => {};
    const sleeping = new Promise<void>((resolve) => {
      asleep = resolve;
    });
    frozen.behaviours.push(() => {
      asleep();
      return new Promise<void>((resolve) => {
        wake = resolve;
      });
    });
    const late = frozen.pay(WORK, payment);
    await sleeping;
    clock.advance(600);
    expect((await other.pay(WORK, payment)).status).toBe(200);
    wake();
    expect(await codeOf(await late)).toBe("SETTLEMENT_PENDING");
    expect(facilitator.settled).toHaveLength(1);
    expect(facilitator.asked("settle")).toBe(1);
    // Whoever woke up late finds the other's result, not its own.
    expect(await bodyOf(await frozen.pay(WORK, payment))).toMatchObject({ data: { items: [{ run: 1 }] } });
  });
});

describe("PAY-36 a purchase signed anew under one idempotency key", () => {
  const withKey = (shop: ReturnType<typeof openShop>, path: string, payment: unknown, key = "order-0000000000001") =>
    shop.get(path, { "payment-signature": toHeader(payment), "idempotency-key": key });
  const named = (payment: object, id: string) => ({
    ...payment,
    extensions: { "payment-identifier": { info: { id } } },
  });

  it("gets the stored reply, and the second authorization is not settled", async () => {
    const shop = openShop();
    const first = await withKey(shop, WORK, await shop.payFor(WORK));
    const second = await withKey(shop, WORK, await shop.payFor(WORK));
    expect(second.status).toBe(200);
    expect(await second.text()).toBe(await first.text());
    expect([shop.runs(), shop.facilitator.settled.length]).toEqual([1, 1]);
  });

  it("does so by the payment-identifier extension too", async () => {
    const shop = openShop();
    const id = "purchase_0123456789";
    await shop.pay(WORK, named(await shop.payFor(WORK), id));
    expect((await shop.pay(WORK, named(await shop.payFor(WORK), id))).headers.get("x-svc-replay")).toBe("1");
    expect(shop.facilitator.settled).toHaveLength(1);
  });

  it("runs once and settles once when both come at the same time", async () => {
    const shop = openShop();
    const payments = await Promise.all(Array.from({ length: 10 }, () => shop.payFor(WORK)));
    const answers = await Promise.all(payments.map((payment) => withKey(shop, WORK, payment)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect([shop.runs(), shop.facilitator.settled.length]).toEqual([1, 1]);
  });

  it("is refused for another request, and for another payer it is another purchase", async () => {
    const shop = openShop();
    await withKey(shop, WORK, await shop.payFor(WORK));
    const other = await withKey(shop, "/test/work?n=2", await shop.payFor("/test/work?n=2"));
    expect([other.status, await codeOf(other)]).toEqual([402, "PAYMENT_ALREADY_USED"]);
    expect((await withKey(shop, WORK, await shop.payFor(WORK, { wallet: mallory }))).status).toBe(200);
    expect(shop.facilitator.settled).toHaveLength(2);
  });

  it("PAY-45 is not opened by an authorization that was settled long ago, whose key somebody knows", async () => {
    const [store, clock] = [createMemoryStore(), fakeClock()];
    const shop = openShop({ store, clock });
    const life = (days: number) => ({ authorization: { validBefore: String(clock.seconds() + days * 86_400) } });
    const old = [await shop.payFor("/test/work?n=3"), await shop.payFor("/test/work?n=3", life(60))];
    for (const payment of old) expect((await shop.pay("/test/work?n=3", payment)).status).toBe(200);
    // Months later the store knows nothing of them; the chain does.
    for (const { key, version } of await store.list("payment:", { limit: 10 })) await store.remove(key, version);
    clock.advance(30 * 86_400);
    expect((await withKey(shop, WORK, await shop.payFor(WORK))).status).toBe(200);
    for (const payment of old) expect((await withKey(shop, WORK, payment)).status).toBe(402);
    expect(shop.runs()).toBe(3);
  });

  it("PAY-45 is not opened by the payment of an earlier purchase under the same key", async () => {
    const [store, clock] = [createMemoryStore(), fakeClock()];
    const shop = openShop({ store, clock });
    const first = await shop.payFor(WORK);
    expect((await withKey(shop, WORK, first)).status).toBe(200);
    for (const { key, version } of await store.list("order:", { limit: 10 })) await store.remove(key, version);
    clock.advance(2 * 86_400);
    expect((await withKey(shop, WORK, await shop.payFor(WORK))).status).toBe(200);
    expect((await withKey(shop, WORK, withoutRetryKey(first))).status).toBe(402);
    const answer = await withKey(shop, WORK, first);
    expect(answer.status).toBe(200);
  });

  it("is opened later as well by what opened it once, and by a wallet without money", async () => {
    const shop = openShop();
    const text = await (await withKey(shop, WORK, await shop.payFor(WORK))).text();
    const second = await shop.payFor(WORK);
    shop.facilitator.fund(alice.address, 0n);
    expect(await (await withKey(shop, WORK, second)).text()).toBe(text);
    shop.clock.advance(3600);
    expect(await (await withKey(shop, WORK, second)).text()).toBe(text);
    expect((await withKey(shop, WORK, withoutRetryKey(second))).status).toBe(402);
  });

  it("is done anew after a failed run, and its payment stays bound to it", async () => {
    const shop = openShop();
    const payment = await shop.payFor(WORK);
    shop.behaviours.push(failing());
    expect((await withKey(shop, WORK, payment)).status).toBe(502);
    expect((await withKey(shop, WORK, payment)).status).toBe(200);
    expect((await shop.pay(WORK, payment)).headers.get("x-svc-replay")).toBe("1");
    expect((await shop.pay("/test/work?n=2", payment)).status).toBe(402);
    expect(shop.facilitator.settled).toHaveLength(1);
  });
});
