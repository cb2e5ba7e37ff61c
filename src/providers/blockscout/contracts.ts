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
        // Fields of every contract, published or not: the first one in older answers, the others in newer ones.
        is_self_destructed: flag(),
        creation_status: label(),
        deployed_bytecode: label(),
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
    ).refine(
      ({ is_verified, is_self_destructed, creation_status, deployed_bytecode }) =>
        [is_verified, is_self_destructed, creation_status, deployed_bytecode].some((fact) => fact !== null),
      "is not a contract",
    ),
    absent: [404],
    ttlMs: HOUR_MS,
  });
}
