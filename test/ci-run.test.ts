/** The order of CI's commands, with programs in their place that do nothing but fail where they are told to. */
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { pathFromRoot } from "./support/render-indexes.js";

const folder = mkdtempSync(join(tmpdir(), "coinslot-ci-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const done = join(folder, "done");

const programs = join(folder, "programs");
for (const path of [programs, join(folder, ".ci")]) mkdirSync(path);
copyFileSync(pathFromRoot(".ci/run"), join(folder, ".ci/run"));
for (const name of ["npm", "npx", "node", "apt-get"]) {
  const program = `#!/bin/sh\necho "${name} $*" >>"$DONE"\necho "${name} says so"\n[ "${name} $*" != "$FAILS" ]\n`;
  writeFileSync(join(programs, name), program);
  chmodSync(join(programs, name), 0o755);
}

const PROOFS = "npx vitest run --config vitest.proofs.config.ts";
const RUNTIMES = "node test/runtimes/run.mjs";
const ALL = ["npm ci", "npm test", PROOFS, "npm run check", RUNTIMES];

it.each<[fails: string, ran: string[], told: string]>([
  ["", ALL, "proofs passed, checks passed, runtimes passed"],
  ["npm ci", ["npm ci"], ""],
  ["npm test", ["npm ci", "npm test"], ""],
  [PROOFS, ALL, "proofs failed, checks passed, runtimes passed"],
  [RUNTIMES, ALL, "proofs passed, checks passed, runtimes failed"],
  ["npm run check", ALL, "proofs passed, checks failed, runtimes passed"],
])("a run in which '%s' fails says so, and fails", (fails, ran, told) => {
  writeFileSync(done, "");
  const env = { PATH: `${programs}:/usr/sbin:/usr/bin:/sbin:/bin`, DONE: done, FAILS: fails };
  const { status, stdout } = spawnSync("bash", [join(folder, ".ci/run")], { env, encoding: "utf8" });
  expect(status === 0).toBe(fails === "");
  const commands = readFileSync(done, "utf8").trim().split("\n");
  expect(commands.filter((command) => !command.startsWith("apt-get")).sort()).toEqual([...ran].sort());
  expect(stdout).toContain(told);
  // What the runtimes printed is shown, too.
  if (ran === ALL) expect(stdout).toContain("node says so");
});
