import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { renderCountryTable, TABLE_PATH } from "../../../scripts/generate-country-table.mjs";
import { COUNTRIES } from "../../../src/engines/countries/country-table.js";

it("the committed table is what world-countries gives", () => {
  expect(readFileSync(TABLE_PATH, "utf8")).toBe(renderCountryTable());
});

it("codes are unique, and neighbours are in the table", () => {
  const alpha3 = new Set(COUNTRIES.map((country) => country.alpha3));
  expect(alpha3.size).toBe(COUNTRIES.length);
  expect(new Set(COUNTRIES.map((country) => country.alpha2)).size).toBe(COUNTRIES.length);
  const pairs = new Set(COUNTRIES.flatMap(({ alpha3, borders }) => borders.map((border) => `${alpha3} ${border}`)));
  const oneSided = [...pairs].filter((pair) => !pairs.has(pair.split(" ").reverse().join(" ")));
  expect(oneSided).toEqual([]);
  expect(COUNTRIES.flatMap(({ borders }) => borders).filter((code) => !alpha3.has(code))).toEqual([]);
});
