/** The offers of a 402 and the header that pays one, as x402 version 2 has them; and offers in words. */

export interface Offer {
  scheme: string;
  network: string;
  amount: string;
  asset: string;
  payTo: string;
  maxTimeoutSeconds: number;
  extra: {
    name?: string;
    version?: string;
    assetTransferMethod?: string;
    feePayer?: string;
    memo?: string;
  };
}

export interface Quote {
  x402Version: number;
  error?: string;
  resource?: unknown;
  accepts: Offer[];
  extensions?: Record<string, unknown>;
}

/** The offers of a 402, from the header that x402 clients read. */
export function quoteOf(response: Response): Quote | undefined {
  const header = response.headers.get("payment-required");
  if (!header) return undefined;
  const bytes = Uint8Array.from(atob(header), (sign) => sign.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** The PAYMENT-SIGNATURE header of an offer that was signed. */
export function paymentHeader({ resource }: Quote, accepted: Offer, payload: object): string {
  return base64(new TextEncoder().encode(JSON.stringify({ x402Version: 2, resource, accepted, payload })));
}

export const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** Circle's dollar by the name that people know: its contracts call themselves by two, and on Solana it has none. */
const USDC_MINTS = ["EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU"];

function tokenName({ asset, extra }: Offer): string {
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
function amountText(amount: string): string {
  const digits = amount.padStart(7, "0");
  const fraction = digits.slice(-6).replace(/0+$/, "");
  return fraction ? `${digits.slice(0, -6)}.${fraction}` : digits.slice(0, -6);
}

/** "0.001 USDC" */
export const priceOf = (offer: Offer): string => `${amountText(offer.amount)} ${tokenName(offer)}`;
