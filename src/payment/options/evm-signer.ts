/** The EIP-3009 message, and the interface of a wallet that signs it. */

export const AUTHORIZATION_TYPES = {
  TransferWithAuthorization: [
    { name: "from", type: "address" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "validAfter", type: "uint256" },
    { name: "validBefore", type: "uint256" },
    { name: "nonce", type: "bytes32" },
  ],
} as const;

/** A type alias, because interfaces are not assignable to records. */
export type AuthorizationMessage = {
  from: `0x${string}`;
  to: `0x${string}`;
  value: bigint;
  validAfter: bigint;
  validBefore: bigint;
  nonce: `0x${string}`;
};

/** A wallet that signs typed data, such as viem's accounts. */
export interface EvmSigner {
  address: string;
  signTypedData(data: {
    domain: { name: string; version: string; chainId: number; verifyingContract: `0x${string}` };
    types: typeof AUTHORIZATION_TYPES;
    primaryType: "TransferWithAuthorization";
    message: AuthorizationMessage;
  }): Promise<string>;
}
