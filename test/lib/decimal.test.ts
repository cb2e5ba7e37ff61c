import { describe, expect, test } from "vitest";
import { Decimal } from "../../src/lib/decimal.js";

const of = (text: string) => Decimal.of(text);

describe("a decimal", () => {
  test.each([
    ["336.9", "336.9"],
    ["-012.50", "-12.50"],
    [".5", "0.5"],
    ["5.", "5"],
    ["1e3", "1000"],
    ["1.25e-3", "0.00125"],
    ["+7", "7"],
    ["123456789012345678901234567890.1", "123456789012345678901234567890.1"],
    ["-0.00", "0.00"],
  ])("is read from %s and written as %s", (text, written) => expect(of(text).toString()).toBe(written));

  test.each(["", ".", "-", "1,5", "0x10", "1e99999", "NaN", " 1", "1e9999", "9".repeat(2_001)])(
    "is not read from %j",
    (text) => {
      expect(Decimal.parse(text)).toBeUndefined();
    },
  );

  test("is added, subtracted and multiplied without rounding", () => {
    expect(of("336.9").plus(of("0.01")).toString()).toBe("336.91");
    expect(of("0.1").minus(of("0.30")).toString()).toBe("-0.20");
    expect(of("1.05").times(of("-19.99")).toString()).toBe("-20.9895");
  });

  test.each([
    ["1", "3", 4, "half-up", "0.3333"],
    ["2", "3", 2, "half-up", "0.67"],
    ["-2", "3", 2, "half-up", "-0.67"],
    ["1", "8", 2, "half-up", "0.13"],
    ["1", "8", 2, "half-even", "0.12"],
    ["3", "8", 2, "half-even", "0.38"],
    ["-1", "8", 2, "half-even", "-0.12"],
    ["1.000", "4", 1, "half-up", "0.3"],
    ["100", "0.25", 0, "half-up", "400"],
  ] as const)("%s divided by %s to %i places %s is %s", (a, b, places, rounding, quotient) => {
    expect(of(a).dividedBy(of(b), places, rounding).toString()).toBe(quotient);
  });

  test("is not divided by zero", () => expect(() => of("1").dividedBy(of("0.0"), 2)).toThrow(RangeError));

  test("is rounded, lengthened, compared and stripped", () => {
    expect(of("2.345").round(2).toString()).toBe("2.35");
    expect(of("2.345").round(2, "half-even").toString()).toBe("2.34");
    expect(of("-2.5").round(0).toString()).toBe("-3");
    expect(of("336.9").withAtLeast(2).toString()).toBe("336.90");
    expect(of("1.2345").withAtLeast(2).toString()).toBe("1.2345");
    expect(of("1.20").equals(of("1.2"))).toBe(true);
    expect(of("-1").compare(of("0.5"))).toBeLessThan(0);
    expect(of("1.2300").normalized().toString()).toBe("1.23");
    expect(Decimal.of(12345n, 2).toNumber()).toBe(123.45);
  });
});
