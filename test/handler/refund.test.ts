/** Money that a host gives back of its own accord, and statements for its buyers. */
import { describe, expect, it } from "vitest";
import { convertUnit } from "../../src/capabilities/convert/unit.js";
import { createHandler } from "../../src/handler/handler.js";
import { silent } from "../../src/lib/logger.js";
import { createCredits } from "../../src/payment/refund/credit.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { billedByUsage } from "../support/billed-by-usage.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { openShop, receiptOf, type ShopOptions } from "../support/shop.js";
import { alice, mallory, TREASURY } from "../support/wallets.js";

const WORK = "/test/work?n=1";
const FACILITATOR = { url: "https://facilitator.test" };
const NETWORK = "eip155:8453";
const USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const NODE = "https://mainnet.base.org";
const payment = { treasury: { [NETWORK]: TREASURY }, facilitator: FACILITATOR, refunds: { [NETWORK]: mallory } };

function open(options: ShopOptions = {}) {
  const shop = openShop({ trial: false, payment, ...options });
  const buy = async (path = WORK, wallet = alice) => {
    const answer = await shop.pay(path, await shop.payFor(path, { wallet }));
    const { requestId } = (await bodyOf(answer)).meta as { requestId: string };
    return { requestId, transaction: String(receiptOf(answer).transaction) };
  };
  const backs = () =>
    shop.facilitator.settled.filter(({ from }) => from === mallory.address).map(({ to, value }) => [to, value]);
  return { ...shop, buy, backs };
}

describe("a refund by the host", () => {
  it.each(["requestId", "transaction"] as const)("by %s goes back on chain, to the payer alone", async (name) => {
    const shop = open();
    await shop.buy("/test/dear?n=1");
    const sale = await shop.buy();
    const done = await shop.handle.refund({ [name]: sale[name] } as { requestId: string });
    const facts = { usd: "0.001", payer: alice.address, endpoint: "test.work", network: NETWORK };
    expect(done).toEqual({ state: "returned", ...facts, transaction: expect.stringMatching(/^0x/) });
    expect(shop.backs()).toEqual([[alice.address, 1000n]]);
    const { total } = await shop.handle.ledger();
    expect(total).toMatchObject({
      calls: 2,
      settledUsd: "0.501",
      returnedUsd: "0.001",
      earnedUsd: "0.5",
      owedUsd: "0",
    });
    const told = { kind: "refund", outcome: "refunded", refundedUsd: "0.001", requestId: sale.requestId };
    expect(shop.events.filter(({ kind }) => kind === "refund")).toMatchObject([told]);
  });

  it("is made once although the host sells through Permit2 before the first attempt is known to be paid", async () => {
    const store = createMemoryStore();
    const facilitator = fakeFacilitator();
    const clock = fakeClock();
    const before = open({ store, facilitator, clock });
    const { requestId } = await before.buy();
    facilitator.faults.settle.push("drop-after");
    expect(await before.handle.refund({ requestId })).toMatchObject({ state: "owed" });
    const assets = { [NETWORK]: { address: USDC, name: "USD Coin", version: "2", transferMethod: "permit2" as const } };
    const later = open({ store, facilitator, clock, payment: { ...payment, assets } });
    clock.advance(120);
    await later.handle.reconcile();
    const sent = facilitator.calls
      .filter(({ path }) => path === "settle")
      .map(({ body }) => body.paymentPayload.payload);
    const nonces = sent.slice(1).map(({ authorization }) => authorization?.nonce);
    expect(nonces).toEqual([nonces[0], nonces[0]]);
    expect(await later.handle.refund({ requestId })).toMatchObject({ state: "returned" });
  });

  it("is made once although the host takes another token before the first attempt is known to be paid", async () => {
    const store = createMemoryStore();
    const facilitator = fakeFacilitator();
    const clock = fakeClock();
    const before = open({ store, facilitator, clock });
    const { requestId } = await before.buy();
    facilitator.faults.settle.push("drop-after");
    expect(await before.handle.refund({ requestId })).toMatchObject({ state: "owed" });
    const assets = { [NETWORK]: { address: `0x${"c0".repeat(20)}`, name: "Other Dollar", version: "1" } };
    const later = open({ store, facilitator, clock, payment: { ...payment, assets } });
    clock.advance(120);
    await later.handle.reconcile();
    const sent = facilitator.calls.filter(({ path }) => path === "settle").map(({ body }) => body);
    // Each token has nonces of its own.
    expect(sent.map(({ paymentRequirements }) => paymentRequirements)).toMatchObject(Array(3).fill({ asset: USDC }));
    const nonces = sent.slice(1).map(({ paymentPayload }) => paymentPayload.payload.authorization.nonce);
    expect(nonces).toEqual([nonces[0], nonces[0]]);
    expect(await later.handle.refund({ requestId })).toMatchObject({ state: "returned" });
    expect(later.backs()).toEqual([[alice.address, 1000n]]);
  });

  it("is made once, whoever asks how often, and at one amount", async () => {
    const store = createMemoryStore();
    const facilitator = fakeFacilitator();
    const [one, other] = [open({ store, facilitator }), open({ store, facilitator })];
    const { requestId, transaction } = await one.buy();
    const asks = [one, other, one].map(({ handle }) => handle.refund({ requestId }, { usd: "0.0004" }));
    const done = await Promise.all(asks);
    expect(new Set(done.map(({ usd }) => usd))).toEqual(new Set(["0.0004"]));
    await other.handle.refund({ transaction }, { usd: "0.0004" });
    expect(one.backs()).toEqual([[alice.address, 400n]]);
    for (const options of [{}, { usd: "0.0005" }])
      await expect(one.handle.refund({ requestId }, options)).rejects.toThrow(
        "0.0004 of this sale is given back already",
      );
    expect((await one.handle.ledger()).total).toMatchObject({ returnedUsd: "0.0004", earnedUsd: "0.0006" });
  });

  it("is bounded by what was paid, and refuses what is no amount", async () => {
    const shop = open();
    const { requestId } = await shop.buy();
    for (const usd of ["0.0011", "0", "-0.001", "a", "", 1 as never, "99999999999999999999"])
      await expect(shop.handle.refund({ requestId }, { usd }), String(usd)).rejects.toMatchObject({
        code: "INVALID_INPUT",
      });
    await expect(shop.handle.refund({ requestId: "nobody" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(shop.handle.refund({ requestId: "" })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    expect(shop.backs()).toEqual([]);
  });

  it("is credit without a refund wallet, and for a call that credit paid", async () => {
    const store = createMemoryStore();
    const shop = open({ store, payment: { treasury: payment.treasury, facilitator: FACILITATOR } });
    const credits = createCredits(store, () => shop.clock().getTime());
    const sale = await shop.buy();
    const first = await shop.handle.refund(sale.requestId ? { requestId: sale.requestId } : sale);
    expect(first).toMatchObject({ state: "credited", usd: "0.001" });
    const { creditToken = "" } = first as { creditToken?: string };
    const paid = await shop.get(WORK, { "x-svc-credit": creditToken });
    expect(paid.status).toBe(200);
    const { requestId } = (await bodyOf(paid)).meta as { requestId: string };
    const again = (await shop.handle.refund({ requestId })) as { creditToken?: string };
    expect((await credits.find(again.creditToken ?? ""))?.available).toBe(1000n);
    expect((await shop.handle.ledger()).total).toMatchObject({ calls: 2, earnedUsd: "0", creditedUsd: "0.002" });
  });

  it("outlives a facilitator that is away: the background goes on", async () => {
    const shop = open();
    const { requestId } = await shop.buy();
    shop.facilitator.faults.settle.push("status500", "status500");
    expect(await shop.handle.refund({ requestId })).toMatchObject({ state: "owed" });
    expect(shop.backs()).toEqual([]);
    shop.clock.advance(120);
    await shop.handle.reconcile();
    shop.clock.advance(120);
    await shop.handle.reconcile();
    expect(shop.backs()).toEqual([[alice.address, 1000n]]);
    expect(await shop.handle.refund({ requestId })).toMatchObject({ state: "returned" });
    expect((await shop.handle.ledger()).total).toMatchObject({ returnedUsd: "0.001", earnedUsd: "0" });
  });

  it("is made once although the answer to its settlement was lost", async () => {
    const shop = open();
    const { requestId } = await shop.buy();
    shop.facilitator.faults.settle.push("drop-after");
    await shop.handle.refund({ requestId });
    shop.clock.advance(120);
    await shop.handle.reconcile();
    expect(shop.backs()).toEqual([[alice.address, 1000n]]);
    expect(await shop.handle.refund({ requestId })).toMatchObject({ state: "returned" });
  });

  it("finds a sale whose payment is no longer recorded", async () => {
    const shop = open({ ledgerDays: 60 });
    const { requestId } = await shop.buy();
    shop.clock.advance(30 * 24 * 3600);
    expect(await shop.handle.refund({ requestId })).toMatchObject({ state: "returned", usd: "0.001" });
  });

  it("goes back days later, too, where a node of the host's own shows the chain", async () => {
    const shop = open({ ledgerDays: 60, payment: { ...payment, rpc: { [NETWORK]: NODE } } });
    shop.facilitator.showChain();
    const { requestId } = await shop.buy();
    shop.clock.advance(9 * 24 * 3600);
    expect(await shop.handle.refund({ requestId })).toMatchObject({ state: "returned", usd: "0.001" });
    expect(shop.backs()).toEqual([[alice.address, 1000n]]);
  });

  it("waits for a settlement that the chain does not show, ever more rarely, and ends after three days", async () => {
    const said: string[] = [];
    const say = (_: object, message: string) => void said.push(message);
    const logger = { debug() {}, info() {}, warn: say, error: say };
    const clock = fakeClock();
    const store = createMemoryStore({ clock });
    const shop = open({ store, clock, logger, payment: { ...payment, rpc: { [NETWORK]: NODE } } });
    shop.facilitator.showChain();
    shop.facilitator.faults.settle.push("lie-yes");
    const { requestId } = await shop.buy();
    expect(await shop.handle.refund({ requestId })).toMatchObject({ state: "owed" });
    for (let tenths = 0; tenths < 4 * 24 * 6; tenths++) {
      shop.clock.advance(600);
      await shop.handle.reconcile();
    }
    expect(shop.backs()).toEqual([]);
    expect(said.filter((one) => one.includes("the refund waits")).length).toBeLessThan(120);
    expect(said.filter((one) => one.includes("so nothing is given back"))).toHaveLength(1);
    expect(await store.due(shop.clock().getTime() + 3600_000, 10)).toEqual([]);
  });

  it("that stays owed is told after an hour, and then once a day, until it goes back", async () => {
    const heard: { type: string; data: object }[] = [];
    const said: string[] = [];
    const facilitator = fakeFacilitator();
    const hook = "https://host.test/hook";
    const fetch: typeof globalThis.fetch = async (input, init) => {
      if (String(input) !== hook) return facilitator.fetch(input, init);
      heard.push(JSON.parse(String(init?.body)));
      return new Response(null, { status: 204 });
    };
    const shop = open({
      ...{ facilitator, fetch, logger: { ...silent, error: (_: object, line: string) => void said.push(line) } },
      webhooks: [{ url: hook, secret: `whsec_${Buffer.alloc(32, 7).toString("base64")}`, events: ["refund.owed"] }],
      payment: { ...payment, rpc: { [NETWORK]: NODE } },
    });
    facilitator.showChain();
    facilitator.faults.settle.push("lie-yes");
    const { requestId } = await shop.buy();
    shop.clock.advance(300);
    const since = shop.clock().toISOString();
    await shop.handle.refund({ requestId }, { usd: "0.0004" });
    const pass = async (tenths: number) => {
      for (let i = 0; i < tenths; i++) {
        shop.clock.advance(600);
        await shop.handle.tick();
      }
    };
    const overdue = () => shop.events.filter(({ outcome }) => outcome === "overdue");
    const lines = () => said.filter((line) => line === "payment: a refund is overdue and needs your attention");
    await pass(5);
    const listed = async () => (await shop.handle.ledger()).overdue;
    expect([heard, overdue(), lines(), await listed()]).toEqual([[], [], [], undefined]);
    await pass(100);
    const facts = { requestId, payer: alice.address, network: NETWORK, owedUsd: "0.0004" };
    const data = { endpoint: "test.work", ...facts, since };
    expect(heard).toEqual([{ type: "refund.owed", timestamp: expect.any(String), data }]);
    expect(overdue()).toMatchObject([{ kind: "refund", id: "test.work", ...facts }]);
    expect(lines()).toHaveLength(1);
    expect(await listed()).toEqual([{ ...data, attempts: expect.any(Number), reason: expect.any(String) }]);
    await pass(144);
    expect([heard.length, overdue().length, lines().length]).toEqual([2, 2, 2]);
  });

  it("is another webhook than that of the unused part of the same call", async () => {
    const heard: [string | null, object][] = [];
    const facilitator = fakeFacilitator();
    const hook = "https://host.test/hook";
    const fetch: typeof globalThis.fetch = async (input, init) => {
      if (String(input) !== hook) return facilitator.fetch(input, init);
      heard.push([new Headers(init?.headers).get("webhook-id"), JSON.parse(String(init?.body)).data]);
      return new Response(null, { status: 204 });
    };
    const shop = openShop({
      ...{ trial: false, payment, facilitator, fetch },
      capabilities: [billedByUsage(({ meter }) => void meter.add("0.0075"))],
      webhooks: [{ url: hook, secret: `whsec_${Buffer.alloc(32, 7).toString("base64")}`, events: ["refund"] }],
    });
    const answer = await shop.pay("/test/model?n=1", await shop.payFor("/test/model?n=1"));
    const { requestId } = (await bodyOf(answer)).meta as { requestId: string };
    await shop.handle.refund({ requestId });
    await shop.handle.tick();
    expect(heard.map(([, data]) => data)).toMatchObject([{ refundedUsd: "0.0125" }, { refundedUsd: "0.0075" }]);
    expect(new Set(heard.map(([id]) => id)).size).toBe(2);
  });

  it("is no credit while a signed refund may be on its way, however often the host asks", async () => {
    const shop = open({ payment: { ...payment, rpc: { [NETWORK]: NODE } } });
    shop.facilitator.showChain();
    const { requestId } = await shop.buy();
    shop.facilitator.faults.settle.push(...Array.from({ length: 50 }, () => "status500" as const));
    const sales = shop.facilitator.asked("settle");
    let sentAt = shop.clock().getTime();
    for (let asked = sales, round = 0; round < 200; round++) {
      const { state } = await shop.handle.refund({ requestId });
      if (shop.facilitator.asked("settle") > asked) sentAt = shop.clock().getTime();
      asked = shop.facilitator.asked("settle");
      if (state === "credited") break;
      expect(state).toBe("owed");
      shop.clock.advance(10);
    }
    expect(await shop.handle.refund({ requestId })).toMatchObject({ state: "credited" });
    expect(shop.facilitator.asked("settle")).toBe(sales + 5);
    // A signed refund is good for two minutes.
    expect(shop.clock().getTime() - sentAt).toBeGreaterThan(120_000);
  });

  it("goes to the balance of the account that paid, and its statement tells both", async () => {
    const shop = open({ accounts: { keys: true } });
    const { accounts } = shop.handle;
    await accounts.topUp("acme", "1", { reference: "first" });
    const { key } = await accounts.createKey("acme");
    const answer = await shop.get(WORK, { authorization: `Bearer ${key}` });
    const { requestId } = (await bodyOf(answer)).meta as { requestId: string };
    const done = { state: "returned", usd: "0.001", account: "acme", endpoint: "test.work" };
    expect(await shop.handle.refund({ requestId })).toEqual(done);
    expect(await accounts.balance("acme")).toMatchObject({ availableUsd: "1" });
    const days = { from: "2026-06-01", to: "2026-06-01" };
    const { total, lines } = await shop.handle.statement({ account: "acme" }, days);
    expect(total).toEqual({ calls: 1, salesUsd: "0.001", returnedUsd: "0.001", netUsd: "0" });
    expect(lines).toMatchObject([{ unitUsd: "0.001" }, { unitUsd: "-0.001" }]);
  });

  it("ACC-26 of a call that an account paid is no credit, even if the account is not known any more", async () => {
    const store = createMemoryStore();
    const shop = openShop({ trial: false, store, accounts: { identify: () => ({ id: "acme" }) } });
    await shop.handle.accounts.topUp("acme", "1", { reference: "first" });
    const { requestId } = (await bodyOf(await shop.get(WORK))).meta;
    await shop.handle.refund({ requestId });
    for (let i = 0; i < 20; i++) await shop.get(WORK);
    await expect.poll(() => store.list("account-book:", { limit: 9 })).toHaveLength(1);
    const later = openShop({ trial: false, store });
    await expect(later.handle.refund({ requestId })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await store.list("credit:", { limit: 9 })).toEqual([]);
  });

  it.each(["0.0000001", "abc", "-1", "1e-3", "", "0", "NaN", 1])(
    "ACC-21 of %s to an account is refused as to a wallet, and not rounded",
    async (usd) => {
      const { handle, get } = openShop({ trial: false, accounts: { identify: () => ({ id: "acme" }) } });
      await handle.accounts.topUp("acme", "1", { reference: "first" });
      const { requestId } = (await bodyOf(await get(WORK))).meta;
      await expect(handle.refund({ requestId }, { usd: usd as string })).rejects.toMatchObject({
        code: "INVALID_INPUT",
      });
      expect(await handle.accounts.entries("acme")).toHaveLength(2);
    },
  );

  it("needs a host that sells", async () => {
    const handle = createHandler({ capabilities: [convertUnit], payment: false });
    await expect(handle.refund({ requestId: "x" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("a statement", () => {
  const MAY = { from: "2026-06-01", to: "2026-06-01" };

  it("has lines by endpoint and price, returns, references and the host's own fields", async () => {
    const shop = open();
    const [a, b] = [await shop.buy(), await shop.buy("/test/work?n=2")];
    const dear = await shop.buy("/test/dear?n=1");
    await shop.buy(WORK, mallory);
    await shop.handle.setPrice("test.work", "0.002");
    const c = await shop.buy("/test/work?n=3");
    const back = await shop.handle.refund({ requestId: a.requestId });
    for (const payer of [alice.address, alice.address.toLowerCase(), `${NETWORK}:${alice.address}`])
      expect(await shop.handle.statement({ payer }, { ...MAY, tax: { vatId: "DE1" } })).toEqual({
        payer,
        ...MAY,
        currency: "USD",
        lines: [
          { endpoint: "test.dear", count: 1, unitUsd: "0.5", netUsd: "0.5", references: [dear.transaction] },
          {
            endpoint: "test.work",
            count: 2,
            unitUsd: "0.001",
            netUsd: "0.002",
            references: expect.arrayContaining([a.transaction, b.transaction]),
          },
          { endpoint: "test.work", count: 1, unitUsd: "0.002", netUsd: "0.002", references: [c.transaction] },
          {
            endpoint: "test.work",
            count: 1,
            unitUsd: "-0.001",
            netUsd: "-0.001",
            references: [(back as { transaction?: string }).transaction],
          },
        ],
        total: { calls: 4, salesUsd: "0.504", returnedUsd: "0.001", netUsd: "0.503" },
        tax: { vatId: "DE1" },
      });
    const empty = await shop.handle.statement({ payer: TREASURY }, MAY);
    expect(empty).toMatchObject({ lines: [], total: { calls: 0, netUsd: "0" } });
    const elsewhere = await shop.handle.statement({ payer: `eip155:1:${alice.address}` }, MAY);
    expect(elsewhere.lines).toEqual([]);
  });

  it("is CSV that no spreadsheet takes for a formula", async () => {
    const shop = open();
    const { requestId } = await shop.buy();
    await shop.handle.refund({ requestId });
    const tax = { note: '=HYPERLINK("http://x")', "+1": "@x", plain: "19" };
    const csv = await shop.handle.statement({ payer: alice.address }, { ...MAY, format: "csv", tax });
    const lines = csv.split("\r\n");
    expect(lines[0]).toBe("endpoint,count,unit_usd,net_usd,references");
    expect(lines.slice(1, 4).map((line) => line.split(",").slice(0, 4).join())).toEqual([
      ...["test.work,1,0.001,0.001", "test.work,1,-0.001,-0.001", "total,1,,0"],
    ]);
    expect(csv).toContain(`note,"'=HYPERLINK(""http://x"")"`);
    expect(csv).toContain(`"'+1","'@x"`);
    expect(lines.every((line) => !/(?:^|,)"?[=+@]/.test(line))).toBe(true);
  });

  it("refuses what names nobody, or no days", async () => {
    const { handle } = open();
    const wrong: [unknown, unknown][] = [
      [{}, MAY],
      [{ payer: "x", account: "y" }, MAY],
      [{ payer: "" }, MAY],
      [{ payer: "x" }, { from: "June", to: "2026-06-01" }],
      [{ payer: "x" }, { from: "2026-06-02", to: "2026-06-01" }],
      [{ payer: "x" }, { ...MAY, format: "pdf" }],
      [{ payer: "x" }, { ...MAY, tax: { rate: 19 } }],
    ];
    for (const [of, query] of wrong)
      await expect(handle.statement(of as never, query as never)).rejects.toThrow(/^statement: /);
  });
});
