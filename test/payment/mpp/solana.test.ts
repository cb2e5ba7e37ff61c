/** `solana/charge` of the Machine Payments Protocol: the transaction of x402, in that protocol's clothing. */
import { Challenge, Credential } from "mppx";
import { afterEach, describe, expect, it } from "vitest";
import type { MppOptions, PaymentOptions } from "../../../src/payment/options/options.js";
import { createMemoryStore } from "../../../src/stores/memory/memory.js";
import { FACILITATOR_URL } from "../../support/facilitator.js";
import { openShop, type Shop } from "../../support/shop.js";
import {
  addressOf,
  feePayer,
  SOLANA,
  stranger,
  type TransferOptions,
  toBase64,
  transactionOf,
  transfer,
  treasury,
  unitLimit,
  unitPrice,
} from "../../support/solana.js";
import { fakeSolanaFacilitator } from "../../support/solana-facilitator.js";
import { quoteOf, TREASURY, toHeader } from "../../support/wallets.js";

const WORK = "/test/work?n=1";
const TYPES = "https://paymentauth.org/problems/";
const open: Shop[] = [];
afterEach(async () => {
  for (const shop of open.splice(0)) await shop.handle.close();
});

interface Options {
  mpp?: false | MppOptions;
  treasury?: PaymentOptions["treasury"];
  solana?: ReturnType<typeof fakeSolanaFacilitator>;
  store?: ReturnType<typeof createMemoryStore>;
}

async function openShops(given: Options = {}) {
  const { mpp = { solana: true }, solana = fakeSolanaFacilitator(), store = createMemoryStore() } = given;
  const shop = openShop({
    fetch: solana.fetch,
    store,
    payment: {
      treasury: given.treasury ?? { [SOLANA]: addressOf(treasury) },
      facilitator: { url: FACILITATOR_URL },
      ...(mpp === undefined ? {} : { mpp }),
    },
  });
  open.push(shop);
  await expect.poll(async () => (await shop.get(WORK)).status).toBe(402);
  return { ...shop, solana };
}

type Sold = Awaited<ReturnType<typeof openShops>>;

const challengeOf = async (shop: Pick<Sold, "get">) =>
  Challenge.fromResponseList(await shop.get(WORK)).find(({ method }) => method === "solana");

async function credentialFor(
  shop: Pick<Sold, "get">,
  change: TransferOptions = {},
  other: Record<string, unknown> = {},
) {
  const challenge = await challengeOf(shop);
  if (!challenge) throw new Error("solana/charge is not offered");
  const transaction = toBase64(transactionOf({ instructions: [unitLimit(), unitPrice(), transfer(change)] }));
  const payload = { type: "transaction", transaction, ...other };
  return { challenge, transaction, headers: { authorization: Credential.serialize({ challenge, payload }) } };
}

describe("a challenge of solana/charge", () => {
  it("is offered where the host turned it on, with the facilitator's fee payer", async () => {
    const challenge = await challengeOf(await openShops());
    expect(challenge).toMatchObject({
      ...{ method: "solana", intent: "charge", realm: "shop.test" },
      request: {
        ...{ amount: "1000", recipient: addressOf(treasury), currency: expect.any(String) },
        methodDetails: { network: "mainnet", decimals: 6, feePayer: true, feePayerKey: addressOf(feePayer) },
      },
    });
    for (const mpp of [{}, false as const])
      expect((await (await openShops({ mpp })).get(WORK)).headers.get("www-authenticate")).toBeNull();
  });

  it("stands behind that of EVM networks, and first or alone for who likes it so", async () => {
    const shop = await openShops({ treasury: { "eip155:8453": TREASURY, [SOLANA]: addressOf(treasury) } });
    await expect.poll(async () => quoteOf(await shop.get(WORK)).accepts.length).toBe(2);
    const methods = async (accept?: string) =>
      Challenge.fromResponseList(await shop.get(WORK, accept ? { "accept-payment": accept } : {})).map(
        ({ method }) => method,
      );
    expect(await methods()).toEqual(["evm", "solana"]);
    expect(await methods("solana/charge, evm/charge;q=0.5")).toEqual(["solana", "evm"]);
    expect(await methods("solana/*")).toEqual(["solana"]);
    expect(await methods("evm/charge")).toEqual(["evm"]);
    const document = shop.handle.openapi() as { paths: Record<string, { get?: { "x-payment-info"?: unknown } }> };
    expect(document.paths["/api/test/work"]?.get?.["x-payment-info"]).toMatchObject({
      offers: [{ method: "evm" }, { method: "solana", intent: "charge", amount: "1000" }],
    });
  });
});

describe("a transaction", () => {
  it("pays, is receipted, and buys one answer, however it is shown", async () => {
    const shop = await openShops();
    const { challenge, transaction, headers } = await credentialFor(shop);
    const response = await shop.get(WORK, headers);
    expect(response.status).toBe(200);
    const receipt = JSON.parse(Buffer.from(response.headers.get("payment-receipt") ?? "", "base64url").toString());
    expect(receipt).toEqual({
      ...{ method: "solana", status: "success", challengeId: challenge.id },
      ...{ reference: expect.any(String), timestamp: expect.any(String) },
    });
    expect(await (await shop.get(WORK, headers)).text()).toBe(await response.text());
    const [accepted] = quoteOf(await shop.get(WORK)).accepts;
    const copy = toHeader({ x402Version: 2, accepted, payload: { transaction } });
    expect((await shop.get("/test/work?n=2", { "payment-signature": copy })).status).toBe(402);
    const next = await challengeOf(shop);
    if (!next) throw new Error("nothing offered");
    const authorization = Credential.serialize({ challenge: next, payload: { type: "transaction", transaction } });
    expect((await shop.get(WORK, { authorization })).status).toBe(402);
    expect([shop.runs(), shop.solana.landed.length]).toEqual([1, 1]);
  });

  it("at two instances at once is settled once", async () => {
    const shared = { solana: fakeSolanaFacilitator(), store: createMemoryStore() };
    const [first, second] = [await openShops(shared), await openShops(shared)];
    const { headers } = await credentialFor(first);
    const answers = await Promise.all([first.get(WORK, headers), second.get(WORK, headers), first.get(WORK, headers)]);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect([first.runs() + second.runs(), shared.solana.landed.length]).toEqual([1, 1]);
  });

  it.each<[string, string, TransferOptions, Record<string, unknown>]>([
    ["of another amount", "verification-failed", { amount: 999n }, {}],
    ["to another payee", "verification-failed", { payTo: addressOf(stranger) }, {}],
    ["that the buyer sent itself", "invalid-payload", {}, { type: "signature", signature: "5".repeat(88) }],
    ["in a bundle", "invalid-payload", {}, { type: "bundle", transactions: [] }],
    ["that cannot be read", "malformed-credential", {}, { transaction: "AAAA" }],
  ])("%s is refused before anything is asked", async (_, type, change, other) => {
    const shop = await openShops();
    const { headers } = await credentialFor(shop, change, other);
    const response = await shop.get(WORK, headers);
    expect([response.status, ((await response.json()) as { type: string }).type]).toEqual([402, TYPES + type]);
    expect([shop.runs(), shop.solana.landed.length]).toEqual([0, 0]);
  });

  it("for a challenge that was not issued, of another price, of another method or without the option is refused", async () => {
    const shop = await openShops();
    const { challenge, transaction } = await credentialFor(shop);
    const cluster = (network: string) => ({
      request: { ...challenge.request, methodDetails: { ...(challenge.request.methodDetails as object), network } },
    });
    const changes: Partial<Challenge.Challenge>[] = [
      { id: "A".repeat(43) },
      { realm: "other.test" },
      { request: { ...challenge.request, amount: "1" } },
      cluster("devnet"),
      cluster("toString"),
      { expires: "2036-01-01T00:00:00.000Z" },
    ];
    for (const change of changes) {
      const given = { challenge: { ...challenge, ...change }, payload: { type: "transaction", transaction } };
      const response = await shop.get(WORK, { authorization: Credential.serialize(given) });
      expect([change, ((await response.json()) as { type: string }).type]).toEqual([
        change,
        `${TYPES}invalid-challenge`,
      ]);
    }
    const store = createMemoryStore();
    const [on, off] = [await openShops({ store }), await openShops({ store, mpp: {} })];
    const good = await credentialFor(on);
    // A challenge of the store is good at each of its instances, and names what this one sells for, too.
    expect((await off.get(WORK, good.headers)).status).toBe(200);
    expect(shop.runs()).toBe(0);
  });
});
