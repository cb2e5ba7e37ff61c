/** Codes by which settlements are attributed, by the official classes of both sides. */
import {
  BuilderCodeClientExtension,
  BuilderCodeFacilitatorExtension,
  declareBuilderCodeExtension,
  parseBuilderCodeSuffixFromCalldata,
} from "@x402/extensions/builder-code";
import { describe, expect, it } from "vitest";
import { fakeFacilitator } from "../support/facilitator.js";
import { NETWORK, openShop } from "../support/shop.js";
import { quoteOf, TREASURY } from "../support/wallets.js";

const WORK = "/test/work?n=1";
const payment = { treasury: { [NETWORK]: TREASURY }, facilitator: { url: "https://facilitator.test" } };

interface Sent {
  paymentPayload: { x402Version: 2; extensions?: Record<string, unknown> };
}

function open(builderCode?: object) {
  const facilitator = fakeFacilitator();
  const sent: Sent[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (/\/(?:verify|settle)$/.test(String(input))) sent.push(JSON.parse(String(init?.body)));
    return facilitator.fetch(input, init);
  };
  const shop = openShop({
    ...{ trial: false, facilitator, fetch },
    payment: { ...payment, ...(builderCode ? { builderCode: builderCode as never } : {}) },
  });
  const pay = async (extensions?: Record<string, unknown>) =>
    shop.pay(WORK, { ...(await shop.payFor(WORK)), ...(extensions ? { extensions } : {}) });
  /** What the official facilitator writes after the call data. */
  const suffixes = () =>
    sent.map(({ paymentPayload }) => {
      const suffix = new BuilderCodeFacilitatorExtension().buildDataSuffix({ paymentPayload } as never);
      return suffix && parseBuilderCodeSuffixFromCalldata(`0xabcdef${suffix.slice(2)}`);
    });
  return { ...shop, pay, sent, suffixes };
}

describe("builder-code", () => {
  it("is declared as the official server does it", async () => {
    const shop = open({ app: "my_app", services: ["my_search"] });
    const { info } =
      (quoteOf(await shop.get(WORK)).extensions as Record<string, { info: object }>)["builder-code"] ?? {};
    expect(info).toEqual(declareBuilderCodeExtension("my_app", ["my_search"]).info);
  });

  it("is told to the facilitator with the codes of the official buyer, when it verifies and when it settles", async () => {
    const shop = open({ app: "my_app", services: ["my_search"] });
    const client = new BuilderCodeClientExtension(["wallet_x", "agent_y"]);
    const { extensions } = await client.enrichPaymentPayload({ extensions: {} } as never, {} as never);
    expect((await shop.pay(extensions)).status).toBe(200);
    const codes = { a: "my_app", s: ["wallet_x", "agent_y", "my_search"] };
    expect(shop.suffixes()).toEqual([codes, codes]);
  });

  it.each([
    [undefined, []],
    [{ "builder-code": { a: "my_app", s: ["wallet_x"] } }, ["wallet_x"]],
    [{ "builder-code": { info: { s: "wallet_x" } } }, ["wallet_x"]],
    [{ "builder-code": { info: { s: ["UPPER", "", 1, null, "x".repeat(33), "ok"] } } }, ["ok"]],
    [
      { "builder-code": { info: { s: Array.from({ length: 500 }, (_, n) => `c${n}`) } } },
      ["c0", "c1", "c2", "c3", "c4"],
    ],
    [{ "builder-code": "nonsense" }, []],
    [{ "builder-code": { info: null } }, []],
  ])("of %j is attributed within its bounds, and always to the service", async (extensions, codes) => {
    const shop = open({ app: "my_app" });
    expect((await shop.pay(extensions)).status).toBe(200);
    expect(shop.suffixes()[1]).toEqual({ a: "my_app", ...(codes.length > 0 ? { s: codes } : {}) });
  });

  it("of another service is refused before anything is verified, run or charged", async () => {
    const shop = open({ app: "my_app" });
    const refused = await shop.pay({ "builder-code": { info: { a: "other_app" } } });
    expect(refused.status).toBe(402);
    expect(quoteOf(refused)).toMatchObject({ error: expect.stringContaining("extension_echo_mismatch") });
    expect([shop.sent, shop.runs()]).toEqual([[], 0]);
  });

  it("is neither declared nor passed on unless the host asks for it", async () => {
    const shop = open();
    expect(quoteOf(await shop.get(WORK)).extensions).not.toHaveProperty("builder-code");
    expect((await shop.pay({ "builder-code": { info: { a: "other_app", s: ["x"] } } })).status).toBe(200);
    expect(shop.suffixes()).toEqual([undefined, undefined]);
  });

  it.each([
    [{ app: "My App" }, "payment.builderCode.app must be"],
    [{ services: ["x"] }, "payment.builderCode.app is missing"],
    [{ app: "x", services: ["a", "b", "c", "d", "e", "f"] }, "must have 0 to 5 entries"],
  ])("%j is refused", (builderCode, why) => {
    expect(() => open(builderCode)).toThrow(why);
  });
});
