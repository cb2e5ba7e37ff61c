import { create } from "qrcode";
import { expect, it } from "vitest";
import { encodeQr, functionPatterns, planQr, sideOf } from "../../../src/engines/barcode/qr.js";

const VERSIONS = Array.from({ length: 40 }, (_, index) => index + 1);

it.each(VERSIONS)("version %i has its function patterns where another encoder has them", (version) => {
  const { size, reservedBit } = create("1", { version, errorCorrectionLevel: "L" }).modules;
  expect(sideOf(version)).toBe(size);
  expect([...functionPatterns(version)]).toEqual([...reservedBit].map(Number));
});

it.each(["L", "M", "Q", "H"] as const)("a plan of level %s is as large as another encoder's code", async (level) => {
  for (const unit of ["7", "A", "a", "http://example.com/1234567890?q=ABCDEFGHIJ"])
    for (const length of [1, 17, 100, 400, 1000]) {
      const text = unit.repeat(length).slice(0, length);
      const { version } = create(text, { errorCorrectionLevel: level });
      const plan = await planQr(text, { level });
      // Mixing modes may save a version.
      expect(plan).toMatchObject({ level });
      expect(typeof plan === "string" ? 0 : plan.version).toBeLessThanOrEqual(version);
      if (typeof plan === "object" && length <= 100)
        expect((await encodeQr(text, plan)).columns).toBe(sideOf(plan.version));
    }
});

it.each([
  ["L", 2953],
  ["M", 2331],
  ["Q", 1663],
  ["H", 1273],
] as const)("level %s holds %i letters and not one more", async (level, most) => {
  expect(await planQr("a".repeat(most), { level })).toEqual({ level, version: 40 });
  expect(await planQr("a".repeat(most + 1), { level })).toBe("too-long");
});
