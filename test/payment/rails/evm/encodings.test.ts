/** What we read and write of Ethereum by ourselves, held against viem: a host that is paid needs none. */
import fc from "fast-check";
import { encodeFunctionData, getAddress, parseAbi, toFunctionSelector, verifyMessage } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { createSiweMessage } from "viem/siwe";
import { expect, it } from "vitest";
import { settledPermit } from "../../../../src/payment/rails/evm/chain/permit2-lookup.js";
import { isSignedByContract } from "../../../../src/payment/rails/evm/chain/signature.js";
import { evmSignIn, signInText } from "../../../../src/payment/rails/evm/sign-in.js";
import type { SignedStatement } from "../../../../src/payment/rails/rail.js";
import { PROXY_ABI } from "../../../support/upto-proxy-abi.js";

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((all) => `0x${Buffer.from(all).toString("hex")}` as const);
const uint = (bits: number) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n });

const account = privateKeyToAccount(`0x${"7".repeat(64)}`);
const statement: Omit<SignedStatement, "signature"> = {
  domain: "api.example.com:8443",
  statement: "Sign in to read what you keep.",
  uri: "https://api.example.com:8443/api/store/usage",
  version: "1",
  nonce: "a1b2c3d4e5",
  issuedAt: "2026-11-23T03:00:00.000Z",
  expirationTime: "2026-11-23T03:05:00.000Z",
  network: "eip155:8453",
  address: account.address,
};

it("sign-in asks a wallet to sign the text of EIP-4361, as viem writes it", async () => {
  for (const given of [statement, { ...statement, statement: "", address: account.address.toLowerCase() }]) {
    const expected = createSiweMessage({
      domain: given.domain,
      ...(given.statement ? { statement: given.statement } : {}),
      uri: given.uri,
      version: "1",
      nonce: given.nonce,
      address: getAddress(given.address),
      chainId: 8453,
      issuedAt: new Date(given.issuedAt),
      expirationTime: new Date(given.expirationTime),
    });
    expect(signInText({ ...given, signature: "0x" })).toBe(expected);
    const signature = await account.signMessage({ message: expected });
    expect(await verifyMessage({ address: account.address, message: expected, signature })).toBe(true);
    const signIn = evmSignIn(undefined);
    expect(await signIn.isSigned({ ...given, signature }, async () => {})).toBe(true);
    expect(await signIn.isSigned({ ...given, nonce: "b1b2c3d4e5", signature }, async () => {})).toBe(false);
  }
});

it.each([
  { statement: "Sign in.\n\nURI: https://elsewhere.example" },
  { uri: "https://a.example\nNonce: 12345678" },
  { nonce: "12345678\r\nIssued At: 2020-01-01T00:00:00.000Z" },
  { domain: "a.example\n" },
])("sign-in takes no field that would pass for another line: %j", async (fields) => {
  const given = { ...statement, ...fields };
  expect(signInText({ ...given, signature: "0x" })).toBeUndefined();
  const signature = await account.signMessage({ message: Object.values(given).join("\n") });
  expect(await evmSignIn(undefined).isSigned({ ...given, signature }, async () => {})).toBe(false);
});

it("a contract is asked about a signature in the form of EIP-1271, whatever its length", async () => {
  const abi = parseAbi(["function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)"]);
  await fc.assert(
    fc.asyncProperty(hex(32), fc.integer({ min: 1, max: 200 }).chain(hex), async (hash, signature) => {
      let asked: unknown;
      const rpc = async (_: string, [call]: unknown[]) => {
        asked = (call as { data: string }).data;
        return "0x";
      };
      const given = { hash: Buffer.from(hash.slice(2), "hex"), hex: signature };
      expect(await isSignedByContract(rpc as never, account.address, given)).toBe(false);
      expect(asked).toBe(encodeFunctionData({ abi, functionName: "isValidSignature", args: [hash, signature] }));
    }),
  );
});

it("the permit and owner of a settled payment are read as the proxy's contract reads them", async () => {
  const word = fc.record({ nonce: uint(256), amount: uint(128), owner: hex(20), to: hex(20), bytes: hex(65) });
  fc.assert(
    fc.property(word, uint(256), ({ nonce, amount, owner, to, bytes }, other) => {
      const args = [
        { permitted: { token: to, amount }, nonce, deadline: other },
        amount,
        owner,
        { to, facilitator: to, validAfter: other },
        bytes,
      ];
      const allowance = { value: other, deadline: other, r: `0x${"1".repeat(64)}`, s: `0x${"2".repeat(64)}`, v: 27 };
      const calls = [
        encodeFunctionData({ abi: PROXY_ABI, functionName: "settle", args }),
        encodeFunctionData({ abi: PROXY_ABI, functionName: "settleWithPermit", args: [allowance, ...args] }),
      ];
      for (const call of calls) expect(settledPermit(call)).toEqual({ nonce, owner });
      // Another function, a call that ends too early, and an owner with bytes that no address has.
      expect(settledPermit(`${toFunctionSelector("transfer(address,uint256)")}${calls[0]?.slice(10)}`)).toBeUndefined();
      expect(settledPermit(calls[0]?.slice(0, 10 + 64 * 5) ?? "")).toBeUndefined();
      expect(settledPermit(`${calls[0]?.slice(0, 10 + 64 * 5)}1${calls[0]?.slice(10 + 64 * 5 + 1)}`)).toBeUndefined();
    }),
  );
});

it("a text is hashed as wallets hash it, in bytes and not in characters", async () => {
  const text = signInText({ ...statement, statement: "Grüße", signature: "0x" }) ?? "";
  const signature = await account.signMessage({ message: text });
  expect(await evmSignIn(undefined).isSigned({ ...statement, statement: "Grüße", signature }, async () => {})).toBe(
    true,
  );
});
