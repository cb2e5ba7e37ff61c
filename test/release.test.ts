/** What `npm run release` writes, and what it refuses. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { checkAddresses, checkBench, checkVersion, released } from "../scripts/release.mjs";
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

it("names each ratio that fell short, its goal, and what else the machine did", () => {
  const held = { topic: "paid", what: "a paid call", value: 1.1, atLeast: 0.9, holds: true, othersBusy: 0.02 };
  const slow = { topic: "many", what: "64 at once", value: 0.874, atLeast: 1.3, holds: false, othersBusy: 0.62 };
  const failed = { topic: "near", what: "the topic itself", why: "no room", holds: false };
  expect(() => checkBench([held])).not.toThrow();
  expect(() => checkBench([])).toThrow("measured nothing");
  expect(() => checkBench([held, slow, failed])).toThrow(
    new Error(
      [
        "2 of 3 ratios fell short of their goals:",
        "  many: 64 at once: 0.87x, goal at least 1.3x; others took 62 % of the processors",
        "  near: the topic itself: no room",
        "Measure them again with nothing beside: npm run bench -- many near",
        "To release although they fall short: npm run release -- VERSION --despite-bench",
      ].join("\n"),
    ),
  );
});

it("asks for the addresses that package.json lacks, each with the command that sets it", () => {
  const whole = {
    repository: { url: "https://a.example" },
    bugs: { url: "https://b.example" },
    homepage: "https://c.example",
  };
  expect(() => checkAddresses(whole)).not.toThrow();
  expect(() => checkAddresses({ ...whole, bugs: { url: "" } })).toThrow(/provenance:\n {2}npm pkg set bugs\.url=/);
  expect(() => checkAddresses({})).toThrow(/repository\.url=.*\n.*bugs\.url=.*\n.*homepage=.*\n.*--without-addresses/);
});

it("leaves out of package.json what would be empty", () => {
  const manifest = JSON.parse(readFileSync(pathFromRoot("package.json"), "utf8"));
  for (const field of ["repository", "bugs", "homepage"])
    expect([
      undefined,
      expect.stringMatching(/^https/),
      expect.objectContaining({ url: expect.stringMatching(/\w/) }),
    ]).toContainEqual(manifest[field]);
});

it("works on this changelog, and says so in one line where no version is named", () => {
  expect(released(readFileSync(pathFromRoot("CHANGELOG.md"), "utf8"), "9.0.0", "2026-12-01")).toContain("## [9.0.0]");
  const files = () => ["package.json", "CHANGELOG.md"].map((file) => readFileSync(pathFromRoot(file), "utf8"));
  const before = files();
  const told = spawnSync(process.execPath, ["scripts/release.mjs"], { cwd: pathFromRoot("."), encoding: "utf8" });
  expect([told.status, told.stderr]).toEqual([1, "Name the version, such as: npm run release -- 0.2.0\n"]);
  expect(files()).toEqual(before);
});
