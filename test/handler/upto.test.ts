import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import { CapabilityError } from "../../src/errors.js";
import { createHandler } from "../../src/handler/handler.js";
import type { HandlerOptions } from "../../src/host/options.js";
import type { PaymentOptions } from "../../src/payment/options/options.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { billedByUsage } from "../support/billed-by-usage.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { FACILITATOR_URL } from "../support/facilitator.js";
import { NETWORK, openShop, receiptOf, type ShopOptions } from "../support/shop.js";
import { SETTLER, signUpto, type UptoFault, uptoFacilitator } from "../support/upto.js";
import { alice, mallory, quoteOf, TREASURY, toHeader, withoutRetryKey } from "../support/wallets.js";

const MODEL = "/test/model?n=1";
/** What the next runs report as used; null fails. */
let reports: (string | null)[] = [];
let runs = 0;

const model = billedByUsage(({ meter }) => {
  runs++;
  const report = reports.shift();
  if (report === null) throw new CapabilityError("UPSTREAM_ERROR", "The model is down.");
  if (report) meter.add(report);
  return runs;
});
const cheap = defineCapability({
  id: "test.cheap",
  summary: "Costs a tenth of a cent.",
  price: "0.001",
  source: { provider: "test", url: "", license: "MIT" },
  input: () => z.strictObject({ n: z.int().describe("Any number") }),
  output: one(z.object({})),
  example: { n: 1 },
  run: () => ({ item: {} }),
});

interface Options extends Partial<ShopOptions> {
  facilitator?: ReturnType<typeof uptoFacilitator>;
  payment?: PaymentOptions;
}

/** Official buyers sign by the system's clock, so this shop starts with it. */
async function open({ facilitator = uptoFacilitator(), payment, ...rest }: Options = {}) {
  reports = [];
  runs = 0;
  const shop = openShop({
    capabilities: [model, cheap],
    payment: {
      treasury: { [NETWORK]: TREASURY },
      facilitator: { url: FACILITATOR_URL },
      schemes: ["exact", "upto"],
      refunds: { [NETWORK]: mallory },
      ...payment,
    },
    facilitator,
    clock: fakeClock(new Date().toISOString()),
    ...rest,
  });
  // What the facilitator supports is read in the background.
  await new Promise((resolve) => setImmediate(resolve));
  const uptoTerms = async (headers: Record<string, string> = {}) => {
    const terms = quoteOf(await shop.get(MODEL, headers)).accepts.find(({ scheme }) => scheme === "upto");
    if (!terms) throw new Error("no upto offer");
    return terms;
  };
  return {
    ...shop,
    facilitator,
    uptoTerms,
    async use(usd: string | null) {
      reports = [usd];
      const payment = await signUpto(await uptoTerms());
      return { payment, response: await shop.pay(MODEL, payment) };
    },
    settledAmounts: () =>
      facilitator.uptoCalls.filter(({ path }) => path === "settle").map(({ body }) => body.paymentRequirements.amount),
  };
}

const codeOf = async (response: Response) => {
  const body = await bodyOf(response);
  return body.code ?? body.extensions?.code;
};

describe("the offer", () => {
  const schemesOf = (response: Response) => quoteOf(response).accepts.map(({ scheme }) => scheme);

  it("stands behind exact in the header, and not in the body", async () => {
    const shop = await open();
    const response = await shop.get(MODEL);
    const { accepts, extensions } = quoteOf(response);
    expect(accepts).toMatchObject([
      { scheme: "exact", amount: "20000" },
      {
        scheme: "upto",
        network: NETWORK,
        amount: "20000",
        payTo: TREASURY,
        extra: { name: "USD Coin", version: "2", assetTransferMethod: "permit2", facilitatorAddress: SETTLER },
      },
    ]);
    expect(extensions).toMatchObject({ eip2612GasSponsoring: { info: { version: "1" } } });
    expect(response.headers.get("payment-required")?.length).toBeLessThan(4096);
    const body = await bodyOf(response);
    expect(body.accepts.map(({ scheme }) => scheme)).toEqual(["exact"]);
    expect(body.extensions).not.toHaveProperty("eip2612GasSponsoring");
  });

  it("comes first for a caller that asks for it", async () => {
    const shop = await open();
    expect(schemesOf(await shop.get(MODEL, { "x-svc-accept-scheme": "upto" }))).toEqual(["upto", "exact"]);
    expect(schemesOf(await shop.get(MODEL, { "x-svc-accept-scheme": "other" }))).toEqual(["exact", "upto"]);
    const preflight = await shop.handle(new Request("http://shop.test/api/test/model", { method: "OPTIONS" }));
    expect(preflight.headers.get("access-control-allow-headers")).toContain("X-SVC-Accept-Scheme");
  });

  it("is made only where usage is billed, the host and the facilitator take it, and no fixed price stands", async () => {
    const shop = await open();
    expect(schemesOf(await shop.get("/test/cheap?n=1"))).toEqual(["exact"]);
    const facilitator = uptoFacilitator();
    facilitator.list(undefined);
    expect(schemesOf(await (await open({ facilitator })).get(MODEL))).toEqual(["exact"]);
    const fixed = await open({ pricing: { overrides: { "test.model": "0.03" } } });
    expect(schemesOf(await fixed.get(MODEL))).toEqual(["exact"]);
    const closed = await open({
      payment: { treasury: { [NETWORK]: TREASURY }, facilitator: { url: FACILITATOR_URL }, schemes: ["exact"] },
    });
    expect(schemesOf(await closed.get(MODEL))).toEqual(["exact"]);
  });

  it("carries no gas sponsoring that the facilitator does not know", async () => {
    const shop = await open({ facilitator: uptoFacilitator({ extensions: [] }) });
    expect(quoteOf(await shop.get(MODEL)).extensions).not.toHaveProperty("eip2612GasSponsoring");
  });

  it.each([
    [["upto"], /must include "exact"/],
    [["exact", "auth-capture"], /"exact", "upto" or "batch-settlement", not "auth-capture"/],
  ])("of the schemes %j does not start", async (schemes, message) => {
    const payment = { treasury: { [NETWORK]: TREASURY }, facilitator: { url: FACILITATOR_URL } };
    await expect(open({ payment: { ...payment, schemes: schemes as "upto"[] } })).rejects.toThrow(message);
  });

  it.each<[string, Partial<HandlerOptions>, Partial<PaymentOptions>]>([
    ["payment.schemes", {}, { schemes: ["upto"] }],
    ["mcp.tools", { mcp: { tools: ["no.such"] } }, {}],
  ])("asks no facilitator where the host cannot be built for its %s", async (option, more, payment) => {
    const asked: string[] = [];
    const build = () =>
      createHandler({
        capabilities: [model, cheap],
        ...more,
        payment: { treasury: { [NETWORK]: TREASURY }, facilitator: { url: FACILITATOR_URL }, ...payment },
        fetch: async (url) => {
          asked.push(String(url));
          return Response.json({ kinds: [] });
        },
      });
    expect(build).toThrow(option);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(asked).toEqual([]);
  });
});

describe("PAY-39 with upto", () => {
  it("only what was used is settled, and nothing has to go back", async () => {
    const shop = await open();
    const { response } = await shop.use("0.0075");
    expect(response.status).toBe(200);
    const { meta } = await bodyOf(response.clone());
    expect(meta).toMatchObject({
      costUsd: "0.0075",
      quotedUsd: "0.02",
      payment: { scheme: "upto", network: NETWORK, amount: "7500", payer: alice.address },
    });
    expect(meta.usage).toEqual({ authorizedUsd: "0.02", usedUsd: "0.0075", settledUsd: "0.0075", method: "upto" });
    expect(receiptOf(response)).toMatchObject({
      success: true,
      amount: "7500",
      transaction: meta.payment?.transaction,
    });
    expect(shop.facilitator.settled).toEqual([{ from: alice.address, to: TREASURY, value: 7500n }]);
    expect((await shop.handle.ledger()).total).toMatchObject({
      calls: 1,
      settledUsd: "0.0075",
      owedUsd: "0",
      earnedUsd: "0.0075",
    });
  });

  it("is verified for the maximum, with our own terms", async () => {
    const shop = await open();
    const terms = await shop.uptoTerms();
    await shop.use("0.0075");
    expect(shop.facilitator.uptoCalls.map(({ path, body }) => [path, body.paymentRequirements.amount])).toEqual([
      ["verify", "20000"],
      ["settle", "7500"],
    ]);
    const [verify] = shop.facilitator.uptoCalls;
    expect(verify?.body.paymentPayload).toMatchObject({ x402Version: 2, ...withoutRetryKey({ accepted: terms }) });
  });

  it("zero usage settles nothing and still delivers, once", async () => {
    const shop = await open();
    const { payment, response } = await shop.use("0");
    expect(await bodyOf(response.clone())).toMatchObject({
      meta: { costUsd: "0", usage: { settledUsd: "0", method: "none" } },
    });
    expect(await (await shop.pay(MODEL, payment)).text()).toBe(await response.text());
    expect([runs, shop.settledAmounts()]).toEqual([1, []]);
  });

  it("usage above the maximum settles the maximum", async () => {
    const shop = await open();
    const { response } = await shop.use("0.5");
    expect((await bodyOf(response)).meta.usage).toMatchObject({ usedUsd: "0.02", settledUsd: "0.02" });
    expect(shop.settledAmounts()).toEqual(["20000"]);
  });

  it("a failed run settles nothing, and the same payment buys the next try", async () => {
    const shop = await open();
    const { payment, response } = await shop.use(null);
    expect(response.status).toBe(502);
    reports = ["0.003"];
    expect((await shop.pay(MODEL, payment)).status).toBe(200);
    expect(shop.settledAmounts()).toEqual(["3000"]);
  });

  it("credit pays for its part first", async () => {
    const shop = await open({
      payment: { treasury: { [NETWORK]: TREASURY }, facilitator: { url: FACILITATOR_URL }, refunds: {} },
    });
    reports = ["0.015"];
    const credit = (await shop.pay(MODEL, await shop.payFor(MODEL))).headers.get("x-svc-credit") ?? "";
    const headers = { "x-svc-credit": credit };
    const terms = await shop.uptoTerms(headers);
    expect(terms.amount).toBe("15000");
    reports = ["0.012"];
    const response = await shop.get(MODEL, { ...headers, "payment-signature": toHeader(await signUpto(terms)) });
    // 5000 of credit and 7000 settled make up 12000 used.
    expect((await bodyOf(response)).meta).toMatchObject({ costUsd: "0.012", usage: { settledUsd: "0.007" } });
    expect(shop.settledAmounts()).toEqual(["7000"]);
  });

  it("an allowance that comes along is passed on to verify and to settle", async () => {
    const shop = await open();
    const { extensions = {} } = quoteOf(await shop.get(MODEL));
    const payment = await signUpto(await shop.uptoTerms(), { extensions });
    reports = ["0.01"];
    expect((await shop.pay(MODEL, { ...payment, extensions: { ...extensions, ...payment.extensions } })).status).toBe(
      200,
    );
    for (const { body } of shop.facilitator.uptoCalls)
      expect(body.paymentPayload.extensions).toMatchObject(payment.extensions ?? {});
    // The exact scheme has no use for it.
    await shop.pay(MODEL, await shop.payFor(MODEL));
    expect(shop.facilitator.calls[0]?.body.paymentPayload).not.toHaveProperty("extensions.eip2612GasSponsoring");
  });
});

describe("one upto payment", () => {
  it("PAY-3 sent again gets the same answer, PAY-7 for another request nothing", async () => {
    const shop = await open();
    const { payment, response } = await shop.use("0.0075");
    const again = await shop.pay(MODEL, payment);
    expect(await again.text()).toBe(await response.text());
    expect(again.headers.get("payment-response")).toBe(response.headers.get("payment-response"));
    const other = await shop.pay("/test/model?n=2", payment);
    expect([other.status, await codeOf(other)]).toEqual([402, "PAYMENT_ALREADY_USED"]);
    expect([runs, shop.settledAmounts()]).toEqual([1, ["7500"]]);
  });

  it("PAY-4 in many copies at once runs and settles once", async () => {
    const shop = await open();
    const payment = await signUpto(await shop.uptoTerms());
    reports = ["0.005"];
    const answers = await Promise.all(Array.from({ length: 20 }, () => shop.pay(MODEL, payment)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect([runs, shop.settledAmounts()]).toEqual([1, ["5000"]]);
  });

  it("PAY-9 is not taken where it was not offered", async () => {
    const shop = await open();
    const terms = { ...(await shop.uptoTerms()), amount: "1000" };
    const response = await shop.pay("/test/cheap?n=1", await signUpto(terms));
    expect([response.status, await codeOf(response)]).toEqual([402, "PAYMENT_NOT_OFFERED"]);
    const short = await shop.pay(MODEL, await signUpto(terms));
    expect([short.status, await codeOf(short)]).toEqual([402, "PAYMENT_MISMATCH"]);
    expect(shop.facilitator.uptoCalls).toEqual([]);
  });

  it("PAY-12 that expires too soon for the work is refused before it", async () => {
    const shop = await open();
    const payment = await signUpto(await shop.uptoTerms());
    shop.clock.advance(45);
    expect(await codeOf(await shop.pay(MODEL, payment))).toBe("PAYMENT_EXPIRED");
    expect(runs).toBe(0);
  });

  it("made for the facilitator's former account is still taken after it changed", async () => {
    const facilitator = uptoFacilitator();
    const shop = await open({ facilitator });
    const payment = await signUpto(await shop.uptoTerms());
    facilitator.list(mallory.address);
    const later = await open({ facilitator });
    expect((await later.uptoTerms()).extra.facilitatorAddress).toBe(mallory.address);
    // Another instance, which never knew the former account, cannot know that it was offered.
    expect((await later.pay(MODEL, payment)).status).toBe(402);
    expect((await shop.pay(MODEL, payment)).status).toBe(200);
  });
});

describe("PAY-24 an upto settlement whose outcome is unclear", () => {
  it.each<UptoFault>(["drop-after", "refuse-after"])("%s is found on chain and delivered at once", async (fault) => {
    const shop = await open();
    shop.facilitator.showChain();
    shop.facilitator.uptoFaults.push(fault);
    const { response } = await shop.use("0.0075");
    expect(response.status).toBe(200);
    expect(receiptOf(response)).toMatchObject({ amount: "7500", transaction: `0x${"1".padStart(64, "0")}` });
    expect(shop.settledAmounts()).toEqual(["7500"]);
  });

  it.each<UptoFault>(["drop-after", "refuse-after"])(
    "%s without a chain to read stays pending and is never a 402, until the chain can be read",
    async (fault) => {
      const shop = await open();
      shop.facilitator.uptoFaults.push(fault);
      const { payment, response } = await shop.use("0.0075");
      expect(await codeOf(response)).toBe("SETTLEMENT_PENDING");
      expect(await codeOf(await shop.pay(MODEL, payment))).toBe("SETTLEMENT_PENDING");
      shop.facilitator.showChain();
      const found = await shop.pay(MODEL, payment);
      expect(found.status).toBe(200);
      expect((await bodyOf(found)).meta).toMatchObject({
        payment: { amount: "7500" },
        usage: { settledUsd: "0.0075" },
      });
      expect([runs, shop.facilitator.settled.length]).toEqual([1, 1]);
    },
  );

  it("PAY-25 because the facilitator tells of another amount is not taken for paid", async () => {
    const shop = await open();
    shop.facilitator.showChain();
    shop.facilitator.uptoFaults.push("other-amount");
    const { payment, response } = await shop.use("0.0075");
    expect(await codeOf(response)).toBe("SETTLEMENT_PENDING");
    expect((await bodyOf(await shop.pay(MODEL, payment))).meta.usage).toMatchObject({ settledUsd: "0.0075" });
  });

  it("is not taken for another one of the same payer and amount", async () => {
    const shop = await open();
    shop.facilitator.uptoFaults.push("drop-after");
    const first = await shop.use("0.0075");
    const second = await shop.use("0.0075");
    expect([first.response.status, second.response.status]).toEqual([502, 200]);
    shop.facilitator.showChain();
    const found = receiptOf(await shop.pay(MODEL, first.payment));
    expect(found.transaction).toBe(`0x${"1".padStart(64, "0")}`);
    expect(receiptOf(second.response).transaction).not.toBe(found.transaction);
  });

  it("drop is settled for the same amount by the background", async () => {
    const shop = await open();
    shop.facilitator.uptoFaults.push("drop");
    const { payment, response } = await shop.use("0.0075");
    expect(response.status).toBe(502);
    shop.clock.advance(16);
    await shop.handle.reconcile();
    expect(shop.settledAmounts()).toEqual(["7500", "7500"]);
    expect(shop.facilitator.settled).toMatchObject([{ value: 7500n }]);
    expect((await shop.pay(MODEL, payment)).status).toBe(200);
    expect(runs).toBe(1);
  });

  it("PAY-29 and a crash before it is finished by the next process, for the amount that was saved", async () => {
    const memory = createMemoryStore();
    const facilitator = uptoFacilitator();
    let writes = 0;
    const dying = {
      ...memory,
      put: async (...args: Parameters<typeof memory.put>) => {
        // Claim, result; then the process is gone with the answer of its settlement.
        if (args[0].startsWith("payment:") && ++writes > 2) throw new Error("gone");
        return memory.put(...args);
      },
    };
    const clock = fakeClock(new Date().toISOString());
    const first = await open({ store: dying, facilitator, clock });
    facilitator.showChain();
    await first.use("0.0075");
    const second = await open({ store: memory, facilitator, clock });
    clock.advance(600);
    await second.handle.reconcile();
    expect(facilitator.settled).toMatchObject([{ value: 7500n }]);
    expect((await second.handle.ledger()).total).toMatchObject({ calls: 1, settledUsd: "0.0075" });
  });

  it("is a refusal once the chain shows the nonce unused for good, and open where it was used for something else", async () => {
    const shop = await open();
    shop.facilitator.showChain();
    const payment = await signUpto(await shop.uptoTerms());
    reports = ["0.0075"];
    shop.facilitator.uptoFaults.push("refuse", "refuse");
    expect(await codeOf(await shop.pay(MODEL, payment))).toBe("SETTLEMENT_PENDING");
    const other = await signUpto(await shop.uptoTerms());
    shop.facilitator.uptoFaults.push("refuse");
    reports = ["0.0075"];
    expect(await codeOf(await shop.pay(MODEL, other))).toBe("SETTLEMENT_PENDING");
    shop.facilitator.invalidate(other.payload.permit2Authorization.nonce);
    shop.clock.advance(400);
    const response = await shop.pay(MODEL, payment);
    expect([response.status, await codeOf(response)]).toEqual([402, "SETTLEMENT_REFUSED"]);
    expect((await shop.pay(MODEL, other)).status).toBe(502);
    // Long enough after its end that no node can be behind any more.
    shop.clock.advance(800);
    expect(await codeOf(await shop.pay(MODEL, other))).toBe("SETTLEMENT_REFUSED");
    expect(shop.facilitator.settled).toEqual([]);
  });

  it("is no refusal on the word of a node that has forgotten its logs, where money may have moved", async () => {
    const shop = await open();
    shop.facilitator.uptoFaults.push("drop-after");
    const { payment, response } = await shop.use("0.0075");
    expect(await codeOf(response)).toBe("SETTLEMENT_PENDING");
    shop.facilitator.showChain();
    shop.facilitator.forgetLogs();
    shop.clock.advance(2000);
    expect(await codeOf(await shop.pay(MODEL, payment))).toBe("SETTLEMENT_PENDING");
    shop.facilitator.forgetLogs(false);
    expect((await shop.pay(MODEL, payment)).status).toBe(200);
  });
});
