/**
 * `npm run release -- 0.2.0`: checks, versions and packs. It leaves a commit, a tag and the package's file behind; to push and
 * to publish is for people: `git push --follow-tags` and `npm publish coinslot-0.2.0.tgz`, with `--provenance` in CI.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

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

function release(/** @type {string | undefined} */ version) {
  const run = (/** @type {string} */ command, /** @type {string[]} */ ...args) =>
    execFileSync(command, args, { stdio: "inherit" });
  const { name, version: current, homepage, bugs, repository } = JSON.parse(readFileSync("package.json", "utf8"));
  checkVersion(version, current);
  const unfilled = Object.entries({ homepage, "bugs.url": bugs?.url, "repository.url": repository?.url });
  if (execFileSync("git", ["status", "--porcelain"], { encoding: "utf8" }))
    throw new Error("The tree has changes that are not committed: a release is made of commits.");
  const changelog = released(readFileSync("CHANGELOG.md", "utf8"), version, new Date().toISOString().slice(0, 10));
  for (const script of ["test", "proofs", "check"]) run("npm", "run", script);
  writeFileSync("CHANGELOG.md", changelog);
  run("npm", "version", version, "--no-git-tag-version");
  run("git", "commit", "--all", "--message", `Release ${version}`);
  run("git", "tag", "--annotate", `v${version}`, "--message", `${name} ${version}`);
  run("npm", "pack");
  for (const [field, url] of unfilled)
    if (!url)
      console.log(`package.json has no "${field}" yet${field === "repository.url" ? ": --provenance needs it" : ""}.`);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  try {
    release(process.argv[2]);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
