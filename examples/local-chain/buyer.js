// A buyer as any agent has one: the official client around fetch. It answers a 402 by signing the first offer it can
// pay, at most one dollar, and sends the request again.
import { registerExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";

/**
 * @param {object} [options]
 * @param {import("viem").Hex} [options.privateKey] default: a new one
 * @param {typeof globalThis.fetch} [options.fetch] what the requests go through
 */
export function createBuyer({ privateKey = generatePrivateKey(), fetch = globalThis.fetch } = {}) {
  const account = privateKeyToAccount(privateKey);
  const client = registerExactEvmScheme(new x402Client(), { signer: account });
  return { address: account.address, fetch: wrapFetchWithPayment(fetch, client) };
}
