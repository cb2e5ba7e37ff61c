import { describe, expect, it } from "vitest";
import { evmRail } from "../../../../src/payment/rails/evm/exact.js";
import type { Rpc } from "../../../../src/payment/rails/rpc.js";
import { alice, mallory, sign, TREASURY } from "../../../support/wallets.js";

const options = {
  network: "eip155:8453",
  asset: { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", name: "USD Coin", version: "2" },
  payTo: TREASURY,
};
const codeAt =
  (code: string): Rpc =>
  async () =>
    code;

/** Signed by the key that owns the wallet, in the name of the wallet: 65 bytes that recover to somebody else. */
async function check(rpc: Rpc | undefined) {
  const rail = evmRail({ ...options, rpc });
  const requirements = rail.requirements(1000n, 60);
  if (!requirements) throw new Error("nothing offered");
  const payment = await sign(requirements, { wallet: mallory, now: 1000, authorization: { from: alice.address } });
  return rail.check(
    { version: 2, scheme: "exact", network: options.network, payload: { ...payment.payload } },
    requirements,
  );
}

describe("a signature of 65 bytes that is not the payer's own", () => {
  it("is the facilitator's to judge where the payer is a contract, which may take it", async () => {
    expect(await check(codeAt("0x6080604052"))).toMatchObject({ payer: alice.address, proven: false });
  });

  it.each<[string, Rpc | undefined]>([
    ["has no code", codeAt("0x")],
    ["cannot be looked up", () => Promise.reject(new Error("down"))],
    ["is on a chain without a node", undefined],
  ])("is refused where the payer %s", async (_, rpc) => {
    await expect(check(rpc)).rejects.toMatchObject({ code: "PAYMENT_SIGNATURE_INVALID" });
  });
});

it("refuses a number that no word of the chain holds, whoever signed it", async () => {
  const rail = evmRail(options);
  const requirements = rail.requirements(1000n, 60);
  if (!requirements) throw new Error("nothing offered");
  const { payload } = await sign(requirements, { wallet: alice, now: 1000 });
  const beyond = { ...payload, authorization: { ...payload.authorization, validBefore: String(2n ** 256n) } };
  const payment = { version: 2, scheme: "exact", network: options.network, payload: beyond } as const;
  expect(await rail.identify(payment)).toBeUndefined();
  await expect(rail.check(payment, requirements)).rejects.toMatchObject({ code: "PAYMENT_MALFORMED" });
});
