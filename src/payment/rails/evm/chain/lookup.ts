/** Looks up on chain whether an EIP-3009 authorization was used. */
import { z } from "zod";
import { once } from "../../../../lib/lazy.js";
import { amountOf, type PaymentToSettle } from "../../../x402/facilitator.js";
import type { ChainStatus } from "../../rail.js";
import type { Rpc } from "../../rpc.js";
import { blockAt, type Log, logsBack, readWord, receiptOf, TRANSFER, toTopic } from "./chain.js";

// Event signatures of EIP-3009, hashed, and the selector of authorizationState(address,bytes32).
const AUTHORIZATION_USED = "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5";
const AUTHORIZATION_CANCELED = "0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81";
const AUTHORIZATION_STATE = "0xe94a0102";

const sent = once(() => z.object({ authorization: z.object({ nonce: z.string(), validBefore: z.string() }) }));

/**
 * Reads the nonce from the token's state as of one block. If that block is later than the authorization's expiry, an
 * unused nonce can never be paid. The logs show how a nonce was used.
 */
export async function findAuthorization(rpc: Rpc, payment: PaymentToSettle): Promise<ChainStatus> {
  const { requirements, payer, since } = payment;
  try {
    const { nonce, validBefore } = sent().parse(payment.payload).authorization;
    const head = await blockAt(rpc, "latest");
    const data = AUTHORIZATION_STATE + toTopic(payer).slice(2) + nonce.slice(2);
    if ((await readWord(rpc, { to: requirements.asset, data }, head)) === 0n)
      return { kind: BigInt(head.timestamp) >= BigInt(validBefore) ? "cancelled" : "absent" };

    const topics = [[AUTHORIZATION_USED, AUTHORIZATION_CANCELED], toTopic(payer), nonce];
    for await (const event of logsBack(rpc, { head, filter: { address: requirements.asset, topics }, since })) {
      if (event.topics[0]?.toLowerCase() === AUTHORIZATION_CANCELED) return { kind: "cancelled" };
      const { status, logs } = await receiptOf(rpc, event.transactionHash);
      const transfer = status === "0x1" ? transferOf(event, logs) : undefined;
      if (!transfer || !isOurs(transfer, payment)) return { kind: "cancelled" };
      const transaction = event.transactionHash;
      return { kind: "paid", transaction, proof: `${transaction}:${transfer.logIndex}` };
    }
  } catch {
    // The node does not answer, or does not have the block that it reported.
  }
  // guard: a node that does not answer proves nothing | returns { kind: "unknown" } | PAYMENT
  return { kind: "unreadable" };
}

/**
 * The token emits the use of an authorization, followed by its transfer. Other transfers in the transaction belong to
 * other authorizations: a payer can use several in one, and use the nonce for another authorization than the one shown.
 */
function transferOf(event: Log, logs: Log[]): Log | undefined {
  const ofToken = logs.filter(({ address }) => address.toLowerCase() === event.address.toLowerCase());
  const at = ofToken.findIndex(({ logIndex }) => logIndex === event.logIndex);
  // guard: a payment is proven by the transfer that follows the use of its own nonce |
  //   ofToken[at + 1] -> ofToken.at(-1) | evm/lookup
  return at < 0 ? undefined : ofToken[at + 1];
}

function isOurs(entry: Log, payment: PaymentToSettle): boolean {
  const { payer, requirements } = payment;
  const [event, from, to] = entry.topics.map((topic) => topic.toLowerCase());
  return (
    event === TRANSFER &&
    from === toTopic(payer) &&
    to === toTopic(requirements.payTo) &&
    BigInt(entry.data) === BigInt(amountOf(payment))
  );
}
