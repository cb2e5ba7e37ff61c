import { randomBytes } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { describe, expect, it } from "vitest";
import {
  jsRecovery,
  nativeRecovery,
  type Recovery,
  readSignature,
  recoverAddress,
  wasmRecovery,
} from "../../../../src/payment/rails/evm/chain/recover.js";
import { alice } from "../../../support/wallets.js";

const ORDER = secp256k1.Point.Fn.ORDER;
const HASH = new Uint8Array(32).fill(7);

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const word = (value: bigint): string => value.toString(16).padStart(64, "0");
const signed = async (hash = HASH) => (await alice.sign({ hash: `0x${toHex(hash)}` })).slice(2);
const all = () => Promise.all([nativeRecovery(), wasmRecovery(), jsRecovery()]);

describe("recovering the signer", () => {
  it("finds the address of a wallet's key, with either form of v", async () => {
    const hex = await signed();
    const older = hex.slice(0, 128) + (hex.endsWith("1b") ? "00" : "01");
    expect(await recoverAddress(HASH, `0x${hex}`)).toBe(alice.address.toLowerCase());
    expect(await recoverAddress(HASH, `0x${older}`)).toBe(alice.address.toLowerCase());
  });

  it("all implementations agree on a hundred signatures", async () => {
    const implementations = await all();
    expect(new Set(implementations.map(({ name }) => name)).size).toBe(3);
    for (let i = 0; i < 100; i++) {
      const hash = new Uint8Array(randomBytes(32));
      const signature = readSignature(`0x${await signed(hash)}`);
      if (!signature) throw new Error("a wallet's signature was not read");
      const keys = implementations.map(({ recover }) => toHex(recover(hash, signature) ?? new Uint8Array()));
      expect(new Set(keys).size).toBe(1);
      expect(keys[0]).toHaveLength(130);
    }
  });

  const r = 5n;
  it.each([
    ["r of zero", word(0n) + word(1n)],
    ["s of zero", word(1n) + word(0n)],
    ["r of the order", word(ORDER) + word(1n)],
    ["s of the order", word(1n) + word(ORDER)],
    ["r that is no x of a point", word(r) + word(1n)],
    ["all ones", "ff".repeat(64)],
    ["all zeros", "00".repeat(64)],
  ])("all agree that there is none for %s", async (_, compact) => {
    const bytes = new Uint8Array(Buffer.from(compact, "hex"));
    for (const recovery of [0, 1] as const) {
      const answers = (await all()).map((one: Recovery) => one.recover(HASH, { compact: bytes, recovery }));
      expect(answers).toEqual([undefined, undefined, undefined]);
    }
  });

  it("takes no second form of a signature, which the token's contract refuses as well", async () => {
    const hex = await signed();
    const s = BigInt(`0x${hex.slice(64, 128)}`);
    const twin = hex.slice(0, 64) + word(ORDER - s) + (hex.endsWith("1b") ? "1c" : "1b");
    expect(readSignature(`0x${twin}`)).toBeUndefined();
    expect(await recoverAddress(HASH, `0x${twin}`)).toBeUndefined();
  });

  it.each([
    "0x",
    `0x${"11".repeat(64)}`,
    `0x${"11".repeat(66)}`,
    `0x${"11".repeat(64)}1d`,
    `${"11".repeat(64)}1b`,
    "nonsense",
  ])("is none where the text is no signature of 65 bytes: %s", async (hex) => {
    expect(await recoverAddress(HASH, hex)).toBeUndefined();
  });
});
