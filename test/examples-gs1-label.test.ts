import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { readLabel, writeLabel } from "../examples/gs1-label/app.js";
import { pathFromRoot } from "./support/render-indexes.js";

const PRODUCT = { gtin: "09521234543213", expiry: "271231", batch: "AB/12", serial: "7(a)" };

it("gs1-label reads from the picture what it wrote", async () => {
  const { png, lines } = await writeLabel(PRODUCT);
  expect(lines).toEqual(["(01) 09521234543213", "(17) 271231", "(10) AB/12", "(21) 7(a)"]);
  expect(await readLabel(png)).toEqual({
    values: { GTIN: "09521234543213", "BATCH/LOT": "AB/12", SERIAL: "7(a)", "USE BY or EXPIRY": "271231" },
    expires: "2027-12-31",
  });
});

it("gs1-label draws no label whose data is wrong", async () => {
  await expect(writeLabel({ ...PRODUCT, gtin: "09521234543210", expiry: "271332" })).rejects.toThrow(
    "(01) INCORRECT_CHECK_DIGIT; (17) ILLEGAL_MONTH",
  );
});

it("gs1-label/app.js prints what the label says", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [pathFromRoot("examples/gs1-label/app.js")]);
  expect(stdout).toContain("(10) AB/12");
  expect(stdout).toContain("expires: '2027-12-31'");
});
