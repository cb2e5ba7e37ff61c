/**
 * EIP-712 hashes of channels. Ids and vouchers are hashed at each call, so this file encodes them directly; viem
 * handles the rest.
 */
import { lazy } from "../../../lib/lazy.js";

/** The same addresses on every network. */
export const BATCH_SETTLEMENT = "0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003";
export const DEPOSIT_COLLECTOR = "0x4020806089470a89826cB9fB1f4059150b550004";
export const PERMIT2_DEPOSIT_COLLECTOR = "0x4020425FAf3B746C082C2f942b4E5159887B0005";

const keccak = lazy(async () => (await import("@noble/hashes/sha3.js")).keccak_256);

export interface ChannelConfig {
  payer: string;
  payerAuthorizer: string;
  receiver: string;
  receiverAuthorizer: string;
  token: string;
  withdrawDelay: number;
  salt: string;
}

const DOMAIN_TYPE = "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)";
const CONFIG_TYPE =
  "ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)";
const VOUCHER_TYPE = "Voucher(bytes32 channelId,uint128 maxClaimableAmount)";

export const domainOf = (chainId: number) => ({
  name: "x402 Batch Settlement",
  version: "1",
  chainId,
  verifyingContract: BATCH_SETTLEMENT as `0x${string}`,
});

export const CLAIM_TYPES = {
  ClaimBatch: [{ name: "claims", type: "ClaimEntry[]" }],
  ClaimEntry: [
    { name: "channelId", type: "bytes32" },
    { name: "maxClaimableAmount", type: "uint128" },
    { name: "totalClaimed", type: "uint128" },
  ],
} as const;

export const REFUND_TYPES = {
  Refund: [
    { name: "channelId", type: "bytes32" },
    { name: "nonce", type: "uint256" },
    { name: "amount", type: "uint128" },
  ],
} as const;

/** Only the collector submits a deposit, so its authorization is to receive, not to transfer. */
export const DEPOSIT_TYPES = {
  ReceiveWithAuthorization: [
    { name: "from", type: "address" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "validAfter", type: "uint256" },
    { name: "validBefore", type: "uint256" },
    { name: "nonce", type: "bytes32" },
  ],
} as const;

/** Through Permit2 the witness names the channel. */
export const PERMIT2_DEPOSIT_TYPES = {
  PermitWitnessTransferFrom: [
    { name: "permitted", type: "TokenPermissions" },
    { name: "spender", type: "address" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
    { name: "witness", type: "DepositWitness" },
  ],
  TokenPermissions: [
    { name: "token", type: "address" },
    { name: "amount", type: "uint256" },
  ],
  DepositWitness: [{ name: "channelId", type: "bytes32" }],
} as const;

export interface ChannelHashes {
  /** The channel's id, in lower case. */
  idOf(config: ChannelConfig): string;
  /** The digest that the voucher key signs. */
  voucherDigest(id: string, ceiling: bigint): Uint8Array;
  /** The nonce that binds a deposit's authorization to one channel. */
  depositNonce(id: string, salt: bigint): `0x${string}`;
}

/** Loads the hash function once; the returned functions are synchronous. */
export async function channelHashes(chainId: number): Promise<ChannelHashes> {
  const hash = await keccak();
  const ofText = (text: string) => Buffer.from(hash(Buffer.from(text)));
  const domain = domainOf(chainId);
  const separator = hash(
    Buffer.concat([
      ofText(DOMAIN_TYPE),
      ofText(domain.name),
      ofText(domain.version),
      word(BigInt(chainId)),
      hexWord(BATCH_SETTLEMENT),
    ]),
  );
  const configType = ofText(CONFIG_TYPE);
  const voucherType = ofText(VOUCHER_TYPE);
  const prefix = Buffer.concat([Buffer.from([0x19, 0x01]), separator]);
  const digest = (words: Uint8Array[]) => hash(Buffer.concat([prefix, hash(Buffer.concat(words))]));

  return {
    idOf: (config) => {
      const { payer, payerAuthorizer, receiver, receiverAuthorizer, token, withdrawDelay, salt } = config;
      const addresses = [payer, payerAuthorizer, receiver, receiverAuthorizer, token].map(hexWord);
      return toHex(digest([configType, ...addresses, word(BigInt(withdrawDelay)), hexWord(salt)]));
    },
    voucherDigest: (id, ceiling) => digest([voucherType, hexWord(id), word(ceiling)]),
    depositNonce: (id, salt) => toHex(hash(Buffer.concat([hexWord(id), word(salt)]))),
  };
}

const hexWord = (hex: string): Buffer => Buffer.from(hex.slice(2).padStart(64, "0"), "hex");
const word = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, "0"), "hex");
const toHex = (bytes: Uint8Array): `0x${string}` => `0x${Buffer.from(bytes).toString("hex")}`;
