/** A wallet that signs transactions, as the Keypairs of `@solana/web3.js` are. */
export interface SolanaSigner {
  publicKey: { toBase58(): string };
  /** The seed and the public key: 64 bytes. */
  secretKey: Uint8Array;
}
