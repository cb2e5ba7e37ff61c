/** npm run drift: from a report to our own lines and tests. */
import { execFile } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { pathFromRoot } from "../support/render-indexes.js";

const run = promisify(execFile);
const SCRIPT = pathFromRoot("scripts/drift.mjs");

it("names the lines that read a field, and the tests of what it breaks", async () => {
  const finding = {
    ...{ provider: "fdic", call: "institutions", class: "shape", status: 200, codes: [], breaks: ["bank.lookup"] },
    differences: [{ path: "data[].data.CERT", was: "number", now: "string", count: 3, of: 3 }],
  };
  const file = join(await mkdtemp(join(tmpdir(), "drift-")), "drift.json");
  await writeFile(file, JSON.stringify({ versions: { coinslot: "0.1.0" }, findings: [finding] }));
  const { stdout } = await run(process.execPath, [SCRIPT, file]);
  expect(stdout).toContain("fdic institutions: shape, breaks bank.lookup");
  expect(stdout).toMatch(/src\/providers\/fdic\/institutions\.ts:\d+ {2}.*CERT/);
  expect(stdout).toContain("test: test/capabilities/bank/lookup.test.ts");
});

it("is used wrongly without a report", async () => {
  await expect(run(process.execPath, [SCRIPT])).rejects.toMatchObject({ code: 2 });
});
