/** What a host hears by signed webhooks: at least once, in order, over a crash, and without a wait on the paid path. */
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { createCredits } from "../../src/payment/refund/credit.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { openShop, type ShopOptions } from "../support/shop.js";
import { alice, mallory, TREASURY } from "../support/wallets.js";

const WORK = "/test/work?n=1";
const URL = "https://host.test/hooks";
const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const NETWORK = "eip155:8453";
const payment = {
  treasury: { [NETWORK]: TREASURY },
  facilitator: { url: "https://facilitator.test" },
  refunds: { [NETWORK]: mallory },
};

interface Heard {
  id: string;
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

/** A shop whose host listens; `answers` are the statuses of the next answers. */
function listening(options: ShopOptions = {}) {
  const facilitator = options.facilitator ?? fakeFacilitator();
  const heard: Heard[] = [];
  const answers: (number | "drop" | { status: number; after: string })[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (String(input) !== URL) return facilitator.fetch(input, init);
    const headers = Object.fromEntries(new Headers(init?.headers));
    const body = String(init?.body);
    // Throws if the signature is wrong. The shop's clock is not the library's, so the time alone is not compared.
    const stamp = Number(headers["webhook-timestamp"]);
    const expected = new Webhook(secret).sign(headers["webhook-id"] ?? "", new Date(stamp * 1000), body);
    expect(headers["webhook-signature"]).toBe(expected);
    heard.push({ id: headers["webhook-id"] ?? "", ...JSON.parse(body) });
    const answer = answers.shift() ?? 204;
    if (answer === "drop") throw new TypeError("fetch failed");
    const [status, after] = typeof answer === "number" ? [answer, ""] : [answer.status, answer.after];
    return new Response(null, { status, ...(after ? { headers: { "retry-after": after } } : {}) });
  };
  const webhooks = [{ url: URL, secret }];
  const shop = openShop({ trial: false, payment, webhooks, ...options, facilitator, fetch });
  const types = () => heard.map(({ type }) => type);
  const tick = () => shop.handle.tick();
  const buy = async () => {
    const answer = await shop.pay(WORK, await shop.payFor(WORK));
    return { answer, requestId: ((await bodyOf(answer)).meta as { requestId: string }).requestId };
  };
  return { ...shop, heard, answers, types, tick, buy };
}

describe("webhooks to the host", () => {
  it("tell of a sale and of a refund, signed by Standard Webhooks, with ids in their order", async () => {
    const shop = listening();
    const { requestId } = await shop.buy();
    await shop.tick();
    shop.clock.advance(1);
    await shop.handle.refund({ requestId });
    await shop.tick();
    const facts = { endpoint: "test.work", requestId, payer: alice.address, network: NETWORK };
    expect(shop.heard).toMatchObject([
      { type: "sale", timestamp: "2026-06-01T12:00:00.000Z", data: { ...facts, usd: "0.001" } },
      { type: "refund", data: { ...facts, refundedUsd: "0.001" } },
    ]);
    const ids = shop.heard.map(({ id }) => id);
    expect([...ids].sort()).toEqual(ids);
    await shop.tick();
    expect(shop.heard).toHaveLength(2);
  });

  it("ACC-29 are sent although the host's treasuries are named in another order since", async () => {
    const store = createMemoryStore();
    const among = (treasury: Record<string, string>) => listening({ store, payment: { ...payment, treasury } });
    const others = { "eip155:137": TREASURY, "eip155:42161": TREASURY };
    await among({ [NETWORK]: TREASURY, ...others }).buy();
    const reordered = among({ ...others, [NETWORK]: TREASURY, "eip155:10": TREASURY });
    await reordered.tick();
    expect(reordered.types()).toEqual(["sale"]);
  });

  it("tell of what was paid by credit and by an account", async () => {
    const store = createMemoryStore();
    const shop = listening({ store, accounts: { keys: true } });
    const token = await createCredits(store, () => shop.clock().getTime()).issue("earlier", alice.address, 1000n);
    await shop.get(WORK, { "x-svc-credit": token });
    await shop.handle.accounts.topUp("acme", "0.001", { reference: "first" });
    const { key } = await shop.handle.accounts.createKey("acme");
    const authorization = `Bearer ${key}`;
    expect((await shop.get(WORK, { authorization })).status).toBe(200);
    // The balance is spent, which is told once an hour.
    for (let i = 0; i < 3; i++) expect((await shop.get(WORK, { authorization })).status).toBe(402);
    await shop.tick();
    expect(shop.types().sort()).toEqual(["balance.low", "sale", "sale"]);
    expect(shop.heard.map(({ data }) => data.account)).toContain("acme");
  });

  it("ACC-18 tell of an empty balance once an hour, however often it is met, and of each account", async () => {
    const store = createMemoryStore();
    const options = {
      store,
      accounts: { identify: (request: Request) => ({ id: request.headers.get("cookie") ?? "" }) },
    };
    const [shop, other] = [listening(options), listening(options)];
    const meet = async (cookie: string, times: number) => {
      for (const one of [shop, other])
        for (let i = 0; i < times; i++) {
          expect((await one.get(WORK, { cookie })).status).toBe(402);
          await one.tick();
        }
    };
    await meet("a:b", 3);
    await meet("a_b", 1);
    expect([...shop.heard, ...other.heard].map(({ data }) => data.account)).toEqual(["a:b", "a_b"]);
    for (const { clock } of [shop, other]) clock.advance(3600);
    await meet("a:b", 2);
    expect(shop.heard.length + other.heard.length).toBe(3);
  });

  it("ACC-19 tell of a sale to an account once, and under one id if another process books it", async () => {
    const clock = fakeClock();
    const inner = createMemoryStore({ clock });
    // Time passes between a charge and the end of its call.
    const put: typeof inner.put = (key, ...rest) => {
      if (key.startsWith("account:")) clock.advance(1);
      return inner.put(key, ...rest);
    };
    const store = { ...inner, put };
    const options = { store, clock, accounts: { identify: () => ({ id: "acme" }) } };
    const [shop, other] = [listening(options), listening(options)];
    await shop.handle.accounts.topUp("acme", "1", { reference: "first" });
    for (let i = 0; i < 2; i++) {
      await shop.get(WORK);
      await shop.tick();
    }
    const [{ id = "" } = {}] = shop.heard;
    for (let i = 0; i < 18; i++) await other.handle.accounts.adjust("acme", "0.01", { reference: `${i}` });
    await expect.poll(() => store.list("account-book:", { limit: 9 })).toHaveLength(1);
    await other.tick();
    // The same event is no second one.
    expect(other.heard.map((one) => one.id).filter((one) => one !== id)).toEqual([]);
    for (let i = 0; i < 20; i++) {
      await shop.get(WORK);
      await shop.tick();
    }
    await expect.poll(() => store.list("account-book:", { limit: 9 })).toHaveLength(2);
    await shop.tick();
    expect(new Set(shop.heard.map(({ id }) => id)).size).toBe(shop.heard.length);
    expect(shop.heard).toHaveLength(22);
  });

  it("ACC-20 tell of what went back to an account, once", async () => {
    const shop = listening({ accounts: { identify: () => ({ id: "acme" }) } });
    await shop.handle.accounts.topUp("acme", "1", { reference: "first" });
    const { requestId } = (await bodyOf(await shop.get(WORK))).meta;
    for (let i = 0; i < 2; i++) await shop.handle.accounts.refund(requestId, { usd: "0.0004" });
    await shop.tick();
    const data = { endpoint: "test.work", requestId, payer: "acct:acme", account: "acme", refundedUsd: "0.0004" };
    expect(shop.heard.filter(({ type }) => type === "refund")).toMatchObject([{ data }]);
  });

  it("tell of a refund that is asked for, and of the one that is given, once each, whoever asks again", async () => {
    const shop = listening({
      ...{ accounts: { keys: true }, refundPolicy: { withinDays: 14, conditions: "Empty answers are given back." } },
    });
    await shop.handle.accounts.topUp("acme", "1", { reference: "first" });
    const { key } = await shop.handle.accounts.createKey("acme");
    const headers = { authorization: `Bearer ${key}` };
    const { requestId } = (await bodyOf(await shop.get(WORK, headers))).meta;
    const ask = () =>
      shop.handle(
        new Request("http://shop.test/api/payment/refund-request", {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify({ requestId, reason: "It was empty." }),
        }),
      );
    // Lost on its way the first time.
    shop.answers.push(204, "drop");
    for (let i = 0; i < 2; i++) {
      expect((await ask()).status).toBe(200);
      await shop.tick();
    }
    shop.clock.advance(3600);
    await shop.tick();
    const asked = shop.heard.filter(({ type }) => type === "refund.requested");
    expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
    expect(asked.at(-1)?.data).toMatchObject({ requestId, state: "queued", reason: "It was empty." });
    expect(shop.types()).not.toContain("refund");
    for (let i = 0; i < 2; i++) await shop.handle.refundRequests.approve(requestId, { usd: "0.0004" });
    await shop.tick();
    const given = shop.heard.filter(({ type }) => type === "refund");
    expect(given).toMatchObject([{ data: { requestId, account: "acme", refundedUsd: "0.0004" } }]);
  });

  it("are sent again until they are accepted, later each time, with the same id", async () => {
    const shop = listening();
    shop.answers.push(500, "drop", { status: 503, after: "900" });
    await shop.buy();
    await shop.tick();
    await shop.tick();
    expect(shop.heard).toHaveLength(1);
    for (const seconds of [6, 400]) {
      shop.clock.advance(seconds);
      await shop.tick();
    }
    expect(shop.heard).toHaveLength(3);
    shop.clock.advance(800);
    await shop.tick();
    expect(shop.heard).toHaveLength(3);
    shop.clock.advance(2000);
    await shop.tick();
    await shop.tick();
    expect([shop.heard.length, new Set(shop.heard.map(({ id }) => id)).size]).toEqual([4, 1]);
  });

  it("outlive the process: another one sends what waits", async () => {
    const store = createMemoryStore();
    const facilitator = fakeFacilitator();
    const first = listening({ store, facilitator });
    first.answers.push("drop");
    await first.buy();
    await first.tick();
    const second = listening({ store, facilitator, clock: first.clock });
    first.clock.advance(60);
    await second.tick();
    expect(second.types()).toEqual(["sale"]);
  });

  it("tell of a sale although the store failed while it was booked", async () => {
    const inner = createMemoryStore();
    let failing = true;
    const shop = listening({
      store: {
        ...inner,
        put: (key, value, options) =>
          failing && key.startsWith("webhook:") ? Promise.reject(new Error("full")) : inner.put(key, value, options),
      },
    });
    expect((await shop.buy()).answer.status).toBe(200);
    await shop.tick();
    expect(shop.heard).toEqual([]);
    failing = false;
    shop.clock.advance(120);
    await shop.tick();
    await shop.tick();
    expect(shop.types()).toEqual(["sale"]);
  });

  it("are sent once by two processes that look at the same time", async () => {
    const store = createMemoryStore();
    const facilitator = fakeFacilitator();
    const [one, other] = [listening({ store, facilitator }), listening({ store, facilitator })];
    await one.buy();
    await Promise.all([one.tick(), other.tick()]);
    expect(one.heard.length + other.heard.length).toBe(1);
  });

  it("tell of a settlement that is pending, and only what was asked for", async () => {
    const shop = listening({ webhooks: [{ url: URL, secret, events: ["settlement.pending"] }] });
    await shop.buy();
    shop.facilitator.faults.settle.push("status500");
    expect((await shop.pay(WORK, await shop.payFor(WORK))).status).toBe(502);
    await shop.tick();
    expect(shop.heard).toMatchObject([{ type: "settlement.pending", data: { endpoint: "test.work" } }]);
  });

  it("are stored for nobody who did not ask", async () => {
    const keys: string[] = [];
    const inner = createMemoryStore();
    const store = {
      ...inner,
      put(...args: Parameters<typeof inner.put>) {
        keys.push(args[0]);
        return inner.put(...args);
      },
    };
    const shop = openShop({ trial: false, store });
    await shop.pay(WORK, await shop.payFor(WORK));
    expect(keys.filter((key) => key.startsWith("webhook:"))).toEqual([]);
  });

  it.each(["short", "whsec_", "whsec_c2hvcnQ=", `whsec_${"!".repeat(44)}`, 7])(
    "refuse the secret %s, and do not show it",
    (bad) => {
      const make = () => openShop({ webhooks: [{ url: URL, secret: bad as string }] });
      expect(make).toThrow(/webhooks\[0\]\.secret must be whsec_/);
      expect(make).not.toThrow(String(bad).slice(6) || "nothing at all");
    },
  );
});
