import { describe, expect, test } from "vitest";
import { ancestorsOf, indexItems, leavesOf } from "../../../src/engines/industry/classification.js";
import { indexConcordance } from "../../../src/engines/industry/concordance.js";
import { follow, pathBetween, type Table } from "../../../src/engines/industry/crosswalk.js";
import { isicItems, naceItems, naicsItems, naicsParent, sicItems } from "../../../src/engines/industry/lists.js";
import { searchTitles } from "../../../src/engines/industry/search.js";

const link = (from: string, to: string, partial = false) => ({ from, to, partial, note: null });

describe("classifications", () => {
  test.each([
    [
      "NAICS",
      naicsItems([
        ["31-33", "Making"],
        ["334", "Machines"],
        ["3341", "Computers"],
      ]),
      ["31-33", "334"],
      "industry group",
    ],
    [
      "ISIC",
      isicItems([
        ["J", "Words"],
        ["62", "Code"],
        ["620", "Code"],
      ]),
      ["J", "62"],
      "group",
    ],
    [
      "NACE",
      naceItems([
        ["1", "J", "", "Words", "J"],
        ["2", "62", "J", "Code", "62"],
        ["3", "62.0", "62", "Code", "620"],
      ]),
      ["J", "62"],
      "group",
    ],
    [
      "SIC",
      sicItems([
        ["I", "Services"],
        ["73", "Business"],
        ["737", "Computing"],
      ]),
      ["I", "73"],
      "industry group",
    ],
  ])("%s: every code is below its own", (_, items, above, level) => {
    const list = indexItems(items);
    const last = items.at(-1);
    expect(last && ancestorsOf(list, last).map(({ code }) => code)).toEqual(above);
    expect(last?.level).toBe(level);
    expect(leavesOf(list, above[0] ?? "")).toEqual([last?.code]);
  });

  test("a subsector of a combined sector is below all of it", () => {
    expect(["311", "449", "493", "513"].map(naicsParent)).toEqual(["31-33", "44-45", "48-49", "51"]);
  });
});

describe("concordances", () => {
  test("a code that has several on the other side is linked with each in part only, from its own side", () => {
    const { forward, backward } = indexConcordance([link("a", "1"), link("a", "2"), link("b", "3")]);
    expect(forward.get("a")?.map(({ partial }) => partial)).toEqual([true, true]);
    expect(forward.get("b")?.map(({ partial }) => partial)).toEqual([false]);
    expect(backward.get("1")).toEqual([{ code: "a", partial: false, note: null }]);
  });
});

describe("the way from one classification to another", () => {
  type Version = "old" | "new" | "newest" | "other" | "alone";
  const tables: Table<Version>[] = [
    { left: "old", right: "new", concordance: indexConcordance([link("a", "b"), link("a", "c"), link("z", "c")]) },
    { left: "new", right: "newest", concordance: indexConcordance([link("b", "d"), link("c", "e", true)]) },
    { left: "newest", right: "other", concordance: indexConcordance([link("d", "f"), link("e", "f")]) },
  ];

  test("is over as few tables as it takes, in either direction, or there is none", () => {
    expect(pathBetween(tables, "old", "other")).toEqual(["old", "new", "newest", "other"]);
    expect(pathBetween(tables, "other", "new")).toEqual(["other", "newest", "new"]);
    expect(
      pathBetween([...tables, { left: "old", right: "other", concordance: indexConcordance([]) }], "old", "other"),
    ).toEqual(["old", "other"]);
    expect(pathBetween(tables, "old", "alone")).toBeUndefined();
    expect(pathBetween(tables, "old", "old")).toEqual(["old"]);
  });

  test("a part anywhere on it makes all of it partial, unless another way holds for the whole code", () => {
    const partsOf = (codes: string[], path: Version[]) =>
      follow(tables, path, codes).map(({ code, partial }) => [code, partial]);
    expect(partsOf(["z"], ["old", "new"])).toEqual([["c", false]]);
    expect(partsOf(["z"], ["old", "new", "newest"])).toEqual([["e", true]]);
    expect(partsOf(["b", "c"], ["new", "newest", "other"])).toEqual([["f", false]]);
    expect(partsOf(["f"], ["other", "newest", "new"])).toEqual([
      ["b", true],
      ["c", true],
    ]);
    expect(partsOf(["nothing"], ["old", "new"])).toEqual([]);
  });
});

describe("a search in titles", () => {
  const items = naicsItems([
    ["11", "Farming"],
    ["111", "Soybean Farming"],
    ["51", "Software and Café Publishers"],
    ["513210", "Software Publishers"],
  ]);
  const found = (query: string) => searchTitles(items, query, (code) => code.length).map(({ item }) => item.code);

  test.each([
    ["software publisher", ["513210", "51"]],
    ["SOFTWARES", ["513210", "51"]],
    ["cafe", ["51"]],
    ["farm", ["11", "111"]],
    ["soy software", ["513210", "111", "51"]],
    ["zebra", []],
    ["...", []],
  ])("%j finds %j", (query, codes) => {
    expect(found(query).slice().sort()).toEqual(codes.slice().sort());
    expect(found(query)[0]).toBe(codes[0]);
  });

  test("the score is the share of the title that was asked for", () => {
    expect(searchTitles(items, "software", () => 0).map(({ score }) => score)).toEqual([0.5, 0.25]);
  });
});
