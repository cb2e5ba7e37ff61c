/** Offers for callers who say who they are, beside the payment. */
import { createSIWxPayload, encodeSIWxHeader } from "@x402/extensions/sign-in-with-x";
import { describe, expect, it } from "vitest";
import { NETWORK, openShop, type ShopOptions } from "../support/shop.js";
import { alice, mallory, quoteOf, sign, TREASURY, toHeader } from "../support/wallets.js";

const ORIGIN = "https://shop.test";
const WORK = "/test/work?n=1";
const POLYGON = "eip155:137";
const SIGN_IN = { type: "sign-in-with-x" };
const OAUTH = {
  ...{ type: "oauth2", tokenType: "Bearer", authorizationServer: "https://as.example" },
  tokenEndpoint: "https://as.example/token",
};

function open(authHints: object, options: ShopOptions = {}) {
  const payment = {
    treasury: { [POLYGON]: TREASURY, [NETWORK]: TREASURY },
    facilitator: { url: "https://facilitator.test" },
    authHints: authHints as never,
  };
  const shop = openShop({ trial: false, brand: { baseUrl: ORIGIN }, payment, ...options });
  const required = async () => quoteOf(await shop.get(WORK));
  const hints = async () =>
    ((await required()).extensions?.["auth-hints"] as { info: { authRequirements: object[] } } | undefined)?.info
      .authRequirements;
  const proof = async (wallet = alice) => {
    const offer = (await required()).extensions?.["sign-in-with-x"] as { info: object } | undefined;
    const told = { ...offer?.info, chainId: NETWORK, type: "eip191" } as never;
    return encodeSIWxHeader(await createSIWxPayload(told, wallet as never, `${ORIGIN}/api${WORK}`));
  };
  const signedOn = async (network: string) => {
    const at = (await required()).accepts.findIndex((offer) => offer.network === network);
    const quote = await required();
    const terms = quote.accepts[at];
    if (!terms) throw new Error("not offered");
    return toHeader(await sign(terms, { now: shop.clock.seconds() }));
  };
  const buy = async (network: string, headers: Record<string, string> = {}) =>
    shop.get(WORK, { "payment-signature": await signedOn(network), ...headers });
  return { ...shop, required, hints, proof, buy };
}

describe("auth-hints", () => {
  it("name the offers by their places, with the ways that the host takes", async () => {
    expect(await open({ methods: [SIGN_IN], networks: ["base"] }).hints()).toEqual([
      { acceptIndexes: [1], methods: [SIGN_IN] },
    ]);
    const all = open({ methods: [SIGN_IN, OAUTH], verify: () => true });
    expect(await all.hints()).toEqual([{ acceptIndexes: [0, 1], methods: [SIGN_IN, OAUTH] }]);
    expect((await all.required()).extensions).toHaveProperty("sign-in-with-x");
    expect(await open({ methods: [SIGN_IN], schemes: ["upto"] }).hints()).toBeUndefined();
  });

  it("are asked of the offers that they name, before a payment is shown to anybody", async () => {
    const shop = open({ methods: [SIGN_IN], networks: ["base"] });
    const refused = await shop.buy(NETWORK);
    expect(refused.status).toBe(402);
    expect(quoteOf(refused)).toMatchObject({ error: expect.stringContaining("beside the payment: sign-in-with-x") });
    expect(quoteOf(refused).extensions).toHaveProperty("auth-hints");
    expect([shop.facilitator.trace, shop.runs()]).toEqual([[], 0]);
    expect((await shop.buy(POLYGON)).status).toBe(200);
  });

  it("take the sign-in of any wallet, once", async () => {
    const shop = open({ methods: [SIGN_IN] });
    const proof = await shop.proof(mallory);
    expect((await shop.buy(NETWORK, { "sign-in-with-x": proof })).status).toBe(200);
    expect((await shop.buy(NETWORK, { "sign-in-with-x": proof })).status).toBe(402);
    expect((await shop.buy(NETWORK, { "sign-in-with-x": "nonsense" })).status).toBe(402);
    expect(shop.runs()).toBe(1);
    // Beside a payment it gives nothing away.
    expect((await shop.get(WORK, { "sign-in-with-x": await shop.proof() })).status).toBe(402);
  });

  it("take a token that the host judges, and nobody's while it cannot", async () => {
    const seen: (string | null)[] = [];
    const verify = ({ headers }: Request) => {
      const token = headers.get("authorization");
      seen.push(token);
      if (token === "Bearer broken") throw new Error("the server is away");
      return token === "Bearer good";
    };
    const shop = open({ methods: [OAUTH], verify });
    expect((await shop.buy(NETWORK, { authorization: "Bearer good" })).status).toBe(200);
    expect((await shop.buy(NETWORK, { authorization: "Bearer bad" })).status).toBe(402);
    expect((await shop.buy(NETWORK)).status).toBe(402);
    expect((await shop.buy(NETWORK, { authorization: "Bearer broken" })).status).toBe(500);
    expect([seen, shop.runs()]).toEqual([["Bearer good", "Bearer bad", null, "Bearer broken"], 1]);
    const odd = open({ methods: [OAUTH], verify: () => "yes" });
    expect((await odd.buy(NETWORK)).status).toBe(402);
  });

  it.each([
    [{ methods: [] }, "payment.authHints.methods must have 1"],
    [{ methods: [OAUTH] }, "payment.authHints.verify is needed for oauth2"],
    [{ methods: [{ ...OAUTH, tokenEndpoint: "no" }], verify: () => true }, "tokenEndpoint must be"],
    [{ methods: [{ type: "password" }] }, "payment.authHints.methods[0].type"],
    [{}, "payment.authHints.methods is missing"],
  ])("%j is refused", (authHints, why) => {
    expect(() => open(authHints)).toThrow(why);
  });

  it("need an address for sign-ins", () => {
    expect(() => open({ methods: [SIGN_IN] }, { brand: {} })).toThrow("payment.authHints needs brand.baseUrl");
  });
});
