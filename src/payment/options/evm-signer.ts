/** The messages of a refund, by EIP-3009 or Permit2, and the interface of a wallet that signs them. */

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

/** An EIP-3009 authorization, for the token. */
export interface AuthorizationToSign {
  domain: { name: string; version: string; chainId: number; verifyingContract: `0x${string}` };
  types: typeof AUTHORIZATION_TYPES;
  primaryType: "TransferWithAuthorization";
  message: AuthorizationMessage;
}

/** A transfer through Permit2. */
export interface PermitToSign {
  domain: { name: "Permit2"; chainId: number; verifyingContract: `0x${string}` };
  types: Readonly<Record<string, readonly { name: string; type: string }[]>>;
  primaryType: "PermitWitnessTransferFrom";
  message: Readonly<Record<string, unknown>>;
}

/** A wallet that signs typed data, such as viem's accounts. */
export interface EvmSigner {
  address: string;
  signTypedData(data: AuthorizationToSign | PermitToSign): Promise<string>;
}

/** A transaction of a wallet's own, with its gas. */
export interface TransactionToSign {
  type: "eip1559";
  chainId: number;
  nonce: number;
  to: `0x${string}`;
  data: `0x${string}`;
  value: bigint;
  gas: bigint;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

/** A wallet that signs its own transactions, such as viem's local accounts. It needs the network's coin for gas. */
export interface EvmSender {
  address: string;
  signTransaction(transaction: TransactionToSign): Promise<string>;
}
