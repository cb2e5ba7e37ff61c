import { expect, test } from "vitest";
import { usState, usStateNamed } from "../../../src/lib/facts/us-states.js";

test("a state is found by its postal code in any case and by its FIPS code", () => {
  const california = { postalCode: "CA", fips: "06", name: "California", islandArea: false };
  expect([usState("CA"), usState("ca"), usState("06")]).toEqual([california, california, california]);
});

test.each([["ZZ"], [""], ["6"], ["California"], ["3"], ["USA"], ["__proto__"]])("%j is no code of a state", (code) => {
  expect(usState(code)).toBeUndefined();
});

test.each([
  ["new  york ", "NY"],
  ["Ny", "NY"],
  ["District of Columbia", "DC"],
  ["west virginia", "WV"],
  ["Virginia", "VA"],
])("%j is the name or code of %s", (name, code) => {
  expect(usStateNamed(name)?.postalCode).toBe(code);
});

test.each([["06"], ["New"], ["Ontario"], [""]])("%j names no state", (name) => {
  expect(usStateNamed(name)).toBeUndefined();
});

test("the island areas are told from the states, and Puerto Rico is none of them", () => {
  expect(["AS", "GU", "MP", "VI"].map((code) => usState(code)?.islandArea)).toEqual([true, true, true, true]);
  expect([usState("PR")?.islandArea, usState("DC")?.islandArea]).toEqual([false, false]);
});
