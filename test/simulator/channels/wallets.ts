/** The people of the world, the same in each, so that what they sign need be signed once. */
import {
  BatchSettlementEvmScheme,
  buildChannelConfig,
  computeChannelId,
  signVoucher,
} from "@x402/evm/batch-settlement/client";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import type { PaymentRequirements } from "../../../src/payment/x402/wire.js";
import { remembered } from "../remembered.js";
import type { Contract, Sent } from "./contract.js";

export const authorizer = rememberedSigner(privateKeyToAccount(`0x${"22".repeat(32)}`));
const accountOf = (key: number) => privateKeyToAccount(`0x${String(key).padStart(64, "5")}`);
export const people = [1, 2, 3, 4, 5].map(accountOf);
/** They sign nothing here, ever; strangers open channels in their names. */
export const victims = [6, 7].map(accountOf);
export const strangers = [8, 9].map(accountOf);
/** Each has a channel that nobody else pays with. */
export const rushers = [10, 11, 12].map(accountOf);
/** Has a channel for each salt, and buys nothing. */
export const idler = accountOf(3333);
const victimNames = victims.map(({ address }) => address.toLowerCase());
export const namesVictim = (text: string): boolean => victimNames.some((name) => text.toLowerCase().includes(name));

function rememberedSigner(account: PrivateKeyAccount) {
  return {
    address: account.address,
    signTypedData: (data: object): Promise<`0x${string}`> => {
      const text = JSON.stringify(data, (_, value) => (typeof value === "bigint" ? String(value) : value));
      return remembered(`signed ${account.address} ${text}`, () => account.signTypedData(data as never));
    },
  };
}

/** An account whose vouchers the contract knows. */
function voucherSigner(account: PrivateKeyAccount, contract: Contract) {
  const signer = rememberedSigner(account);
  return {
    ...account,
    async signTypedData(data: { primaryType: string; message: Record<string, unknown> }) {
      const signature = await signer.signTypedData(data);
      const { channelId, maxClaimableAmount } = data.message;
      if (data.primaryType === "Voucher")
        contract.signed.set(signature, { id: String(channelId), ceiling: BigInt(String(maxClaimableAmount)) });
      return signature;
    },
  };
}

/** A voucher of a channel that names somebody else as its payer. */
export async function voucherInNameOf(
  payer: string,
  { signer, contract, offer, ceiling }: Impostor,
): Promise<Pick<Sent, "type" | "channelConfig" | "voucher">> {
  const account = voucherSigner(signer, contract);
  const deps = { signer: account as never, salt: `0x${"00".repeat(32)}` as const, storage: undefined as never };
  const own = buildChannelConfig(deps, offer as never);
  const channelConfig = { ...own, payer, payerAuthorizer: signer.address };
  const network = offer.network as `${string}:${string}`;
  const id = computeChannelId(channelConfig as never, network);
  return { type: "voucher", channelConfig, voucher: await signVoucher(account as never, id, `${ceiling}`, network) };
}

/** A voucher for nothing, with which all of a deposit is asked back. */
export const signNothing = (
  account: PrivateKeyAccount,
  { contract, id, network }: { contract: Contract; id: string; network: `${string}:${string}` },
) => signVoucher(voucherSigner(account, contract) as never, id as `0x${string}`, "0", network);

interface Impostor {
  signer: PrivateKeyAccount;
  contract: Contract;
  offer: PaymentRequirements;
  ceiling: bigint;
}

/** A stock client of channels: what it signs, the contract knows. */
export function stockClient(
  account: PrivateKeyAccount,
  contract: Contract,
  salt: `0x${string}` = `0x${"00".repeat(32)}`,
): BatchSettlementEvmScheme {
  const signer = {
    ...voucherSigner(account, contract),
    async readContract({ functionName, args }: { functionName: string; args: [string] }) {
      // Each wallet has allowed Permit2 to take its tokens.
      if (functionName === "allowance") return 2n ** 256n - 1n;
      const { balance, claimed } = contract.at(args[0]);
      return [balance, claimed];
    },
  };
  return new BatchSettlementEvmScheme(signer as never, { salt });
}
