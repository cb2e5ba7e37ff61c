import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromMicros, multiply, toMicros } from "../../src/lib/money.js";

describe("money", () => {
  it.each([
    ["0.001", 1000n],
    ["0.00144", 1440n],
    ["0.0282", 28200n],
    ["50", 50_000_000n],
    ["0.0000001", 1n],
    ["0", 0n],
  ])("%s USD is %s micros", (usd, micros) => expect(toMicros(usd)).toBe(micros));

  it.each(["", " 1", "1e3", "+1", "-1", "0x10", "1,5", ".5", "5.", "NaN", "1".repeat(17)])("%j is no amount", (text) =>
    expect(() => toMicros(text)).toThrow(RangeError),
  );

  it("PAY-37 fifty times 0.00144 is 72000, which floats do not add up to", () => {
    const sum = Array.from({ length: 50 }, () => toMicros("0.00144")).reduce((a, b) => a + b);
    expect(sum).toBe(72000n);
    expect(Array.from({ length: 50 }, () => 0.00144).reduce((a, b) => a + b) * 1e6).not.toBe(72000);
  });

  it("goes to text and back for any amount", () => {
    fc.assert(fc.property(fc.bigInt(0n, 10n ** 20n), (micros) => toMicros(fromMicros(micros)) === micros));
  });

  it("multiplies exactly and rounds up, never down", () => {
    expect(multiply(1000n, 1.1)).toBe(1100n);
    expect(multiply(1n, 1.0000001)).toBe(2n);
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 12n), fc.integer({ min: 1, max: 100_000 }), (amount, permille) => {
        const product = multiply(amount, permille / 1000);
        const exact = amount * BigInt(permille);
        return product * 1000n >= exact && (product - 1n) * 1000n < exact;
      }),
    );
  });
});
