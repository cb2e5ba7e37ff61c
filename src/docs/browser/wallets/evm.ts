/** Payment by a wallet of EVM chains in the browser: EIP-1193 requests, EIP-3009 signatures. */
import { type Offer, paymentHeader, type Quote } from "./offers.js";

interface Provider {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>;
}

declare global {
  interface Window {
    ethereum?: Provider;
  }
}

export const hasEvmWallet = (): boolean => typeof window.ethereum?.request === "function";

/** The offer that such a wallet can sign. */
export const evmOffer = ({ accepts }: Quote): Offer | undefined =>
  accepts.find(
    ({ scheme, network, extra }) =>
      // Through Permit2 a wallet would first have to allow it.
      scheme === "exact" && network.startsWith("eip155:") && Boolean(extra?.name) && !extra?.assetTransferMethod,
  );

/**
 * Asks the wallet to sign an offer. Resolves to the PAYMENT-SIGNATURE header; rejects if the user or the wallet
 * refuses.
 */
export async function payByEvm(quote: Quote, offer: Offer): Promise<string> {
  const wallet = window.ethereum;
  if (!wallet) throw new Error("This browser has no wallet.");
  const chainId = Number(offer.network.slice("eip155:".length));
  const accounts = (await wallet.request({ method: "eth_requestAccounts" })) as string[];
  const [from] = accounts;
  if (!from) throw new Error("The wallet shows no account.");
  await wallet.request({
    method: "wallet_switchEthereumChain",
    params: [{ chainId: `0x${chainId.toString(16)}` }],
  });
  const now = Math.floor(Date.now() / 1000);
  const nonce = [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0"));
  const authorization = {
    from,
    to: offer.payTo,
    value: offer.amount,
    // Allows for different clocks, and for the chain's lag.
    validAfter: String(now - 600),
    validBefore: String(now + offer.maxTimeoutSeconds),
    nonce: `0x${nonce.join("")}`,
  };
  const typedData = {
    types: {
      EIP712Domain: [
        { name: "name", type: "string" },
        { name: "version", type: "string" },
        { name: "chainId", type: "uint256" },
        { name: "verifyingContract", type: "address" },
      ],
      TransferWithAuthorization: [
        { name: "from", type: "address" },
        { name: "to", type: "address" },
        { name: "value", type: "uint256" },
        { name: "validAfter", type: "uint256" },
        { name: "validBefore", type: "uint256" },
        { name: "nonce", type: "bytes32" },
      ],
    },
    primaryType: "TransferWithAuthorization",
    domain: { name: offer.extra.name, version: offer.extra.version, chainId, verifyingContract: offer.asset },
    message: authorization,
  };
  const signature = await wallet.request({
    method: "eth_signTypedData_v4",
    params: [from, JSON.stringify(typedData)],
  });
  return paymentHeader(quote, offer, { signature, authorization });
}
