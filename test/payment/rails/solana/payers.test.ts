/** Payers that are no single key, and nodes that lie: what neither can do. */
import { Keypair, PublicKey, TransactionInstruction } from "@solana/web3.js";
import { describe, expect, it } from "vitest";
import type { Rpc } from "../../../../src/payment/rails/rpc.js";
import { solanaRail } from "../../../../src/payment/rails/solana/exact.js";
import type { PaymentRequirements } from "../../../../src/payment/x402/wire.js";
import {
  addressOf,
  associatedAccountOf,
  buyer,
  feePayer,
  memo,
  refundWallet,
  SOLANA,
  stranger,
  TOKEN_PROGRAM,
  toBase64,
  transactionOf,
  transfer,
  treasury,
  USDC_MINT,
  unitLimit,
  unitPrice,
} from "../../../support/solana.js";

const options = { network: SOLANA, asset: USDC_MINT, payTo: addressOf(treasury), feePayer: () => addressOf(feePayer) };
const rail = solanaRail(options);
const offered = rail.requirements(1000n, 60) as PaymentRequirements;
const check = (transaction: string) =>
  rail.check({ version: 2, scheme: "exact", network: SOLANA, payload: { transaction } }, offered);

/** An account of a program: no key signs for it. */
const [vault] = PublicKey.findProgramAddressSync([Buffer.from("vault")], new PublicKey(TOKEN_PROGRAM));

/** A transfer of the vault's money, by these accounts in the place of its authority and behind it. */
function transferOf(authorities: { address: string; signs: boolean }[]): TransactionInstruction {
  const { keys, programId, data } = transfer({ source: associatedAccountOf(vault.toBase58()) });
  const signers = authorities.map(({ address, signs }) => ({
    ...{ pubkey: new PublicKey(address), isSigner: signs, isWritable: false },
  }));
  return new TransactionInstruction({ programId, data, keys: [...keys.slice(0, 3), ...signers] });
}
const paying = (pays: TransactionInstruction) => [unitLimit(), unitPrice(), pays, memo("vault")];

describe("a payer that is no single key", () => {
  it.each([
    ["no signature", 0],
    ["made-up bytes", 1],
    ["bytes of another signature", 2],
  ])("cannot pay as the account of a program, with %s for its signature", async (_, kind) => {
    const authority = [{ address: vault.toBase58(), signs: true }];
    const made = transactionOf({ signers: [], instructions: paying(transferOf(authority)) });
    const others = transactionOf().signatures[1] ?? new Uint8Array(64);
    made.signatures[1] = kind === 0 ? new Uint8Array(64) : kind === 1 ? new Uint8Array(64).fill(7) : others;
    await expect(check(toBase64(made))).rejects.toMatchObject({ code: "PAYMENT_SIGNATURE_INVALID" });
  });

  it("cannot pay as the account of a program that somebody else signs for", async () => {
    const authority = [{ address: vault.toBase58(), signs: false }];
    const made = transactionOf({ signers: [], instructions: paying(transferOf(authority)) });
    await expect(check(toBase64(made))).rejects.toMatchObject({ code: "PAYMENT_MISMATCH" });
  });

  it.each([1, 2, 3])("cannot pay as a multisig account of %d signers, each of whom has signed", async (count) => {
    const owners = [buyer, stranger, Keypair.fromSeed(new Uint8Array(32).fill(6))].slice(0, count);
    const authorities = owners.map((owner) => ({ address: addressOf(owner), signs: true }));
    const multisig = { address: vault.toBase58(), signs: false };
    const instructions = paying(transferOf([multisig, ...authorities]));
    await expect(check(toBase64(transactionOf({ signers: owners, instructions })))).rejects.toMatchObject({
      code: "PAYMENT_MISMATCH",
    });
  });

  it("cannot have its money count for one of its signers", async () => {
    const authorities = [
      { address: addressOf(buyer), signs: true },
      { address: vault.toBase58(), signs: false },
    ];
    const instructions = paying(transferOf(authorities));
    await expect(check(toBase64(transactionOf({ instructions })))).rejects.toMatchObject({ code: "PAYMENT_MISMATCH" });
  });
});

describe("a node that lies", () => {
  const ours = transactionOf({ instructions: [unitLimit(), unitPrice(), transfer(), memo("a")] });
  const taken = { payload: { transaction: toBase64(ours) }, requirements: offered, payer: addressOf(buyer) };
  const twin = transactionOf({ instructions: [unitLimit(20_001), unitPrice(), transfer(), memo("a")] });
  const forged = Buffer.from(ours.serialize());
  forged[70] = (forged[70] ?? 0) ^ 1;

  it.each([
    ["another transfer of the same amount", toBase64(twin)],
    ["the transaction with another signature of its payer", forged.toString("base64")],
    ["nothing that can be read", "AAAA"],
  ])("cannot make %s count for a payment", async (_, transaction) => {
    const rpc: Rpc = async (method) => {
      if (method === "getTransaction") return { transaction: [transaction, "base64"], meta: { err: null } };
      return [{ signature: "told", err: null, memo: "[1] a" }];
    };
    expect((await solanaRail({ ...options, rpc }).lookup(taken, "told")).kind).toBe("absent");
  });

  it("cannot send a refund to anybody but the payer", async () => {
    const rpc: Rpc = async (method) =>
      method === "getMultipleAccounts"
        ? { value: [TOKEN_PROGRAM, addressOf(stranger), addressOf(stranger)].map((owner) => ({ owner })) }
        : { context: { slot: 1 }, value: { blockhash: addressOf(stranger), lastValidBlockHeight: 2 } };
    const returning = solanaRail({ ...options, rpc, refunds: refundWallet });
    const back = await returning.refund?.({ order: "order-1", to: addressOf(buyer), amount: 1000n, now: 0 });
    const shop = solanaRail({ ...options, payTo: addressOf(buyer) });
    const payment = { version: 2 as const, scheme: "exact", network: SOLANA, payload: back?.payload ?? {} };
    expect(await shop.check(payment, shop.requirements(1000n, 60) as PaymentRequirements)).toMatchObject({
      payer: addressOf(refundWallet),
    });
  });
});
