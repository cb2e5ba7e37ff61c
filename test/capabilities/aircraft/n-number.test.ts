import { describe, expect, it } from "vitest";
import { addressOf, isUsAddress } from "../../../src/engines/aircraft/n-number.js";

describe("the address of a tail number", () => {
  it.each([
    ["N1", "a00001"],
    ["N1A", "a00002"],
    ["N1AA", "a00003"],
    ["N12345", "a061d9"],
    ["N757F", "aa3487"],
    ["N5357", "a6c64d"],
    ["N1801U", "a1433a"],
    ["N99999", "adf7c7"],
  ])("of %s is %s", (tail, icao24) => {
    expect(addressOf(tail)).toBe(icao24);
  });

  it.each(["N", "N0", "N012", "N1I", "N1O", "N123456", "N1A1", "N1AAA", "N1234AA", "G-ABCD", "n1", ""])(
    "is none for %s",
    (tail) => {
      expect(addressOf(tail)).toBeUndefined();
    },
  );

  it("is another one for each tail number, and they are all of the US", () => {
    const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ";
    const ends = ["", ...letters, ...[...letters].flatMap((first) => [...letters].map((second) => first + second))];
    const tails: string[] = [];
    for (let number = 1; number <= 99_999; number++) {
      const digits = String(number);
      for (const end of ends) if (digits.length + end.length <= 5) tails.push(`N${digits}${end}`);
    }
    const addresses = new Set(tails.map((tail) => Number.parseInt(addressOf(tail) ?? "", 16)));
    expect(tails).toHaveLength(915_399);
    expect(addresses.size).toBe(tails.length);
    expect(Math.min(...[...addresses].slice(0, 1000))).toBe(0xa00001);
    expect([...addresses].every((address) => isUsAddress(address.toString(16)))).toBe(true);
  });
});

describe("the addresses of the US", () => {
  it.each([
    ["a00001", true],
    ["adf7c7", true],
    ["a00000", false],
    ["adf7c8", false],
    ["391927", false],
    ["ffffff", false],
  ])("have %s among them: %s", (icao24, own) => {
    expect(isUsAddress(icao24)).toBe(own);
  });
});
