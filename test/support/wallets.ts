/** Wallets that sign for real. Their keys are public and worthless. */
import { randomBytes } from "node:crypto";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import type { PaymentRequirements } from "../../src/payment/x402/wire.js";

export const TREASURY = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C";
export const alice = privateKeyToAccount(`0x${"11".repeat(32)}`);
export const bob = privateKeyToAccount(`0x${"22".repeat(32)}`);
export const mallory = privateKeyToAccount(`0x${"66".repeat(32)}`);

export interface Quote {
  x402Version: number;
  error: string;
  resource: { url: string; description: string };
  accepts: PaymentRequirements[];
  extensions?: Record<string, unknown>;
}

/** The offers of a 402, from the header that stock clients read. */
export function quoteOf(response: Response): Quote {
  return JSON.parse(Buffer.from(response.headers.get("payment-required") ?? "", "base64").toString("utf8")) as Quote;
}

export interface Authorization {
  from: string;
  to: string;
  value: string;
  validAfter: string;
  validBefore: string;
  nonce: string;
}

export interface SignOptions {
  wallet?: PrivateKeyAccount;
  /** Epoch seconds. */
  now: number;
  /** Changes what is signed. */
  authorization?: Partial<Authorization>;
  /** Changes the domain that is signed for. */
  domain?: { name?: string; version?: string; chainId?: number; verifyingContract?: string };
}

export interface SignedPayment {
  x402Version: 2;
  resource?: unknown;
  accepted: Record<string, unknown>;
  payload: { signature: string; authorization: Authorization };
  extensions?: unknown;
}

/** Signs an EIP-3009 authorization for an offer, as the official client does. */
export async function sign(terms: PaymentRequirements, options: SignOptions): Promise<SignedPayment> {
  const { wallet = alice, now } = options;
  const authorization: Authorization = {
    from: wallet.address,
    to: terms.payTo,
    value: terms.amount,
    validAfter: String(now - 600),
    validBefore: String(now + terms.maxTimeoutSeconds),
    nonce: `0x${randomBytes(32).toString("hex")}`,
    ...options.authorization,
  };
  const signature = await wallet.signTypedData({
    domain: {
      name: String(terms.extra.name),
      version: String(terms.extra.version),
      chainId: Number(terms.network.split(":")[1]),
      verifyingContract: terms.asset as `0x${string}`,
      ...(options.domain as object),
    },
    types: {
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
    message: {
      from: authorization.from as `0x${string}`,
      to: authorization.to as `0x${string}`,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
      nonce: authorization.nonce as `0x${string}`,
    },
  });
  return { x402Version: 2, accepted: { ...terms }, payload: { signature, authorization } };
}

export const toHeader = (payment: unknown): string => Buffer.from(JSON.stringify(payment)).toString("base64");

/** A payment as a client makes it that sends our terms back, but not the secret in them. */
export function withoutRetryKey<P extends { accepted: object }>(payment: P): P {
  const { accepted } = payment as { accepted: { extra?: Record<string, unknown> } };
  const { retryKey: _, ...extra } = accepted.extra ?? {};
  return { ...payment, accepted: { ...accepted, extra } };
}
