import { describe, expect, it } from "vitest";
import { uptoRail } from "../../../../src/payment/rails/evm/upto.js";
import type { PaymentRequirements } from "../../../../src/payment/x402/wire.js";
import { type Permit, SETTLER, signUpto, type UptoPayment } from "../../../support/upto.js";
import { alice, mallory, TREASURY } from "../../../support/wallets.js";

const USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const OTHER = "0x00000000000000000000000000000000000000Aa";
const rail = uptoRail({
  network: "eip155:8453",
  asset: { address: USDC, name: "USD Coin", version: "2" },
  payTo: TREASURY,
  facilitator: () => SETTLER,
  acceptsFacilitator: (address) => address === SETTLER || address === OTHER,
});
const terms = rail.requirements(20_000n, 90) as PaymentRequirements;

const check = ({ payload, extensions }: UptoPayment, offered = terms) => {
  const allowance = (extensions?.eip2612GasSponsoring as { info: Record<string, unknown> } | undefined)?.info;
  const payment = { version: 2 as const, scheme: "upto", network: "eip155:8453", payload: { ...payload } };
  const allowances = allowance ? { allowances: { eip2612GasSponsoring: allowance } } : {};
  return rail.check({ ...payment, ...allowances }, offered);
};

/** A payment whose signed part was changed afterwards. */
async function changed(change: (permit: Permit) => void): Promise<UptoPayment> {
  const payment = await signUpto(terms);
  change(payment.payload.permit2Authorization);
  return payment;
}

describe("an upto payment", () => {
  it("is offered with the maximum, Permit2 and the facilitator's account", () => {
    expect(terms).toEqual({
      scheme: "upto",
      network: "eip155:8453",
      amount: "20000",
      asset: USDC,
      payTo: TREASURY,
      maxTimeoutSeconds: 90,
      extra: { name: "USD Coin", version: "2", assetTransferMethod: "permit2", facilitatorAddress: SETTLER },
    });
  });

  it("of the official client is its payer's own, valid as long as it says", async () => {
    const payment = await signUpto(terms);
    const { nonce, deadline } = payment.payload.permit2Authorization;
    expect(await check(payment)).toMatchObject({
      id: `permit2:eip155:8453:${alice.address.toLowerCase()}:${nonce}`,
      payer: alice.address,
      proven: true,
      signatureHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      validAfter: 0,
      validBefore: Number(deadline),
    });
  });

  it("is the same in any case of its addresses", async () => {
    const payment = await signUpto(terms);
    const lower = JSON.parse(JSON.stringify(payment).toLowerCase()) as { payload: Record<string, unknown> };
    const payload = {
      signature: payment.payload.signature.toUpperCase().replace("0X", "0x"),
      permit2Authorization: lower.payload.permit2authorization,
    };
    const restored = JSON.parse(JSON.stringify(payload).replace("validafter", "validAfter"));
    const [a, b] = await Promise.all([check(payment), check({ ...payment, payload: restored })]);
    expect([b.id, b.signatureHash]).toEqual([a.id, a.signatureHash]);
  });

  it.each<[string, (permit: Permit) => void, RegExp]>([
    ["another token", (permit) => Object.assign(permit.permitted, { token: OTHER }), /another token/],
    ["less", (permit) => Object.assign(permit.permitted, { amount: "19999" }), /up to 19999 atomic units/],
    ["more", (permit) => Object.assign(permit.permitted, { amount: "20001" }), /up to 20001 atomic units/],
    ["the exact scheme's proxy", (permit) => Object.assign(permit, { spender: OTHER }), /another spender/],
    ["another recipient", (permit) => Object.assign(permit.witness, { to: OTHER }), /another address/],
    ["another facilitator", (permit) => Object.assign(permit.witness, { facilitator: OTHER }), /another facilitator/],
  ])("for %s is a mismatch", async (_, change, message) => {
    await expect(check(await changed(change))).rejects.toMatchObject({
      code: "PAYMENT_MISMATCH",
      message: expect.stringMatching(message),
    });
  });

  it.each<[string, (permit: Permit) => void]>([
    ["payer", (permit) => Object.assign(permit, { from: mallory.address })],
    ["nonce", (permit) => Object.assign(permit, { nonce: "1" })],
    ["deadline", (permit) => Object.assign(permit, { deadline: "4102444800" })],
    ["start", (permit) => Object.assign(permit.witness, { validAfter: "1" })],
  ])("with another %s than the signed one is forged", async (_, change) => {
    await expect(check(await changed(change))).rejects.toMatchObject({ code: "PAYMENT_SIGNATURE_INVALID" });
  });

  it("signed for another chain is forged", async () => {
    const payment = await signUpto({ ...terms, network: "eip155:84532" });
    await expect(check(payment)).rejects.toMatchObject({ code: "PAYMENT_SIGNATURE_INVALID" });
  });

  it("PAY-15 with a contract wallet's signature is the facilitator's to judge", async () => {
    const payment = await signUpto(terms);
    payment.payload.signature += "00".repeat(64);
    expect(await check(payment)).toMatchObject({ payer: alice.address, proven: false });
  });

  it.each(["1e3", "0x3e8", " 20000", "+20000", "20000.0", "", "-1", "9".repeat(80), 20_000])(
    "PAY-11 with the amount %j is malformed",
    async (amount) => {
      const payment = await changed(({ permitted }) => Object.assign(permitted, { amount }));
      await expect(check(payment)).rejects.toMatchObject({ code: "PAYMENT_MALFORMED" });
    },
  );

  it("of the exact scheme is malformed here", async () => {
    const payload = { signature: "0x00", authorization: {} };
    await expect(check({ ...(await signUpto(terms)), payload } as never)).rejects.toMatchObject({
      code: "PAYMENT_MALFORMED",
    });
  });

  it("made for an account that the facilitator listed before is checked against that one", async () => {
    const earlier = { ...terms, extra: { ...terms.extra, facilitatorAddress: OTHER } };
    const { accepted, payload } = await signUpto(earlier);
    const payment = { version: 2 as const, scheme: "upto", network: "eip155:8453", payload: { ...payload } };
    const taken = await rail.requirementsTaken?.({ ...payment, accepted: { ...accepted } }, terms);
    expect(taken).toEqual(earlier);
    expect(await rail.check(payment, taken as PaymentRequirements)).toMatchObject({ proven: true });
    const foreign = { ...accepted, extra: { ...accepted.extra, facilitatorAddress: mallory.address } };
    expect(await rail.requirementsTaken?.({ ...payment, accepted: foreign }, terms)).toEqual(terms);
  });
});

describe("an allowance that comes along", () => {
  const extensions = { eip2612GasSponsoring: { info: { description: "x", version: "1" } } };
  const infoOf = ({ extensions: signed = {} }: UptoPayment) =>
    (signed.eip2612GasSponsoring as { info: Record<string, unknown> }).info;

  it("signed by the official client is passed on, and nothing else with it", async () => {
    const payment = await signUpto(terms, { extensions });
    const info = { ...infoOf(payment) };
    infoOf(payment).more = "x".repeat(1000);
    expect(info).toMatchObject({ from: alice.address, amount: "20000", spender: expect.stringMatching(/^0x0000/) });
    expect((await check(payment)).extensions).toEqual({ eip2612GasSponsoring: { info } });
  });

  it("that is only echoed is none", async () => {
    expect(await check({ ...(await signUpto(terms)), extensions })).not.toHaveProperty("extensions");
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["of somebody else", { from: mallory.address }, "PAYMENT_MISMATCH"],
    ["of another token", { asset: OTHER }, "PAYMENT_MISMATCH"],
    ["for another spender", { spender: OTHER }, "PAYMENT_MISMATCH"],
    ["of another amount", { amount: "1" }, "PAYMENT_MISMATCH"],
    ["without a deadline", { deadline: undefined }, "PAYMENT_MALFORMED"],
    ["with a signature that is none", { signature: "yes" }, "PAYMENT_MALFORMED"],
  ])("%s is refused", async (_, change, code) => {
    const payment = await signUpto(terms, { extensions });
    Object.assign(infoOf(payment), change);
    await expect(check(payment)).rejects.toMatchObject({ code });
  });
});

it("the nonces of the official client fill 256 bits, so that a transaction is known by them", async () => {
  const { nonce } = (await signUpto(terms)).payload.permit2Authorization;
  expect(BigInt(nonce) >> 128n).toBeGreaterThan(0n);
});
