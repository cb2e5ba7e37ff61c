/** The people of the world, the same in each, so that what they sign need be signed once. */
import { BatchSettlementEvmScheme } from "@x402/evm/batch-settlement/client";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { remembered } from "../remembered.js";
import type { Contract } from "./contract.js";

export const authorizer = rememberedSigner(privateKeyToAccount(`0x${"22".repeat(32)}`));
export const people = [1, 2, 3, 4, 5].map((key) => privateKeyToAccount(`0x${String(key).padStart(64, "5")}`));

function rememberedSigner(account: PrivateKeyAccount) {
  return {
    address: account.address,
    signTypedData: (data: object): Promise<`0x${string}`> => {
      const text = JSON.stringify(data, (_, value) => (typeof value === "bigint" ? String(value) : value));
      return remembered(`signed ${account.address} ${text}`, () => account.signTypedData(data as never));
    },
  };
}

/** A stock client of channels: what it signs, the contract knows. */
export function stockClient(account: PrivateKeyAccount, contract: Contract): BatchSettlementEvmScheme {
  const signer = rememberedSigner(account);
  const scheme = new BatchSettlementEvmScheme({
    ...account,
    async signTypedData(data: { primaryType: string; message: Record<string, unknown> }) {
      const signature = await signer.signTypedData(data);
      const { channelId, maxClaimableAmount } = data.message;
      if (data.primaryType === "Voucher")
        contract.signed.set(signature, { id: String(channelId), ceiling: BigInt(String(maxClaimableAmount)) });
      return signature;
    },
    async readContract({ args }: { args: [string] }) {
      const { balance, claimed } = contract.at(args[0]);
      return [balance, claimed];
    },
  } as never);
  return scheme;
}
