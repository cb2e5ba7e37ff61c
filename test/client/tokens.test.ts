/** Offers in tokens that are not dollars: paid where the buyer says what the token is worth, and within its limits. */
import { expect, it } from "vitest";
import { createClient } from "../../src/client/index.js";
import type { ClientOptions } from "../../src/client/options.js";
import { payerOf } from "../support/client.js";
import { fakeClock } from "../support/clock.js";
import { openShop } from "../support/shop.js";
import { TREASURY } from "../support/wallets.js";

const NETWORK = "eip155:8453";
const EURC = "0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42";
const ID = `${NETWORK}/${EURC}`;
const USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
type Offer = { amount: string; extra: Record<string, unknown> };

/** A shop that sells in EURC at 1.0832 dollars, whose quotes may be changed on their way, and a client. */
function buyer(options: Partial<ClientOptions> = {}, change: (offer: Offer) => unknown = () => {}) {
  const token = { address: EURC, name: "EURC", version: "2", rate: () => "1.0832" };
  const shop = openShop({
    clock: fakeClock(new Date().toISOString()),
    trial: false,
    payment: {
      treasury: { [NETWORK]: TREASURY },
      facilitator: { url: "https://facilitator.test" },
      assets: { [NETWORK]: token },
    },
  });
  const { client: pay, signed } = payerOf();
  // The official payer knows no other tokens than USDC either, unless it is told.
  pay.setSpendControls({ allowedAssets: true });
  const way: typeof fetch = async (input, init) => {
    const response = await shop.handle(new Request(input, init));
    const quote = response.headers.get("payment-required");
    if (!quote) return response;
    const required = JSON.parse(Buffer.from(quote, "base64").toString()) as { accepts: Offer[] };
    for (const offer of required.accepts) change(offer);
    const headers = { "payment-required": Buffer.from(JSON.stringify(required)).toString("base64") };
    return new Response(await response.text(), { status: 402, headers });
  };
  const client = createClient<never>({ baseUrl: "http://shop.test", fetch: way, pay, ...options });
  const call = () => client.$call("test.work" as never, { n: 1 } as never);
  return { client, call, signed, shop };
}

it("a named token pays, and counts as the buyer says, rounded up", async () => {
  const { client, call, signed, shop } = buyer({
    tokens: { [ID.toLowerCase()]: { decimals: 6, usd: "1.25" } },
    maxPerCallUsd: "0.001155",
  });
  await call();
  expect(signed).toEqual(["924"]);
  expect(shop.facilitator.settled).toMatchObject([{ value: 924n }]);
  // 924 millionths at 1.25 dollars.
  expect(client.$spending()).toEqual({ spentUsd: "0.001155", heldUsd: "0" });
});

it.each([
  ["nothing is named", undefined],
  ["another token is named", { [`${NETWORK}/${USDC}`]: { decimals: 6, usd: "1" } }],
  ["it is named on another network", { [`eip155:137/${EURC}`]: { decimals: 6, usd: "1.25" } }],
])("pays in no token that the buyer does not know, where %s", async (_, tokens) => {
  const { call, signed } = buyer(tokens ? { tokens } : {});
  await expect(call()).rejects.toMatchObject({
    code: "PAYMENT_REQUIRED",
    message: expect.stringContaining("one of your tokens"),
  });
  expect(signed).toEqual([]);
});

it.each<[string, string, (offer: Offer) => unknown]>([
  ["asks for more units than the price", "1.25", (offer) => Object.assign(offer, { amount: "5000000" })],
  [
    "says that it is worth less",
    "1.25",
    (offer) => Object.assign(offer, { amount: "900000", extra: { ...offer.extra, usd: "0.000001" } }),
  ],
  ["says nothing of its worth", "3", ({ extra }) => delete extra.usd],
  ["names no text as its worth", "3", ({ extra }) => Object.assign(extra, { usd: { toString: "1" } })],
])("a limit holds by the buyer's word alone, where the seller %s", async (_, usd, change) => {
  const { call, signed } = buyer({ tokens: { [ID]: { decimals: 6, usd } }, maxPerCallUsd: "0.002" }, change);
  await expect(call()).rejects.toMatchObject({ code: "SPENDING_LIMIT" });
  expect(signed).toEqual([]);
});

it("no more is spent in all, however many calls go out at once", async () => {
  const { client, call, signed } = buyer({ tokens: { [ID]: { decimals: 6, usd: "1.25" } }, maxTotalUsd: "0.0024" });
  const calls = await Promise.allSettled([call(), call(), call()]);
  expect(calls.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  expect(signed).toHaveLength(2);
  expect(client.$spending().spentUsd).toBe("0.00231");
});

it("vouchers and permits in a named token are left out", async () => {
  const { call, signed } = buyer({ tokens: { [ID]: { decimals: 6, usd: "1.25" } } }, (offer) =>
    Object.assign(offer, { scheme: "upto" }),
  );
  await expect(call()).rejects.toMatchObject({ code: "PAYMENT_REQUIRED" });
  expect(signed).toEqual([]);
});

it.each([
  [{ [ID]: { decimals: 6, usd: "0" } }],
  [{ [ID]: { decimals: 6, usd: "-1" } }],
  [{ [ID]: { decimals: 1.5, usd: "1" } }],
  [{ [ID]: { decimals: 400, usd: "1" } }],
  [{ [ID]: {} as never }],
  [{ [EURC]: { decimals: 6, usd: "1" } }],
])("%j is refused before anything is signed", async (tokens) => {
  const { call, signed } = buyer({ tokens });
  await expect(call()).rejects.toThrow(/^tokens\[".*"\]: must be \{ decimals: 6, usd: "1.25" \}/);
  expect(signed).toEqual([]);
});
