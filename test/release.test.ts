/** What `npm run release` writes, and what it refuses. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { checkVersion, released } from "../scripts/release.mjs";
import { pathFromRoot } from "./support/render-indexes.js";

const text = (news: string) => `# Changelog\n\n## [Unreleased]\n${news}\n## [0.1.0]\n\nThe first.\n`;

it("moves what is unreleased under its version and day", () => {
  expect(released(text("\n### Added\n\n- A door.\n"), "0.2.0", "2026-12-01")).toBe(
    "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- A door.\n\n## [0.1.0]\n\nThe first.\n",
  );
});

it("refuses a release that tells nothing, and one that is there already", () => {
  expect(() => released(text(""), "0.2.0", "2026-12-01")).toThrow("tells nothing");
  expect(() => released(text("- A door.\n"), "0.1.0", "2026-12-01")).toThrow("has a version 0.1.0 already");
});

it.each([undefined, "next", "0.2", "v0.2.0", "0.1.0", "0.0.9", "0.1.0-beta"])("refuses the version %s", (version) => {
  expect(() => checkVersion(version, "0.1.0")).toThrow(/Name the version|is not later than/);
});

it.each(["0.1.1", "0.2.0", "1.0.0", "0.10.0"])("takes the version %s", (version) => {
  expect(() => checkVersion(version, "0.1.0")).not.toThrow();
});

it("works on this changelog, and says so in one line where no version is named", () => {
  expect(released(readFileSync(pathFromRoot("CHANGELOG.md"), "utf8"), "9.0.0", "2026-12-01")).toContain("## [9.0.0]");
  const files = () => ["package.json", "CHANGELOG.md"].map((file) => readFileSync(pathFromRoot(file), "utf8"));
  const before = files();
  const told = spawnSync(process.execPath, ["scripts/release.mjs"], { cwd: pathFromRoot("."), encoding: "utf8" });
  expect([told.status, told.stderr]).toEqual([1, "Name the version, such as: npm run release -- 0.2.0\n"]);
  expect(files()).toEqual(before);
});
