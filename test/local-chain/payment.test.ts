import { decodePaymentResponseHeader } from "@x402/fetch";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createBuyer } from "../../examples/local-chain/buyer.js";
import { type Chain, startChain } from "../../examples/local-chain/chain.js";
import { startFacilitator } from "../../examples/local-chain/facilitator.js";
import { type Fault, startFaultyFacilitator } from "../support/faulty-facilitator.js";
import { officialSeller } from "../support/official-seller.js";
import { sign, TREASURY } from "../support/wallets.js";

const URL_OF_WEATHER = "http://seller.test/weather";
let chain: Chain;

beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain?.stop());

const terms = () => ({
  scheme: "exact" as const,
  network: chain.network,
  amount: "1000",
  asset: chain.usdc.address,
  payTo: TREASURY,
  maxTimeoutSeconds: 60,
  extra: { name: "USD Coin", version: "2" },
});

/** What a seller posts to a facilitator: a payment of a wallet that owns `funds`. */
async function payment({ funds = 1_000_000n, ...changes }: { funds?: bigint; value?: string } = {}) {
  const wallet = privateKeyToAccount(generatePrivateKey());
  if (funds > 0n) await chain.mint(wallet.address, funds);
  const now = Math.floor(Date.now() / 1000);
  const paymentPayload = await sign(terms(), { wallet, now, authorization: { validAfter: "0", ...changes } });
  return { x402Version: 2, paymentPayload, paymentRequirements: terms() };
}

async function post(url: string, body: unknown) {
  const response = await fetch(url, {
    method: "POST",
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  return (await response.json()) as Record<string, unknown>;
}

describe("the facilitator", () => {
  let facilitator: Awaited<ReturnType<typeof startFacilitator>>;
  beforeAll(async () => {
    facilitator = await startFacilitator({ chain });
  });
  afterAll(() => facilitator?.stop());

  it("lists what it supports", async () => {
    const { kinds } = (await (await fetch(`${facilitator.url}/supported`)).json()) as { kinds: unknown };
    expect(kinds).toEqual([{ x402Version: 2, scheme: "exact", network: "eip155:8453" }]);
  });

  it("verifies without moving money, settles once, and knows a used nonce", async () => {
    const body = await payment();
    const payer = body.paymentPayload.payload.authorization.from;
    const before = await chain.balanceOf(TREASURY);
    expect(await post(`${facilitator.url}/verify`, body)).toEqual({ isValid: true, payer });
    expect(await chain.balanceOf(TREASURY)).toBe(before);

    const settled = await post(`${facilitator.url}/settle`, body);
    expect(settled).toMatchObject({ success: true, payer, network: "eip155:8453" });
    const receipt = await chain.client.getTransactionReceipt({ hash: settled.transaction as `0x${string}` });
    expect(receipt.status).toBe("success");
    expect(await chain.balanceOf(TREASURY)).toBe(before + 1000n);

    const reason = "invalid_exact_evm_nonce_already_used";
    expect(await post(`${facilitator.url}/verify`, body)).toMatchObject({ isValid: false, invalidReason: reason });
    expect(await post(`${facilitator.url}/settle`, body)).toMatchObject({ success: false, errorReason: reason });
  });

  it("refuses empty wallets, other amounts and forged signatures", async () => {
    const verify = (body: unknown) => post(`${facilitator.url}/verify`, body);
    const forged = await payment();
    forged.paymentPayload.payload.authorization.nonce = `0x${"00".repeat(32)}`;
    expect(await verify(await payment({ funds: 0n }))).toMatchObject({
      invalidReason: "invalid_exact_evm_insufficient_balance",
    });
    expect(await verify(await payment({ value: "999" }))).toMatchObject({
      invalidReason: "invalid_exact_evm_payload_authorization_value_mismatch",
    });
    expect(await verify(forged)).toMatchObject({ invalidReason: "invalid_exact_evm_signature" });
  });

  it("answers nonsense with an error message", async () => {
    const response = await fetch(`${facilitator.url}/verify`, { method: "POST", body: "{" });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ errorMessage: expect.any(String) });
    expect((await fetch(`${facilitator.url}/nothing`)).status).toBe(404);
  });

  it("settles many payments at once", async () => {
    const before = await chain.balanceOf(TREASURY);
    const bodies = await Promise.all(Array.from({ length: 8 }, () => payment()));
    const answers = await Promise.all(bodies.map((body) => post(`${facilitator.url}/settle`, body)));
    expect(answers.filter(({ success }) => success)).toHaveLength(8);
    expect(await chain.balanceOf(TREASURY)).toBe(before + 8000n);
  });

  it("lets a stock buyer pay a stock seller", async () => {
    const fetch = officialSeller({ facilitatorUrl: facilitator.url, network: chain.network, payTo: TREASURY });
    const buyer = createBuyer({ fetch });
    await chain.mint(buyer.address, 5000n);
    const before = await chain.balanceOf(TREASURY);

    const response = await buyer.fetch(URL_OF_WEATHER);
    expect(await response.json()).toEqual({ report: "sunny" });
    const receipt = decodePaymentResponseHeader(response.headers.get("payment-response") ?? "");
    expect(receipt).toMatchObject({ success: true, payer: buyer.address });
    expect(await chain.balanceOf(buyer.address)).toBe(4000n);
    expect(await chain.balanceOf(TREASURY)).toBe(before + 1000n);

    const poor = await createBuyer({ fetch }).fetch(URL_OF_WEATHER);
    expect(poor.status).toBe(402);
  });
});

describe("the faulty facilitator", () => {
  let facilitator: Awaited<ReturnType<typeof startFaultyFacilitator>>;
  beforeEach(async () => {
    facilitator = await startFaultyFacilitator({ chain });
  });
  afterEach(() => facilitator.stop());

  const call = async (on: Fault["on"], body: unknown, patienceMs = 10_000) =>
    fetch(`${facilitator.url}/${on}`, {
      method: "POST",
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patienceMs),
    });

  it("behaves unless told otherwise, and keeps a list of calls", async () => {
    const body = await payment();
    expect(await (await call("verify", body)).json()).toMatchObject({ isValid: true });
    expect(await (await call("settle", body)).json()).toMatchObject({ success: true });
    await fetch(`${facilitator.url}/supported`);
    expect(facilitator.calls).toEqual(["verify", "settle", "supported"]);
  });

  it("misbehaves on the call that was named, as often as it was told", async () => {
    const body = await payment();
    facilitator.faults.next = { on: "settle", kind: "status500", times: 2 };
    expect((await call("verify", body)).status).toBe(200);
    expect((await call("settle", body)).status).toBe(500);
    expect((await call("settle", body)).status).toBe(500);
    expect(await (await call("settle", body)).json()).toMatchObject({ success: true });
  });

  const answers: { kind: Fault["kind"]; moved: bigint; see: (answer: Promise<Response>) => Promise<unknown> }[] = [
    { kind: "refuse", moved: 0n, see: seeJson({ success: false, errorReason: "insufficient_funds" }) },
    { kind: "status500", moved: 0n, see: seeStatus(500) },
    { kind: "status429", moved: 0n, see: seeStatus(429) },
    { kind: "garbage", moved: 0n, see: seeHtml },
    { kind: "drop", moved: 0n, see: seeNothing },
    { kind: "lie", moved: 0n, see: seeJson({ success: true }) },
    { kind: "refuse-after", moved: 1000n, see: seeJson({ success: false, transaction: "" }) },
    { kind: "status500-after", moved: 1000n, see: seeStatus(500) },
    { kind: "garbage-after", moved: 1000n, see: seeHtml },
    { kind: "drop-after", moved: 1000n, see: seeNothing },
    { kind: "pending", moved: 1000n, see: seeJson({ success: false, errorReason: "settlement_pending" }) },
  ];
  it.each(answers)("settle, $kind: $moved units move", async ({ kind, moved, see }) => {
    const body = await payment();
    const before = await chain.balanceOf(TREASURY);
    facilitator.faults.next = { on: "settle", kind };
    await see(call("settle", body));
    expect((await chain.balanceOf(TREASURY)) - before).toBe(moved);
  });

  it.each(["hang", "hang-after"] as const)("settle, %s: no answer comes", async (kind) => {
    const body = await payment();
    facilitator.faults.next = { on: "settle", kind };
    await expect(call("settle", body, 500)).rejects.toThrow("timeout");
  });

  it("settle, pending: the same call again finds the broadcast transaction", async () => {
    const body = await payment();
    facilitator.faults.next = { on: "settle", kind: "pending" };
    const first = (await (await call("settle", body)).json()) as { transaction: string };
    const { transaction } = first;
    expect(await (await call("settle", body)).json()).toMatchObject({ success: true, transaction });
  });
});

function seeJson(expected: object) {
  return async (answer: Promise<Response>) => expect(await (await answer).json()).toMatchObject(expected);
}

function seeStatus(status: number) {
  return async (answer: Promise<Response>) => expect((await answer).status).toBe(status);
}

async function seeHtml(answer: Promise<Response>) {
  expect((await answer).headers.get("content-type")).toBe("text/html");
}

async function seeNothing(answer: Promise<Response>) {
  await expect(answer).rejects.toThrow("fetch failed");
}
