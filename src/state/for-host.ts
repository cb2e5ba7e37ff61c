/** Questions of a host to the state of wallets, beside calls: whether one was done, and rounds of cleaning up. */
import type { WalletCall } from "../capability/wallets.js";
import { type DatabaseLocation, openWallets } from "./database/open.js";

/** Whether a call has done its work. Rejects if this cannot be determined now. */
export const receiptLookup =
  (location: DatabaseLocation) =>
  async (call: WalletCall): Promise<boolean> => {
    const [{ hasReceipt }, database] = await Promise.all([import("./wallet/receipts.js"), openWallets(location)]);
    return hasReceipt(database, call);
  };

/** One round of deleting expired rows, by the host's `clock` if it has one. Resolves to the number of rows. */
export const cleanUpOf =
  (location: DatabaseLocation, clock: (() => Date) | undefined) =>
  async (endsAt?: number): Promise<number> => {
    const [{ cleanUp }, database] = await Promise.all([import("./cleanup.js"), openWallets(location)]);
    return cleanUp(database, clock?.() ?? null, endsAt === undefined ? {} : { endsAt });
  };
