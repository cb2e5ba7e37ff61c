/** Whether an EIP-3009 authorization was used, read from the chain itself. */
import { z } from "zod";
import { amountOf, type PaymentToSettle } from "../../x402/facilitator.js";
import type { Sighting } from "../rail.js";
import type { Rpc } from "../rpc.js";

// Event signatures of EIP-3009 and ERC-20, hashed.
const AUTHORIZATION_USED = "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5";
const AUTHORIZATION_CANCELED = "0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81";
export const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
/** Some hours on the networks we know; public nodes refuse longer ranges. */
export const LOOK_BACK_BLOCKS = 5000;

export const blockNumber = z.string().regex(/^0x[0-9a-f]{1,16}$/i);
const log = z.object({ address: z.string(), topics: z.array(z.string()), data: z.string() });
export const foundLogs = z.array(log.extend({ transactionHash: z.string() }));
const transactionReceipt = z.object({ status: z.string(), logs: z.array(log) });

export async function findAuthorization(rpc: Rpc, payment: PaymentToSettle): Promise<Sighting> {
  const { payload, requirements, payer } = payment;
  const { nonce } = payload.authorization as { nonce: string };
  try {
    const latest = Number(blockNumber.parse(await rpc("eth_blockNumber", [])));
    const filter = {
      address: requirements.asset,
      fromBlock: `0x${Math.max(0, latest - LOOK_BACK_BLOCKS).toString(16)}`,
      topics: [[AUTHORIZATION_USED, AUTHORIZATION_CANCELED], toTopic(payer), nonce],
    };
    const [event] = foundLogs.parse(await rpc("eth_getLogs", [filter]));
    if (!event) return { kind: "absent" };
    if (event.topics[0]?.toLowerCase() === AUTHORIZATION_CANCELED) return { kind: "cancelled" };
    const receipt = transactionReceipt.parse(await rpc("eth_getTransactionReceipt", [event.transactionHash]));
    // A payer can sign two authorizations with one nonce and use the other one up: only the transfer to us counts.
    const paid = receipt.status === "0x1" && receipt.logs.some((entry) => isTransfer(entry, payment));
    return paid ? { kind: "paid", transaction: event.transactionHash } : { kind: "cancelled" };
  } catch {
    return { kind: "unreadable" };
  }
}

function isTransfer(entry: z.infer<typeof log>, payment: PaymentToSettle): boolean {
  const { payer, requirements } = payment;
  const [event, from, to] = entry.topics.map((topic) => topic.toLowerCase());
  return (
    entry.address.toLowerCase() === requirements.asset.toLowerCase() &&
    event === TRANSFER &&
    from === toTopic(payer) &&
    to === toTopic(requirements.payTo) &&
    BigInt(entry.data) === BigInt(amountOf(payment))
  );
}

/** An address as the indexed argument of an event. */
export const toTopic = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, "0")}`;
