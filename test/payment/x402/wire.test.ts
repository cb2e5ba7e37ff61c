import { describe, expect, it } from "vitest";
import { createRails } from "../../../src/payment/networks/rails.js";
import { accept, exactRequirements } from "../../../src/payment/networks/requirements.js";
import { encodeHeader, readPayment } from "../../../src/payment/x402/wire.js";

// Made with the official packages from public, worthless keys: private key 0x11 x 32, nonce 0x22 x 32, valid until 2100.
const PAYER = "0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A";
const SIGNATURE =
  "0xe14050b126d5cea7760ba21f9d3a59ec97de0a86ac17a989cb779873241a82484cdbfd1353595c3212adf5c662812e9bc9d4f8db5ae1c6c37101afab1fe5463b1c";
const TREASURY = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C";
const authorization = {
  from: PAYER,
  to: TREASURY,
  value: "1000",
  validAfter: "0",
  validBefore: "4102444800",
  nonce: `0x${"22".repeat(32)}`,
};
const accepted = {
  scheme: "exact",
  network: "eip155:8453",
  amount: "1000",
  asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  payTo: TREASURY,
  maxTimeoutSeconds: 60,
  extra: { name: "USD Coin", version: "2" },
};
const version2 = { x402Version: 2, accepted, payload: { signature: SIGNATURE, authorization } };
const version1 = { x402Version: 1, scheme: "exact", network: "base", payload: { signature: SIGNATURE, authorization } };

const rails = createRails({ treasury: { "eip155:8453": TREASURY }, facilitator: { url: "https://facilitator.test" } });
const read = (payment: unknown) => {
  const found = readPayment(new Headers({ "payment-signature": encodeHeader(payment) }));
  if (!found) throw new Error("no payment");
  return found;
};

describe("payments made by the official packages", () => {
  it.each([
    ["2", version2],
    ["1", version1],
  ])("of version %s are read and proven", async (_, payment) => {
    const { checked, requirements } = await accept(
      read(payment),
      exactRequirements(rails, 1000n, { maxTimeoutSeconds: 60, workMs: 1000 }),
      rails,
    );
    expect(requirements).toEqual(accepted);
    expect(checked).toMatchObject({ payer: PAYER, proven: true, validAfter: 0, validBefore: 4102444800 });
    expect(checked.id).toBe(`evm:eip155:8453:${PAYER}:${authorization.nonce}`.toLowerCase());
  });

  it("are no longer proven when one signed field differs", async () => {
    const other = {
      ...version2,
      payload: { ...version2.payload, authorization: { ...authorization, validAfter: "1" } },
    };
    await expect(
      accept(read(other), exactRequirements(rails, 1000n, { maxTimeoutSeconds: 60, workMs: 1000 }), rails),
    ).rejects.toMatchObject({
      code: "PAYMENT_SIGNATURE_INVALID",
    });
  });
});

describe("headers", () => {
  it("are written in standard base64 with padding, which is all that stock clients read", () => {
    expect(encodeHeader({ text: "ÿ?>~" })).toMatch(/^[A-Za-z0-9+/]*={0,2}$/);
    expect(JSON.parse(Buffer.from(encodeHeader({ text: "漢" }), "base64").toString("utf8"))).toEqual({ text: "漢" });
  });

  it("are absent without either name", () => expect(readPayment(new Headers())).toBeUndefined());
});
