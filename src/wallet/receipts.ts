/** What was done for a call, for whoever has to decide about its money. */
import type { WalletCall } from "../capability/types.js";
import type { Database } from "./database.js";

/** Whether a call has done its work: whoever holds the wallet is waited for, so that nothing is under way any more. */
export async function hasReceipt(
  database: Database,
  { id, callId }: Pick<WalletCall, "id" | "callId">,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    await tx.query("select from @wallets where wallet = $1 for update", [id]);
    const { rows } = await tx.query("select from @receipts where wallet = $1 and call = $2", [id, callId]);
    return rows.length > 0;
  });
}
