import { describe, expect, test } from "vitest";
import { readCode, readNaics, type System } from "../../../src/engines/industry/codes.js";

describe("codes as people write them", () => {
  test.each<[System, string, string | undefined]>([
    ["naics", "51", "51"],
    ["naics", "32", "31-33"],
    ["naics", "44-45", "44-45"],
    ["naics", "49", "48-49"],
    ["naics", "513", "513"],
    ["naics", " 5132 10", "513210"],
    ["naics", "5", undefined],
    ["naics", "5132101", undefined],
    ["naics", "31-34", undefined],
    ["naics", "51.3", undefined],
    ["sic", "j", "J"],
    ["sic", "K", undefined],
    ["sic", "01", "01"],
    ["sic", "011", "011"],
    ["sic", "0110", "011"],
    ["sic", "0100", "01"],
    ["sic", "0111", "0111"],
    ["sic", "1", undefined],
    ["sic", "73.72", undefined],
    ["isic", "u", "U"],
    ["isic", "V", undefined],
    ["isic", "62", "62"],
    ["isic", "J62", "62"],
    ["isic", "620", "620"],
    ["isic", "62.0", "620"],
    ["isic", "62.01", "6201"],
    ["isic", "J6201", "6201"],
    ["isic", "62011", undefined],
    ["isic", "", undefined],
    ["nace", "J", "J"],
    ["nace", "62", "62"],
    ["nace", "620", "62.0"],
    ["nace", "62.0", "62.0"],
    ["nace", "6201", "62.01"],
    ["nace", "62.01", "62.01"],
    ["nace", "J62.01", "62.01"],
    ["nace", "J 6201", "62.01"],
    ["nace", "6.201", undefined],
    ["nace", "62.0.1", undefined],
    ["nace", "62.011", undefined],
  ])("%s %j is %j", (system, written, read) => {
    expect(readCode(system, written)).toBe(read);
  });

  test("a sector of NAICS that is no combined one stays as it is", () => {
    expect(["11", "42", "92"].map(readNaics)).toEqual(["11", "42", "92"]);
  });
});
