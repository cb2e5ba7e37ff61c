import { describe, expect, it } from "vitest";
import { SanctionsList } from "../../../src/providers/ofac/list.js";
import type { EntryType } from "../../../src/providers/ofac/records.js";
import { amongOthers, entry } from "../../support/ofac.js";
import { measure } from "./measure.js";
import { SANCTION_PAIRS } from "./sanction-pairs.js";

const THRESHOLD = 0.7;
const TYPES: Record<string, EntryType> = { P: "individual", O: "organization", V: "vessel" };

describe("the sanctions screen on names as people type them", () => {
  it("finds who is meant and nobody else", async () => {
    const entries = new Map<string, ReturnType<typeof entry>>();
    for (const [, listed, kind] of SANCTION_PAIRS)
      if (!entries.has(listed)) entries.set(listed, entry(entries.size + 1, listed, TYPES[kind]));
    const list = await SanctionsList.build(amongOthers(...entries.values()), []);
    const result = await measure("sanctions", SANCTION_PAIRS, async ([asked, listed]) => {
      const { matches } = await list.screen(asked, { threshold: 0, limit: 1000 });
      const score = matches.find(({ name }) => name === listed)?.score ?? 0;
      return { score, same: score >= THRESHOLD };
    });
    expect(SANCTION_PAIRS.length).toBeGreaterThanOrEqual(200);
    expect(result.precision).toBeGreaterThanOrEqual(0.98);
    expect(result.recall).toBeGreaterThanOrEqual(0.97);
  });
});
