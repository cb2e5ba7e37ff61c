/** What a host does with the state of one wallet, for whoever asks it in the wallet's name: support, a court, a move. */
import { createContext } from "../capability/context.js";
import type { Context } from "../capability/types.js";
import type { Host } from "../host/host.js";
import type { KeyUse } from "../state/database/encrypt-anew.js";

/** Whose state is meant is a CAIP-10 account (`eip155:8453:0x…` in lower case), or the name that the host's own login gave. */
export interface HostWallets {
  /**
   * Everything that a wallet keeps here, row by row, as `store.export` gives it. Rejects with PROVIDER_NOT_CONFIGURED where
   * the host keeps nothing for wallets.
   *
   * @example
   * for await (const row of handle.wallets.export("eip155:8453:0x…")) console.log(JSON.stringify(row));
   */
  export(wallet: string): AsyncGenerator<Record<string, unknown>, void>;
  /**
   * How many rows need which of `wallets.encryption`: each by its place in the list, "none" for rows in plain, "unlisted" for
   * those that no listed key opens. A former key may be dropped once it has no rows: rounds seal them with the first key.
   * Looks at every row. Rejects with PROVIDER_NOT_CONFIGURED where the host keeps nothing for wallets.
   *
   * @example
   * await handle.wallets.keys(); // [{ key: 0, rows: 812 }, { key: 1, rows: 0 }, { key: "none", rows: 0 }, …]
   */
  keys(): Promise<KeyUse[]>;
  /** Erases all of it, as `store.erase` does, and resolves to how many there were of each kind. */
  erase(wallet: string): Promise<Record<string, number>>;
}

/** A page of an export, or an erasure, of 50 MB. */
const TIMEOUT_MS = 60_000;

export function createWallets(host: Host): HostWallets {
  const { options, resources, brand } = host;
  const contextOf = (wallet: string): Context =>
    createContext(options, { timeoutMs: TIMEOUT_MS, resources, brand: brand, wallet: { id: wallet } });
  return {
    async *export(wallet) {
      const { exportAll } = await import("../state/export.js");
      for (let after: string | undefined; ; ) {
        const { items, nextCursor } = await exportAll(contextOf(wallet), { after });
        yield* items;
        after = nextCursor;
        if (after === undefined) return;
      }
    },
    async keys() {
      const [{ databaseOf }, { keyUses }] = await Promise.all([
        import("../state/account.js"),
        import("../state/database/encrypt-anew.js"),
      ]);
      return keyUses(await databaseOf(contextOf("keys")));
    },
    async erase(wallet) {
      const { erase } = await import("../state/export.js");
      return erase(contextOf(wallet), {});
    },
  };
}
