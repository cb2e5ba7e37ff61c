/** Contracts whose source was published on Blockscout. */
import { z } from "zod";
import type { Provider } from "../../capability/provider.js";
import type { Context } from "../../capability/types.js";
import { HOUR_MS } from "../../lib/time.js";
import { segments, upstream } from "../../upstream/client.js";
import { flag, instant, label, list, whole } from "../../upstream/fields.js";

/** Undefined if the address is not a contract. */
export function readSmartContract(ctx: Context, explorer: Provider, address: string) {
  return upstream(ctx, explorer).get(`/api/v2${segments("smart-contracts", address)}`, {
    schema: whole(
      {},
      {
        is_verified: flag(),
        is_fully_verified: flag(),
        // Fields of every contract, published or not.
        is_self_destructed: flag(),
        name: label(),
        language: label(),
        compiler_version: label(),
        verified_at: instant(),
        proxy_type: label(),
        implementations: list(z.object({ address: label(), address_hash: label(), name: label() })),
        abi: list(z.unknown()),
      },
      // Only if its source was published.
      ["is_verified", "name", "language", "compiler_version", "verified_at", "abi"],
    ).refine((contract) => contract.is_verified !== null || contract.is_self_destructed !== null, "is not a contract"),
    absent: [404],
    ttlMs: HOUR_MS,
  });
}
