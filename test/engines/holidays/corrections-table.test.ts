import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readRules, renderCorrections, TABLE_PATH } from "../../../scripts/generate-holiday-corrections.mjs";
import { CORRECTIONS } from "../../../src/engines/holidays/corrections-table.js";
import { library, readPlace } from "../../../src/engines/holidays/place.js";

describe("the table of corrections", () => {
  it("is what the rules give", () => {
    expect(readFileSync(TABLE_PATH, "utf8")).toBe(renderCorrections());
  });

  it.each([
    "+ 05-09 = ",
    "+ 05-09 @24.. = Europe Day",
    "- 09-05",
    "~ easter 1 = holiday",
    "! 1 Shawwal = soon",
    "s Labour Code",
    "x",
  ])("refuses %j", (line) => {
    expect(() => readRules(`[BG]\n${line}`)).toThrow(`not a rule: ${line}`);
  });

  it("refuses a place that stands twice", () => {
    expect(() => readRules("[BG]\n[BG]")).toThrow("BG stands twice");
  });

  it.each(["[BG]", "[BG]\n# only a word of it\n\n[RO]\ns A law, https://law.example"])(
    "refuses a place without rules, which would fail when it is asked for: %j",
    (text) => {
      expect(() => readRules(text)).toThrow("BG has no rules");
    },
  );

  it("has places that callers can ask for, and a source for each country that it corrects", async () => {
    const { countries } = await library();
    for (const [place, lines] of Object.entries(CORRECTIONS)) {
      const [country = "", ...region] = place.split("-");
      expect(countries.has(country), place).toBe(true);
      if (region.length > 0) await readPlace({ country, region: region.join("-") });
      expect(CORRECTIONS[country]?.startsWith("s ") || /^\? [^\n]*$/.test(lines), place).toBe(true);
    }
  });
});
