/**
 * `npm run release -- 0.2.0`: checks, measures, versions and packs. `--despite-bench` releases although ratios fall short,
 * `--without-addresses` although package.json does not say where the code is. It leaves a commit, a tag and the package's file behind; to push and
 * to publish is for people: `git push --follow-tags` and `npm publish coinslot-0.2.0.tgz`, with `--provenance` in CI.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { shortfalls } from "../test/bench/report.mjs";

/**
 * The changelog with what was unreleased under a version of its own.
 * @param {string} changelog
 * @param {string} version
 * @param {string} day YYYY-MM-DD
 * @returns {string}
 */
export function released(changelog, version, day) {
  const [before, rest] = changelog.split("## [Unreleased]\n");
  const [news = ""] = (rest ?? "").split(/^## \[/m);
  if (!news.trim()) throw new Error('CHANGELOG.md tells nothing under "## [Unreleased]": say there what changed.');
  if (changelog.includes(`## [${version}]`)) throw new Error(`CHANGELOG.md has a version ${version} already.`);
  return `${before}## [Unreleased]\n\n## [${version}] - ${day}\n${rest}`;
}

/**
 * Throws for a version that is not later than `current`.
 * @param {string | undefined} version
 * @param {string} current
 */
export function checkVersion(version, current) {
  const parts = (/** @type {string} */ text) => /^(\d+)\.(\d+)\.(\d+)$/.exec(text)?.slice(1).map(Number);
  const [next, last] = [parts(version ?? ""), parts(current) ?? []];
  if (!next) throw new Error("Name the version, such as: npm run release -- 0.2.0");
  const first = next.findIndex((part, i) => part !== last[i]);
  if (first < 0 || next[first] < last[first]) throw new Error(`${version} is not later than ${current}.`);
}

/**
 * Throws with every ratio that fell short.
 * @param {import("../test/bench/report.mjs").Row[]} rows of a run of the bench
 */
export function checkBench(rows) {
  const missed = shortfalls(rows);
  if (rows.length === 0) throw new Error("The bench measured nothing.");
  if (missed.length === 0) return;
  const topics = [...new Set(rows.filter(({ holds }) => !holds).map(({ topic }) => topic))];
  throw new Error(
    [
      `${missed.length} of ${rows.length} ratios fell short of their goals:`,
      ...missed.map((line) => `  ${line}`),
      `Measure them again with nothing beside: npm run bench -- ${topics.join(" ")}`,
      "To release although they fall short: npm run release -- VERSION --despite-bench",
    ].join("\n"),
  );
}

/** The addresses that a published package has, and what npm takes them from. */
const ADDRESSES = {
  "repository.url": (/** @type {Manifest} */ { repository }) => repository?.url,
  "bugs.url": (/** @type {Manifest} */ { bugs }) => bugs?.url,
  homepage: (/** @type {Manifest} */ { homepage }) => homepage,
};

/**
 * Throws for each address that package.json does not have, with the command that sets it.
 * @typedef {{ repository?: { url?: string }, bugs?: { url?: string }, homepage?: string }} Manifest
 * @param {Manifest} manifest
 */
export function checkAddresses(manifest) {
  const missing = Object.entries(ADDRESSES).filter(([, read]) => !read(manifest));
  if (missing.length === 0) return;
  throw new Error(
    [
      "package.json does not say where the code is, so npm can show neither it nor its provenance:",
      ...missing.map(([field]) => `  npm pkg set ${field}=https://…`),
      "To release without: npm run release -- VERSION --without-addresses",
    ].join("\n"),
  );
}

/** Runs the whole bench, whose own exit code says no more than its table. */
function bench(/** @type {boolean} */ despite) {
  const folder = mkdtempSync(join(tmpdir(), "coinslot-release-"));
  try {
    const file = join(folder, "bench.json");
    const { status } = spawnSync("npm", ["run", "bench", "--", "--json", file], { stdio: "inherit" });
    if (!existsSync(file)) throw new Error(`npm run bench ended with ${status} before its table was there.`);
    const { rows } = JSON.parse(readFileSync(file, "utf8"));
    checkBench(rows);
  } catch (error) {
    if (!despite) throw error;
    console.error(error instanceof Error ? error.message : error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function release(/** @type {string | undefined} */ version, { despiteBench = false, withoutAddresses = false } = {}) {
  const run = (/** @type {string} */ command, /** @type {string[]} */ ...args) =>
    execFileSync(command, args, { stdio: "inherit" });
  const manifest = JSON.parse(readFileSync("package.json", "utf8"));
  const { name, version: current } = manifest;
  checkVersion(version, current);
  if (!withoutAddresses) checkAddresses(manifest);
  if (execFileSync("git", ["status", "--porcelain"], { encoding: "utf8" }))
    throw new Error("The tree has changes that are not committed: a release is made of commits.");
  const changelog = released(readFileSync("CHANGELOG.md", "utf8"), version, new Date().toISOString().slice(0, 10));
  for (const script of ["test", "proofs", "check"]) run("npm", "run", script);
  bench(despiteBench);
  writeFileSync("CHANGELOG.md", changelog);
  run("npm", "version", version, "--no-git-tag-version");
  run("git", "commit", "--all", "--message", `Release ${version}`);
  run("git", "tag", "--annotate", `v${version}`, "--message", `${name} ${version}`);
  run("npm", "pack");
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  try {
    const { values, positionals } = parseArgs({
      options: { "despite-bench": { type: "boolean" }, "without-addresses": { type: "boolean" } },
      allowPositionals: true,
    });
    release(positionals[0], {
      despiteBench: values["despite-bench"],
      withoutAddresses: values["without-addresses"],
    });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
