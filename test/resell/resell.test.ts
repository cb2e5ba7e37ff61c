/** Two origins: one that works, one that sells what the first one does. Both take real signatures; neither knows the other. */
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { batchRun } from "../../src/capabilities/batch/index.js";
import { storeKvPut } from "../../src/capabilities/store/index.js";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import type { AnyCapability } from "../../src/capability/types.js";
import { createClient } from "../../src/client/index.js";
import type { ClientOptions } from "../../src/client/options.js";
import { CapabilityError } from "../../src/errors.js";
import { type ResellOptions, resold } from "../../src/resell/index.js";
import { billedByUsage } from "../support/billed-by-usage.js";
import { bodyOf } from "../support/body.js";
import { payerOf, wireTo } from "../support/client.js";
import { fakeClock } from "../support/clock.js";
import { endpoints } from "../support/endpoints.js";
import { FACILITATOR_URL } from "../support/facilitator.js";
import { openShop, type ShopOptions } from "../support/shop.js";
import { quoteOf, sign, TREASURY, toHeader } from "../support/wallets.js";

/** Official buyers sign by the system's clock. */
const clock = () => fakeClock(new Date().toISOString());
let fails: CapabilityError | undefined;
let meanwhile: (() => Promise<void>) | undefined;

const work = defineCapability({
  id: "their.work",
  method: "POST",
  summary: "Doubles a number, somewhere else.",
  price: "0.001",
  requires: ["THEIR_KEY"],
  source: { provider: "test", url: "", license: "MIT" },
  input: () =>
    z.strictObject({
      n: z
        .int()
        .min(0)
        .describe("Any number")
        .transform((n) => ({ n })),
    }),
  output: one(z.object({ twice: z.number() })),
  example: { n: 1 },
  async run({ n: { n } }) {
    await meanwhile?.();
    if (fails) throw fails;
    if (n === 13) throw new CapabilityError("NOT_FOUND", "There is no such number.");
    return { item: { twice: 2 * n } };
  },
});

function open({
  limits = {},
  theirs = {},
  ours = {},
  own = [],
  options,
}: {
  options?: ResellOptions;
  own?: AnyCapability[];
  limits?: Partial<ClientOptions>;
  theirs?: ShopOptions;
  ours?: ShopOptions;
} = {}) {
  fails = undefined;
  meanwhile = undefined;
  const origin = openShop({
    clock: clock(),
    capabilities: [work],
    secrets: { THEIR_KEY: "k" },
    trial: false,
    ...theirs,
  });
  const wire = wireTo((request) => origin.handle(request));
  const { client: pay } = payerOf();
  const client = createClient({ baseUrl: "http://origin.test", fetch: wire.fetch, pay, ...limits });
  const capabilities = [
    ...resold((theirs.capabilities as AnyCapability[]) ?? [work], client, options),
    ...own,
    batchRun,
  ];
  const shop = openShop({ clock: clock(), capabilities, secrets: {}, pricing: { markup: 1.3 }, ...ours });
  const buyerWire = wireTo((request) => shop.handle(request));
  const buyer = createClient({ baseUrl: "http://shop.test", fetch: buyerWire.fetch, pay: payerOf().client });
  const earned = (of: typeof shop) => of.facilitator.settled.map(({ value }) => value);
  return {
    origin,
    originWire: wire,
    shop,
    buyer,
    client,
    earned: () => ({ there: earned(origin), here: earned(shop) }),
  };
}

describe("a reseller", () => {
  it("buys what it sells, keeps the margin, and needs none of the origin's keys", async () => {
    const { buyer, earned, client } = open();
    const { data, meta } = await buyer.$call("their.work" as never, { n: 21 } as never);
    expect([data, meta]).toMatchObject([{ items: [{ twice: 42 }] }, { costUsd: "0.0013", endpoint: "their.work" }]);
    expect(earned()).toEqual({ there: [1000n], here: [1300n] });
    expect(client.$spending()).toEqual({ spentUsd: "0.001", heldUsd: "0" });
  });

  it("charges nobody for a call that fails there, and passes on what the caller can mend", async () => {
    const { buyer, earned } = open();
    fails = new CapabilityError("NOT_FOUND", "There is no such number.");
    await expect(buyer.$call("their.work" as never, { n: 1 } as never)).rejects.toMatchObject({ code: "NOT_FOUND" });
    fails = new CapabilityError("UPSTREAM_ERROR", "Broken.");
    await expect(buyer.$call("their.work" as never, { n: 1 } as never)).rejects.toMatchObject({
      code: "UPSTREAM_ERROR",
    });
    await expect(buyer.$call("their.work" as never, { n: -1 } as never)).rejects.toMatchObject({ status: 400 });
    expect(earned()).toEqual({ there: [], here: [] });
  });

  it("makes no call that costs more than it is sold for", async () => {
    const { buyer, earned } = open({ theirs: { pricing: { markup: 2 } } });
    await expect(buyer.$call("their.work" as never, { n: 1 } as never)).rejects.toMatchObject({
      code: "UPSTREAM_ERROR",
    });
    expect(earned()).toEqual({ there: [], here: [] });
  });

  it("stops at its limit, and says to its buyer only that the source is away", async () => {
    const { buyer, earned } = open({ limits: { maxTotalUsd: "0.001" } });
    await buyer.$call("their.work" as never, { n: 1 } as never);
    const refused = buyer.$call("their.work" as never, { n: 2 } as never);
    await expect(refused).rejects.toMatchObject({
      code: "UPSTREAM_ERROR",
      message: expect.not.stringMatching(/USD|limit/i),
    });
    expect(earned()).toEqual({ there: [1000n], here: [1300n] });
  });

  it("sells calls of a batch like any other", async () => {
    const { buyer, earned } = open();
    const { data } = await buyer.$call(
      "batch.run" as never,
      { calls: [{ endpoint: "their.work", params: { n: 2 } }] } as never,
    );
    expect(JSON.stringify(data)).toContain('"twice":4');
    expect(earned().there).toEqual([1000n]);
  });

  it("is not drained by batches that fail: what was bought there is charged, and delivered with the failure", async () => {
    const { shop, earned, origin } = open();
    const calls = [1, 2, 3, 13].map((n) => ({ endpoint: "their.work", params: { n } }));
    const body = JSON.stringify({ calls });
    const post = (headers: Record<string, string> = {}) =>
      shop.handle(
        new Request("http://shop.test/api/batch/run", {
          method: "POST",
          body,
          headers: { "content-type": "application/json", ...headers },
        }),
      );
    const [terms] = quoteOf(await post()).accepts;
    const payment = toHeader(await sign(terms as never, { now: shop.clock.seconds() }));
    const failed = await post({ "payment-signature": payment });
    expect(failed.status).toBe(400);
    expect(failed.headers.get("content-type")).toBe("application/problem+json");
    const text = await failed.text();
    expect(JSON.parse(text)).toMatchObject({ code: "BATCH_FAILED", failures: [{ index: 3, code: "NOT_FOUND" }] });
    expect(
      JSON.parse(text)
        .items.map(({ index }: { index: number }) => index)
        .sort(),
    ).toEqual([0, 1, 2]);
    expect(earned().there).toEqual([1000n, 1000n, 1000n]);
    const report = await shop.handle.ledger();
    expect(report.total.earnedUsd).toBe("0.0039");
    // The same payment again: the same answer, and nothing is bought or charged again.
    expect(await (await post({ "payment-signature": payment })).text()).toBe(text);
    expect([earned().there.length, (await origin.handle.ledger()).total.earnedUsd]).toEqual([3, "0.003"]);
  });

  it("buys nothing there for a batch whose own calls fail", async () => {
    const own = endpoints(["own.work"], () => {
      throw new CapabilityError("UPSTREAM_ERROR", "Broken.");
    });
    const { buyer, earned } = open({ own });
    const calls = [
      { endpoint: "their.work", params: { n: 1 } },
      { endpoint: "own.work", params: { n: 1 } },
    ];
    await expect(buyer.$call("batch.run" as never, { calls } as never)).rejects.toMatchObject({ code: "BATCH_FAILED" });
    expect(earned()).toEqual({ there: [], here: [] });
  });

  it("is paid for what it bought by the time that its buyer left", async () => {
    const { shop, earned } = open();
    const leaving = new AbortController();
    const [terms] = quoteOf(
      await shop.handle(new Request("http://shop.test/api/their/work", { method: "POST", body: '{"n":5}' })),
    ).accepts;
    const payment = toHeader(await sign(terms as never, { now: shop.clock.seconds() }));
    meanwhile = async () => leaving.abort();
    await shop
      .handle(
        new Request("http://shop.test/api/their/work", {
          method: "POST",
          body: '{"n":5}',
          headers: { "payment-signature": payment },
          signal: leaving.signal,
        }),
      )
      .catch(() => {});
    expect(earned()).toEqual({ there: [1000n], here: [1300n] });
  });

  it("bills usage by what was charged there", async () => {
    const metered = billedByUsage((ctx) => void ctx.meter.add("0.004"));
    const { buyer } = open({ theirs: { capabilities: [metered] } });
    const { meta } = await buyer.$call(metered.id as never, metered.example as never);
    expect(meta.usage?.usedUsd).toBe("0.0052");
  });

  it("tells no buyer of failures that the origin counts for all of them, counts none for it, and asks no more until they are forgotten", async () => {
    const strict = { treasury: { "eip155:8453": TREASURY }, facilitator: { url: FACILITATOR_URL } };
    let asked = 0;
    const shops: { origin?: ReturnType<typeof openShop> } = {};
    const fetch: typeof globalThis.fetch = async (input, init) => {
      asked++;
      return (shops.origin as ReturnType<typeof openShop>).handle(new Request(input, init));
    };
    const { origin, shop } = open({
      limits: { fetch },
      theirs: { payment: { ...strict, maxFailures: { runs: 2 } } },
      ours: { payment: { ...strict, maxFailures: { runs: 3 } } },
    });
    shops.origin = origin;
    const buy = async (n: number) => {
      const post = (headers: Record<string, string> = {}) =>
        shop.handle(
          new Request("http://shop.test/api/their/work", { method: "POST", body: JSON.stringify({ n }), headers }),
        );
      const [terms] = quoteOf(await post()).accepts;
      return post({ "payment-signature": toHeader(await sign(terms as never, { now: shop.clock.seconds() })) });
    };
    expect([(await buy(13)).status, (await buy(13)).status]).toEqual([404, 404]);
    const before = asked;
    for (let i = 0; i < 6; i++) {
      const answer = await buy(i);
      const { code, detail } = await bodyOf(answer);
      expect([answer.status, code]).toEqual([502, "UPSTREAM_ERROR"]);
      expect(detail).not.toMatch(/fail/i);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(3000);
    }
    // A quote, and the payment that is refused.
    expect(asked - before).toBe(2);
    for (const one of [origin, shop]) one.clock.advance(3601);
    // The official client signs by it.
    vi.useFakeTimers({ toFake: ["Date"], now: origin.clock() });
    expect((await buy(1)).status).toBe(200);
    vi.useRealTimers();
  });

  it("counts no failure of a buyer's for a batch that fails by the origin alone", async () => {
    const strict = { treasury: { "eip155:8453": TREASURY }, facilitator: { url: FACILITATOR_URL } };
    const { buyer, earned } = open({
      theirs: { payment: { ...strict, maxFailures: { runs: 1 } } },
      ours: { payment: { ...strict, maxFailures: { runs: 2 } } },
    });
    await expect(buyer.$call("their.work" as never, { n: 13 } as never)).rejects.toMatchObject({ code: "NOT_FOUND" });
    for (let round = 0; round < 3; round++) {
      const calls = [1, 2].map((n) => ({ endpoint: "their.work", params: { n } }));
      const failed = buyer.$call("batch.run" as never, { calls } as never);
      await expect(failed).rejects.toMatchObject({ code: "BATCH_FAILED" });
    }
    expect(earned()).toEqual({ there: [], here: [] });
  });

  describe("in a batch with what another origin begins none of", () => {
    const strict = { treasury: { "eip155:8453": TREASURY }, facilitator: { url: FACILITATOR_URL } };
    /** Its origin takes no calls of the reseller's at the moment. */
    function besideAway() {
      const [other] = endpoints(["other.work"], () => {});
      const $call = () => Promise.reject(new CapabilityError("TOO_MANY_FAILURES", "Later.", { retryAfter: 60 }));
      const client = { ...createClient({ baseUrl: "http://away.test" }), $call };
      const own = resold([other as AnyCapability], client as never);
      const { shop, earned } = open({ own, ours: { payment: { ...strict, maxFailures: { runs: 2 } } } });
      const run = async (...calls: object[]) => {
        const post = (headers: Record<string, string> = {}) =>
          shop.handle(
            new Request("http://shop.test/api/batch/run", { method: "POST", body: JSON.stringify({ calls }), headers }),
          );
        const [terms] = quoteOf(await post()).accepts;
        return post({ "payment-signature": toHeader(await sign(terms as never, { now: shop.clock.seconds() })) });
      };
      return { run, earned, shop };
    }
    const there = (n: number) => ({ endpoint: "their.work", params: { n } });
    const away = { endpoint: "other.work", params: { n: 1 } };

    it("charges what was sold, and counts no failure of its buyer's for the rest", async () => {
      const { run, earned, shop } = besideAway();
      for (let n = 1; n <= 4; n++) {
        const failed = await run(there(n), away);
        expect(failed.status).toBe(502);
        expect(JSON.parse(await failed.text())).toMatchObject({
          code: "BATCH_FAILED",
          failures: [{ index: 1, endpoint: "other.work" }],
          items: [{ index: 0, result: { items: [{ twice: 2 * n }] } }],
        });
      }
      expect(earned().there).toEqual([1000n, 1000n, 1000n, 1000n]);
      expect((await shop.handle.ledger()).total).toMatchObject({ earnedUsd: "0.0052" });
    });

    it("counts one where its buyer had a part in it", async () => {
      const { run } = besideAway();
      const codes = [];
      for (let n = 1; n <= 3; n++) codes.push((await bodyOf(await run(there(n), there(13), away))).code);
      expect(codes).toEqual(["BATCH_FAILED", "BATCH_FAILED", "TOO_MANY_FAILURES"]);
    });
  });

  it("in a ring of two is refused after three hops, and quotes of what was sold on too often are, too", async () => {
    const shops: ReturnType<typeof openShop>[] = [];
    const clients = [0, 1].map((to) =>
      createClient({
        baseUrl: "http://ring.test",
        pay: payerOf().client,
        retries: 0,
        fetch: async (input, init) => (shops[to] as ReturnType<typeof openShop>).handle(new Request(input, init)),
      }),
    );
    // Each dearer than the other cannot be; at the same price each buys what it sells.
    for (const to of [1, 0])
      shops.push(openShop({ clock: clock(), capabilities: resold([work], clients[to] as never), trial: false }));
    const buyer = createClient({
      baseUrl: "http://ring.test",
      pay: payerOf().client,
      retries: 0,
      fetch: async (input, init) => (shops[0] as ReturnType<typeof openShop>).handle(new Request(input, init)),
    });
    await expect(buyer.$call("their.work" as never, { n: 1 } as never)).rejects.toMatchObject({
      code: "UPSTREAM_ERROR",
      message: expect.stringMatching(/X-402-Hops/),
    });
    const verifications = shops.map(({ facilitator }) => facilitator.trace.filter((call) => call === "verify").length);
    expect(verifications).toEqual([2, 2]);
    expect(shops.flatMap(({ facilitator }) => facilitator.settled)).toEqual([]);
  });

  it.each([
    ["3", 402, undefined],
    ["4", 502, "UPSTREAM_ERROR"],
    ["999999999", 502, "UPSTREAM_ERROR"],
    ["-1", 400, "INVALID_INPUT"],
    ["1, 1", 400, "INVALID_INPUT"],
    ["1e9", 400, "INVALID_INPUT"],
  ])("answers %s hops with %i", async (hops, status, code) => {
    const { shop } = open();
    for (const [method, body] of [
      ["POST", '{"n":1}'],
      ["POST", undefined],
    ] as const) {
      const init = { method, body: body ?? null, headers: { "x-402-hops": hops } };
      const answer = await shop.handle(new Request("http://shop.test/api/their/work", init));
      expect([answer.status, (await bodyOf(answer)).code]).toEqual([status, code]);
    }
  });

  it("passes the hops of a batch on", async () => {
    const { shop, originWire } = open();
    const body = JSON.stringify({ calls: [{ endpoint: "their.work", params: { n: 2 } }] });
    const post = (headers: Record<string, string> = {}) =>
      shop.handle(new Request("http://shop.test/api/batch/run", { method: "POST", body, headers }));
    const [terms] = quoteOf(await post()).accepts;
    const payment = toHeader(await sign(terms as never, { now: shop.clock.seconds() }));
    expect((await post({ "payment-signature": payment, "x-402-hops": "2" })).status).toBe(200);
    const calls = originWire.sent.filter(({ method }) => method === "POST");
    expect(calls.map(({ headers }) => headers.get("x-402-hops"))).toEqual(["3", "3"]);
  });

  describe("of an origin that dies once it was paid", () => {
    /** Takes every payment that it can, and answers none. */
    function dying(options: { maxUnansweredUsd?: string } = {}) {
      const opened = open({
        limits: { retries: 0 },
        options,
        theirs: { pricing: { overrides: { "their.work": "0.05" } } },
        ours: { pricing: { overrides: { "their.work": "0.06" } }, trial: false },
      });
      const { originWire } = opened;
      originWire.troubles.push(...Array.from({ length: 200 }, () => "lost" as const));
      const buy = async (n: number) => {
        const account = privateKeyToAccount(generatePrivateKey());
        const buyer = createClient({
          baseUrl: "http://shop.test",
          pay: payerOf(account).client,
          retries: 0,
          fetch: async (input, init) => opened.shop.handle(new Request(input, init)),
        });
        return buyer.$call("their.work" as never, { n } as never).then(
          () => "answered",
          (error: CapabilityError) => error,
        );
      };
      return { ...opened, buy };
    }

    it("loses a dollar an hour in all, and no more, however many buyers there are", async () => {
      const { buy, earned, originWire } = dying();
      for (let n = 50; n < 75; n++) await buy(n);
      const spent = originWire.payments().length;
      const asked = originWire.sent.length;
      for (let n = 100; n < 110; n++) {
        expect(await buy(n)).toMatchObject({ code: "UPSTREAM_ERROR", retryAfter: 60 });
      }
      expect([originWire.payments().length, originWire.sent.length]).toEqual([spent, asked]);
      const { there, here } = earned();
      expect([there.length, here]).toEqual([19, []]);
    });

    it("loses no more where all buyers come at once", async () => {
      const { buy, earned } = dying();
      await Promise.all(Array.from({ length: 60 }, (_, n) => buy(n)));
      expect(earned().there.length).toBeGreaterThan(10);
      expect(earned().there.reduce((sum, value) => sum + value, 0n)).toBeLessThanOrEqual(1_000_000n);
    });

    it("loses what its host allows", async () => {
      const { buy, earned } = dying({ maxUnansweredUsd: "0.2" });
      for (let n = 0; n < 6; n++) await buy(n);
      expect(earned().there.length).toBe(3);
      expect(() => resold([], createClient({ baseUrl: "http://origin.test" }), { maxUnansweredUsd: "-1" })).toThrow(
        /maxUnansweredUsd/,
      );
    });

    it("takes back what is answered in the end", async () => {
      const { buy, originWire, client } = dying({ maxUnansweredUsd: "0.2" });
      await buy(1);
      expect(client.$unansweredUsd()).toBe("0.05");
      originWire.troubles.length = 0;
      expect([await buy(1), client.$unansweredUsd()]).toEqual(["answered", "0"]);
    });
  });

  it("cannot sell what keeps state for the wallet that pays", () => {
    expect(() => resold([storeKvPut], createClient({ baseUrl: "http://origin.test" }))).toThrow(/store\.kv-put/);
  });
});
