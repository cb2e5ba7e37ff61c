/** Refusals of the Machine Payments Protocol in its own words, and the wishes of its buyers. */
import { Challenge, Credential } from "mppx";
import { keccak256, toHex } from "viem";
import { describe, expect, it } from "vitest";
import { openShop, type Shop } from "../../support/shop.js";
import { quoteOf, sign, toHeader } from "../../support/wallets.js";

const WORK = "/test/work?n=1";
const TYPES = "https://paymentauth.org/problems/";

const paying = (credential: unknown) => ({
  authorization: `Payment ${Buffer.from(JSON.stringify(credential)).toString("base64url")}`,
});

async function honest(shop: Shop, change: Record<string, unknown> = {}, value = "1000") {
  const challenge = Challenge.fromResponse(await shop.get(WORK));
  const [terms] = quoteOf(await shop.get(WORK)).accepts;
  if (!terms) throw new Error("nothing offered");
  const nonce = keccak256(toHex(challenge.id + challenge.realm));
  const { payload } = await sign(terms, { now: shop.clock.seconds(), authorization: { nonce, value } });
  const sent = { type: "authorization", ...payload.authorization, signature: payload.signature, ...change };
  const { authorization } = { authorization: Credential.serialize({ challenge, payload: sent }) };
  return { authorization, wire: JSON.parse(Buffer.from(authorization.slice(8), "base64url").toString()) };
}

async function problemOf(response: Response) {
  const { type, title, status, detail, code, challengeId, requestId, accepts } = (await response.json()) as Record<
    string,
    unknown
  >;
  return { type, title, status, detail, code, challengeId, requestId, accepts };
}

describe("a refused credential", () => {
  it.each<[string, string, number, (shop: Shop) => Promise<Record<string, string>>]>([
    ["no base64", "malformed-credential", 402, async () => ({ authorization: "Payment not-valid!!!" })],
    ["nothing", "malformed-credential", 402, async () => ({ authorization: "Payment" })],
    ["no object", "malformed-credential", 402, async () => paying([])],
    ["no challenge", "malformed-credential", 402, async () => paying({ payload: {} })],
    ["too long", "malformed-credential", 402, async () => ({ authorization: `Payment ${"A".repeat(20_000)}` })],
    [
      "another method",
      "method-unsupported",
      400,
      async (shop) => {
        const { wire } = await honest(shop);
        return paying({ ...wire, challenge: { ...wire.challenge, method: "tempo" } });
      },
    ],
    [
      "another intent",
      "method-unsupported",
      400,
      async (shop) => {
        const { wire } = await honest(shop);
        return paying({ ...wire, challenge: { ...wire.challenge, intent: "session" } });
      },
    ],
    [
      "a payload of another type",
      "invalid-payload",
      402,
      async (shop) => {
        const { wire } = await honest(shop);
        return paying({ ...wire, payload: { type: "hash", hash: `0x${"11".repeat(32)}` } });
      },
    ],
    ...(["digest", "opaque", "header"] as const).map(
      (name) =>
        [
          `a ${name} that was not asked`,
          "invalid-challenge",
          402,
          async (shop: Shop) => {
            const { wire } = await honest(shop);
            return paying({ ...wire, challenge: { ...wire.challenge, [name]: "e30" } });
          },
        ] as [string, string, number, (shop: Shop) => Promise<Record<string, string>>],
    ),
    [
      "a challenge that nobody issued",
      "invalid-challenge",
      402,
      async (shop) => {
        const { wire } = await honest(shop);
        const id = "A".repeat(43);
        const challenge = { ...wire.challenge, id };
        const [terms] = quoteOf(await shop.get(WORK)).accepts;
        if (!terms) throw new Error("nothing offered");
        const nonce = keccak256(toHex(id + challenge.realm));
        const { payload } = await sign(terms, { now: shop.clock.seconds(), authorization: { nonce } });
        return paying({
          challenge,
          payload: { type: "authorization", ...payload.authorization, signature: payload.signature },
        });
      },
    ],
    [
      "a network that is not offered",
      "invalid-challenge",
      402,
      async (shop) => {
        const { wire } = await honest(shop);
        const asked = JSON.parse(Buffer.from(wire.challenge.request, "base64url").toString());
        asked.methodDetails.chainId = 1;
        const request = Buffer.from(JSON.stringify(asked)).toString("base64url");
        return paying({ ...wire, challenge: { ...wire.challenge, request } });
      },
    ],
    ["another amount", "verification-failed", 402, async (shop) => honest(shop, {}, "999")],
    [
      "a wrong signature",
      "verification-failed",
      402,
      async (shop) => honest(shop, { signature: `0x${"11".repeat(64)}1b` }),
    ],
    [
      "an expired challenge",
      "payment-expired",
      402,
      async (shop) => {
        const sent = await honest(shop);
        shop.clock.advance(3600);
        return sent;
      },
    ],
  ])("of %s names its problem type, %s, with %i, before anything is asked", async (_, type, status, sent) => {
    const shop = openShop();
    const { authorization = "" } = await sent(shop);
    const response = await shop.get(WORK, { authorization });
    expect([response.status, response.headers.get("content-type")]).toEqual([status, "application/problem+json"]);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const { id } = Challenge.fromHeaders(response.headers);
    const problem = await problemOf(response);
    expect(problem).toMatchObject({ type: TYPES + type, status, challengeId: id });
    expect(problem).toMatchObject({ code: expect.stringMatching(/^PAYMENT_/), detail: expect.any(String) });
    // The offers of x402 are there as well.
    expect(problem.accepts).toHaveLength(1);
    expect(response.headers.has("payment-receipt")).toBe(false);
    expect([shop.facilitator.asked("verify"), shop.runs()]).toEqual([0, 0]);
  });

  it("that the facilitator refuses, or that was used, says so", async () => {
    const shop = openShop();
    const { authorization } = await honest(shop);
    shop.facilitator.faults.verify.push("refuse");
    expect(await problemOf(await shop.get(WORK, { authorization }))).toMatchObject({
      type: `${TYPES}verification-failed`,
    });
    const good = await honest(shop);
    const bought = await shop.get(WORK, { authorization: good.authorization });
    expect(bought.status).toBe(200);
    expect(bought.headers.get("payment-receipt")).not.toBeNull();
    const other = await shop.get("/test/work?n=2", { authorization: good.authorization });
    expect(await problemOf(other)).toMatchObject({ type: `${TYPES}invalid-challenge`, code: "PAYMENT_ALREADY_USED" });
    expect(shop.runs()).toBe(1);
  });
});

describe("the body of a 402", () => {
  it("is as x402 has it for all who say nothing of the protocol, also with a refused payment", async () => {
    const shop = openShop();
    const bare = await shop.get(WORK);
    expect(bare.headers.get("content-type")).toBe("application/json");
    expect(Object.keys((await bare.json()) as object)).toEqual([
      "x402Version",
      "error",
      "resource",
      "accepts",
      "extensions",
    ]);
    const refused = await shop.get(WORK, { "payment-signature": toHeader({ x402Version: 2 }) });
    expect(await refused.json()).not.toHaveProperty("type");
    const both = await shop.get(WORK, { "payment-signature": "x", authorization: "Payment e30" });
    expect(await both.json()).not.toHaveProperty("type");
  });

  it("names the type payment-required for a caller who says what it pays by", async () => {
    const response = await openShop().get(WORK, { "accept-payment": "evm/charge" });
    expect([response.status, response.headers.get("content-type")]).toEqual([402, "application/problem+json"]);
    const problem = await problemOf(response);
    expect(problem).toMatchObject({ type: `${TYPES}payment-required`, title: "Payment Required", status: 402 });
    expect(problem.code).toBeUndefined();
  });

  it("says nothing of the protocol where the host leaves it out", async () => {
    const treasury = { "eip155:8453": `0x${"11".repeat(20)}` };
    const shop = openShop({ payment: { treasury, facilitator: { url: "https://facilitator.test" }, mpp: false } });
    const response = await shop.get(WORK, { "accept-payment": "evm/charge", authorization: "Payment e30" });
    expect([response.status, await response.json()]).toEqual([
      402,
      expect.not.objectContaining({ type: expect.any(String) }),
    ]);
  });
});

describe("Accept-Payment", () => {
  it.each([
    ["evm/charge", 1],
    ["*/*", 1],
    ["EVM/*;q=0.5", 1],
    ["*/charge ; q=0.001", 1],
    // Nothing of ours is wanted, so the usual is sent.
    ["tempo/charge", 1],
    ["evm/charge;q=0", 1],
    ["*/*;q=1, evm/charge;q=0", 1],
    // Unreadable ones count as none.
    ["evm", 1],
    ["evm/charge;q=2", 1],
    [",", 1],
    [`${"a/b, ".repeat(400)}evm/charge`, 1],
  ])("%s leaves a buyer something to pay", async (accept, count) => {
    const header = (await openShop().get(WORK, { "accept-payment": accept })).headers.get("www-authenticate") ?? "";
    expect(header.match(/Payment id=/g)).toHaveLength(count);
  });
});
