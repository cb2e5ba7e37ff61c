import { expect, test } from "vitest";
import { fromUnits } from "../../../src/engines/units/atomic.js";

test.each([
  [0n, 18, "0"],
  [1n, 18, "0.000000000000000001"],
  [1_500_000n, 6, "1.5"],
  [100n, 0, "100"],
  [-25n, 1, "-2.5"],
  [2n ** 256n - 1n, 77, "1.15792089237316195423570985008687907853269984665640564039457584007913129639935"],
])("%s in units of 10^-%i is %s", (amount, decimals, text) => {
  expect(fromUnits(amount, decimals)).toBe(text);
});
