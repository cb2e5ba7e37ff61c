/** A wallet that signs transactions, such as a Keypair of `@solana/web3.js`. */
export interface SolanaSigner {
  publicKey: { toBase58(): string };
  /** The seed and the public key: 64 bytes. */
  secretKey: Uint8Array;
}
