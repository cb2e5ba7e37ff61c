/** Whether a Permit2 authorization was used, read from the chain itself. */
import { z } from "zod";
import { amountOf, type PaymentToSettle } from "../../x402/facilitator.js";
import type { Sighting } from "../rail.js";
import type { Rpc } from "../rpc.js";
import { blockNumber, foundLogs, LOOK_BACK_BLOCKS, TRANSFER, toTopic } from "./lookup.js";

/** The same address on every network. */
export const PERMIT2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3";
/** nonceBitmap(address,uint256) */
const NONCE_BITMAP = "0x4fe02b44";

const word = z.string().regex(/^0x[0-9a-f]{64}$/i);
const transaction = z.object({ input: z.string() });

/**
 * Permit2 tells that a nonce was used, but in no event by which transaction: that is the transfer of our amount whose
 * transaction carries the nonce.
 */
export async function findPermit(rpc: Rpc, payment: PaymentToSettle): Promise<Sighting> {
  const { requirements, payer, payload } = payment;
  const nonce = BigInt((payload.permit2Authorization as { nonce: string }).nonce);
  try {
    const data = NONCE_BITMAP + toTopic(payer).slice(2) + hexWord(nonce >> 8n);
    const used = BigInt(word.parse(await rpc("eth_call", [{ to: PERMIT2, data }, "latest"])));
    if (((used >> (nonce & 0xffn)) & 1n) === 0n) return { kind: "absent" };

    const latest = Number(blockNumber.parse(await rpc("eth_blockNumber", [])));
    const filter = {
      address: requirements.asset,
      fromBlock: `0x${Math.max(0, latest - LOOK_BACK_BLOCKS).toString(16)}`,
      topics: [TRANSFER, toTopic(payer), toTopic(requirements.payTo)],
    };
    for (const log of foundLogs.parse(await rpc("eth_getLogs", [filter])).reverse()) {
      if (BigInt(log.data) !== BigInt(amountOf(payment))) continue;
      const { input } = transaction.parse(await rpc("eth_getTransactionByHash", [log.transactionHash]));
      if (input.toLowerCase().includes(hexWord(nonce))) return { kind: "paid", transaction: log.transactionHash };
    }
  } catch {
    // The same as used in a way that we do not see: its payer can invalidate a nonce, and nodes lag behind.
  }
  return { kind: "unreadable" };
}

const hexWord = (value: bigint) => value.toString(16).padStart(64, "0");
