/** The contracts of the local chain and of the tests are committed as they are compiled, which takes seconds each. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { artifactPath, CONTRACTS, compileContract } from "../../scripts/compile-contracts.mjs";

describe("the committed bytecode", () => {
  it.each(CONTRACTS)("is what %s compiles to", (path) => {
    const committed = readFileSync(new URL(`../../${artifactPath(path)}`, import.meta.url), "utf8");
    expect(compileContract(path)).toEqual(JSON.parse(committed));
  });
});
