/** Whether a signed transaction reached the chain, read from the chain itself. */
import { z } from "zod";
import type { PaymentToSettle } from "./facilitator.js";
import type { Sighting } from "./rail.js";
import type { Rpc } from "./rpc.js";
import { MEMO_PROGRAM, TRANSFER_POSITION } from "./solana-layout.js";
import { readTransaction, type SolanaTransaction } from "./solana-transaction.js";

const MAX_LISTED = 200;
/** Public nodes count requests. */
const MAX_READ = 20;

const listing = z.array(z.object({ signature: z.string(), err: z.unknown(), memo: z.string().nullish() }));
const landed = z.object({ transaction: z.tuple([z.string(), z.literal("base64")]) }).nullable();

/**
 * The transaction's own id is the fee payer's signature, which we learn only from the facilitator. So the transactions
 * of the account that the money comes from are searched; a stranger cannot hide one there by sending to the treasury.
 */
export async function findTransaction(rpc: Rpc, { payload }: PaymentToSettle): Promise<Sighting> {
  try {
    const wanted = await readTransaction(payload);
    const source = wanted.instructions[TRANSFER_POSITION]?.accounts[0];
    const options = { limit: MAX_LISTED, commitment: "confirmed" };
    const listed = listing.parse(await rpc("getSignaturesForAddress", [source, options]));
    const memo = memoOf(wanted);
    const candidates = listed.filter((entry) => !entry.memo || (memo !== undefined && entry.memo.includes(memo)));
    for (const { signature, err } of candidates.slice(0, MAX_READ)) {
      if (!(await isSame(rpc, signature, wanted))) continue;
      // One that failed on chain cannot be sent again.
      return err === null || err === undefined ? { kind: "paid", transaction: signature } : { kind: "cancelled" };
    }
    return { kind: listed.length === MAX_LISTED || candidates.length > MAX_READ ? "unknown" : "absent" };
  } catch {
    return { kind: "unknown" };
  }
}

async function isSame(rpc: Rpc, signature: string, wanted: SolanaTransaction): Promise<boolean> {
  const options = { encoding: "base64", commitment: "confirmed", maxSupportedTransactionVersion: 0 };
  const found = landed.parse(await rpc("getTransaction", [signature, options]));
  if (!found) return false;
  // All but the fee payer's signature, which was still missing in what we have: the buyer's own is among the rest.
  const [bytes, rest] = [Buffer.from(found.transaction[0], "base64"), Buffer.from(wanted.bytes)];
  return bytes.subarray(1 + 64).equals(rest.subarray(1 + 64));
}

/** Nodes list a transaction's memos with it, which saves reading those of other payments. */
function memoOf({ instructions }: SolanaTransaction): string | undefined {
  const memo = instructions.find(({ program }) => program === MEMO_PROGRAM);
  return memo && Buffer.from(memo.data).toString("utf8");
}
