import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { legacy } from "../../src/capability/output.js";
import { type CallMeta, CapabilityError, createClient } from "../../src/client/index.js";
import type { ClientOptions } from "../../src/client/options.js";
import { billedByUsage } from "../support/billed-by-usage.js";
import { payerOf, wireTo } from "../support/client.js";
import { fakeClock } from "../support/clock.js";
import { FACILITATOR_URL } from "../support/facilitator.js";
import { failing, NETWORK, openShop, type ShopOptions } from "../support/shop.js";
import { TREASURY } from "../support/wallets.js";

/** A shop with `test.work`, `test.other` and `test.dear`, and a client that pays there. */
function open({ shop: given = {}, ...options }: Partial<ClientOptions> & { shop?: ShopOptions } = {}) {
  const shop = openShop({ clock: fakeClock(new Date().toISOString()), ...given });
  const wire = wireTo((request) => shop.handle(request, { clientAddress: "203.0.113.7" }));
  const { client: pay, signed } = payerOf();
  const client = createClient<never>({ baseUrl: "http://shop.test", fetch: wire.fetch, pay, ...options });
  const call = async (id: string, input: object) =>
    (await client.$call(id as never, input as never)) as { data: unknown; meta: CallMeta };
  return { shop, client, call, signed, ...wire };
}

const payment = { treasury: { [NETWORK]: TREASURY }, facilitator: { url: FACILITATOR_URL } };

describe("a fetch that pays by itself", () => {
  const failing = (error: () => unknown) => {
    let asked = 0;
    const fetch = async () => {
      asked++;
      throw error();
    };
    const limits = { maxTotalUsd: "1", maxPerCallUsd: "0.1" };
    const client = createClient<never>({ baseUrl: "http://shop.test", fetch, ...limits, retries: 1 });
    const call = () => client.$call("convert.unit" as never, {} as never);
    return { call, client, asked: () => asked };
  };

  it.each([
    ["of the stock client", "Failed to create payment payload: no wallet"],
    ["of the stock client in other words", "Could not sign: keine Wallet"],
    ["of any other client", "no"],
  ])("and will not is asked once, and its limit is free again: an error %s", async (_, message) => {
    const { call, client, asked } = failing(() => new Error(message));
    await expect(call()).rejects.toMatchObject({ code: "PAYMENT_REQUIRED", message });
    expect([asked(), client.$spending().heldUsd]).toEqual([1, "0"]);
  });

  it.each([
    ["a TypeError", () => new TypeError("Failed to create payment payload: fetch failed")],
    ["an error with Node's code", () => Object.assign(new Error("socket hang up"), { code: "ECONNRESET" })],
    ["an error with a cause", () => new Error("no reply", { cause: new TypeError("fetch failed") })],
    ["a DOMException", () => new DOMException("timed out", "TimeoutError")],
  ])("and loses the reply by %s counts as paid, and is asked again", async (_, error) => {
    const { call, client, asked } = failing(error);
    await expect(call()).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
    expect([asked() > 1, client.$spending().heldUsd]).toEqual([true, "0.1"]);
  });
});

describe("a payment", () => {
  it("PAY-24 whose settlement is pending is waited for", async () => {
    const { shop, call, signed, payments } = open({ shop: { node: true } });
    shop.facilitator.faults.settle.push("drop-after", "status500", "none");
    shop.facilitator.showChain();
    expect((await call("test.work", { n: 1 })).data).toMatchObject({ items: [{ n: 1, run: 1 }] });
    expect([signed.length, new Set(payments()).size, shop.facilitator.settled.length]).toEqual([1, 1, 1]);
  });

  it("for a run that failed is used again by the next call of the same request", async () => {
    const { shop, call, signed, client } = open({ maxTotalUsd: "0.001" });
    shop.behaviours.push(failing());
    await expect(call("test.work", { n: 1 })).rejects.toMatchObject({ code: "UPSTREAM_ERROR", status: 502 });
    // It can still be put on chain by who has it, so another one would be too much.
    expect(client.$spending()).toEqual({ spentUsd: "0", heldUsd: "0.001" });
    await expect(call("test.work", { n: 2 })).rejects.toMatchObject({ code: "SPENDING_LIMIT" });
    await call("test.work", { n: 1 });
    expect(signed).toEqual(["1000"]);
    expect(client.$spending()).toEqual({ spentUsd: "0.001", heldUsd: "0" });
  });

  it("under the caller's own name is made once, also by a client that knows nothing of the first", async () => {
    const { shop, client, troubles, fetch } = open({ retries: 0 });
    const named = { idempotencyKey: "the-order-of-june-22" };
    troubles.push("lost");
    const first = client.$call("test.work" as never, { n: 1 } as never, named);
    await expect(first).rejects.toMatchObject({ code: "SETTLEMENT_PENDING" });
    const later = createClient<never>({ baseUrl: "http://shop.test", fetch, pay: payerOf().client });
    const { data } = await later.$call("test.work" as never, { n: 1 } as never, named);
    expect(data).toMatchObject({ items: [{ run: 1 }] });
    expect([shop.runs(), shop.facilitator.settled.length]).toEqual([1, 1]);
  });

  it("that was signed for a failed call counts until its time is over", async () => {
    const { shop, call } = open({ maxTotalUsd: "0.001" });
    shop.behaviours.push(failing());
    await expect(call("test.work", { n: 1 })).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
    const later = Date.now() + 3_600_000;
    const clock = vi.spyOn(Date, "now").mockReturnValue(later);
    shop.clock.advance(3600);
    await call("test.work", { n: 2 }).finally(() => clock.mockRestore());
  });

  it("that is refused is the 402's own reason", async () => {
    const { shop, call, signed } = open();
    shop.facilitator.faults.verify.push("refuse");
    await expect(call("test.work", { n: 1 })).rejects.toMatchObject({ code: "PAYMENT_REQUIRED", status: 402 });
    expect(signed).toHaveLength(1);
  });

  it("never goes beyond what a hostile service may get, whatever it answers", async () => {
    let asked = 0;
    const shop = openShop({ clock: fakeClock(new Date().toISOString()) });
    const { client: pay, signed } = payerOf();
    const hostile: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      if (request.headers.has("payment-signature"))
        return Response.json({ code: "UPSTREAM_ERROR", detail: "try again" }, { status: 502 });
      asked++;
      return shop.handle(request);
    };
    const options = { baseUrl: "http://shop.test", fetch: hostile, pay, maxTotalUsd: "0.002" };
    const client = createClient<never>(options);
    for (let n = 0; n < 5; n++) await expect(client.$call("test.work" as never, { n } as never)).rejects.toThrow();
    expect([asked, signed.length]).toEqual([6, 2]);
  });

  it("is nothing that a client without a wallet has: the price and the reason come back", async () => {
    const { fetch } = open();
    const client = createClient<never>({ baseUrl: "http://shop.test", fetch });
    const call = client.$call("test.work" as never, { n: 1 } as never);
    await expect(call).rejects.toMatchObject({ code: "PAYMENT_REQUIRED", message: "Payment required", status: 402 });
    await expect(call).rejects.toBeInstanceOf(CapabilityError);
  });
});

describe("credit", () => {
  const model = billedByUsage(({ meter }) => {
    meter.add("0.005");
    return 1;
  });

  it("is used by itself, beside a payment and alone, until it is used up", async () => {
    const { call, client, signed, shop } = open({ shop: { capabilities: [model], payment } });
    await call("test.model", { n: 1 });
    expect(signed).toEqual(["20000"]);
    expect(client.$credits()).toEqual([{ header: "x-svc-credit", token: expect.any(String) }]);

    for (const n of [2, 3, 4]) await call("test.model", { n });
    // What is there already is not asked again; and as each uses no more than that, nothing else is settled.
    expect(signed).toEqual(["20000", "5000", "10000", "15000"]);
    expect(shop.facilitator.settled).toMatchObject([{ value: 20_000n }]);
    expect(client.$credits()).toEqual([]);
  });

  it("of an earlier client is taken over, and forgotten when the service does not know it", async () => {
    const first = open({ shop: { capabilities: [model], payment } });
    await first.call("test.model", { n: 1 });
    const again = createClient<never>({
      ...{ baseUrl: "http://shop.test", fetch: first.fetch, pay: payerOf().client },
      credits: [{ header: "x-svc-credit", token: "nobody-knows-this" }, ...first.client.$credits()],
    });
    await again.$call("test.model" as never, { n: 2 } as never);
    expect(again.$credits().map(({ token }) => token)).not.toContain("nobody-knows-this");
  });
});

describe("errors", () => {
  it("are those of the capability, with what they name", async () => {
    const { call, sent } = open();
    await expect(call("test.work", { n: "many" })).rejects.toMatchObject({
      ...{ name: "CapabilityError", code: "INVALID_INPUT", status: 400 },
      issues: [{ path: "n", message: expect.any(String) }],
    });
    // The directory, once, and the call.
    expect(sent.map(({ url }) => new URL(url).pathname)).toEqual(["/api/directory", "/api/test/work"]);
  });

  it("of an endpoint that there is not name it, and nothing is asked", async () => {
    const { call } = open();
    await expect(call("test.nothing", {})).rejects.toMatchObject({ code: "NOT_FOUND", status: 404 });
  });

  it("of an unreachable service say so after a few tries", async () => {
    const { client, troubles, sent } = open({ retries: 1 });
    const wire = wireTo(async () => new Response(), { anyRequest: true });
    wire.troubles.push("unsent", "unsent");
    const lonely = createClient({ baseUrl: "http://nowhere.test", fetch: wire.fetch, retries: 1 });
    const call = lonely.convert.unit({ value: 1, from: "kg", to: "lb" });
    await expect(call).rejects.toMatchObject({ code: "UPSTREAM_ERROR", message: /nowhere\.test could not be reached/ });
    expect([wire.sent.length, troubles.length, sent.length, typeof client.$spending]).toEqual([2, 0, 0, "function"]);
  });

  it("of options name the option", () => {
    expect(() => createClient({ baseUrl: "api.example.com" })).toThrow(/baseUrl/);
    expect(() => createClient({ baseUrl: "http://a.test", maxTotalUsd: "much" })).toThrow(/maxTotalUsd/);
  });

  it("an abort ends the call with its own reason", async () => {
    const { client } = open();
    const call = client.$call("test.work" as never, { n: 1 } as never, { signal: AbortSignal.abort("enough") });
    await expect(call).rejects.toBe("enough");
  });
});

it("calls a host's own endpoints by camelCase names, at its own base path", async () => {
  const own = defineCapability({
    id: "own.two-words3",
    method: "POST",
    summary: "Doubles.",
    price: "0.001",
    source: { provider: "test", url: "", license: "MIT" },
    input: () => z.strictObject({ n: z.number().describe("Any number") }),
    output: legacy(() => z.object({ twice: z.number() })),
    example: { n: 1 },
    run: ({ n }) => ({ twice: 2 * n }),
  });
  const shop = openShop({ capabilities: [own], basePath: "/v1", payment: false });
  const client = createClient<typeof own>({ baseUrl: "http://shop.test/v1/", fetch: wireTo(shop.handle).fetch });
  const { data, meta } = await client.own.twoWords3.withMeta({ n: 21 });
  expect(data).toEqual({ twice: 42 });
  expect(meta).toMatchObject({ endpoint: "own.two-words3", caller: "free", costUsd: "0", cached: false });
});

it("is no promise, nor are its groups", async () => {
  const client = createClient({ baseUrl: "http://shop.test" });
  expect(await client).toBe(client);
  expect(await client.convert).toBe(client.convert);
});
