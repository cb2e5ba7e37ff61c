/** Payment by a browser wallet: EIP-1193 requests, EIP-3009 signatures, x402 version 2 headers. */

export interface Offer {
  scheme: string;
  network: string;
  amount: string;
  asset: string;
  payTo: string;
  maxTimeoutSeconds: number;
  extra: { name?: string; version?: string; assetTransferMethod?: string };
}

export interface Quote {
  x402Version: number;
  error?: string;
  resource?: unknown;
  accepts: Offer[];
  extensions?: Record<string, unknown>;
}

interface Provider {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>;
}

declare global {
  interface Window {
    ethereum?: Provider;
  }
}

export const hasWallet = (): boolean => typeof window.ethereum?.request === "function";

/** The offers of a 402, from the header that x402 clients read. */
export function quoteOf(response: Response): Quote | undefined {
  const header = response.headers.get("payment-required");
  if (!header) return undefined;
  const bytes = Uint8Array.from(atob(header), (sign) => sign.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** The offer that a browser's wallet can sign. */
export const payableOffer = ({ accepts }: Quote): Offer | undefined =>
  accepts.find(
    ({ scheme, network, extra }) => scheme === "exact" && network.startsWith("eip155:") && Boolean(extra?.name),
  );

/**
 * Asks the wallet to sign an offer. Resolves to the PAYMENT-SIGNATURE header; rejects if the user or the wallet
 * refuses.
 */
export async function signPayment(quote: Quote, offer: Offer): Promise<string> {
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
  const payment = {
    x402Version: 2,
    resource: quote.resource,
    accepted: offer,
    payload: { signature, authorization },
  };
  return btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(payment))));
}

/** Circle's dollar by the name that people know: its contracts call themselves by two, and on Solana it has none. */
const USDC_MINTS = ["EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU"];

export function tokenName({ asset, extra }: Offer): string {
  if (extra.name === "USD Coin" || USDC_MINTS.includes(asset)) return "USDC";
  return extra.name ?? "of the token";
}

const NETWORKS: Record<string, string> = {
  "eip155:8453": "Base",
  "eip155:84532": "Base Sepolia (test money)",
  "eip155:1": "Ethereum",
  "eip155:137": "Polygon",
  "eip155:42161": "Arbitrum",
  "eip155:10": "Optimism",
  "eip155:43114": "Avalanche",
  "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp": "Solana",
  "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1": "Solana devnet (test money)",
};

export const networkName = (network: string): string => NETWORKS[network] ?? network;

/** Atomic units of six decimals as a decimal number. */
export function amountText(amount: string): string {
  const digits = amount.padStart(7, "0");
  const fraction = digits.slice(-6).replace(/0+$/, "");
  return fraction ? `${digits.slice(0, -6)}.${fraction}` : digits.slice(0, -6);
}
