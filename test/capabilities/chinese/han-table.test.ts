import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { renderHanTable, TABLE_PATH } from "../../../scripts/generate-han-table.mjs";
import { SIMPLIFIED_ONLY, TRADITIONAL_ONLY } from "../../../src/engines/chinese/han-table.js";

it("the committed table is what OpenCC's dictionaries give", () => {
  expect(readFileSync(TABLE_PATH, "utf8")).toBe(renderHanTable());
});

it("no character stands in both lists", () => {
  const traditional = new Set(TRADITIONAL_ONLY);
  expect([...SIMPLIFIED_ONLY].filter((character) => traditional.has(character))).toEqual([]);
  expect(traditional.size).toBeGreaterThan(3000);
});
