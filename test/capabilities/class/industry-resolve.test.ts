import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { classIndustryResolve } from "../../../src/capabilities/class/industry-resolve.js";
import { industryTables, publishedTables } from "../../support/industry-tables.js";
import { fakeUpstream } from "../../support/upstream.js";

const dataDir = industryTables();
const { fetch } = fakeUpstream([]);
const resolve = async (system: "naics" | "sic" | "isic" | "nace", code: string) => {
  const { items } = await classIndustryResolve({ system, code }, { fetch, dataDir, cache: false });
  const [item] = items;
  if (!item) throw new Error("no item");
  const codes = Object.fromEntries(
    Object.entries(item.equivalents).map(([name, found]) => [name, found.map((equivalent) => equivalent.code)]),
  );
  return { ...item, codes };
};

describe("class.industry-resolve", () => {
  test("follows the tables to every other system, and says how far that was", async () => {
    const { codes, equivalents, notes, title, version } = await resolve("sic", "7372");
    expect({ title, version }).toEqual({ title: "Prepackaged Software", version: "SIC 1987" });
    expect(codes).toEqual({ naics: ["513210"], sic: [], isic: ["5820"], nace: ["58.21", "58.29"] });
    expect(equivalents.naics[0]).toEqual({
      code: "513210",
      title: "Software-Publishers",
      hops: 5,
      // Software that is reproduced went elsewhere in 2002.
      partial: true,
      path: ["SIC 1987", "NAICS 2002", "NAICS 2007", "NAICS 2012", "NAICS 2017", "NAICS 2022"],
      note: null,
    });
    expect(equivalents.nace.every(({ partial }) => partial)).toBe(true);
    expect(notes).toContain(
      "NAICS links pass through NAICS 2002, NAICS 2007, NAICS 2012 and NAICS 2017; treat them as approximate.",
    );
  });

  test("a code of an older NAICS is accepted, and shows what became of it", async () => {
    const { version, codes, notes } = await resolve("naics", "511210");
    expect(version).toBe("NAICS 2017");
    expect(codes).toMatchObject({ naics: ["513210"], sic: ["7372"], isic: ["5820"] });
    expect(notes[0]).toMatch(/511210 is a code of NAICS 2017/);
    await expect(resolve("naics", "519999")).resolves.toMatchObject({ version: "NAICS 2012", title: null });
  });

  test.each([
    ["nace", "58.21"],
    ["nace", "5821"],
    ["nace", "J58.21"],
    ["nace", " j5821 "],
  ] as const)("%s %j is 58.21", async (system, code) => {
    await expect(resolve(system, code)).resolves.toMatchObject({ code: "58.21", codes: { isic: ["5820"] } });
  });

  test.each([
    ["naics", "513", "subsector"],
    ["sic", "737", "industry group"],
    ["sic", "7370", "industry group"],
    ["sic", "7300", "major group"],
    ["sic", "I", "division"],
    ["isic", "J", "section"],
    ["isic", "J58", "division"],
    ["nace", "58.2", "group"],
  ] as const)("%s %s stands for all that is below it", async (system, code, level) => {
    const found = await resolve(system, code);
    expect(found.level).toBe(level);
    expect(Object.values(found.codes).flat()).toContain(system === "nace" ? "5820" : "58.21");
  });

  test("households are linked to all of NAICS, which is told and not listed", async () => {
    const { codes, notes } = await resolve("isic", "9810");
    expect(codes).toEqual({ naics: [], sic: [], isic: [], nace: ["98.10"] });
    expect(notes.join()).toMatch(/all of NAICS/);
  });

  test("an unknown code is a 404, a malformed one a 400", async () => {
    await expect(resolve("naics", "999999")).rejects.toMatchObject({ code: "NOT_FOUND" });
    for (const [system, code] of [
      ["naics", "1"],
      ["sic", "73725"],
      ["isic", "Z"],
      ["nace", "62.0.1"],
    ] as const)
      await expect(resolve(system, code)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  test("a table that cannot be had ends the call: a missing link would look like none", async () => {
    const { fetch } = fakeUpstream([{ url: "NACE", status: 503 }]);
    const call = classIndustryResolve(
      { system: "naics", code: "513210" },
      { fetch, dataDir: industryTables("naics2017-nace2"), cache: false },
    );
    await expect(call).rejects.toMatchObject({
      code: "UPSTREAM_ERROR",
      status: 502,
      message: expect.stringMatching(/tables\/naics2017-nace2\.tsv into its data folder/),
    });
  });

  test("starts in an empty data folder from what is published alone", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "industry-"));
    const { fetch } = fakeUpstream(publishedTables());
    const { items } = await classIndustryResolve({ system: "sic", code: "7372" }, { fetch, dataDir, cache: false });
    const { naics, isic, nace } = items[0]?.equivalents ?? {};
    expect([naics, isic, nace].map((found) => found?.map(({ code, title }) => [code, title]))).toEqual([
      [["513210", "Software Publishers"]],
      [["5820", "Software publishing"]],
      [["58.29", "Other software publishing"]],
    ]);
  });
});
