/** A buyer's own limits: a day, a seller, an endpoint, whom and what it pays, and when a person is asked. */
import { beforeEach, describe, expect, it } from "vitest";
import type { BuyerLimits, Purchase } from "../../src/client/buyer-limits.js";
import { createClient } from "../../src/client/index.js";
import { memoryBook } from "../../src/client/limits/days.js";
import type { ClientOptions } from "../../src/client/options.js";
import { silent } from "../../src/lib/logger.js";
import { payerOf, wireTo } from "../support/client.js";
import { fakeClock } from "../support/clock.js";
import { FACILITATOR_URL, fakeFacilitator } from "../support/facilitator.js";
import { NETWORK, openShop } from "../support/shop.js";
import { alice, TREASURY } from "../support/wallets.js";

const OTHER = "0x000000000000000000000000000000000000dEaD";

let book = memoryBook();
beforeEach(() => {
  book = memoryBook();
});

function open(limits: BuyerLimits, { payTo = TREASURY, host = "shop.test", ...options }: Opening = {}) {
  const clock = fakeClock(new Date().toISOString());
  const shop = openShop({
    ...{ logger: silent, clock, accounts: { keys: true }, trial: false },
    payment: {
      treasury: { [NETWORK]: payTo },
      facilitator: { url: FACILITATOR_URL },
      maxFailures: { runs: 100, usd: "100" },
    },
    facilitator: fakeFacilitator(),
  });
  const wire = wireTo((request) => shop.handle(request, { clientAddress: "203.0.113.9" }));
  const payer = payerOf(alice);
  const client = createClient({
    ...{ baseUrl: `http://${host}`, fetch: wire.fetch, pay: payer.client, retries: 0 },
    ...{ limits: { book, ...limits } },
    ...options,
  });
  const call = (id = "test.work", n = 1) => client.$call(id as never, { n } as never);
  return { ...shop, ...wire, client, call, signed: payer.signed };
}
type Opening = Partial<ClientOptions> & { payTo?: string; host?: string };

const refused = (option: string) =>
  expect.objectContaining({
    code: "SPENDING_LIMIT",
    issues: [expect.objectContaining({ path: expect.stringContaining(option) })],
  });

describe("BUY-1 sums of a day", () => {
  it("are exact over calls at once, and over the clients that share a book", async () => {
    const [one, other] = [open({ usdPerDay: "0.007" }), open({ usdPerDay: "0.007" }, { host: "other.test" })];
    const calls = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? one : other).call("test.work", i)),
    );
    const errors = calls.flatMap((call) => (call.status === "rejected" ? [call.reason] : []));
    expect(errors.length).toBe(13);
    expect(errors[0]).toEqual(refused("limits.usdPerDay"));
    expect(one.signed.length + other.signed.length).toBe(7);
  });

  it("hold for a seller and for its endpoints, each by itself", async () => {
    const limits = {
      ...{ sellerUsdPerDay: "0.003", endpointUsdPerDay: "0.002" },
      endpoints: { "test.other": { usdPerDay: "0.001" }, "test.dear": { maxPerCallUsd: "0.1" } },
    };
    const { call, signed } = open(limits);
    await call("test.work", 1);
    await call("test.work", 2);
    await expect(call("test.work", 3)).rejects.toEqual(refused("limits.endpointUsdPerDay"));
    await call("test.other", 1);
    await expect(call("test.other", 2)).rejects.toEqual(refused("limits"));
    await expect(call("test.dear")).rejects.toEqual(refused("limits.endpoints.test.dear.maxPerCallUsd"));
    await open(limits, { host: "other.test" }).call("test.other", 1);
    expect(signed.length).toBe(3);
  });

  it("begin anew with the day, and not with a clock that goes back", async () => {
    const { bookDay } = await import("../../src/client/limits/days.js");
    const limits = {
      day: 1000n,
      sellerDay: undefined,
      endpointDay: undefined,
      endpoints: new Map(),
      askAbove: undefined,
    };
    const at = (now: string) =>
      bookDay(book, limits, { seller: "s", endpoint: "e", amount: 1000n, now: Date.parse(now) });
    const first = await at("2026-05-01T23:59:59Z");
    await expect(at("2026-05-01T23:59:59Z")).rejects.toEqual(refused("limits.usdPerDay"));
    await at("2026-05-02T00:00:00Z");
    await expect(at("2026-05-01T23:59:59Z")).rejects.toEqual(refused("limits.usdPerDay"));
    // A call of yesterday that cost nothing frees nothing of today.
    first.lower(0n);
    await expect(at("2026-05-02T10:00:00Z")).rejects.toEqual(refused("limits.usdPerDay"));
  });

  it("count a payment whose fate is unknown, and free what was never signed", async () => {
    const { call, behaviours, troubles } = open({ usdPerDay: "0.002" });
    troubles.push("lost");
    await expect(call("test.work", 1)).rejects.toMatchObject({ code: "SETTLEMENT_PENDING" });
    await call("test.work", 1);
    await call("test.work", 2);
    await expect(call("test.work", 3)).rejects.toEqual(refused("limits.usdPerDay"));
    expect(behaviours.length).toBe(0);
    book = memoryBook();
    const strict = open({ usdPerDay: "0.001", askAboveUsd: "0" });
    await expect(strict.call()).rejects.toEqual(refused("limits.askAboveUsd"));
    await expect(strict.call()).rejects.toEqual(refused("limits.askAboveUsd"));
  });

  it("hold for calls that an account pays, whose price the service is told to stay below", async () => {
    const opened = open({ usdPerDay: "0.002", askAboveUsd: "0.1" });
    const { accounts } = opened.handle;
    await accounts.topUp("acme", "5", { reference: "r" });
    const { key } = await accounts.createKey("acme");
    const client = createClient({
      ...{ baseUrl: "http://shop.test", fetch: opened.fetch, apiKey: key },
      limits: { book, usdPerDay: "0.002", askAboveUsd: "0.1" },
    });
    const call = (id: string, n: number) => client.$call(id as never, { n } as never);
    await call("test.work", 1);
    await call("test.work", 2);
    await expect(call("test.work", 3)).rejects.toMatchObject({ code: "SPENDING_LIMIT" });
    expect(await accounts.balance("acme")).toMatchObject({ availableUsd: "4.998" });
  });
});

describe("BUY-2 the terms of a seller", () => {
  it("are refused where the receiver is another one than at the first purchase, before anything is signed", async () => {
    await open({}).call();
    const turned = open({}, { payTo: OTHER });
    await expect(turned.call()).rejects.toEqual(refused("limits.pin"));
    expect(turned.signed).toEqual([]);
    // Another seller has its own, and the buyer may say that it takes others.
    await open({}, { payTo: OTHER, host: "other.test" }).call();
    await open({ pin: false }, { payTo: OTHER }).call();
  });

  it("are pinned by one of two first purchases at once, and nothing is sent for the other", async () => {
    const asked: (() => void)[] = [];
    const ask = () =>
      new Promise<boolean>((resolve) => {
        asked.push(() => resolve(true));
        if (asked.length === 2) for (const agree of asked) agree();
      });
    const shops = [open({ askAboveUsd: "0", ask }), open({ askAboveUsd: "0", ask }, { payTo: OTHER })];
    const calls = await Promise.allSettled(shops.map(({ call }) => call()));
    const errors = calls.flatMap((call) => (call.status === "rejected" ? [call.reason] : []));
    expect(errors).toEqual([refused("limits.pin")]);
    expect(shops.flatMap(({ payments }) => payments()).length).toBe(1);
  });

  it("are pinned by the purchase and not by the question", async () => {
    const asked = open({ askAboveUsd: "0", ask: () => false }, { payTo: OTHER });
    await expect(asked.call()).rejects.toEqual(refused("limits.askAboveUsd"));
    await open({}).call();
  });

  it("are those that the buyer names", async () => {
    for (const limits of [
      { networks: ["eip155:1"] },
      { assets: [`${NETWORK}/${OTHER}`] },
      { payTo: [OTHER] },
    ] satisfies BuyerLimits[]) {
      const { call, signed } = open(limits);
      await expect(call()).rejects.toEqual(refused(`limits.${Object.keys(limits)[0]}`));
      expect(signed).toEqual([]);
    }
    await open({ networks: [NETWORK], payTo: [TREASURY.toUpperCase().replace("0X", "0x")] }).call();
  });

  it("are within the price that the seller lists, which is read anew before it is refused", async () => {
    const raised = open({});
    await raised.call();
    await raised.handle.setPrice("test.work" as never, "0.002");
    await raised.call("test.work", 2);

    const { call, fetch, signed } = open({});
    const lying: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      if (!String(input).includes("/directory")) return answer;
      return new Response((await answer.text()).replaceAll('"usd":"0.001"', '"usd":"0.0005"'), answer);
    };
    await expect(call()).resolves.toBeDefined();
    const dear = createClient({
      baseUrl: "http://shop.test",
      fetch: lying,
      pay: payerOf(alice).client,
      limits: { book },
    });
    await expect(dear.$call("test.work" as never, { n: 5 } as never)).rejects.toEqual(refused("limits.directory"));
    expect(signed.length).toBe(1);
  });

  it("leave no payment good for longer than the buyer allows", async () => {
    const { call, signed } = open({ maxTimeoutSeconds: 10 });
    await expect(call()).rejects.toEqual(refused("limits.maxTimeoutSeconds"));
    expect(signed).toEqual([]);
  });
});

describe("BUY-3 a person", () => {
  it("is asked above the bound, once a call, and told what the call is", async () => {
    const asked: Purchase[] = [];
    const ask = async (purchase: Purchase) => asked.push(purchase) > 1;
    const { call, signed } = open({ askAboveUsd: "0.1", ask });
    await call("test.work");
    await expect(call("test.dear")).rejects.toEqual(refused("limits.askAboveUsd"));
    await call("test.dear", 2);
    expect(asked[0]).toEqual({
      ...{ seller: "http://shop.test/api", endpoint: "test.dear", usd: "0.5", todayUsd: "0.501" },
      ...{ networks: [NETWORK], payTo: [TREASURY] },
    });
    expect([asked.length, signed]).toEqual([2, ["1000", "500000"]]);
  });
});

it("BUY-4 limits that are none are refused at the start, or at the first call", async () => {
  expect(() => open({ usdPerDay: "much" })).toThrow("limits.usdPerDay");
  expect(() => open({ ask: true as never })).toThrow("limits.ask");
  expect(() => open({ perDay: "1" } as BuyerLimits)).toThrow("limits");
  await expect(open({ endpoints: { "test.work": { usdPerDay: "x" } } }).call()).rejects.toThrow("endpoints.test.work");
});
