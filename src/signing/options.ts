/** The key with which a host signs its answers, offers and receipts. */
export interface SigningOptions {
  /** An Ed25519 key as a private JWK (`{ kty: "OKP", crv: "Ed25519", x, d }`), or an account such as viem's. */
  key: Ed25519Jwk | SigningAccount;
}

export interface Ed25519Jwk {
  kty?: string | undefined;
  crv?: string | undefined;
  x?: string | undefined;
  d?: string | undefined;
}

/** The methods of viem's accounts: a local key, or one in hardware. */
export interface SigningAccount {
  address: `0x${string}`;
  /** Uncompressed, as hex; without it, the published key contains only the address. */
  publicKey?: `0x${string}`;
  signMessage(message: { message: { raw: Uint8Array } }): Promise<`0x${string}`>;
  signTypedData(data: {
    domain: { name: string; version: string; chainId: number };
    types: Record<string, { name: string; type: string }[]>;
    primaryType: string;
    message: Record<string, unknown>;
  }): Promise<`0x${string}`>;
}
