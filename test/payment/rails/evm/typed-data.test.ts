import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { hashTypedData as byViem, type HashTypedDataParameters, recoverTypedDataAddress } from "viem";
import { describe, expect, it } from "vitest";
import { AUTHORIZATION_TYPES } from "../../../../src/payment/options/evm-signer.js";
import { recoverAddress } from "../../../../src/payment/rails/evm/chain/recover.js";
import { hashTypedData, type TypedData } from "../../../../src/payment/rails/evm/chain/typed-data.js";
import { alice, mallory } from "../../../support/wallets.js";

const PERMIT_TYPES = {
  PermitWitnessTransferFrom: [
    { name: "permitted", type: "TokenPermissions" },
    { name: "spender", type: "address" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
    { name: "witness", type: "Witness" },
  ],
  TokenPermissions: [
    { name: "token", type: "address" },
    { name: "amount", type: "uint256" },
  ],
  Witness: [
    { name: "to", type: "address" },
    { name: "facilitator", type: "address" },
    { name: "validAfter", type: "uint256" },
  ],
} as const;

const bytes = (count: number) =>
  fc
    .uint8Array({ minLength: count, maxLength: count })
    .map((some): `0x${string}` => `0x${Buffer.from(some).toString("hex")}`);
const address = bytes(20);
const uint = (bits: number) => fc.oneof(fc.bigInt(0n, 2n ** BigInt(bits) - 1n), fc.constant(2n ** BigInt(bits) - 1n));
const uint256 = uint(256);
const domain = fc.record(
  {
    name: fc.string({ unit: "grapheme" }),
    version: fc.string({ minLength: 1 }),
    chainId: fc.nat(),
    verifyingContract: address,
  },
  { requiredKeys: ["name", "chainId", "verifyingContract"] },
);
const authorization = fc.record({
  from: address,
  to: address,
  value: uint256,
  validAfter: uint256,
  validBefore: uint256,
  nonce: bytes(32),
});
const permit = fc.record({
  permitted: fc.record({ token: address, amount: uint256 }),
  spender: address,
  nonce: uint256,
  deadline: uint256,
  witness: fc.record({ to: address, facilitator: address, validAfter: uint256 }),
});

const typed: fc.Arbitrary<TypedData> = fc.oneof(
  fc.record({
    domain,
    types: fc.constant(AUTHORIZATION_TYPES),
    primaryType: fc.constant("TransferWithAuthorization"),
    message: authorization,
  }),
  fc.record({
    domain,
    types: fc.constant(PERMIT_TYPES),
    primaryType: fc.constant("PermitWitnessTransferFrom"),
    message: permit,
  }),
);

const toHex = (hash: Uint8Array) => `0x${Buffer.from(hash).toString("hex")}` as const;
const forViem = (data: TypedData) => data as unknown as HashTypedDataParameters;

/** Mostly what is of no type: other lengths, other digits, other kinds of values. */
const junk = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, "", "0x", 1, -1n, 2n ** 256n, 2n ** 300n, {}, [], true, "0xzz", 1n),
  fc.string(),
  bytes(19),
  bytes(20),
  bytes(21),
  bytes(31),
  bytes(33),
  address.map((text) => `${text.slice(0, 41)}g`),
  address.map((text) => text.slice(2)),
  address.map((text) => `0X${text.slice(2)}`),
);

describe("the hash of typed data", () => {
  it("is viem's, for any domain and message", async () => {
    await fc.assert(
      fc.asyncProperty(typed, async (data) => {
        expect(toHex(await hashTypedData(data))).toBe(byViem(forViem(data)));
      }),
      { numRuns: 300 },
    );
  });

  it("is none of what is not of its field's type, or viem's where viem takes it", async () => {
    const spoiled = fc
      .tuple(authorization, fc.constantFrom("from", "to", "value", "validAfter", "validBefore", "nonce"), junk)
      .map(([message, field, value]) => ({ ...message, [field]: value }));
    const known = { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: alice.address.toLowerCase() };
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(spoiled, async (message) => {
        const data = { domain: known, types: AUTHORIZATION_TYPES, primaryType: "TransferWithAuthorization", message };
        const hash = await hashTypedData(data).catch(() => undefined);
        if (!hash) refused += 1;
        else expect(toHex(hash)).toBe(byViem(forViem(data)));
      }),
      { numRuns: 500 },
    );
    expect(refused).toBeGreaterThan(300);
  });

  it("gives the signer that viem recovers, and another one for any other message", async () => {
    const types = AUTHORIZATION_TYPES;
    const primaryType = "TransferWithAuthorization";
    const verifyingContract = mallory.address.toLowerCase() as `0x${string}`;
    const domain = { name: "USD Coin", version: "2", chainId: 8453, verifyingContract };
    for (let i = 0; i < 20; i++) {
      const message = {
        from: alice.address,
        to: mallory.address,
        value: BigInt(i),
        validAfter: 0n,
        validBefore: 2n ** 64n + BigInt(i),
        nonce: toHex(randomBytes(32)),
      };
      const signature = await alice.signTypedData({ domain, types, primaryType, message });
      const signer = await recoverAddress(await hashTypedData({ domain, types, primaryType, message }), signature);
      const recovered = await recoverTypedDataAddress({ domain, types, primaryType, message, signature });
      expect(signer).toBe(recovered.toLowerCase());
      expect(signer).toBe(alice.address.toLowerCase());
      const other = await hashTypedData({ domain, types, primaryType, message: { ...message, value: 99n } });
      expect(await recoverAddress(other, signature)).not.toBe(signer);
    }
  });
});
