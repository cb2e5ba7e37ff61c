/** A host's access to one wallet's state, for requests made in the wallet's name: support, a court order, a move. */
import { createContext } from "../../capability/context.js";
import type { Context } from "../../capability/types.js";
import type { Host } from "../../host/host.js";
import type { KeyUse } from "../../state/database/encrypt-anew.js";

/**
 * A wallet is named by its CAIP-10 account (`eip155:8453:0x…` in lower case), or by the name that the host's own login
 * gave.
 */
export interface HostWallets {
  /**
   * All data of a wallet, row by row, in the format of `store.export`. Rejects with PROVIDER_NOT_CONFIGURED if the host
   * keeps no state for wallets.
   *
   * @example
   * ```ts
   * for await (const row of handle.wallets.export("eip155:8453:0x…")) console.log(JSON.stringify(row));
   * ```
   */
  export(wallet: string): AsyncGenerator<Record<string, unknown>, void>;
  /**
   * Counts the rows of each key of `wallets.encryption`: by position in the list, "none" for plain rows, "unlisted" for
   * rows that no listed key decrypts. A former key may be removed once it has no rows, because background rounds
   * encrypt its rows with the first key. Reads every row. Rejects with PROVIDER_NOT_CONFIGURED if the host keeps no
   * state for wallets.
   *
   * @example
   * ```ts
   * await handle.wallets.keys(); // [{ key: 0, rows: 812 }, { key: 1, rows: 0 }, { key: "none", rows: 0 }, …]
   * ```
   */
  keys(): Promise<KeyUse[]>;
  /** Erases all data of a wallet, as `store.erase` does, and resolves to the number of deleted objects by kind. */
  erase(wallet: string): Promise<Record<string, number>>;
}

/** Time for a page of an export, or for an erasure of 50 MB. */
const TIMEOUT_MS = 60_000;

export function createWallets(host: Host): HostWallets {
  const { options, resources, brand } = host;
  const contextOf = (wallet: string): Context =>
    createContext(options, { timeoutMs: TIMEOUT_MS, resources, brand: brand, wallet: { id: wallet } });
  return {
    async *export(wallet) {
      const { exportAll } = await import("../../state/export.js");
      for (let after: string | undefined; ; ) {
        const { items, nextCursor } = await exportAll(contextOf(wallet), { after });
        yield* items;
        after = nextCursor;
        if (after === undefined) return;
      }
    },
    async keys() {
      const [{ databaseOf }, { keyUses }] = await Promise.all([
        import("../../state/wallet/account.js"),
        import("../../state/database/encrypt-anew.js"),
      ]);
      return keyUses(await databaseOf(contextOf("keys")));
    },
    async erase(wallet) {
      const { erase } = await import("../../state/export.js");
      return erase(contextOf(wallet), {});
    },
  };
}
