/** The Solana rail: `exact` by a token transfer that the payer signed; the facilitator pays its fee. */
import { createHash } from "node:crypto";
import { base58 } from "@scure/base";
import { lazy } from "../../../lib/lazy.js";
import type { Micros } from "../../../lib/money.js";
import type { SolanaSigner } from "../../options/solana-signer.js";
import type { PaymentToSettle } from "../../x402/facilitator.js";
import { PaymentRefused } from "../../x402/refusal.js";
import type { PaymentPayload, PaymentRequirements } from "../../x402/wire.js";
import type { CheckedPayment, Rail, RefundOrder } from "../rail.js";
import type { Rpc } from "../rpc.js";
import { payerOf } from "./layout.js";
import { recentBlocks } from "./recent-block.js";
import { checkMint, findAccount, type Holding, isSolanaAddress } from "./token.js";
import { readTransaction, type SolanaTransaction } from "./transaction.js";

/** Loaded by the first settlement whose outcome is unclear, and by the first refund. */
const lookups = lazy(() => import("./lookup.js"));
const refunding = lazy(() => import("./refund.js"));
const curves = lazy(() => import("@noble/curves/ed25519.js"));

/**
 * A signed transaction lives as long as its blockhash: a minute at most, often less, whatever maxTimeoutSeconds says.
 * Longer work could not be settled afterwards.
 */
const MAX_WORK_MS = 30_000;
const REFUND_LIFE_SECONDS = 60;

export interface SolanaRailOptions {
  /** CAIP-2, such as `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp`. */
  network: string;
  /** The token's mint; it has 6 decimals. */
  asset: string;
  /** The owner who is paid, into the owner's associated token account. */
  payTo: string;
  /** The facilitator's account that pays the fee. While it is undefined, nothing is offered. */
  feePayer: () => string | undefined;
  /** Whether offers that name this account are still accepted. Default: only the current one. */
  acceptsFeePayer?: (address: string) => boolean;
  /** Node; without one no payment can be looked up or returned. */
  rpc?: Rpc | undefined;
  /** The wallet that returns unused money: a small float, never the treasury's key. */
  refunds?: SolanaSigner | undefined;
  /** Whether buyers of the Machine Payments Protocol may pay as well: the same transaction, which the facilitator settles. */
  takesCharges?: boolean;
}

/**
 * The rail of one Solana network: quotes, checks, looks up and refunds payments of the scheme `exact`.
 *
 * @example
 * ```ts
 * const network = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
 * const asset = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
 * const rail = solanaRail({ network, asset, payTo: "…", feePayer: () => supported.account("exact", network) });
 * ```
 */
export function solanaRail(options: SolanaRailOptions): Rail {
  const { network, asset, payTo, rpc, refunds, acceptsFeePayer = () => false } = options;
  if (!isSolanaAddress(payTo))
    throw new TypeError(`payment.treasury["${network}"] must be a Solana address: 32 bytes in base58.`);
  if (!isSolanaAddress(asset))
    throw new TypeError(`payment.assets["${network}"].address must be a mint's address: 32 bytes in base58.`);
  function requirementsTo(owner: string, amount: Micros, maxTimeoutSeconds: number): PaymentRequirements | undefined {
    const feePayer = options.feePayer();
    if (feePayer === undefined) return undefined;
    const extra = { feePayer };
    return { scheme: "exact", network, amount: amount.toString(), asset, payTo: owner, maxTimeoutSeconds, extra };
  }

  async function refund(back: RefundOrder, from: { signer: SolanaSigner; rpc: Rpc }): Promise<PaymentToSettle> {
    const requirements = requirementsTo(back.to, back.amount, REFUND_LIFE_SECONDS);
    if (!requirements) throw new Error("no fee payer is known yet");
    return (await refunding()).signRefund(back, { ...from, requirements });
  }

  return {
    ...(options.takesCharges ? { charge: (offer) => offer } : {}),
    maxWorkMs: MAX_WORK_MS,
    requirements: (amount, maxTimeoutSeconds) => requirementsTo(payTo, amount, maxTimeoutSeconds),
    async requirementsTaken(payment, requirements) {
      const { signers } = await readTransaction(payment.payload);
      const feePayer = signers[0]?.address ?? "";
      return acceptsFeePayer(feePayer) ? { ...requirements, extra: { ...requirements.extra, feePayer } } : requirements;
    },
    identify: async ({ payload }) => idOf(network, await readTransaction(payload)),
    check: checkTransaction,
    ...(rpc
      ? {
          checkAsset: () => checkMint(rpc, network, asset),
          owned: (owner) => readOwned(rpc, { owner, mint: asset }),
          recentBlock: recentBlocks(rpc, { owner: payTo, mint: asset }),
        }
      : {}),
    lookup: async (payment, told) =>
      rpc ? (await lookups()).findTransaction(rpc, payment, told) : { kind: "unknown" },
    lacksFunds: async (payment) => rpc !== undefined && (await lookups()).lacksFunds(rpc, payment),
    // Solana has no nonces that could be spent: two transactions with the same memo both count.
    refundsRepeat: true,
    ...(refunds && rpc
      ? {
          refund: (back) => refund(back, { signer: refunds, rpc }),
          refunds: balanceOf(rpc, refunds.publicKey.toBase58(), asset),
        }
      : {}),
  };
}

async function readOwned(rpc: Rpc, holding: Holding): Promise<bigint> {
  const { address, exists } = await findAccount(holding, rpc);
  return exists ? (await lookups()).readTokens(rpc, address) : 0n;
}

const balanceOf = (rpc: Rpc, wallet: string, mint: string) => ({
  wallet,
  balance: () => readOwned(rpc, { owner: wallet, mint }),
});

async function checkTransaction(payment: PaymentPayload, requirements: PaymentRequirements): Promise<CheckedPayment> {
  const transaction = await readTransaction(payment.payload);
  await assertSigned(transaction, requirements);
  const payer = await payerOf(transaction, requirements);
  const signature = transaction.signers.find(({ address }) => address === payer)?.signature ?? new Uint8Array();
  return {
    // Derived from the message, because the fee payer's signature is still missing, and base64 has several spellings.
    id: idOf(requirements.network, transaction),
    payer,
    proven: true,
    signatureHash: sha256(signature),
    // Facilitators read standard base64 only.
    payload: { transaction: Buffer.from(transaction.bytes).toString("base64") },
  };
}

/** The facilitator adds the fee payer's signature; all others must be there. */
async function assertSigned({ message, signers }: SolanaTransaction, requirements: PaymentRequirements): Promise<void> {
  const [feePayer, ...others] = signers;
  if (feePayer?.address !== requirements.extra.feePayer)
    throw new PaymentRefused("PAYMENT_MISMATCH", "The Solana transaction's fee payer is not the one offered.");
  if (feePayer?.signature.some((byte) => byte !== 0))
    throw new PaymentRefused("PAYMENT_MISMATCH", "The fee payer's signature must be left empty, as 64 zero bytes.");
  const { ed25519 } = await curves();
  const isSigned = ({ address, signature }: (typeof signers)[number]): boolean => {
    try {
      // As strict as the validators, because a signature valid only under lenient rules would be refused on chain.
      return ed25519.verify(signature, message, base58.decode(address), { zip215: false });
    } catch {
      return false; // The address is not a point on the curve.
    }
  };
  if (!others.every(isSigned))
    throw new PaymentRefused("PAYMENT_SIGNATURE_INVALID", "A signature is not its signer's over this transaction.");
}

const idOf = (network: string, { message }: SolanaTransaction) => `svm:${network}:${sha256(message)}`;

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
