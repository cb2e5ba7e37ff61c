/**
 * The official conformance suite of MCP against a host of ours, in both eras: node scripts/mcp-conformance/run.mjs
 *
 * Built first: npm run build. Installs both generations of the suite, and the Node 22 that they need, into a temporary folder.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { startHost } from "./host.mjs";
import { NOT_APPLICABLE } from "./not-applicable.mjs";

const run = promisify(execFile);
const { values } = parseArgs({ options: { cache: { type: "string" }, verbose: { type: "boolean" } } });

const NEWER = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
const OLDER = "@modelcontextprotocol/conformance@0.1.16";
const RUNS = [
  { suite: "newer", revision: "2026-07-28", flags: ["--requirements", "2026-07-28"] },
  { suite: "newer", revision: "2025-11-25", flags: ["--requirements", "2025-11-25"] },
  { suite: "older", revision: "2025-11-25", flags: ["--suite", "all"] },
];

async function install() {
  const folder = values.cache ?? (await mkdtemp(join(tmpdir(), "coinslot-conformance-")));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true }));
  const packages = ["node@22", `newer@npm:${NEWER}`, `older@npm:${OLDER}`];
  await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", ...packages], { cwd: folder });
  return folder;
}

/** Each check of each scenario, from the files that the suite writes. */
async function checksIn(output) {
  const all = [];
  for (const name of await readdir(output)) {
    const scenario = name.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, "");
    for (const check of JSON.parse(await readFile(join(output, name, "checks.json"), "utf8")))
      all.push({
        scenario,
        id: check.id,
        status: check.status,
        said: check.errorMessage ?? check.details?.message ?? "",
      });
  }
  return all;
}

const PASSED = ["SUCCESS", "INFO"];
const count = (words) => new Set(words).size;

let failed = false;
const folder = await install();
const host = await startHost();
for (const [index, { suite, revision, flags }] of RUNS.entries()) {
  const output = join(folder, `results-${index}`);
  await rm(output, { recursive: true, force: true });
  const program = join(folder, "node_modules", suite, "dist/index.js");
  const node = join(folder, "node_modules/node/bin/node");
  // It ends with a failure if any scenario fails, also one that does not apply here.
  const { stdout } = await run(node, [program, "server", "--url", host.url, ...flags, "--output-dir", output]).catch(
    (error) => error,
  );
  if (values.verbose) console.log(stdout);
  const reasons = NOT_APPLICABLE[revision];
  const reasonOf = ({ scenario, id }) => reasons[scenario] ?? reasons[`${scenario}:${id}`];
  const checks = await checksIn(output);
  const applicable = checks.filter((check) => !reasonOf(check));
  const wrong = applicable.filter(({ status }) => !PASSED.includes(status));
  const wanted = Object.keys(reasons).filter((name) => !name.includes(":"));
  const left = wanted.filter((name) => checks.some(({ scenario }) => scenario === name));
  const scenarios = applicable.map(({ scenario }) => scenario);
  console.log(
    `${revision}, ${suite === "newer" ? NEWER : OLDER}: ${applicable.length - wrong.length} of ${applicable.length} checks ` +
      `in ${count(scenarios)} scenarios passed; ${left.length} scenarios do not apply`,
  );
  for (const { scenario, id, status, said } of wrong) console.log(`  ${status} ${scenario}:${id} ${said}`);
  if (wrong.length > 0 || applicable.length === 0) failed = true;
}
await host.close();
if (!values.cache) await rm(folder, { recursive: true, force: true });
process.exit(failed ? 1 : 0);
