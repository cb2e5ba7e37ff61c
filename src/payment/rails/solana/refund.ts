/** Refunds: the transaction of a buyer, signed by the wallet that returns unused money. */
import { createHash, createHmac } from "node:crypto";
import { base58 } from "@scure/base";
import { z } from "zod";
import { without } from "../../../errors.js";
import { lazy, once } from "../../../lib/lazy.js";
import { named } from "../../../lib/packages/named.js";
import type { SolanaSigner } from "../../options/solana-signer.js";
import type { PaymentToSettle } from "../../x402/facilitator.js";
import type { PaymentRequirements } from "../../x402/wire.js";
import { NotRefundable, type RefundOrder } from "../rail.js";
import type { Rpc } from "../rpc.js";
import { DECIMALS, MEMO_PROGRAM, TRANSFER_CHECKED } from "./layout.js";
import { associatedAccount, findAccount } from "./token.js";

const web3 = lazy(() => import("@solana/web3.js").catch(without("@solana/web3.js")).then(named));

/**
 * A transfer and a memo of 64 letters, with a margin. The fee depends on the limit, not on the use, so a higher limit
 * costs more.
 */
const COMPUTE_UNITS = 40_000;
const MICRO_LAMPORTS_PER_UNIT = 1;

interface RefundOptions {
  signer: SolanaSigner;
  rpc: Rpc;
  /** Requirements of a payment to the refunded payer. */
  requirements: PaymentRequirements;
}

const latestBlockhash = once(() =>
  z.object({
    context: z.object({ slot: z.int() }),
    value: z.object({ blockhash: z.string(), lastValidBlockHeight: z.int() }),
  }),
);

/**
 * Signs the refund of an order. Its memo is derived from the order, and its requirements contain the slots and blocks
 * in which it can be included, so that its expiry can be determined. Only this refund mentions its reference address,
 * because anybody can fill the transaction list of the wallet's token account and of any guessable address. Throws
 * NotRefundable if the payer has no token account.
 */
export async function signRefund(
  back: RefundOrder,
  { signer, rpc, requirements }: RefundOptions,
): Promise<PaymentToSettle> {
  const from = signer.publicKey.toBase58();
  const [destination, answer] = await Promise.all([
    findAccount({ owner: back.to, mint: requirements.asset }, rpc),
    // A final blockhash, because the facilitator's node may be behind ours.
    rpc("getLatestBlockhash", [{ commitment: "finalized" }]),
  ]);
  if (!destination.exists) throw new NotRefundable(`${back.to} has no token account for ${requirements.asset}`);
  const { context, value } = latestBlockhash().parse(answer);
  const { blockhash, lastValidBlockHeight } = value;
  const memo = createHash("sha256").update(`return ${back.order}`).digest("hex");

  const { ComputeBudgetProgram, PublicKey, TransactionInstruction, TransactionMessage, VersionedTransaction } =
    await web3();
  const key = (address: string) => new PublicKey(address);
  const source = await associatedAccount({ owner: from, mint: requirements.asset }, destination.program);
  const account = (address: string, isWritable: boolean) => ({ pubkey: key(address), isSigner: false, isWritable });
  const limit = ComputeBudgetProgram.setComputeUnitLimit({ units: COMPUTE_UNITS });
  limit.keys.push(account(referenceOf(back.order, signer), false));
  const instructions = [
    limit,
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: MICRO_LAMPORTS_PER_UNIT }),
    new TransactionInstruction({
      programId: key(destination.program),
      keys: [
        account(source, true),
        account(requirements.asset, false),
        account(destination.address, true),
        { ...account(from, false), isSigner: true },
      ],
      data: transferOf(back.amount),
    }),
    new TransactionInstruction({ programId: key(MEMO_PROGRAM), keys: [], data: Buffer.from(memo) }),
  ];
  const payerKey = key(String(requirements.extra.feePayer));
  const message = new TransactionMessage({ payerKey, recentBlockhash: blockhash, instructions });
  const transaction = new VersionedTransaction(message.compileToV0Message());
  transaction.sign([{ publicKey: key(from), secretKey: signer.secretKey }]);
  return {
    payload: { transaction: Buffer.from(transaction.serialize()).toString("base64") },
    requirements: {
      ...requirements,
      extra: { ...requirements.extra, memo, lastValidBlockHeight, minContextSlot: context.slot },
    },
    payer: from,
  };
}

/** The same for each refund of an order, and secret until one of them is on chain. */
// guard: solana: nobody else can tell a refund's address |
//   createHmac("sha256", secretKey) -> createHash("sha256") | LOOKUP
const referenceOf = (order: string, { secretKey }: SolanaSigner): string =>
  base58.encode(createHmac("sha256", secretKey).update(`reference ${order}`).digest());

function transferOf(amount: bigint): Buffer {
  const data = Buffer.alloc(10);
  data[0] = TRANSFER_CHECKED;
  data.writeBigUInt64LE(amount, 1);
  data[9] = DECIMALS;
  return data;
}
