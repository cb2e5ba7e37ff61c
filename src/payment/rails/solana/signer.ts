/** Whether an object is a wallet that signs for Solana. */
import { base58 } from "@scure/base";
import type { SolanaSigner } from "../../options/solana-signer.js";

/** Throws a TypeError naming `option` if the signer is not a Solana wallet. */
export function assertSolanaSigner(signer: object, option: string): asserts signer is SolanaSigner {
  const { publicKey, secretKey } = signer as Partial<SolanaSigner>;
  const address = secretKey?.length === 64 ? base58.encode(secretKey.subarray(32)) : undefined;
  if (address === undefined || publicKey?.toBase58?.() !== address)
    throw new TypeError(
      `${option} must be a wallet of Solana: { publicKey, secretKey }, as Keypair of @solana/web3.js.`,
    );
}
