/** Reads a payment's Solana transaction strictly, so that its bytes have only one meaning. */
import { z } from "zod";
import { without } from "../../../errors.js";
import { lazy, once } from "../../../lib/lazy.js";
import { named } from "../../../lib/packages/named.js";
import { PaymentRefused } from "../../x402/refusal.js";

const web3 = lazy(() => import("@solana/web3.js").catch(without("@solana/web3.js")).then(named));

/** Size of one packet of the network. */
const MAX_BYTES = 1232;

const transactionPayload = once(() =>
  z.object({
    // Base64 in either alphabet, with or without padding.
    transaction: z.string().regex(/^[A-Za-z0-9+/_-]{1,2048}={0,2}$/),
  }),
);

/** Addresses are base58 text. */
export interface Instruction {
  program: string;
  accounts: string[];
  data: Uint8Array;
}

export interface SolanaTransaction {
  bytes: Uint8Array;
  /** The signed bytes, after the signatures. */
  message: Uint8Array;
  /** Required signers and their signatures. The first one pays the network's fee. */
  signers: { address: string; signature: Uint8Array }[];
  instructions: Instruction[];
}

/** Reads `payload.transaction`. Throws PaymentRefused unless it is one complete transaction in canonical form. */
export async function readTransaction(payload: Record<string, unknown>): Promise<SolanaTransaction> {
  const parsed = transactionPayload().safeParse(payload);
  if (!parsed.success) throw malformed("is not base64 text in payload.transaction");
  const bytes = Buffer.from(parsed.data.transaction, "base64");
  if (bytes.length > MAX_BYTES) throw malformed(`is longer than ${MAX_BYTES} bytes`);
  const transaction = await deserialize(bytes);
  const { message, signatures } = transaction;
  if (message.version !== "legacy" && message.version !== 0) throw malformed("is of an unknown version");
  if (message.addressTableLookups.length > 0) throw malformed("uses address lookup tables");

  const addresses = message.staticAccountKeys.map((key) => key.toBase58());
  if (new Set(addresses).size !== addresses.length) throw malformed("names an account twice");
  const addressAt = (index: number): string => {
    const address = addresses[index];
    if (address === undefined) throw malformed("refers to an account that it does not name");
    return address;
  };
  return {
    bytes,
    message: bytes.subarray(bytes.length - message.serialize().length),
    signers: signatures.map((signature, index) => ({ address: addressAt(index), signature })),
    instructions: message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
      program: addressAt(programIdIndex),
      accounts: [...accountKeyIndexes].map(addressAt),
      data,
    })),
  };
}

async function deserialize(bytes: Buffer) {
  const { VersionedTransaction } = await web3();
  try {
    const transaction = VersionedTransaction.deserialize(bytes);
    // A second spelling of a length, or bytes after the end, would make another payment of the same transfer.
    if (bytes.equals(transaction.serialize())) return transaction;
  } catch {
    // Truncated or invalid.
  }
  throw malformed("cannot be decoded");
}

const malformed = (why: string) => new PaymentRefused("PAYMENT_MALFORMED", `The Solana transaction ${why}.`);
