import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { binary } from "../../src/capability/output.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { type Fault, fakeFacilitator } from "../support/facilitator.js";
import { howMany } from "../support/how-many.js";
import { failing, NETWORK, openShop, receiptOf } from "../support/shop.js";
import { alice, mallory, quoteOf, TREASURY, toHeader, withoutRetryKey } from "../support/wallets.js";

const WORK = "/test/work?n=1";

describe("the quote", () => {
  it("PAY-1 no header gives 402 with the same terms in body and header, never cached", async () => {
    const { get } = openShop();
    const response = await get(WORK);
    const body = await bodyOf(response);
    const header = quoteOf(response);
    expect(response.status).toBe(402);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const resource = "http://shop.test/api/test/work?n=1";
    expect(body).toMatchObject({ x402Version: 2, resource });
    expect(header).toMatchObject({ x402Version: 2, resource: { url: resource } });
    expect(body.accepts).toEqual(header.accepts);
    expect(body.accepts).toEqual([
      expect.objectContaining({ scheme: "exact", network: NETWORK, amount: "1000", payTo: TREASURY }),
    ]);
    expect(response.headers.get("payment-required")?.length).toBeLessThan(4096);
  });

  it("PAY-12 the quoted life of a signature outlasts the endpoint's deadline by a minute", async () => {
    const { get } = openShop();
    expect(quoteOf(await get(WORK)).accepts[0]?.maxTimeoutSeconds).toBeGreaterThanOrEqual(30 + 60);
  });

  it("gives a version-1 body to who asks for it, and keeps the version-2 header", async () => {
    const { get } = openShop();
    for (const response of [await get(`${WORK}&x402Version=1`), await get(WORK, { "x-402-version": "1" })]) {
      const body = await bodyOf(response);
      expect(body).toMatchObject({ x402Version: 1 });
      expect(body.accepts[0]).toMatchObject({
        network: "base",
        maxAmountRequired: "1000",
        mimeType: "application/json",
      });
      expect(quoteOf(response).x402Version).toBe(2);
    }
  });
});

describe("a payment", () => {
  it("PAY-2 buys one run, settled before the answer, with a receipt", async () => {
    const shop = openShop();
    const response = await shop.pay(WORK, await shop.payFor(WORK));
    const body = await bodyOf(response);
    expect(response.status).toBe(200);
    expect(shop.facilitator.trace).toEqual(["verify", "run", "settle"]);
    expect(receiptOf(response)).toMatchObject({ success: true, network: NETWORK, payer: alice.address });
    expect(receiptOf(response).transaction).toMatch(/^0x/);
    expect(body.meta).toMatchObject({
      caller: "paid",
      costUsd: "0.001",
      payment: { amount: "1000", payer: alice.address },
    });
    expect(shop.events.at(-1)).toMatchObject({
      outcome: "paid",
      chargedUsd: "0.001",
      payer: alice.address,
      status: 200,
    });
  });

  it("PAY-3 sent again for the same request gives the same bytes and no second charge", async () => {
    const shop = openShop();
    const payment = await shop.payFor(WORK);
    const first = await shop.pay(WORK, payment);
    const second = await shop.pay(WORK, payment);
    expect(second.status).toBe(200);
    expect(await second.text()).toBe(await first.text());
    expect(second.headers.get("payment-response")).toBe(first.headers.get("payment-response"));
    expect(second.headers.get("x-svc-replay")).toBe("1");
    expect([shop.runs(), shop.facilitator.settled.length]).toEqual([1, 1]);
  });

  it("PAY-4 in 100 concurrent copies runs once and settles once", async () => {
    const shop = openShop();
    const payment = await shop.payFor(WORK);
    const answers = await Promise.all(Array.from({ length: 100 }, () => shop.pay(WORK, payment)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
    expect([shop.runs(), shop.facilitator.settled.length]).toEqual([1, 1]);
  });

  it("PAY-5 in 50 + 50 copies over two instances on one store runs once and settles once", async () => {
    const store = createMemoryStore();
    const facilitator = fakeFacilitator();
    const shops = [openShop({ store, facilitator }), openShop({ store, facilitator })] as const;
    const payment = await shops[0].payFor(WORK);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => (shops[i % 2] ?? shops[0]).pay(WORK, payment)),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(shops[0].runs() + shops[1].runs()).toBe(1);
    expect(facilitator.settled.length).toBe(1);
  });

  it("PAY-6 in other clothes is the same payment", async () => {
    const shop = openShop();
    const payment = await shop.payFor(WORK);
    const { authorization, signature } = payment.payload;
    const upper = (hex: string) => `0x${hex.slice(2).toUpperCase()}`;
    const clothes = [
      toHeader(payment),
      toHeader(payment).replace(/=+$/, ""),
      Buffer.from(JSON.stringify(payment)).toString("base64url"),
      toHeader(Object.fromEntries(Object.entries(payment).reverse())),
      toHeader({
        ...payment,
        payload: {
          signature: upper(signature),
          authorization: { ...authorization, nonce: upper(authorization.nonce), from: upper(authorization.from) },
        },
      }),
    ];
    for (const header of clothes) expect((await shop.pay(WORK, header)).status).toBe(200);
    // As anybody could write it who saw the settlement.
    const bare = toHeader({ x402Version: 1, scheme: "exact", network: "base", payload: payment.payload });
    expect((await shop.pay(WORK, bare)).status).toBe(402);
    expect([shop.runs(), shop.facilitator.settled.length]).toEqual([1, 1]);
  });

  it.each([
    ["another input", "/test/work?n=2"],
    ["another endpoint of equal price", "/test/other?n=1"],
  ])("PAY-7 used for %s is refused as used", async (_, path) => {
    const shop = openShop();
    const payment = { ...(await shop.payFor(WORK)), resource: undefined };
    await shop.pay(WORK, payment);
    const response = await shop.pay(path, payment);
    expect(response.status).toBe(402);
    expect((await bodyOf(response)).extensions.code).toBe("PAYMENT_ALREADY_USED");
    expect(quoteOf(response).accepts).toHaveLength(1);
    expect(shop.runs()).toBe(1);
  });

  it("PAY-8 that names another of our endpoints is refused; hosts, queries and unknown paths mean nothing", async () => {
    const shop = openShop();
    const payment = await shop.payFor(WORK);
    const named = (url: string) => ({ ...payment, resource: { url } });
    expect((await shop.pay(WORK, named("http://shop.test/api/test/other"))).status).toBe(402);
    expect(shop.runs()).toBe(0);
    expect((await shop.pay(WORK, named("https://proxy.example:8443/elsewhere?x=1"))).status).toBe(200);
  });

  it("PAY-8 also below the path that a proxy cuts off", async () => {
    const shop = openShop({ brand: { baseUrl: "https://shop.test/paid" } });
    const payment = await shop.payFor(WORK);
    const named = (url: string) => ({ ...payment, resource: { url } });
    expect(payment.resource).toMatchObject({ url: "https://shop.test/paid/api/test/work?n=1" });
    expect((await shop.pay(WORK, named("https://shop.test/paid/api/test/other"))).status).toBe(402);
    expect(shop.runs()).toBe(0);
    expect((await shop.pay(WORK, payment)).status).toBe(200);
  });

  it.each<[string, Record<string, unknown>]>([
    ["one unit less", { amount: "999" }],
    ["one unit more", { amount: "1001" }],
    ["another asset", { asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e" }],
    ["another payee", { payTo: alice.address }],
    ["another network", { network: "eip155:1" }],
    ["scheme upto", { scheme: "upto" }],
    ["another life", { maxTimeoutSeconds: 5 }],
    ["another domain name", { extra: { name: "USDC", version: "2" } }],
  ])("PAY-9 with %s in `accepted` is refused without asking the facilitator", async (_, change) => {
    const shop = openShop();
    const payment = await shop.payFor(WORK);
    const response = await shop.pay(WORK, { ...payment, accepted: { ...payment.accepted, ...change } });
    expect(response.status).toBe(402);
    expect([shop.runs(), shop.facilitator.calls.length]).toEqual([0, 0]);
  });

  it.each([
    ["one unit less", { value: "999" }],
    ["another payee", { to: mallory.address }],
  ])("PAY-9 signed for %s is refused although `accepted` is right", async (_, authorization) => {
    const shop = openShop();
    const response = await shop.pay(WORK, await shop.payFor(WORK, { authorization }));
    expect(response.status).toBe(402);
    expect([shop.runs(), shop.facilitator.calls.length]).toEqual([0, 0]);
  });

  it("PAY-9 addresses of `accepted` may differ in case", async () => {
    const shop = openShop();
    const payment = await shop.payFor(WORK);
    const accepted = {
      ...payment.accepted,
      payTo: TREASURY.toLowerCase(),
      asset: String(payment.accepted.asset).toLowerCase(),
    };
    expect((await shop.pay(WORK, { ...payment, accepted })).status).toBe(200);
  });

  it("PAY-10 the facilitator is shown our terms, never the caller's copy", async () => {
    const shop = openShop();
    const payment = await shop.payFor(WORK);
    await shop.pay(WORK, {
      ...payment,
      accepted: { ...payment.accepted, extra: { ...(payment.accepted.extra as object), note: "mine" } },
    });
    for (const { body } of shop.facilitator.calls) {
      expect(body.paymentRequirements).toMatchObject({ amount: "1000", payTo: TREASURY });
      expect(JSON.stringify(body)).not.toContain("mine");
    }
    shop.facilitator.faults.verify.push("lie-yes");
    shop.facilitator.faults.settle.push("lie-yes");
    const cheap = await shop.payFor(WORK, { authorization: { value: "1" } });
    const response = await shop.pay(WORK, { ...cheap, accepted: { ...cheap.accepted, amount: "1" } });
    expect(response.status).toBe(402);
  });

  it.each(["1e3", "0x3e8", " 1000", "+1000", "1000.0", "", "-1", "01000", "9".repeat(80), 1000])(
    "PAY-11 with the amount %j is refused",
    async (value) => {
      const shop = openShop();
      const payment = await shop.payFor(WORK);
      const payload = { ...payment.payload, authorization: { ...payment.payload.authorization, value } };
      expect((await shop.pay(WORK, { ...payment, payload })).status).toBe(402);
      const accepted = { ...payment.accepted, amount: value };
      expect((await shop.pay(WORK, { ...payment, accepted })).status).toBe(402);
      expect(shop.runs()).toBe(0);
    },
  );

  it.each([
    ["expired", { validBefore: -1 }],
    ["about to expire", { validBefore: 5 }],
    ["expiring before the work could be settled", { validBefore: 40 }],
    ["not valid yet", { validAfter: 60 }],
  ])(
    "PAY-12 that is %s is refused before any work",
    async (_, change: { validBefore?: number; validAfter?: number }) => {
      const shop = openShop();
      const at = (offset: number) => String(shop.clock.seconds() + offset);
      const authorization = Object.fromEntries(Object.entries(change).map(([name, offset]) => [name, at(offset)]));
      const response = await shop.pay(WORK, await shop.payFor(WORK, { authorization }));
      expect(response.status).toBe(402);
      expect([shop.runs(), shop.facilitator.calls.length]).toEqual([0, 0]);
    },
  );

  it.each([
    ["another chain", { chainId: 1 }],
    ["another contract", { verifyingContract: TREASURY }],
    ["another domain name", { name: "USDC" }],
    ["another version", { version: "1" }],
  ])("PAY-14 signed for %s is refused", async (_, domain) => {
    const shop = openShop();
    shop.facilitator.faults.verify.push("lie-yes");
    expect((await shop.pay(WORK, await shop.payFor(WORK, { domain }))).status).toBe(402);
    expect(shop.runs()).toBe(0);
  });

  it.each([
    [
      "forged",
      async (shop: ReturnType<typeof openShop>) => (await shop.payFor(WORK, { wallet: mallory })).payload.signature,
    ],
    ["all zero", async () => `0x${"00".repeat(65)}`],
    ["empty", async () => "0x"],
    ["cut short", async () => `0x${"11".repeat(64)}`],
  ])("PAY-14 with a signature that is %s is refused", async (_, signature) => {
    const shop = openShop();
    const payment = await shop.payFor(WORK);
    shop.facilitator.faults.verify.push("lie-yes");
    const response = await shop.pay(WORK, {
      ...payment,
      payload: { ...payment.payload, signature: await signature(shop) },
    });
    expect(response.status).toBe(402);
    expect(shop.runs()).toBe(0);
  });

  it("PAY-15 with a contract wallet's signature is judged by the facilitator", async () => {
    const shop = openShop();
    const wrapped = async () => {
      const payment = await shop.payFor(WORK);
      return { ...payment, payload: { ...payment.payload, signature: `0x${"ab".repeat(200)}` } };
    };
    shop.facilitator.faults.verify.push("refuse");
    expect((await shop.pay(WORK, await wrapped())).status).toBe(402);
    expect((await shop.pay(WORK, await wrapped())).status).toBe(200);
    // It reverted on chain, so it could have been mined as well: refused only once it is known that it never will.
    shop.facilitator.faults.settle.push("refuse");
    const payment = await wrapped();
    expect((await shop.pay(WORK, payment)).status).toBe(502);
    shop.facilitator.showChain();
    shop.facilitator.faults.settle.push("refuse");
    shop.clock.advance(200);
    const third = await shop.pay(WORK, payment);
    expect(third.status).toBe(402);
    expect(await third.text()).not.toContain('"run":1');
    expect(shop.facilitator.settled.length).toBe(1);
  });

  it("PAY-16 garbage in the header is 402 and nothing else", async () => {
    const shop = openShop();
    const sent = toHeader(await shop.payFor(WORK));
    const fixed = [
      "!!!",
      "",
      "null",
      "[]",
      "3",
      "{}",
      '{"x402Version":99}',
      '{"x402Version":2,"accepted":{},"payload":[]}',
    ];
    for (const text of fixed) {
      for (const header of [text, Buffer.from(text).toString("base64")])
        expect((await shop.pay(WORK, header === "" ? " " : header)).status).toBe(402);
    }
    const bytes = Buffer.from(sent, "base64");
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        async (edits) => {
          const mutated = Buffer.from(bytes);
          for (const [at, byte] of edits) mutated[at] = byte;
          const { status } = await shop.pay(WORK, mutated.toString("base64"));
          // A mutation of a member that nobody reads leaves a good payment.
          expect([200, 402]).toContain(status);
        },
      ),
      { numRuns: howMany(5_000, 500) },
    );
    expect(shop.facilitator.settled.length).toBeLessThanOrEqual(1);
  });

  it("PAY-17 a header over 16 KiB or nested beyond 32 levels is 402, unread", async () => {
    const shop = openShop();
    const payment = await shop.payFor(WORK);
    expect((await shop.pay(WORK, { ...payment, extensions: { pad: "x".repeat(17_000) } })).status).toBe(402);
    const deep = JSON.parse(`${'{"a":'.repeat(40)}1${"}".repeat(40)}`);
    expect((await shop.pay(WORK, { ...payment, extensions: deep })).status).toBe(402);
    expect(shop.runs()).toBe(0);
  });

  it("PAY-18 of two headers the current one counts; the same header twice is none", async () => {
    const shop = openShop();
    const payment = toHeader(await shop.payFor(WORK));
    const other = toHeader(await shop.payFor(WORK));
    expect((await shop.get(WORK, { "payment-signature": `${payment}, ${payment}` })).status).toBe(402);
    expect((await shop.get(WORK, { "payment-signature": payment, "x-payment": other })).status).toBe(200);
    expect(shop.facilitator.settled.length).toBe(1);
  });

  it("PAY-19 in version 1 is served with a version-1 receipt, and is the same payment in version 2", async () => {
    const shop = openShop();
    const payment = withoutRetryKey(await shop.payFor(WORK));
    const version1 = { x402Version: 1, scheme: "exact", network: "base", payload: payment.payload };
    const key = { "idempotency-key": randomUUID() };
    const first = await shop.get(WORK, { ...key, "x-payment": toHeader(version1) });
    expect(first.status).toBe(200);
    const receipt = JSON.parse(Buffer.from(first.headers.get("x-payment-response") ?? "", "base64").toString());
    expect(receipt).toMatchObject({ success: true, network: "base", payer: alice.address });
    const second = await shop.get(WORK, { ...key, "payment-signature": toHeader(payment) });
    expect(await second.text()).toBe(await first.text());
    expect(shop.facilitator.settled.length).toBe(1);
  });

  it.each<Fault>(["refuse", "lie-yes"])("PAY-22 verify that answers %s decides", async (fault) => {
    const shop = openShop();
    shop.facilitator.faults.verify.push(fault);
    expect((await shop.pay(WORK, await shop.payFor(WORK))).status).toBe(fault === "refuse" ? 402 : 200);
  });

  it.each<Fault>(["status500", "status429", "html", "empty", "drop"])(
    "PAY-22 verify that ends in %s is 502, leaves no claim, and the payment works later",
    async (fault) => {
      const shop = openShop();
      const payment = await shop.payFor(WORK);
      shop.facilitator.faults.verify.push(fault);
      const response = await shop.pay(WORK, payment);
      expect(response.status).toBe(502);
      expect((await bodyOf(response)).code).toBe("FACILITATOR_UNAVAILABLE");
      expect(response.headers.has("retry-after")).toBe(true);
      expect(shop.runs()).toBe(0);
      expect((await shop.pay(WORK, payment)).status).toBe(200);
    },
  );

  it("PAY-23 whose settlement is refused gets 402 with the refusal's receipt and no result", async () => {
    const shop = openShop();
    shop.facilitator.faults.settle.push("refuse-poor");
    const response = await shop.pay(WORK, await shop.payFor(WORK));
    expect(response.status).toBe(402);
    expect(receiptOf(response)).toMatchObject({ success: false, transaction: "" });
    expect(quoteOf(response).accepts).toHaveLength(1);
    expect(await response.text()).not.toContain('"run":1');
    expect(shop.facilitator.settled).toEqual([]);
  });

  it.each<Fault>(["drop-after", "status500-after", "pending-after", "drop", "html", "empty", "no-transaction"])(
    "PAY-24 whose settlement ends in %s is pending, and the same payment delivers without a second run",
    async (fault) => {
      const shop = openShop();
      const payment = await shop.payFor(WORK);
      shop.facilitator.faults.settle.push(fault);
      const first = await shop.pay(WORK, payment);
      expect(first.status).toBe(502);
      expect((await bodyOf(first)).code).toBe("SETTLEMENT_PENDING");
      expect(first.headers.has("payment-required")).toBe(false);
      expect(first.headers.has("retry-after")).toBe(true);
      const second = await shop.pay(WORK, payment);
      expect(second.status).toBe(200);
      expect((await bodyOf(second)).data.items).toEqual([{ n: 1, run: 1 }]);
      expect([shop.runs(), shop.facilitator.settled.length]).toEqual([1, 1]);
    },
  );

  it.each<Fault>(["other-payer", "other-network"])("PAY-25 settled for %s is not taken as paid", async (fault) => {
    const shop = openShop();
    shop.facilitator.faults.settle.push(fault);
    const response = await shop.pay(WORK, await shop.payFor(WORK));
    expect((await bodyOf(response)).code).toBe("SETTLEMENT_PENDING");
  });

  it.each([
    ["throws", failing("UPSTREAM_ERROR"), 502],
    ["finds nothing", failing("NOT_FOUND"), 404],
    ["refuses the input", failing("INVALID_INPUT"), 400],
  ])("PAY-26 for work that %s is not settled and works later", async (_, behaviour, status) => {
    const shop = openShop();
    const payment = await shop.payFor(WORK);
    shop.behaviours.push(behaviour);
    expect((await shop.pay(WORK, payment)).status).toBe(status);
    expect(shop.facilitator.asked("settle")).toBe(0);
    expect((await shop.pay(WORK, payment)).status).toBe(200);
    expect(shop.facilitator.settled.length).toBe(1);
  });

  it("PAY-32 a wallet with money for one buys one", async () => {
    const shop = openShop();
    shop.facilitator.fund(alice.address, 1000n);
    const payments = [await shop.payFor(WORK), await shop.payFor(WORK)];
    const answers = await Promise.all(payments.map((payment) => shop.pay(WORK, payment)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 402]);
    expect(shop.facilitator.settled.length).toBe(1);
  });

  it("PAY-32 unsettled work of one payer is capped, and costly calls beyond it are refused before they run", async () => {
    const shop = openShop();
    const dear = "/test/dear?n=1";
    let finish = () => {};
    const waiting = new Promise<void>((resolve) => {
      finish = resolve;
    });
    shop.behaviours.push(...Array.from({ length: 4 }, () => () => waiting));
    const payments = await Promise.all(Array.from({ length: 4 }, () => shop.payFor(dear)));
    const calls = payments.map((payment) => shop.pay(dear, payment));
    const refused = await Promise.race(calls);
    expect((await bodyOf(refused)).extensions.code).toBe("UNSETTLED_LIMIT");
    expect(shop.runs()).toBe(2);
    finish();
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 200, 402, 402]);
    // Settled work counts no more.
    expect((await shop.pay(dear, await shop.payFor(dear))).status).toBe(200);
  });

  it("PAY-32 a wallet drained between verify and settle leaves work unpaid, up to the cap", async () => {
    const shop = openShop();
    const dear = "/test/dear?n=1";
    const buy = async () => {
      shop.facilitator.faults.settle.push("refuse-poor");
      return shop.pay(dear, await shop.payFor(dear));
    };
    for (let i = 0; i < 5; i++) expect((await buy()).status).toBe(402);
    expect(shop.runs()).toBe(2);
    shop.clock.advance(3601);
    shop.facilitator.faults.settle.length = 0;
    expect((await shop.pay(dear, await shop.payFor(dear))).status).toBe(200);
  });

  it("whose run failed buys another request, or the same again", async () => {
    const shop = openShop();
    for (const path of ["/test/work?n=2", WORK]) {
      const payment = await shop.payFor(WORK);
      shop.behaviours.push(failing());
      expect((await shop.pay(WORK, payment)).status).toBe(502);
      expect((await shop.pay(path, payment)).status).toBe(200);
    }
    expect(shop.facilitator.settled).toHaveLength(2);
  });

  it("PAY-35 replayed after the store was lost is refused by the chain", async () => {
    const facilitator = fakeFacilitator();
    const before = openShop({ facilitator });
    const payment = await before.payFor(WORK);
    await before.pay(WORK, payment);
    const after = openShop({ facilitator });
    expect((await after.pay(WORK, payment)).status).toBe(402);
    expect(facilitator.settled.length).toBe(1);
  });

  it("PAY-41 for a result that the platform cannot carry, or too late to settle, is not charged", async () => {
    const shop = openShop();
    const payment = await shop.payFor(WORK);
    const request = () =>
      new Request("http://shop.test/api/test/work?n=1", { headers: { "payment-signature": toHeader(payment) } });
    expect((await shop.handle(request(), { maxResponseBytes: 10 })).status).toBe(502);
    expect((await shop.handle(request(), { deadline: Date.now() + 5000 })).status).toBe(502);
    expect(shop.facilitator.asked("settle")).toBe(0);
    expect((await shop.handle(request(), { deadline: Date.now() + 20_000 })).status).toBe(200);
  });

  it("PAY-44 paid answers are kept by nobody", async () => {
    const shop = openShop();
    const response = await shop.pay(WORK, await shop.payFor(WORK));
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it("PAY-45 a used nonce under a stranger's signature gets nothing, and blocks nobody", async () => {
    const shop = openShop();
    const payment = await shop.payFor(WORK);
    const stranger = { ...payment, payload: { ...payment.payload, signature: `0x${"cd".repeat(65)}` } };
    const wrapped = { ...payment, payload: { ...payment.payload, signature: `0x${"cd".repeat(100)}` } };
    expect((await shop.pay(WORK, stranger)).status).toBe(402);
    expect((await shop.pay(WORK, payment)).status).toBe(200);
    expect((await shop.pay(WORK, stranger)).status).toBe(402);
    expect((await shop.pay(WORK, wrapped)).status).toBe(402);
  });

  it("D3 with an invalid input is 400, and neither verified nor used", async () => {
    const shop = openShop();
    const payment = await shop.payFor(WORK);
    expect((await shop.pay("/test/work?n=-1", payment)).status).toBe(400);
    expect(shop.facilitator.calls).toEqual([]);
    expect((await shop.pay(WORK, payment)).status).toBe(200);
  });

  it("the same file is delivered again, whatever kind of bytes its capability gave", async () => {
    for (const body of [Buffer.from([0, 255, 7]), new Uint8Array([0, 255, 7])]) {
      const file = defineCapability({
        id: "test.file",
        summary: "Gives a file.",
        price: "0.001",
        source: { provider: "test", url: "", license: "MIT" },
        input: () => z.strictObject({}),
        output: binary("image/png"),
        example: {},
        run: async () => ({ contentType: "image/png", body }),
      });
      const shop = openShop({ capabilities: [file] });
      const payment = await shop.payFor("/test/file");
      for (let times = 0; times < 2; times++) {
        const answer = await shop.pay("/test/file", payment);
        expect([answer.status, [...new Uint8Array(await answer.arrayBuffer())]]).toEqual([200, [0, 255, 7]]);
      }
      expect(shop.facilitator.settled.length).toBe(1);
    }
  });

  it("IN-18 HEAD with a payment runs and charges nothing", async () => {
    const shop = openShop();
    const headers = { "payment-signature": toHeader(await shop.payFor(WORK)) };
    const response = await shop.handle(new Request("http://shop.test/api/test/work?n=1", { method: "HEAD", headers }));
    expect(response.status).toBe(402);
    expect(await response.text()).toBe("");
    expect([shop.runs(), shop.facilitator.calls.length]).toEqual([0, 0]);
  });
});
