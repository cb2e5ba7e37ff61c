import { expect, test } from "vitest";
import { ancestorsOf, leavesOf } from "../../../src/engines/industry/classification.js";
import { loadSic } from "../../../src/providers/classifications/sic.js";

test("has the whole classification of 1987, each code below its own", async () => {
  const { list } = await loadSic();
  const count = (level: string) => list.items.filter((item) => item.level === level).length;
  expect(["division", "major group", "industry group", "industry"].map(count)).toEqual([10, 83, 416, 1005]);
  expect(list.items.filter(({ title, parent, code }) => !title || (parent === null) !== /^[A-J]$/.test(code))).toEqual(
    [],
  );
  const software = list.find("7372");
  expect(software?.title).toBe("Prepackaged Software");
  expect(software && ancestorsOf(list, software).map(({ code }) => code)).toEqual(["I", "73", "737"]);
  expect(leavesOf(list, "91")).toEqual(["9111", "9121", "9131", "9199"]);
});

test("has the official titles where copies of the list differ", async () => {
  const { list } = await loadSic();
  expect(["02", "2048", "2241", "3769", "8811"].map((code) => list.find(code)?.title)).toEqual([
    "Agricultural Production Livestock and Animal Specialties",
    "Prepared Feeds and Feed Ingredients for Animals and Fowls, Except Dogs and Cats",
    "Narrow Fabric and Other Smallwares Mills: Cotton, Wool, Silk, and Manmade Fiber",
    "Guided Missile and Space Vehicle Parts and Auxiliary Equipment, Not Elsewhere Classified",
    "Private Households",
  ]);
});

test("says of each industry but the nonclassifiable what it became in NAICS 2002, and the other way round", async () => {
  const { list, toNaics2002 } = await loadSic();
  const industries = list.items.filter(({ level }) => level === "industry").map(({ code }) => code);
  expect(industries.filter((code) => !toNaics2002.forward.has(code))).toEqual(["9999"]);
  expect(toNaics2002.forward.get("0111")).toEqual([{ code: "111140", partial: false, note: null }]);
  expect(toNaics2002.forward.get("7372")?.map(({ code, partial }) => [code, partial])).toEqual([
    ["334611", true],
    ["511210", true],
  ]);
  expect(toNaics2002.backward.get("511210")?.map(({ code }) => code)).toEqual(["7372"]);
});
