/** What a client signs stays within its total, whatever the service says of what it took. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { createClient } from "../../src/client/index.js";
import type { ClientOptions } from "../../src/client/options.js";
import { payerOf } from "../support/client.js";
import { fakeClock } from "../support/clock.js";
import { openShop } from "../support/shop.js";

afterEach(() => vi.restoreAllMocks());

type Receipt = Record<string, unknown>;
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");
const receipt: Receipt = { success: true, network: "eip155:8453", transaction: "0x1", amount: "1000" };

/** A service whose quotes are real and whose answers to payments are whatever a liar likes. */
function liar(answer: () => Response, options: Partial<ClientOptions> = {}) {
  const shop = openShop({ clock: fakeClock(new Date().toISOString()), trial: false });
  const { client: pay, signed } = payerOf();
  const hostile: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    return request.headers.has("payment-signature") ? answer() : shop.handle(request);
  };
  const client = createClient<never>({
    baseUrl: "http://shop.test",
    fetch: hostile,
    pay,
    maxTotalUsd: "0.003",
    ...options,
  });
  const call = (n: number) => client.$call("test.work" as never, { n } as never);
  return { client, signed, call, shop };
}

function ok({
  said = receipt,
  usage,
  payment = {},
}: {
  said?: Receipt | undefined;
  usage?: object;
  payment?: object;
} = {}) {
  const meta = {
    endpoint: "test.work",
    caller: "paid",
    costUsd: "0.001",
    ...(said ? { payment: { scheme: "exact", network: "eip155:8453", amount: said.amount, ...payment } } : {}),
    ...(usage ? { usage } : {}),
  };
  const body = JSON.stringify({ data: { ok: true, items: [] }, meta });
  const headers = { "content-type": "application/json", ...(said ? { "payment-response": encode(said) } : {}) };
  return new Response(body, { headers });
}

const lies: [name: string, answer: () => Response][] = [
  ["the receipt names nothing", () => ok({ said: { ...receipt, amount: "0" } })],
  ["the receipt names less than nothing", () => ok({ said: { ...receipt, amount: "-1000000" } })],
  ["the receipt names no number", () => ok({ said: { ...receipt, amount: "NaN" } })],
  ["the receipt names more than there is", () => ok({ said: { ...receipt, amount: "9".repeat(40) } })],
  ["all is said to be given back", () => ok({ usage: { returnedUsd: "0.001" } })],
  ["more is said to be given back than was paid", () => ok({ usage: { returnedUsd: "1000000" } })],
  ["what is given back is no number", () => ok({ usage: { returnedUsd: "-5", creditedUsd: "x", owedUsd: "NaN" } })],
  ["it is said to be paid with credit", () => ok({ said: undefined })],
  ["the answer is refused", () => Response.json({ error: "no" }, { status: 402 })],
  ["it is said to have failed", () => Response.json({ code: "UPSTREAM_ERROR", detail: "again" }, { status: 502 })],
  [
    "it is said to have failed, and to have cost nothing",
    () =>
      Response.json(
        { code: "UPSTREAM_ERROR", detail: "again" },
        { status: 502, headers: { "payment-response": encode({ ...receipt, amount: "0" }) } },
      ),
  ],
];

describe("maxTotalUsd", () => {
  it.each(lies)("holds where %s", async (_, answer) => {
    const { client, signed, call } = liar(answer);
    for (let n = 0; n < 12; n++) await call(n).catch(() => {});
    expect(signed.length).toBe(3);
    const { spentUsd, heldUsd } = client.$spending();
    expect(Number(spentUsd) + Number(heldUsd)).toBeCloseTo(0.003);
    await expect(call(99)).rejects.toMatchObject({ code: "SPENDING_LIMIT" });
  });

  it.each(lies)("holds in all, however long it takes, where %s", async (_, answer) => {
    const { signed, call, shop } = liar(answer);
    for (let n = 0; n < 20; n++) {
      const now = Date.now();
      await call(n).catch(() => {});
      vi.spyOn(Date, "now").mockReturnValue(now + 3_600_000);
      shop.clock.advance(3600);
    }
    // What is void by its time, as far as the service said the truth, frees as much once.
    expect(signed.length).toBeLessThanOrEqual(6);
  });

  it("counts a payment that is sent again once", async () => {
    const answers = [new Response("", { status: 503 }), new Response("", { status: 503 }), ok()];
    const { client, signed, call } = liar(() => answers.shift() ?? ok());
    await call(1);
    expect([signed.length, client.$spending()]).toEqual([1, { spentUsd: "0.001", heldUsd: "0" }]);
  });

  it("sends nothing that is good for more than was quoted", async () => {
    const shop = openShop({ clock: fakeClock(new Date().toISOString()), trial: false });
    const sent: string[] = [];
    const pay = {
      createPaymentPayload: async (required: { accepts: object[] }) => ({
        accepted: required.accepts[0],
        payload: { authorization: { value: "5000000", validBefore: "1" } },
      }),
    } as never;
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const request = new Request(input, init);
      sent.push(request.headers.get("payment-signature") ?? "");
      return shop.handle(request);
    };
    const client = createClient<never>({ baseUrl: "http://shop.test", fetch, pay, maxTotalUsd: "1" });
    await expect(client.$call("test.work" as never, { n: 1 } as never)).rejects.toMatchObject({
      code: "SPENDING_LIMIT",
    });
    expect(sent.filter(Boolean)).toEqual([]);
  });
});

describe("maxTotalUsd, where a ceiling is signed,", () => {
  /** Signs what `payload` makes of each quote, and counts what was sent. */
  function signing(payload: (n: number) => object) {
    let n = 0;
    const sent: string[] = [];
    const pay = {
      createPaymentPayload: async ({ accepts }: { accepts: object[] }) => ({
        x402Version: 2,
        accepted: accepts[0],
        payload: payload(++n),
      }),
    };
    const lies = liar(() => ok({ said: { ...receipt, amount: "0" }, usage: { returnedUsd: "0.001" } }), {
      pay: pay as never,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        const payment = request.headers.get("payment-signature");
        if (!payment) return lies.shop.handle(request);
        sent.push(Buffer.from(payment, "base64").toString());
        return ok({ said: { ...receipt, amount: "0" }, usage: { returnedUsd: "0.001" } });
      },
    });
    return { ...lies, sent };
  }
  const voucher = (ceiling: number) => ({ voucher: { channelId: "0x01", maxClaimableAmount: String(ceiling) } });

  it.each([
    ["of a channel", (n: number) => voucher(n * 1000)],
    [
      "of a permit",
      () => ({
        permit2Authorization: {
          permitted: { amount: "1000" },
          deadline: String(Math.floor(Date.now() / 1000) + 3600),
        },
      }),
    ],
  ])("counts that %s, although the service says that nothing was taken", async (_, payload) => {
    const { client, call, sent } = signing(payload);
    for (let n = 0; n < 12; n++) await call(n).catch(() => {});
    expect(sent).toHaveLength(3);
    expect(client.$spending()).toMatchObject({ spentUsd: "0.003" });
    await expect(call(99)).rejects.toMatchObject({ code: "SPENDING_LIMIT" });
  });

  it("sends no voucher that is good for more than was quoted, also where it is signed a second time", async () => {
    const { call, sent } = signing((n) => voucher(n === 1 ? 1000 : 1_000_000 + n));
    await call(1);
    for (let n = 2; n < 6; n++) await expect(call(n)).rejects.toMatchObject({ code: "SPENDING_LIMIT" });
    expect(sent).toHaveLength(1);
  });
});

describe("an answer without end", () => {
  function endless() {
    let read = 0;
    const chunk = new Uint8Array(64 * 1024);
    const body = () =>
      new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            read += chunk.byteLength;
            if (read > 100_000_000) controller.close();
            else controller.enqueue(chunk);
          },
        },
        { highWaterMark: 0 },
      );
    return { body, read: () => read };
  }

  it.each([200, 402, 502])("is read as far as a client may, with status %i, and asked for once", async (status) => {
    const { body, read } = endless();
    const fetch = async () => new Response(body(), { status });
    const client = createClient<never>({ baseUrl: "http://shop.test", fetch, maxResponseBytes: 1_000_000 });
    const call = client.$call("convert.unit" as never, {} as never);
    await expect(call).rejects.toMatchObject({
      code: "UPSTREAM_ERROR",
      message: expect.stringContaining("1000000 bytes"),
    });
    expect(read()).toBeLessThan(1_200_000);
  });

  it("to a payment counts as paid for, and is not paid a second time", async () => {
    const { body } = endless();
    const { client, call, signed } = liar(() => new Response(body()), { maxResponseBytes: 100_000 });
    for (let i = 0; i < 3; i++) await expect(call(1)).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
    expect([signed.length, client.$spending().heldUsd]).toEqual([1, "0.001"]);
  });

  it("is no directory", async () => {
    const { body, read } = endless();
    const fetch = async () => new Response(body());
    const client = createClient<never>({ baseUrl: "http://shop.test", fetch, maxResponseBytes: 100_000 });
    await expect(client.$call("their.own" as never, {} as never)).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
    expect(read()).toBeLessThan(300_000);
  });
});
