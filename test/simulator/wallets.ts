/** Payers: people with keys, and contract wallets whose signatures only the chain can judge. */
import { createHash } from "node:crypto";
import type { Keypair } from "@solana/web3.js";
import { privateKeyToAccount } from "viem/accounts";
import type { EvmSigner } from "../../src/payment/options/evm-signer.js";
import { EXACT_PROXY, UPTO_PROXY } from "../../src/payment/rails/evm/chain/permit2-contracts.js";
import { permitData } from "../../src/payment/rails/evm/permit2.js";
import type { PaymentRequirements } from "../../src/payment/x402/wire.js";
import { type Authorization, type SignedPayment, sign, TREASURY } from "../support/wallets.js";
import { authorizationKey, messageKey } from "./chain.js";
import { remembered } from "./remembered.js";
import { authorizationIn, keypairOf, SOLANA_TREASURY, signSolana } from "./solana.js";

export const NETWORK = "eip155:8453";

/** Where the service is paid: a host may change it while payments to the former one are under way. */
export const TREASURIES = [TREASURY, "0x5AEDA56215b167893e80B4fE645BA6d5Bab767DE"] as const;
export const isOurs = (address: string): boolean => [...TREASURIES, SOLANA_TREASURY].includes(address);

const account = (byte: string) => privateKeyToAccount(`0x${byte.repeat(32)}`);
const sha = (text: string) => createHash("sha256").update(text).digest("hex");

export type Account = ReturnType<typeof account>;
export interface Wallet {
  address: string;
  /** Absent where a contract judges signatures, and on Solana. */
  account?: Account;
  /** Of a wallet on Solana. */
  keypair?: Keypair;
}

export const people: Wallet[] = ["a1", "a2", "a3"].map((byte) => ({
  address: account(byte).address,
  account: account(byte),
}));
export const contractWallet = (id: number): Wallet => ({ address: `0x${sha(`contract wallet ${id}`).slice(0, 40)}` });

export const solanaWallet = (id: number): Wallet => {
  const keypair = keypairOf(id);
  return { address: keypair.publicKey.toBase58(), keypair };
};

export const REFUND_ADDRESS = contractWallet(0).address;

/** Who shares what the service sells, and the wallet that pays it out. */
export const PARTNER = contractWallet(1000).address;
export const PAYOUT_ADDRESS = contractWallet(1001).address;

/** Nobody but the facilitator looks at the signature of a return, so it is as a contract wallet's. */
export const refundWallet = (
  onSign: (authorization: Authorization, signature: string) => void,
  address = REFUND_ADDRESS,
): EvmSigner => ({
  address,
  async signTypedData(data) {
    if (data.primaryType === "PermitWitnessTransferFrom") {
      const { permitted, nonce, deadline, witness } = data.message as unknown as Permit;
      const signed = { from: address, permitted, spender: EXACT_PROXY, nonce: String(nonce), deadline, witness };
      const authorization = authorizationOf({ permit2Authorization: signed });
      const signature = contractSignature(authorization);
      onSign(authorization, signature);
      return signature;
    }
    if (data.primaryType !== "TransferWithAuthorization") throw new TypeError("a return is an authorization");
    const { message } = data;
    const { from, to, nonce } = message;
    const [value, validAfter, validBefore] = [message.value, message.validAfter, message.validBefore].map(String);
    if (!value || !validAfter || !validBefore) throw new TypeError("a return without its numbers");
    const authorization = { from, to, value, validAfter, validBefore, nonce };
    const signature = contractSignature(authorization);
    onSign(authorization, signature);
    return signature;
  },
});

const contractSignature = (authorization: Authorization) => `0x${sha(messageKey(authorization)).repeat(4)}`;

export interface Signed {
  payment: Omit<SignedPayment, "payload"> & { payload: SentPayload };
  /** What it lets the chain do; of a permit, at most. */
  authorization: Authorization;
  /** What the chain knows the money by. */
  key: string;
}

/** What facilitators are sent: one of the two beside its signature, or a transaction of Solana. */
export type SentPayload = {
  signature?: string;
  authorization?: Authorization;
  permit2Authorization?: Permit;
  transaction?: string;
};

interface Permit {
  from: string;
  permitted: { token: string; amount: string };
  spender: string;
  nonce: string;
  deadline: string;
  /** Of a maximum it names the facilitator. */
  witness: { to: string; facilitator?: string; validAfter: string };
}

/** True where the protocol's proxy for whole amounts takes it, by Permit2. */
export type AuthorizationOrPermit = Authorization & { byPermit?: true };

/** The facilitator's account that settles permits. */
export const SETTLER = "0x4020000000000000000000000000000000000a11";

/** A permit says what an authorization does, of a maximum. Its nonce is a number, where the other's is in hex. */
export function authorizationOf(payload: SentPayload): AuthorizationOrPermit {
  const { permit2Authorization: permit, transaction } = payload;
  const authorization = transaction === undefined ? payload.authorization : authorizationIn(transaction);
  if (authorization) return authorization;
  if (!permit) throw new TypeError("a payment without an authorization");
  const { from, permitted, nonce, deadline, witness } = permit;
  const { to, validAfter, facilitator } = witness;
  const [value, validBefore] = [String(permitted.amount), String(deadline)];
  const byPermit = facilitator === undefined ? { byPermit: true as const } : {};
  return { from, to, value, validAfter: String(validAfter), validBefore, nonce, ...byPermit };
}

export interface SignWish {
  wallet: Wallet;
  /** Epoch milliseconds. */
  now: number;
  /** Tells apart what is signed in the same moment. */
  serial: number;
  lifeSeconds?: number | undefined;
  nonce?: string | undefined;
}

/** Signs for an offer. Times are rounded and nonces derived, so that other worlds can use the same signature. */
export async function signFor(
  terms: PaymentRequirements,
  { wallet, now, serial, lifeSeconds, nonce }: SignWish,
): Promise<Signed> {
  if (wallet.keypair) {
    const { transaction, authorization } = signSolana(terms, { keypair: wallet.keypair, now, serial });
    const payment = { x402Version: 2 as const, accepted: { ...terms }, payload: { transaction } };
    return { key: authorizationKey(authorization), authorization, payment };
  }
  const seconds = Math.ceil(now / 30_000) * 30;
  const validBefore = String(seconds + (lifeSeconds ?? terms.maxTimeoutSeconds));
  const authorization = {
    from: wallet.address,
    to: terms.payTo,
    value: terms.amount,
    validAfter: "0",
    validBefore,
    nonce: nonce ?? `0x${sha(`${wallet.address} ${validBefore} ${terms.amount} ${serial}`)}`,
  };
  if (terms.scheme === "upto" || terms.extra.assetTransferMethod === "permit2")
    return permitOf(terms, { ...authorization, nonce: BigInt(authorization.nonce).toString() }, wallet);
  const key = authorizationKey(authorization);
  const { account } = wallet;
  if (!account) {
    const signature = contractSignature(authorization);
    const payload = { signature, authorization };
    return { key, authorization, payment: { x402Version: 2, accepted: { ...terms }, payload } };
  }
  const payment = await remembered(`signed ${JSON.stringify(authorization)}`, () =>
    sign(terms, { wallet: account, now: seconds, authorization }),
  );
  return { key, authorization, payment: { ...payment, accepted: { ...terms } } };
}

/** Of a maximum it is signed by a contract wallet: nobody but the facilitator looks at it. */
async function permitOf(
  terms: PaymentRequirements,
  { from, to, value: amount, validAfter, validBefore: deadline, nonce }: Authorization,
  { account }: Wallet,
): Promise<Signed> {
  const isMaximum = terms.scheme === "upto";
  const witness = { to, ...(isMaximum ? { facilitator: SETTLER } : {}), validAfter };
  const spender = isMaximum ? UPTO_PROXY : EXACT_PROXY;
  const permit = { from, permitted: { token: terms.asset, amount }, spender, nonce, deadline, witness };
  const authorization = authorizationOf({ permit2Authorization: permit });
  const data = permitData(permit, Number(terms.network.slice("eip155:".length)));
  const signature = account
    ? await remembered(`permit ${JSON.stringify(permit)}`, () => account.signTypedData(data))
    : contractSignature(authorization);
  const payload = { signature, permit2Authorization: permit };
  return {
    key: authorizationKey(authorization),
    authorization,
    payment: { x402Version: 2, accepted: { ...terms }, payload },
  };
}
