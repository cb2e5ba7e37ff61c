/** Several who share what is sold on a network. */
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { billedByUsage } from "../support/billed-by-usage.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { failing, NETWORK, openShop, type ShopOptions } from "../support/shop.js";
import { alice, mallory, TREASURY } from "../support/wallets.js";

const FACILITATOR = { url: "https://facilitator.test" };
const NODE = "https://mainnet.base.org";
const PARTNER = "0x00000000000000000000000000000000000ab001";
const THIRD = "0x000000000000000000000000000000000000c002";
const plain = (address: string) => address.toLowerCase();

const paidTo = (...shares: number[]) => ({
  treasury: {
    [NETWORK]: [TREASURY, PARTNER, THIRD].slice(0, shares.length).map((payTo, i) => ({ payTo, share: shares[i] ?? 0 })),
  },
  facilitator: FACILITATOR,
  payouts: { [NETWORK]: mallory },
});

function open(options: ShopOptions = {}, shares = [7000, 3000]) {
  const shop = openShop({ trial: false, payment: paidTo(...shares), ...options });
  const buy = async (path = "/test/work?n=1") => {
    const answer = await shop.pay(path, await shop.payFor(path));
    expect(answer.status).toBe(200);
    const { requestId } = (await bodyOf(answer)).meta as { requestId: string };
    return requestId;
  };
  const sent = () =>
    shop.facilitator.settled.filter(({ from }) => from === mallory.address).map(({ to, value }) => [plain(to), value]);
  const earned = async () => (await shop.handle.payouts.list()).map(({ earnedUsd }) => earnedUsd);
  const rowOf = async (payTo: string) =>
    (await shop.handle.payouts.list()).find((row) => row.payTo === payTo) ?? { payouts: [] };
  return { ...shop, buy, sent, earned, rowOf };
}

describe("a treasury that is a list", () => {
  it("is paid on chain to its first entry, and tells what the others are owed", async () => {
    const shop = open();
    await shop.buy();
    await shop.buy("/test/dear?n=1");
    expect(new Set(shop.facilitator.settled.map(({ to }) => plain(to)))).toEqual(new Set([plain(TREASURY)]));
    const of = { network: NETWORK, treasury: TREASURY, pendingUsd: "0", payouts: [] };
    expect(await shop.handle.payouts.list()).toEqual([
      { ...of, payTo: TREASURY, share: 7000, earnedUsd: "0.3507", paidUsd: "0.3507", owedUsd: "0" },
      { ...of, payTo: PARTNER, share: 3000, earnedUsd: "0.1503", paidUsd: "0", owedUsd: "0.1503" },
    ]);
  });

  it("PAY-47 loses no unit over many sales, and nobody more than a unit of its share", async () => {
    const shop = open({}, [3334, 3333, 3333]);
    for (let sales = 1; sales <= 25; sales++) {
      await shop.buy();
      const [first = "0", ...others] = await shop.earned();
      const units = [first, ...others].map((usd) => Math.round(Number(usd) * 1e6));
      expect(units.reduce((sum, one) => sum + one)).toBe(sales * 1000);
      for (const one of units.slice(1)) expect(one).toBe(Math.floor((sales * 1000 * 3333) / 10_000));
    }
  });

  it("takes shares back of what the host gives back, by the shares of the sale", async () => {
    const store = createMemoryStore();
    const facilitator = fakeFacilitator();
    const before = open({ store, facilitator });
    const requestId = await before.buy();
    const later = open({ store, facilitator, payment: { ...paidTo(5000, 5000), refunds: { [NETWORK]: mallory } } });
    expect(await later.earned()).toEqual(["0.0007", "0.0003"]);
    await later.handle.refund({ requestId }, { usd: "0.0005" });
    expect(await later.earned()).toEqual(["0.00035", "0.00015"]);
    await later.buy();
    expect(await later.earned()).toEqual(["0.00085", "0.00065"]);
  });

  it("PAY-47 shares what was sold for a former treasury, and is booked by an instance with another", async () => {
    const store = createMemoryStore();
    const facilitator = fakeFacilitator();
    const clock = fakeClock();
    const before = open({ store, facilitator, clock });
    facilitator.faults.settle.push("drop-after");
    const pending = await before.pay("/test/work?n=1", await before.payFor("/test/work?n=1"));
    expect(pending.status).toBe(502);
    facilitator.showChain();
    const other = "0x5aeda56215b167893e80b4fe645ba6d5bab767de";
    const now = {
      ...{ treasury: { [NETWORK]: other }, formerTreasuries: { [NETWORK]: [TREASURY] } },
      ...{ facilitator: FACILITATOR, payouts: { [NETWORK]: mallory } },
    };
    const later = open({ store, facilitator, clock, payment: now });
    clock.advance(120);
    await later.handle.reconcile();
    expect((await later.handle.ledger()).total).toMatchObject({ earnedUsd: "0.001" });
    expect(await later.earned()).toEqual(["0.0007", "0.0003"]);
    expect(await later.handle.payouts.pay()).toMatchObject([{ usd: "0.0003", payTo: PARTNER }]);
  });

  it("owes a share of what a call used, and not of the maximum that was settled", async () => {
    const shop = open({ capabilities: [billedByUsage(({ meter }) => void meter.add("0.0075"))] });
    await shop.buy("/test/model?n=1");
    expect(await shop.earned()).toEqual(["0.00525", "0.00225"]);
  });

  it("takes the shares of a settlement back that the chain lost", async () => {
    const shop = open({ payment: { ...paidTo(7000, 3000), rpc: { [NETWORK]: NODE } } });
    shop.facilitator.showChain();
    await shop.buy();
    shop.facilitator.faults.settle.push("lie-yes");
    await shop.buy("/test/dear?n=1");
    for (let hours = 0; hours < 30; hours++) {
      shop.clock.advance(3600);
      await shop.handle.reconcile();
    }
    expect((await shop.handle.ledger()).total).toMatchObject({ lostUsd: "0.5" });
    expect(await shop.earned()).toEqual(["0.0007", "0.0003"]);
  });

  it("books the shares of a sale that went back whole, since the chain may lose it after that", async () => {
    const store = createMemoryStore();
    const payment = { ...paidTo(7000, 3000), refunds: { [NETWORK]: mallory }, settleFirst: ["test.dear"] };
    const shop = open({ store, payment });
    await shop.buy();
    shop.behaviours.push(failing());
    const failed = await shop.pay("/test/dear?n=1", await shop.payFor("/test/dear?n=1"));
    expect(failed.status).toBe(502);
    expect(await shop.earned()).toEqual(["0.0007", "0.0003"]);
    const entries = (await store.list("ledger:", { limit: 9 })).map(({ value }) => JSON.parse(value));
    const sale = entries.find(({ kind, endpoint }) => kind === "sale" && endpoint === "test.dear");
    expect(sale).toMatchObject({
      earned: "0",
      split: [
        [TREASURY, 7000],
        [PARTNER, 3000],
      ],
    });
    expect(sale).not.toHaveProperty("uncounted");
  });

  it("shares nothing that accounts paid: it came by another way", async () => {
    const shop = open({ accounts: { keys: true } });
    await shop.handle.accounts.topUp("acme", "1", { reference: "first" });
    const { key } = await shop.handle.accounts.createKey("acme");
    await shop.get("/test/work?n=1", { authorization: `Bearer ${key}` });
    expect(await shop.earned()).toEqual(["0", "0"]);
  });

  it("stands in the earnings page", async () => {
    const shop = open();
    await shop.buy();
    const page = await (await shop.handle.earnings(new Request("https://host.test/earnings"))).text();
    expect(page).toContain("Shares");
    expect(page).toContain(PARTNER);
    expect(page).toContain("0.0003");
  });
});

describe("a payout", () => {
  it("PAY-47 pays each what it is owed, once, whoever asks how often", async () => {
    const store = createMemoryStore();
    const facilitator = fakeFacilitator();
    const [one, other] = [open({ store, facilitator }), open({ store, facilitator })];
    await one.buy();
    await other.buy("/test/dear?n=1");
    const asked = await Promise.all([one, other, one, other].map(({ handle }) => handle.payouts.pay()));
    expect(asked.flat().every(({ usd }) => usd === "0.1503")).toBe(true);
    await one.handle.reconcile();
    expect(await other.handle.payouts.pay()).toEqual([]);
    expect(one.sent()).toEqual([[plain(PARTNER), 150_300n]]);
    expect(await one.rowOf(PARTNER)).toMatchObject({ paidUsd: "0.1503", pendingUsd: "0", owedUsd: "0" });
    const paid = { network: NETWORK, payTo: PARTNER, usd: "0.1503", state: "paid", at: expect.any(String) };
    expect((await one.rowOf(PARTNER)).payouts).toEqual([{ ...paid, transaction: expect.stringMatching(/^0x/) }]);
  });

  it("pays later sales by another payout, and nothing below the least amount", async () => {
    const shop = open();
    await shop.buy();
    expect(await shop.handle.payouts.pay({ minUsd: "0.0004" })).toEqual([]);
    expect(await shop.handle.payouts.pay({ payTo: THIRD })).toEqual([]);
    expect(await shop.handle.payouts.pay({ network: "polygon" })).toEqual([]);
    expect(await shop.handle.payouts.pay({ network: "base", payTo: PARTNER })).toHaveLength(1);
    await shop.buy();
    await shop.handle.payouts.pay();
    expect(shop.sent()).toEqual([300n, 300n].map((units) => [plain(PARTNER), units]));
  });

  it.each(["status500", "drop-after"] as const)("outlives %s, and a restart: the background goes on", async (fault) => {
    const store = createMemoryStore();
    const facilitator = fakeFacilitator();
    const clock = fakeClock();
    const shop = open({ store, facilitator, clock });
    await shop.buy();
    facilitator.faults.settle.push(fault);
    const [begun] = await shop.handle.payouts.pay();
    expect(begun).toMatchObject({ state: "pending", usd: "0.0003", reason: expect.any(String) });
    expect(await shop.rowOf(PARTNER)).toMatchObject({ paidUsd: "0", pendingUsd: "0.0003", owedUsd: "0" });
    await shop.buy();
    const again = open({ store, facilitator, clock });
    clock.advance(120);
    await again.handle.reconcile();
    expect(again.sent()).toEqual([[plain(PARTNER), 300n]]);
    expect(await again.rowOf(PARTNER)).toMatchObject({ paidUsd: "0.0003", pendingUsd: "0", owedUsd: "0.0003" });
  });

  it("is pending for as long as it fails, and is never credit", async () => {
    const shop = open({ payment: { ...paidTo(5000, 5000), rpc: { [NETWORK]: NODE } } });
    shop.facilitator.showChain();
    await shop.buy();
    shop.facilitator.faults.settle.push(...Array.from({ length: 9 }, () => "status500" as const));
    for (let rounds = 0; rounds < 9; rounds++) {
      expect((await shop.handle.payouts.pay())[0]).toMatchObject({ state: "pending" });
      shop.clock.advance(3600);
    }
    expect((await shop.handle.payouts.pay())[0]).toMatchObject({ state: "paid" });
    expect(shop.sent()).toEqual([[plain(PARTNER), 500n]]);
  });

  it("owes less after it paid too much, and pays again when that is earned", async () => {
    const shop = open({ payment: { ...paidTo(5000, 5000), refunds: { [NETWORK]: mallory } } });
    const requestId = await shop.buy();
    await shop.handle.payouts.pay();
    await shop.handle.refund({ requestId });
    expect(await shop.rowOf(PARTNER)).toMatchObject({ earnedUsd: "0", paidUsd: "0.0005", owedUsd: "-0.0005" });
    await shop.buy();
    expect(await shop.handle.payouts.pay()).toEqual([]);
    await shop.buy();
    expect(await shop.handle.payouts.pay()).toMatchObject([{ usd: "0.0005", state: "paid" }]);
  });

  it("waits while the list of sanctions names its receiver, also after it began", async () => {
    const store = createMemoryStore();
    const facilitator = fakeFacilitator();
    const clock = fakeClock();
    const before = open({ store, facilitator, clock });
    await before.buy();
    facilitator.faults.settle.push("status500");
    expect(await before.handle.payouts.pay()).toMatchObject([{ state: "pending" }]);
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const url = String(input instanceof Request ? input.url : input);
      if (!url.includes("sanctioned_addresses_")) return facilitator.fetch(input, init);
      if (url.includes("_ETH.json")) return Response.json([PARTNER]);
      if (url.includes("_XBT.json")) return Response.json(["12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h"]);
      return new Response("", { status: 404 });
    };
    const listed = open({ store, facilitator, clock, fetch, sanctions: true, cache: false });
    for (let rounds = 0; rounds < 3; rounds++) {
      clock.advance(7200);
      await listed.handle.reconcile();
    }
    expect(await listed.handle.payouts.pay()).toMatchObject([
      { state: "pending", reason: expect.stringMatching(/OFAC/) },
    ]);
    expect(listed.sent()).toEqual([]);
    expect(await listed.rowOf(PARTNER)).toMatchObject({ pendingUsd: "0.0003", paidUsd: "0" });
    clock.advance(7200);
    const cleared = open({ store, facilitator, clock });
    await cleared.handle.reconcile();
    expect(cleared.sent()).toEqual([[plain(PARTNER), 300n]]);
  });

  it("is not sent in another token, which would pay it a second time", async () => {
    const store = createMemoryStore();
    const facilitator = fakeFacilitator();
    const clock = fakeClock();
    const before = open({ store, facilitator, clock });
    await before.buy();
    facilitator.faults.settle.push("drop-after");
    expect(await before.handle.payouts.pay()).toMatchObject([{ state: "pending" }]);
    const asked = facilitator.calls.length;
    const other = { address: "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359", name: "Other Dollar", version: "1" };
    const changed = open({
      ...{ store, facilitator, clock },
      payment: { ...paidTo(7000, 3000), assets: { [NETWORK]: other } },
    });
    clock.advance(120);
    await changed.handle.reconcile();
    expect(facilitator.calls.slice(asked)).toEqual([]);
    expect(await changed.rowOf(PARTNER)).toMatchObject({ pendingUsd: "0.0003", owedUsd: "0" });
    clock.advance(7200);
    const back = open({ store, facilitator, clock });
    await back.handle.reconcile();
    expect(await back.rowOf(PARTNER)).toMatchObject({ pendingUsd: "0", paidUsd: "0.0003" });
    expect(back.sent()).toEqual([[plain(PARTNER), 300n]]);
  });

  it("goes on in the background after the host shares with nobody any more", async () => {
    const store = createMemoryStore();
    const facilitator = fakeFacilitator();
    const clock = fakeClock();
    const before = open({ store, facilitator, clock });
    await before.buy();
    facilitator.faults.settle.push("status500");
    await before.handle.payouts.pay();
    await before.buy();
    const { payouts, facilitator: url } = paidTo(5000, 5000);
    const payment = { treasury: { [NETWORK]: TREASURY }, payouts, facilitator: url };
    const after = open({ store, facilitator, clock, payment });
    clock.advance(120);
    await after.handle.reconcile();
    expect(after.sent()).toEqual([[plain(PARTNER), 300n]]);
    const due = await store.due(clock().getTime(), 100);
    expect(due.filter((key) => key.startsWith("ledger:"))).toEqual([]);
    expect(await after.rowOf(PARTNER)).toMatchObject({ share: 0, paidUsd: "0.0003", owedUsd: "0.0003" });
  });

  it("is not kept from one network by another whose token has no price now", async () => {
    const polygon = "eip155:137";
    const store = createMemoryStore();
    const facilitator = fakeFacilitator();
    const clock = fakeClock();
    const list = paidTo(5000, 5000).treasury[NETWORK];
    const { payouts, facilitator: url } = paidTo(5000, 5000);
    const on = (network: string) => ({ treasury: { [network]: list }, facilitator: url });
    await open({ store, facilitator, clock, payment: on(polygon) }).buy();
    await open({ store, facilitator, clock, payment: on(NETWORK) }).buy();
    const rate = () => {
      throw new Error("no price");
    };
    const shop = open({
      ...{ store, facilitator, clock },
      payment: {
        treasury: { [NETWORK]: list, [polygon]: list },
        facilitator: url,
        payouts: { ...payouts, [polygon]: mallory },
        assets: {
          [polygon]: { address: "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359", name: "USD Coin", version: "2", rate },
        },
      },
    });
    const made = await shop.handle.payouts.pay();
    expect(made.map(({ network, state }) => [network, state])).toEqual([
      [polygon, "held"],
      [NETWORK, "paid"],
    ]);
    expect(
      (await shop.handle.payouts.list()).find(
        ({ network, share, payTo }) => network === polygon && share && payTo === PARTNER,
      ),
    ).toMatchObject({ owedUsd: "0.0005", pendingUsd: "0" });
  });

  it("is made from the wallet of refunds if no other is named, and held without any", async () => {
    const { payouts, ...rest } = paidTo(5000, 5000);
    const shop = open({ payment: { ...rest, refunds: payouts } });
    await shop.buy();
    expect(await shop.handle.payouts.pay()).toMatchObject([{ state: "paid" }]);
    const none = open({ payment: rest });
    await none.buy();
    const reason = expect.stringContaining('payment.payouts["eip155:8453"] names no wallet');
    expect(await none.handle.payouts.pay()).toMatchObject([{ state: "held", usd: "0.0005", reason }]);
    expect(await none.rowOf(PARTNER)).toMatchObject({ owedUsd: "0.0005", pendingUsd: "0" });
  });

  it("PAY-47 survives that an entry of the sale was written and not counted, at any access to the store", async () => {
    for (let dies = 1; dies < 60; dies++) {
      const store = createMemoryStore();
      const facilitator = fakeFacilitator();
      const clock = fakeClock();
      const shop = open({ store, facilitator, clock });
      for (let n = 0; n < 3; n++) await shop.buy();
      let left = dies;
      const mortal = new Proxy(store, {
        get(target, name: keyof typeof store) {
          const member = target[name];
          if (typeof member !== "function") return member;
          return (...args: never[]) => {
            if (--left < 0) throw new Error("the process died");
            return (member as (...args: never[]) => unknown).apply(target, args);
          };
        },
      });
      const dying = open({ store: mortal, facilitator, clock });
      await dying.handle.payouts.pay().catch(() => {});
      clock.advance(3600);
      const next = open({ store, facilitator, clock });
      await next.handle.reconcile();
      await next.handle.payouts.pay();
      expect(next.sent(), `dies at access ${dies}`).toEqual([[plain(PARTNER), 900n]]);
      expect(await next.rowOf(PARTNER)).toMatchObject({ paidUsd: "0.0009", pendingUsd: "0", owedUsd: "0" });
      expect(
        await store.due(clock().getTime(), 100).then((keys) => keys.filter((key) => key.startsWith("ledger:"))),
      ).toEqual([]);
      if (left > 0) return;
    }
    throw new Error("the process never lived to the end");
  });
});

describe("the option", () => {
  const treasuryOf = (list: unknown) => () =>
    openShop({ payment: { treasury: { [NETWORK]: list as never }, facilitator: FACILITATOR } });
  const of = (payTo: string | undefined, share: unknown) => ({ payTo, share });

  it.each([
    [[of(TREASURY, 9999)], "must have 2 to 50 entries, not 1"],
    [[of(TREASURY, 7000), of(PARTNER, 2999)], "the shares must add up to 10000, not 9999"],
    [[of(TREASURY, 7000), of(PARTNER, 3001)], "the shares must add up to 10000, not 10001"],
    [[of(TREASURY, 5000), of(TREASURY.toLowerCase(), 5000)], "is the address of entry 0"],
    [[of(TREASURY, 0), of(PARTNER, 10_000)], "[0].share must be"],
    [[of(TREASURY, 0.5), of(PARTNER, 9999.5)], "[0].share must be"],
    [[of(TREASURY, "5000"), of(PARTNER, 5000)], "[0].share must be"],
    [[of(TREASURY, 5000), of(undefined, 5000)], "[1].payTo is not set"],
    [[of(TREASURY, 5000), of("0x1", 5000)], "[1].payTo must be"],
    [[of(TREASURY, 5000), { payto: PARTNER, share: 5000 }], 'Did you mean "payTo"'],
    [[TREASURY, PARTNER], "[0] must be an object"],
  ])("%j is refused", (list, why) => {
    expect(treasuryOf(list)).toThrow(why);
  });

  it("takes a list on one network and an address on another", () => {
    const solana = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
    const list = [of(TREASURY, 5000), of(PARTNER, 5000)] as never;
    const treasury = { base: list, [solana]: "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse" };
    expect(() => openShop({ payment: { treasury, facilitator: FACILITATOR } })).not.toThrow();
  });

  it("names the wallet that cannot pay", () => {
    const payouts = { [NETWORK]: { publicKey: "x", secretKey: new Uint8Array(64) } as never };
    expect(() => openShop({ payment: { ...paidTo(5000, 5000), payouts } })).toThrow(
      'payment.payouts["eip155:8453"] must be a wallet that signs typed data',
    );
  });
});

it("a host that shares with nobody has no payouts", async () => {
  const shop = openShop({ trial: false });
  await shop.pay("/test/work?n=1", await shop.payFor("/test/work?n=1", { wallet: alice }));
  expect(await shop.handle.payouts.list()).toEqual([]);
  expect(await shop.handle.payouts.pay()).toEqual([]);
});
