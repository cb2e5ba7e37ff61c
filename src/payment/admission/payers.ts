/** Lists of wallets that may, or may not, pay. */
import { being, type ChecksOf, listOf, shape } from "../../lib/options/check.js";
import { accountId, familyOf, plainAnywhere } from "../networks/accounts.js";
import { families } from "../networks/families.js";
import type { PayersOptions } from "./options.js";

/** A wallet of a call, on the network that it pays on. */
export interface Wallet {
  address: string;
  network?: string | undefined;
}

export type WalletList = (wallet: Wallet) => boolean;

const CAIP10 = /^([-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}):(\S{1,128})$/;

function isAccount(value: unknown): boolean {
  if (typeof value !== "string") return false;
  const [, network, address] = CAIP10.exec(value) ?? [];
  if (network === undefined || address === undefined) return families.some(({ isAddress }) => isAddress(value));
  return familyOf(network)?.isAddress(address) ?? false;
}

const accounts = listOf(
  being('an account, as "eip155:8453:0x…", or a plain address of an EVM network or of Solana', isAccount),
);
const PAYERS: ChecksOf<PayersOptions> = { allow: accounts, deny: accounts };
export const payersOptions = shape<PayersOptions>(PAYERS);

/** On EVM networks case does not matter, on Solana it does. */
export function walletList(listed: readonly string[]): WalletList {
  const names = new Set(
    listed.map((name) => {
      const [, network, address] = CAIP10.exec(name) ?? [];
      return network && address ? accountId(network, address) : plainAnywhere(name);
    }),
  );
  return ({ address, network }) =>
    names.has(plainAnywhere(address)) || (network !== undefined && names.has(accountId(network, address)));
}
