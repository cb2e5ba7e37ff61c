/** What the page asks a Solana wallet to sign: the bytes of the official client, for the same payment. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { createKeyPairSignerFromPrivateKeyBytes } from "@solana/kit";
import { Keypair, PublicKey, VersionedTransaction } from "@solana/web3.js";
import { ExactSvmScheme } from "@x402/svm/exact/client";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addressOf, bytesOf, tokenAccountOf } from "../../src/docs/browser/wallets/solana-address.js";
import { type Transfer, transactionOf } from "../../src/docs/browser/wallets/solana-transaction.js";
import {
  associatedAccountOf,
  buyer,
  feePayer,
  SOLANA,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  treasury,
  USDC_MINT,
} from "../support/solana.js";

/** Made with the official packages. */
const VECTOR =
  "AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABzSKztd6hSgyUTtobak8kc9iS2mES0e/LEW7ETu5kT9qhd4G5jjnEL2+nxzNV4CSIdC/qAhzLwtGI/rnXtzH0PgAIBBAiBOXcOqH0XX1ajVGbDTH7My42KkbTuN6Jd9g9bj8mzlIqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29cK8kCOGhpAsJh82TGFPHsq0/z4F9YGhwIBT/HU9NN52y3u4T1/jPeFaQeWwjr0hpa8fhuRvZTRT6HDzBHpR7Q4AMGRm/lIRcy/+ytunLDm+e8jOW7xfcSayxDmzpAAAAAxvp6877brTo9ZfNqq8l0MbG75MLS9uDkfKYCA0UvXWEFSlNamSkhBk0k6HFg2jh8fDW13bySu4HkH6hAQQVEjQbd9uHXZaGT2cvhRs7reawctIXtX1s3kTqM9YV+/wCpAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEBAAFAiBOAAAEAAkDAQAAAAAAAAAHBAIFAwEKDOgDAAAAAAAABgYACm9yZGVyLTAwMDEA";
const BLOCKHASH = "1".repeat(32);

const transferOf = (pair: Keypair, more: Partial<Transfer> = {}): Transfer => ({
  payer: pair.publicKey.toBase58(),
  asset: USDC_MINT,
  payTo: treasury.publicKey.toBase58(),
  amount: "1000",
  feePayer: feePayer.publicKey.toBase58(),
  memo: "order-0001",
  tokenProgram: TOKEN_PROGRAM,
  recentBlockhash: BLOCKHASH,
  ...more,
});

/** As a wallet does it. */
function signedBy(pair: Keypair, bytes: Uint8Array): string {
  const transaction = VersionedTransaction.deserialize(bytes);
  transaction.sign([pair]);
  return Buffer.from(transaction.serialize()).toString("base64");
}

const memoOf = (bytes: Uint8Array) =>
  Buffer.from(VersionedTransaction.deserialize(bytes).message.compiledInstructions[3]?.data ?? []).toString();

/** A node that knows mints by their program. */
let node: Server;
const programs = new Map<string, string>();
beforeAll(async () => {
  const data = Buffer.alloc(82);
  data[44] = 6; // decimals
  data[45] = 1; // initialized
  node = createServer(async (request, response) => {
    const { id, params } = (await json(request)) as { id: number; params: [string] };
    const owner = programs.get(params[0]);
    const value = { data: [data.toString("base64"), "base64"], executable: false, lamports: 1, owner, space: 82 };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { context: { slot: 1 }, value } }));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => node.once("listening", resolve));
});
afterAll(() => node.close());

/** What the official client sends. */
async function official(seed: Uint8Array, transfer: Transfer): Promise<unknown> {
  programs.set(transfer.asset, transfer.tokenProgram);
  const rpcUrl = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
  const scheme = new ExactSvmScheme(await createKeyPairSignerFromPrivateKeyBytes(seed), { rpcUrl });
  const { asset, payTo, amount, memo, recentBlockhash } = transfer;
  const { payload } = await scheme.createPaymentPayload(2, {
    ...{ scheme: "exact", network: SOLANA, asset, payTo, amount, maxTimeoutSeconds: 60 },
    extra: { feePayer: transfer.feePayer, memo, recentBlockhash, lastValidBlockHeight: "1" },
  });
  return payload.transaction;
}

const key = fc.uint8Array({ minLength: 32, maxLength: 32 });
const owner = key.map((seed) => Keypair.fromSeed(seed).publicKey.toBase58());
const address = key.map((bytes) => new PublicKey(bytes).toBase58());

describe("the transaction that a page asks a Solana wallet to sign", () => {
  test("is that of the test vector", async () => {
    expect(signedBy(buyer, await transactionOf(transferOf(buyer)))).toBe(VECTOR);
  });

  test("is the official client's, byte for byte, whoever pays whom how much in which token", async () => {
    const payment = fc.record({
      ...{ payTo: owner, feePayer: owner, asset: address, recentBlockhash: address },
      amount: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
      memo: fc
        .string({ unit: "grapheme", minLength: 1, maxLength: 60 })
        .filter((memo) => Buffer.byteLength(memo) <= 256),
      tokenProgram: fc.constantFrom(TOKEN_PROGRAM, TOKEN_2022_PROGRAM),
    });
    await fc.assert(
      fc.asyncProperty(key, payment, async (seed, more) => {
        const pair = Keypair.fromSeed(seed);
        const transfer = transferOf(pair, more);
        // Such a payment is refused: the fee's payer never moves money of its own, and the service does not buy from itself.
        fc.pre(new Set([transfer.payTo, transfer.feePayer, pair.publicKey.toBase58()]).size === 3);
        expect(signedBy(pair, await transactionOf(transfer))).toBe(await official(seed, transfer));
      }),
      { numRuns: 150 },
    );
  });

  test("has a memo of 128 to 256 bytes in it, and refuses a longer one", async () => {
    for (const length of [127, 128, 256])
      expect(memoOf(await transactionOf(transferOf(buyer, { memo: "m".repeat(length) })))).toHaveLength(length);
    await expect(transactionOf(transferOf(buyer, { memo: "m".repeat(257) }))).rejects.toThrow("memo");
  });

  test("differs each time where the offer has no memo", async () => {
    const memos = await Promise.all(
      [1, 2].map(async () => memoOf(await transactionOf(transferOf(buyer, { memo: undefined })))),
    );
    expect(new Set(memos).size).toBe(2);
    for (const memo of memos) expect(memo).toMatch(/^[0-9a-f]{32}$/);
  });

  test("is not made for an account of the service itself", async () => {
    await expect(transactionOf(transferOf(treasury))).rejects.toThrow("belongs to the service itself");
    await expect(transactionOf(transferOf(feePayer))).rejects.toThrow("belongs to the service itself");
  });
});

describe("an address", () => {
  test("is the same bytes as another library reads, and the same text again", () =>
    fc.assert(
      fc.property(
        fc.oneof(
          key,
          key.map((bytes) => bytes.fill(0, 0, 5)),
        ),
        (bytes) => {
          const text = new PublicKey(bytes).toBase58();
          expect(addressOf(bytes)).toBe(text);
          expect(bytesOf(text)).toEqual(Uint8Array.from(bytes));
        },
      ),
    ));

  test.each(["0", "l", "O0", "z".repeat(45), "👛"])("is not %s", (text) => {
    expect(() => bytesOf(text)).toThrow("not a Solana address");
  });

  test("has the token account that another library finds, however many hashes lie on the curve", () =>
    fc.assert(
      fc.asyncProperty(address, address, async (of, mint) => {
        expect(await tokenAccountOf(of, mint, TOKEN_PROGRAM)).toBe(associatedAccountOf(of, mint));
      }),
      { numRuns: 300 },
    ));
});
