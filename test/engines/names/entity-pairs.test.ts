import { describe, expect, it } from "vitest";
import { compareNames } from "../../../src/engines/names/compare.js";
import { readName } from "../../../src/engines/names/words.js";
import { ENTITY_PAIRS } from "./entity-pairs.js";
import { measure } from "./measure.js";

const compare = async (asked: string, other: string) => compareNames(await readName(asked), await readName(other));

describe("two names", () => {
  it("mean the same entity where people say so", async () => {
    const result = await measure("entities", ENTITY_PAIRS, async ([asked, other]) => {
      const { score, confidence } = await compare(asked, other);
      return { score, same: confidence !== "low" };
    });
    expect(ENTITY_PAIRS.length).toBeGreaterThanOrEqual(120);
    expect(new Set(ENTITY_PAIRS.map(([, , country]) => country)).size).toBeGreaterThanOrEqual(10);
    expect(result.precision).toBeGreaterThanOrEqual(0.95);
    expect(result.recall).toBeGreaterThanOrEqual(0.95);
  });

  it.each([
    ["Nestlé S.A.", "NESTLE SA", 1, "high", "the same name"],
    ["Siemens AG", "Siemens Aktiengesellschaft", 0.99, "high", "the same words"],
    ["Acme AG", "Acme GmbH", 0.88, "medium", "legal forms differ: ag and gmbh"],
    ["Fund II LP", "Fund III LP", expect.any(Number), "low", "numbers differ: 2 and 3"],
    ["Microsof", "Microsoft", expect.any(Number), "medium", "1 word spelt differently"],
    ["Siemens", "Siemens Energy AG", expect.any(Number), "low", "1 word more in the name found"],
    ["IBM", "International Business Machines", 0.792, "medium", "one is the initials of the other"],
  ])("say why: %s and %s", async (asked, other, score, confidence, reason) => {
    expect(await compare(asked, other)).toEqual({
      score,
      confidence,
      reasons: expect.arrayContaining([reason]),
    });
  });

  it("never score beyond 0 to 1, whatever they hold", async () => {
    for (const [asked, other] of [
      ["", ""],
      ["---", "x"],
      ["ltd", "ltd inc"],
      ["x".repeat(9000), "y"],
      ["1", "2"],
    ] as const) {
      const { score } = await compare(asked, other);
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
    }
  });
});
