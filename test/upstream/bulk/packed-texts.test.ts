import { expect, it } from "vitest";
import { packTexts } from "../../../src/upstream/bulk/packed-texts.js";

it("gives back every text, whatever its characters and however many there are", () => {
  const texts = Array.from({ length: 20_000 }, (_, i) => (i % 7 === 0 ? "" : `${i} Plössen ${"✈️".repeat(i % 5)}`));
  const packer = packTexts();
  expect(texts.map((text) => packer.add(text)).slice(0, 3)).toEqual([0, 1, 2]);
  const packed = packer.finish();
  expect(texts.every((text, row) => packed.at(row) === text)).toBe(true);
  expect(packed.at(texts.length)).toBe("");
});
