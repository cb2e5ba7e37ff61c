import { describe, expect, test } from "vitest";
import { devLicense } from "../../../src/capabilities/dev/license.js";

const judge = async (expression: string, allowed?: string | string[]) =>
  (await devLicense({ expression, ...(allowed === undefined ? {} : { allowed }) })).items[0];

test("writes an expression in the list's spelling, and lists what it names", async () => {
  await expect(judge("(mit or ((GPL-2.0+ with gcc-exception-2.0)))")).resolves.toEqual({
    valid: true,
    normalized: "MIT OR GPL-2.0+ WITH GCC-exception-2.0",
    licenses: ["MIT", "GPL-2.0"],
    exceptions: ["GCC-exception-2.0"],
    satisfied: null,
    osiApproved: true,
    copyleft: "none",
    deprecated: ["GPL-2.0"],
    error: null,
  });
});

// Examples of jslicense/spdx-satisfies 939c23d (MIT).
test.each([
  ["MIT", "MIT", true],
  ["MIT", "ISC,MIT", true],
  ["Zlib", "ISC,MIT,Zlib", true],
  ["GPL-2.0", "GPL-2.0+", true],
  ["GPL-3.0", "GPL-2.0+", true],
  ["GPL-1.0+", "GPL-2.0+", true],
  ["GPL-2.0-only", "GPL-2.0-only", true],
  ["GPL-3.0-only", "GPL-2.0+", true],
  ["LGPL-3.0-only", "LGPL-3.0-or-later", true],
  ["GPL-2.0-only", "GPL-2.0+", true],
  ["GPL-2.0", "GPL-2.0-or-later", true],
  ["GPL-3.0 WITH Bison-exception-2.2", "GPL-2.0+ WITH Bison-exception-2.2", true],
  ["(MIT OR GPL-2.0)", "ISC,MIT", true],
  ["(MIT OR Apache-2.0) AND (ISC OR GPL-2.0)", "Apache-2.0,ISC", true],
  ["(MIT AND GPL-2.0)", "MIT,GPL-2.0", true],
  ["GPL-3.0", "ISC,MIT", false],
  ["GPL-1.0", "GPL-2.0+", false],
  ["GPL-2.0", "GPL-2.0+ WITH Bison-exception-2.2", false],
  ["(MIT AND GPL-2.0)", "ISC,GPL-2.0", false],
  ["MIT AND (GPL-2.0 OR ISC)", "MIT", false],
  ["(MIT OR Apache-2.0) AND (ISC OR GPL-2.0)", "MIT", false],
])("%s is satisfied by %s: %s", async (expression, allowed, satisfied) => {
  await expect(judge(expression, allowed.split(","))).resolves.toMatchObject({ valid: true, satisfied });
  await expect(judge(expression, allowed)).resolves.toMatchObject({ satisfied });
});

// Cases of jslicense/spdx-expression-parse b35d112 (MIT).
test.each([
  [" MIT ", "MIT"],
  ["MIT  AND    BSD-3-Clause", "MIT AND BSD-3-Clause"],
  ["LicenseRef-something", "LicenseRef-something"],
  ["DocumentRef-spdx-tool-1.2 : LicenseRef-MIT-Style-2", "DocumentRef-spdx-tool-1.2:LicenseRef-MIT-Style-2"],
  [
    "MIT AND BSD-3-Clause WITH GCC-exception-3.1 OR CC-BY-4.0 AND Apache-2.0",
    "MIT AND BSD-3-Clause WITH GCC-exception-3.1 OR CC-BY-4.0 AND Apache-2.0",
  ],
  ["MIT aNd BSD-3-Clause oR GPL-2.0 wITh GCC-exception-2.0", "MIT AND BSD-3-Clause OR GPL-2.0 WITH GCC-exception-2.0"],
  ["LicenseRef-something WITH GCC-exception-2.0", "LicenseRef-something WITH GCC-exception-2.0"],
  ["MIT AND ((ISC OR Zlib))", "MIT AND (ISC OR Zlib)"],
])("%s is %s", async (expression, normalized) => {
  await expect(judge(expression)).resolves.toMatchObject({ valid: true, normalized });
});

test.each([
  ["MIT\t", 3],
  ["\nMIT", 0],
  ["MIT +", 4],
  ["DocumentRef-something:x", 22],
  ["DocumentRef-something:", 22],
  ["(LicenseRef-something) WITH GCC-exception-2.0", 23],
  ["MIT OR", 6],
  ["MIT ISC", 4],
  ["(MIT", 4],
  ["Nonsense-1.0", 0],
])("%j is no expression from position %i", async (expression, position) => {
  await expect(judge(expression, "MIT")).resolves.toMatchObject({
    valid: false,
    normalized: null,
    satisfied: false,
    error: { position },
  });
});

test.each([
  ["MIT AND GPL-3.0-only", "strong"],
  ["MIT OR GPL-3.0-only", "none"],
  ["AGPL-3.0-or-later AND GPL-3.0-only", "network"],
  ["GPL-2.0-only WITH Classpath-exception-2.0", "weak"],
  ["MPL-2.0", "weak"],
])("the copyleft of %s is %s", async (expression, copyleft) => {
  await expect(judge(expression)).resolves.toMatchObject({ copyleft });
});

describe("refusals", () => {
  test.each([
    ["allowed.0", "MIT AND ISC", ["(MIT OR GPL-2.0) AND ISC"]],
    ["allowed.1", "MIT", ["MIT", "Nonsense-1.0"]],
    ["allowed", "MIT", Array.from({ length: 201 }, () => "MIT")],
    ["expression", "", undefined],
    ["expression", `${"(".repeat(201)}MIT${")".repeat(201)}`, undefined],
    ["expression", "MIT OR ".repeat(300), undefined],
  ])("names %s", async (path, expression, allowed) => {
    await expect(judge(expression, allowed)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
  });

  test("alternatives are not multiplied out", async () => {
    const expression = Array.from({ length: 100 }, () => "(MIT OR ISC)").join(" AND ");
    await expect(judge(expression, "MIT")).resolves.toMatchObject({ satisfied: true });
  });
});
