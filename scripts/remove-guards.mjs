// Takes each guard that `src` marks away (`guards/marks.mjs`), one at a time, in a copy of the tree, and runs the tests over
// it: a guard whose removal no test notices is not proven. Ends with status 1 if there is one. `--only <text>` picks some by name, and
// may be given several times; `--seeds N` lets the simulator live through N worlds without each guard as well, and tells
// which one fell first.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { GUARDS } from "./guards/guards.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

function copyTree() {
  const copy = mkdtempSync(join(tmpdir(), "coinslot-guards-"));
  const files = execFileSync("git", ["ls-files", "src", "test", "scripts", "examples", "data", "*.json", "*.ts"], {
    cwd: root,
    encoding: "utf8",
  });
  for (const file of files.split("\n").filter(Boolean)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"), "dir");
  return copy;
}

function runTests(copy, tests) {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  // In a file: what a test writes to the console may look like JSON, too.
  const report = join(copy, "report.json");
  rmSync(report, { force: true });
  // A guard that is gone may also make a test wait for ever.
  const args = [
    vitest,
    "run",
    "--typecheck.enabled=false",
    "--maxWorkers=1",
    "--bail=1",
    "--testTimeout=60000",
    "--reporter=json",
    `--outputFile=${report}`,
    ...tests,
  ];
  const env = { ...process.env, PROOFS: "1" };
  const { status } = spawnSync(process.execPath, args, {
    cwd: copy,
    env,
    stdio: "ignore",
    timeout: tests.length * 300_000,
  });
  if (!existsSync(report)) return { failed: ["the run did not end"] };
  const { testResults } = JSON.parse(readFileSync(report, "utf8"));
  const all = testResults.flatMap(({ assertionResults, message }) => [
    ...(assertionResults.length === 0 && message ? [{ status: "failed", title: message.split("\n")[0] }] : []),
    ...assertionResults,
  ]);
  if (all.length === 0) throw new Error(`no test was found in ${tests.join(", ")}`);
  const failed = all.filter(({ status }) => status === "failed").map(({ title }) => title);
  // Without a guard a process may also run out of memory.
  return { failed: status !== 0 && failed.length === 0 ? ["the run broke off"] : failed };
}

/** The first of some worlds that falls without the guard; undefined when all live. */
function simulate(copy, more = []) {
  const script = join(copy, "test/simulator/simulate.mjs");
  const args = [script, ...more, "--seeds", values.seeds, "--jobs", "1"];
  const { stdout = "" } = spawnSync(process.execPath, args, { cwd: copy, encoding: "utf8", maxBuffer: 2 ** 28 });
  const [, seed, why] = /^seed (\d+): (.*)$/m.exec(stdout ?? "") ?? [];
  return seed && `seed ${seed}: ${why}`;
}

const { values } = parseArgs({
  options: { only: { type: "string", multiple: true, default: [""] }, seeds: { type: "string", default: "0" } },
});
const chosen = GUARDS.filter(({ name }) => values.only.some((text) => name.includes(text)));
const copy = copyTree();
let unnoticed = 0;
try {
  const whole = runTests(copy, [...new Set(chosen.flatMap(({ testPaths }) => testPaths()))]);
  if (whole.failed.length > 0) throw new Error(`the tests fail with every guard in place: ${whole.failed[0]}`);
  for (const { name, file, removed, testPaths, simulator } of chosen) {
    const source = readFileSync(join(copy, file), "utf8");
    writeFileSync(join(copy, file), removed());
    const { failed } = runTests(copy, testPaths());
    const fell = values.seeds === "0" ? undefined : simulate(copy, simulator);
    writeFileSync(join(copy, file), source);
    const caughtBy = [...failed.slice(0, 1), ...(fell ? [fell] : [])];
    if (caughtBy.length === 0) unnoticed++;
    console.log(
      `${caughtBy.length > 0 ? "noticed  " : "UNNOTICED"}  ${name}  ->  ${caughtBy.join("  |  ") || "nothing fell"}`,
    );
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(unnoticed === 0 ? "Every guard is proven." : `${unnoticed} guards could go without a test noticing.`);
process.exitCode = unnoticed === 0 ? 0 : 1;
