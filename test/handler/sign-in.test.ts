/** Wallets that sign in: for endpoints that are free for them, and for what they bought before. */
import { createSIWxPayload, encodeSIWxHeader } from "@x402/extensions/sign-in-with-x";
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { NETWORK, openShop, type ShopOptions } from "../support/shop.js";
import { alice, mallory, quoteOf, TREASURY } from "../support/wallets.js";

const ORIGIN = "https://shop.test";
const WORK = "/test/work?n=1";
const payment = { treasury: { [NETWORK]: TREASURY }, facilitator: { url: "https://facilitator.test" } };

interface Offer {
  info: Parameters<typeof createSIWxPayload>[0];
}

function open(signIn: object, options: ShopOptions = {}) {
  const brand = { baseUrl: ORIGIN };
  const shop = openShop({ trial: false, brand, payment: { ...payment, signIn }, ...options });
  const offerOf = async (path = WORK) => quoteOf(await shop.get(path)).extensions?.["sign-in-with-x"] as Offer;
  /** As the official client signs what the 402 offers. */
  const proofOf = async (wallet = alice, { path = WORK, info = {}, origin = ORIGIN } = {}) => {
    const offer = await offerOf(path);
    const told = { ...offer.info, chainId: NETWORK, type: "eip191", ...info } as never;
    return encodeSIWxHeader(await createSIWxPayload(told, wallet as never, `${origin}/api${path}`));
  };
  const signedIn = (path: string, proof: string) => shop.get(path, { "sign-in-with-x": proof });
  const buy = async (path = WORK, wallet = alice) => {
    const answer = await shop.pay(path, await shop.payFor(path, { wallet }));
    expect(answer.status).toBe(200);
    return await bodyOf(answer);
  };
  return { ...shop, offerOf, proofOf, signedIn, buy };
}

describe("an endpoint that is free for wallets that sign in", () => {
  it("runs for one, and costs anybody else its price", async () => {
    const shop = open({ free: ["test.work"] });
    const done = await shop.signedIn(WORK, await shop.proofOf());
    expect([done.status, (await bodyOf(done)).meta]).toMatchObject([200, { caller: "free", costUsd: "0" }]);
    expect(shop.events.at(-1)).toMatchObject({ payer: alice.address, caller: "free" });
    expect((await shop.get(WORK)).status).toBe(402);
    expect(await shop.offerOf("/test/dear?n=1")).toBeUndefined();
    expect(shop.facilitator.asked("settle")).toBe(0);
  });

  it("takes each proof once, at its own endpoint, of the wallet that signed it, within five minutes", async () => {
    const store = createMemoryStore();
    const facilitator = fakeFacilitator();
    const clock = fakeClock();
    const shared = { store, facilitator, clock };
    const [shop, other] = [open({ free: ["test.work", "test.other"] }, shared), open({ free: ["test.work"] }, shared)];
    const proof = await shop.proofOf();
    const elsewhere = await shop.signedIn("/test/other?n=1", proof);
    expect(elsewhere.status).toBe(402);
    expect((await shop.signedIn(WORK, proof)).status).toBe(200);
    for (const one of [shop, other]) expect((await one.signedIn(WORK, proof)).status).toBe(402);
    const stolen = JSON.parse(Buffer.from(await shop.proofOf(), "base64").toString());
    const forged = Buffer.from(JSON.stringify({ ...stolen, address: mallory.address })).toString("base64");
    expect((await shop.signedIn(WORK, forged)).status).toBe(402);
    const foreign = await shop.proofOf(alice, {
      info: { domain: "evil.test", uri: "https://evil.test/api/test/work" },
      origin: "https://evil.test",
    });
    expect((await shop.signedIn(WORK, foreign)).status).toBe(402);
    const old = await shop.proofOf();
    clock.advance(301);
    expect((await shop.signedIn(WORK, old)).status).toBe(402);
    expect(shop.runs() + other.runs()).toBe(1);
  });

  it("bounds the calls of a wallet and of an address, and hears no policy's no", async () => {
    const shop = open({ free: ["test.work"] });
    for (let n = 0; n < 60; n++) expect((await shop.signedIn(WORK, await shop.proofOf())).status).toBe(200);
    expect((await shop.signedIn(WORK, await shop.proofOf())).status).toBe(402);
    const strict = open(
      { free: ["test.work"] },
      {
        policy: ({ via }) =>
          via === "sign-in" ? { allow: false, code: "NO", reason: "No sign-ins." } : { allow: true },
      },
    );
    expect((await strict.signedIn(WORK, await strict.proofOf())).status).toBe(403);
  });

  it("is named in the documents, and nothing else is", async () => {
    const { handle } = open({ free: ["test.work"] });
    const { paths } = handle.openapi();
    expect(paths["/api/test/work"]?.get?.security).toContainEqual({ siwx: [] });
    expect(paths["/api/test/dear"]?.get?.security).not.toContainEqual({ siwx: [] });
  });

  it.each([
    [{ free: ["test.work"] }, {}, "payment.signIn needs brand.baseUrl"],
    [{ free: ["test.nothing"] }, { baseUrl: ORIGIN }, '"test.nothing", which is not mounted'],
    [{ free: "test.work" }, { baseUrl: ORIGIN }, "payment.signIn.free must be an array"],
    [{ again: "yes" }, { baseUrl: ORIGIN }, "payment.signIn.again must be true or false"],
  ])("%j is refused if it cannot work", (signIn, brand, why) => {
    expect(() => openShop({ brand, payment: { ...payment, signIn: signIn as never } })).toThrow(why);
  });
});

describe("a wallet that signs in for what it bought", () => {
  it("gets the same answer for free, from any instance, whatever the price is by then", async () => {
    const store = createMemoryStore();
    const facilitator = fakeFacilitator();
    const clock = fakeClock();
    const [shop, other] = [
      open({ again: true }, { store, facilitator, clock }),
      open({ again: true }, { store, facilitator, clock }),
    ];
    const bought = await shop.buy();
    await shop.handle.setPrice("test.work", "0.5");
    clock.advance(600);
    for (const one of [shop, other]) {
      const again = await one.signedIn(WORK, await one.proofOf());
      expect(again.status).toBe(200);
      expect((await bodyOf(again)).data).toEqual(bought.data);
    }
    expect([shop.runs() + other.runs(), facilitator.settled.length]).toEqual([1, 1]);
  });

  it("gets nothing else: no other input, endpoint or wallet's, and nothing that it did not buy", async () => {
    const shop = open({ again: true });
    await shop.buy();
    await shop.buy("/test/work?n=2", mallory);
    const refusals = [
      await shop.signedIn("/test/work?n=2", await shop.proofOf()),
      await shop.signedIn("/test/other?n=1", await shop.proofOf(alice, { path: "/test/other?n=1" })),
      await shop.signedIn(WORK, await shop.proofOf(mallory)),
    ];
    for (const refused of refusals) {
      expect(refused.status).toBe(402);
      expect(quoteOf(refused)).toMatchObject({ error: expect.stringContaining("bought no answer") });
    }
    expect(shop.runs()).toBe(2);
  });

  it("finds an answer that was lost on its way, or whose process died after it was settled", async () => {
    const shop = open({ again: true });
    shop.facilitator.faults.settle.push("drop-after");
    const lost = await shop.pay(WORK, await shop.payFor(WORK));
    expect(lost.status).toBe(502);
    shop.facilitator.showChain();
    shop.clock.advance(120);
    await shop.handle.reconcile();
    expect((await shop.signedIn(WORK, await shop.proofOf())).status).toBe(200);
    expect([shop.runs(), shop.facilitator.settled.length]).toEqual([1, 1]);
  });

  it("gets nothing for a payment that failed, and an earlier answer although a later payment failed", async () => {
    const shop = open({ again: true });
    shop.facilitator.faults.settle.push("refuse");
    await shop.pay(WORK, await shop.payFor(WORK));
    expect((await shop.signedIn(WORK, await shop.proofOf())).status).toBe(402);
    const { data } = await shop.buy();
    shop.facilitator.faults.settle.push("refuse");
    await shop.pay(WORK, await shop.payFor(WORK));
    const again = await shop.signedIn(WORK, await shop.proofOf());
    expect((await bodyOf(again)).data).toEqual(data);
  });

  it("gets it while it is kept, and pays again after that", async () => {
    const shop = open({ again: true });
    await shop.buy();
    shop.clock.advance(8 * 24 * 3600);
    const gone = await shop.signedIn(WORK, await shop.proofOf());
    expect(gone.status).toBe(402);
  });

  it("leaves a bounded row for each request that it paid for, and none if the host does not ask for it", async () => {
    const store = createMemoryStore();
    const shop = open({ again: true }, { store });
    for (let n = 0; n < 8; n++) await shop.buy();
    const rows = await store.list("bought:", { limit: 99 });
    expect(rows.map(({ value }) => JSON.parse(value).length)).toEqual([5]);
    const without = createMemoryStore();
    const plain = open({}, { store: without });
    await plain.buy();
    expect(await without.list("bought:", { limit: 9 })).toEqual([]);
    expect(await plain.offerOf()).toBeUndefined();
  });
});
