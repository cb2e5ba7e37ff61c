import { createHash } from "node:crypto";
import { ed25519 } from "@noble/curves/ed25519.js";
import { Keypair, type TransactionInstruction, type VersionedTransaction } from "@solana/web3.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { solanaRail } from "../../../../src/payment/rails/solana/exact.js";
import { PaymentRefused } from "../../../../src/payment/x402/refusal.js";
import type { PaymentPayload, PaymentRequirements } from "../../../../src/payment/x402/wire.js";
import { howMany } from "../../../support/how-many.js";
import {
  addressOf,
  associatedAccountOf,
  buyer,
  feePayer,
  instruction,
  LIGHTHOUSE_PROGRAM,
  memo,
  reworked,
  SOLANA,
  stranger,
  TOKEN_2022_PROGRAM,
  type TransactionOptions,
  toBase64,
  transactionOf,
  transfer,
  treasury,
  USDC_MINT,
  unitLimit,
  unitPrice,
} from "../../../support/solana.js";

/** Made by the official client, with the keys of test/support/solana.ts. */
const OFFICIAL = [
  "AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABzSKztd6hSgyUTtobak8kc9i",
  "S2mES0e/LEW7ETu5kT9qhd4G5jjnEL2+nxzNV4CSIdC/qAhzLwtGI/rnXtzH0PgAIBBAiBOXcOqH0XX1ajVGbDTH7My42KkbTuN6Jd9g9bj8mz",
  "lIqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29cK8kCOGhpAsJh82TGFPHsq0/z4F9YGhwIBT/HU9NN52y3u4T1/jPeFaQeWwjr0hpa8f",
  "huRvZTRT6HDzBHpR7Q4AMGRm/lIRcy/+ytunLDm+e8jOW7xfcSayxDmzpAAAAAxvp6877brTo9ZfNqq8l0MbG75MLS9uDkfKYCA0UvXWEFSlNa",
  "mSkhBk0k6HFg2jh8fDW13bySu4HkH6hAQQVEjQbd9uHXZaGT2cvhRs7reawctIXtX1s3kTqM9YV+/wCpAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  "AAAAAAAAAAAAAEBAAFAiBOAAAEAAkDAQAAAAAAAAAHBAIFAwEKDOgDAAAAAAAABgYACm9yZGVyLTAwMDEA",
].join("");

const rail = solanaRail({
  network: SOLANA,
  asset: USDC_MINT,
  payTo: addressOf(treasury),
  feePayer: () => addressOf(feePayer),
});
const offered = rail.requirements(1000n, 60) as PaymentRequirements;
const paying = (transaction: unknown): PaymentPayload => ({
  version: 2,
  scheme: "exact",
  network: SOLANA,
  payload: { transaction },
});
const check = (transaction: unknown, requirements = offered) => rail.check(paying(transaction), requirements);
const checkBuilt = (options?: TransactionOptions) => check(toBase64(transactionOf(options)));
const withMemo = (text: string): PaymentRequirements => ({ ...offered, extra: { ...offered.extra, memo: text } });

describe("the requirements", () => {
  it("name the fee payer, and are not made while there is none", () => {
    expect(offered).toEqual({
      scheme: "exact",
      network: SOLANA,
      amount: "1000",
      asset: USDC_MINT,
      payTo: addressOf(treasury),
      maxTimeoutSeconds: 60,
      extra: { feePayer: addressOf(feePayer) },
    });
    const waiting = solanaRail({
      network: SOLANA,
      asset: USDC_MINT,
      payTo: addressOf(treasury),
      feePayer: () => undefined,
    });
    expect(waiting.requirements(1000n, 60)).toBeUndefined();
  });

  it.each([
    "",
    "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
    "1".repeat(31),
    "0".repeat(44),
    "z".repeat(44),
    "a".repeat(99),
  ])("are refused at the start for a treasury or mint of %j", (address) => {
    const options = { network: SOLANA, asset: USDC_MINT, payTo: addressOf(treasury), feePayer: () => undefined };
    expect(() => solanaRail({ ...options, payTo: address })).toThrow(/payment\.treasury\["solana:/);
    expect(() => solanaRail({ ...options, asset: address })).toThrow(/payment\.assets\["solana:/);
  });
});

describe("a transaction of the official client", () => {
  it("is the buyer's payment", async () => {
    const message = Buffer.from(OFFICIAL, "base64").subarray(1 + 2 * 64);
    const hash = createHash("sha256").update(message).digest("hex");
    const checked = await check(OFFICIAL);
    expect(checked).toMatchObject({ id: `svm:${SOLANA}:${hash}`, payer: addressOf(buyer), proven: true });
    expect(checked).not.toHaveProperty("validBefore");
    expect(await check(OFFICIAL, withMemo("order-0001"))).toEqual(checked);
  });

  it("PAY-6 is one payment in every spelling, and reaches the facilitator in the standard one", async () => {
    const bytes = Buffer.from(OFFICIAL, "base64");
    const spellings = [OFFICIAL, OFFICIAL.replace(/=+$/, ""), bytes.toString("base64url")];
    const all = await Promise.all(spellings.map((spelling) => check(spelling)));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    for (const { payload } of all) expect(payload).toEqual({ transaction: OFFICIAL });
  });

  const good = Buffer.from(OFFICIAL, "base64");
  const edits = fc.array(
    fc.record({
      at: fc.nat(good.length - 1),
      drop: fc.integer({ min: 0, max: 8 }),
      insert: fc.uint8Array({ maxLength: 8 }),
    }),
    { minLength: 1, maxLength: 3 },
  );
  const edited = (changes: { at: number; drop: number; insert: Uint8Array }[]): Buffer =>
    changes.reduce<Buffer>(
      (bytes, { at, drop, insert }) => Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + drop)]),
      good,
    );

  const MUTATIONS = howMany(20_000, 2_000);

  it(`${MUTATIONS} mutations of it are refused or still the same payment, and never crash`, async () => {
    const { id } = await check(OFFICIAL);
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(edits, async (changes) => {
        const bytes = edited(changes);
        try {
          expect((await check(bytes.toString("base64"))).id).toBe(id);
          expect(bytes.equals(good)).toBe(true);
        } catch (error) {
          if (!(error instanceof PaymentRefused)) throw error;
          refused++;
        }
      }),
      { numRuns: MUTATIONS },
    );
    expect(refused).toBeGreaterThan(MUTATIONS * 0.75);
  });

  it("mutations that its owner signs anew are refused or move the same money to the same place", async () => {
    const transferred = good.subarray(good.indexOf(Buffer.from([12, 0xe8, 3])), good.length).subarray(0, 10);
    await fc.assert(
      fc.asyncProperty(edits, async (changes) => {
        const bytes = edited(changes);
        bytes.set(ed25519.sign(bytes.subarray(129), buyer.secretKey.subarray(0, 32)), 65);
        try {
          expect((await check(bytes.toString("base64"))).payer).toBe(addressOf(buyer));
          expect(bytes.includes(transferred)).toBe(true);
        } catch (error) {
          if (!(error instanceof PaymentRefused)) throw error;
        }
      }),
      { numRuns: howMany(1_000, 200) },
    );
  });
});

describe("a transaction that keeps the rules", () => {
  it.each<[string, TransactionOptions]>([
    ["without a memo", { instructions: [unitLimit(), unitPrice(), transfer()] }],
    ["in the legacy format", { legacy: true }],
    ["at the highest price", { instructions: [unitLimit(), unitPrice(5_000_000), transfer()] }],
    [
      "with what wallets add",
      {
        instructions: [
          unitLimit(),
          unitPrice(),
          transfer(),
          memo("a"),
          instruction(LIGHTHOUSE_PROGRAM, "x", [addressOf(buyer)]),
          instruction(LIGHTHOUSE_PROGRAM, "y"),
          memo("b"),
        ],
      },
    ],
    ["of Token-2022", { instructions: [unitLimit(), unitPrice(), transfer({ program: TOKEN_2022_PROGRAM })] }],
  ])("%s is accepted", async (_, options) => {
    expect(await checkBuilt(options)).toMatchObject({ payer: addressOf(buyer) });
  });

  it("is accepted with a further signer, who is not the payer", async () => {
    const signed = memo("both of us");
    signed.keys.push({ pubkey: stranger.publicKey, isSigner: true, isWritable: false });
    const instructions = [unitLimit(), unitPrice(), transfer(), signed];
    expect(await checkBuilt({ instructions, signers: [buyer, stranger] })).toMatchObject({ payer: addressOf(buyer) });
  });
});

describe("a transaction that breaks one rule is refused", () => {
  const order = [unitLimit(), unitPrice(), transfer()] as const;
  const [limit, price] = order;
  const ending = (...rest: ReturnType<typeof memo>[]) => ({ instructions: [...order, ...rest] });
  const moving = (...args: Parameters<typeof transfer>) => ({ instructions: [limit, price, transfer(...args)] });
  const toTreasury = associatedAccountOf(addressOf(treasury));

  it.each<[string, TransactionOptions, RegExp]>([
    ["another fee payer", { payer: stranger }, /fee payer is not the one offered/],
    ["two instructions", { instructions: [limit, transfer()] }, /3 to 7 instructions/],
    ["eight instructions", ending(...["a", "b", "c", "d", "e"].map(memo)), /3 to 7 instructions/],
    ["no unit limit", { instructions: [memo("a"), price, transfer()] }, /compute unit limit first/],
    ["limit and price swapped", { instructions: [price, limit, transfer()] }, /compute unit limit first/],
    ["a price too high", { instructions: [limit, unitPrice(5_000_001), transfer()] }, /5000000 micro-lamports/],
    ["the limit twice", { instructions: [limit, limit, transfer()] }, /compute unit price second/],
    ["the transfer late", { instructions: [limit, price, memo("a"), transfer()] }, /third instruction/],
    ["a plain Transfer", moving({ discriminator: 3 }), /TransferChecked/],
    ["another program", moving({ program: LIGHTHOUSE_PROGRAM }), /TransferChecked/],
    ["another mint", moving({ mint: "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB" }), /another token/],
    ["another owner's account", moving({ payTo: addressOf(stranger) }), /does not pay into DNDTCnZk/],
    ["the owner in place of its account", moving({ destination: addressOf(treasury) }), /does not pay into/],
    ["our account as its source", moving({ source: toTreasury }), /pays from the account that it pays into/],
    ["one unit less", moving({ amount: 999n }), /999 atomic units, not the 1000/],
    ["one unit more", moving({ amount: 1001n }), /1001 atomic units/],
    ["other decimals", moving({ decimals: 9 }), /6 decimals/],
    ["money of the fee payer", { ...moving({ from: feePayer }), signers: [] }, /fee payer's account/],
    [
      "the fee payer in a memo",
      ending(instruction(memo("").programId.toBase58(), "x", [addressOf(feePayer)])),
      /fee payer's account/,
    ],
    ["a second transfer", ending(transfer({ payTo: addressOf(stranger) })), /nothing but Memo and Lighthouse/],
    ["an instruction of another program", ending(instruction(addressOf(stranger), "x")), /nothing but Memo/],
    [
      "an authority that need not sign",
      { ...moving({ from: stranger, signed: false }), signers: [] },
      /signed by the owner/,
    ],
  ])("%s", async (_, options, why) => {
    const error = await checkBuilt(options).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(PaymentRefused);
    expect((error as PaymentRefused).message).toMatch(why);
  });

  it("an unsigned owner of the money beside another signer", async () => {
    const signed = memo("a");
    signed.keys.push({ pubkey: stranger.publicKey, isSigner: true, isWritable: false });
    const instructions = [limit, price, transfer({ signed: false }), signed];
    await expect(checkBuilt({ instructions, signers: [stranger] })).rejects.toThrow(/signed by the owner/);
  });

  it.each([
    ["no signature of the buyer", [0, 64]],
    ["a forged one", [7, 1]],
  ])("%s", async (_, [at = 0, bytes = 0]) => {
    const transaction = transactionOf();
    const signature = transaction.signatures[1];
    if (!signature) throw new Error("unsigned");
    for (let i = at; i < at + bytes; i++) signature[i] = bytes === 64 ? 0 : (signature[i] ?? 0) ^ 1;
    await expect(check(toBase64(transaction))).rejects.toMatchObject({ code: "PAYMENT_SIGNATURE_INVALID" });
  });

  it("a signature over another transaction", async () => {
    const [good, other] = [transactionOf(), transactionOf()];
    good.signatures[1] = other.signatures[1] ?? new Uint8Array(64);
    await expect(check(toBase64(good))).rejects.toMatchObject({ code: "PAYMENT_SIGNATURE_INVALID" });
  });

  it("a fee payer's slot that is not empty", async () => {
    const transaction = transactionOf();
    transaction.sign([feePayer]);
    await expect(check(toBase64(transaction))).rejects.toMatchObject({
      code: "PAYMENT_MISMATCH",
      message: expect.stringContaining("must be left empty"),
    });
  });

  it.each<[string, VersionedTransaction, RegExp]>([
    [
      "lookup tables",
      reworked(() => ({
        addressTableLookups: [{ accountKey: stranger.publicKey, writableIndexes: [0], readonlyIndexes: [] }],
      })),
      /lookup tables/,
    ],
    [
      "an account named twice",
      reworked(({ staticAccountKeys: keys }) => ({ staticAccountKeys: [...keys, ...keys.slice(0, 1)] })),
      /names an account twice/,
    ],
    [
      "a memo about an account that is not there",
      reworked(({ compiledInstructions: all }) => ({
        compiledInstructions: all.map((one, i) => (i === 3 ? { ...one, accountKeyIndexes: [200] } : one)),
      })),
      /does not name/,
    ],
    [
      "more than fits in a packet",
      transactionOf({ instructions: [...order, memo("m".repeat(790))] }),
      /longer than 1232 bytes/,
    ],
  ])("%s", async (_, transaction, why) => {
    await expect(check(toBase64(transaction))).rejects.toThrow(why);
  });

  const key = { pubkey: stranger.publicKey, isSigner: false, isWritable: false };
  it.each<[string, (good: TransactionInstruction) => Partial<TransactionInstruction>]>([
    ["a byte too few", ({ data }) => ({ data: data.subarray(0, 9) })],
    ["a byte too many", ({ data }) => ({ data: Buffer.concat([data, Buffer.alloc(1)]) })],
    ["no data", () => ({ data: Buffer.alloc(0) })],
    ["an account too many", ({ keys }) => ({ keys: [...keys, key] })],
    ["no accounts", () => ({ keys: [] })],
  ])("a transfer with %s", async (_, change) => {
    const good = transfer();
    const signed = memo("a");
    signed.keys.push({ pubkey: buyer.publicKey, isSigner: true, isWritable: false });
    const instructions = [limit, price, Object.assign(good, change(good)), signed];
    await expect(checkBuilt({ instructions })).rejects.toThrow(/TransferChecked/);
  });

  it.each([
    ["order-0002", [memo("order-0001")]],
    ["order-0001", []],
    ["order-0001", [memo("order-0001"), memo("order-0001")]],
  ])("the memo %s was offered, and others came", async (expected, memos) => {
    const transaction = toBase64(transactionOf({ instructions: [...order, ...memos] }));
    await expect(check(transaction, withMemo(expected))).rejects.toThrow(/offered memo, once/);
  });

  const bytes = Buffer.from(OFFICIAL, "base64");
  it.each<[string, unknown]>([
    ["no text", undefined],
    ["a number", 5],
    ["empty", ""],
    ["no base64", "not base64!"],
    ["one byte", "AA=="],
    ["cut short", bytes.subarray(0, 400).toString("base64")],
    ["with a byte too many", Buffer.concat([bytes, Buffer.from([0])]).toString("base64")],
    ["longer than a packet", Buffer.concat([bytes, Buffer.alloc(1233 - bytes.length)]).toString("base64")],
    ["100 KB", "A".repeat(100_000)],
    // Two signatures, their number spelled in two bytes: another transaction text of the same message.
    [
      "with a number in a longer spelling",
      Buffer.concat([Buffer.from([0x82, 0x00]), bytes.subarray(1)]).toString("base64"),
    ],
    ["of version 1", Buffer.from([0x81, ...bytes.subarray(1)]).toString("base64")],
  ])("malformed: %s", async (_, transaction) => {
    await expect(check(transaction)).rejects.toMatchObject({ code: "PAYMENT_MALFORMED" });
  });
});

describe("the fee payer of an earlier offer", () => {
  const former = Keypair.fromSeed(new Uint8Array(32).fill(5));
  const rotated = solanaRail({
    network: SOLANA,
    asset: USDC_MINT,
    payTo: addressOf(treasury),
    feePayer: () => addressOf(feePayer),
    acceptsFeePayer: (address) => address === addressOf(former),
  });

  it("is part of the requirements that the payment took up", async () => {
    const payment = paying(toBase64(transactionOf({ payer: former })));
    const requirements = await rotated.requirementsTaken?.(payment, offered);
    expect(requirements).toEqual({ ...offered, extra: { feePayer: addressOf(former) } });
    expect(await rotated.check(payment, requirements as PaymentRequirements)).toMatchObject({
      payer: addressOf(buyer),
    });
  });

  it("of nobody's offer changes nothing", async () => {
    const payment = paying(toBase64(transactionOf({ payer: stranger })));
    expect(await rotated.requirementsTaken?.(payment, offered)).toEqual(offered);
  });
});
