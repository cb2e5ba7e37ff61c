import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { cryptoAddressValidate } from "../../../src/capabilities/crypto/index.js";

/** A larger collection of public vectors, for checkouts that have it at hand. */
const COLLECTION = new URL(
  "../../../../shared/upstreams/recorded/crypto.address-validate/vectors.json",
  import.meta.url,
);

interface Vector {
  chain: Parameters<typeof cryptoAddressValidate>[0]["chain"];
  address: string;
  valid: boolean;
  canonical?: string;
  classicAddress?: string;
  tag?: number | null;
}

describe.runIf(existsSync(COLLECTION))("crypto.address-validate, collected vectors", () => {
  it("agree in every row", async () => {
    const { vectors }: { vectors: Vector[] } = JSON.parse(readFileSync(COLLECTION, "utf8"));
    const wrong = [];
    for (const vector of vectors) {
      const { items } = await cryptoAddressValidate({ chain: vector.chain, address: vector.address });
      const [item] = items;
      const same =
        item?.valid === vector.valid &&
        (item.canonical ?? undefined) === vector.canonical &&
        item.classicAddress === vector.classicAddress &&
        (item.tag ?? null) === (vector.tag ?? null);
      if (!same) wrong.push({ vector, item });
    }
    expect(vectors.length).toBeGreaterThan(300);
    expect(wrong).toEqual([]);
  });
});
