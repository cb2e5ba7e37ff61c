import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { devVersion } from "../../../src/capabilities/dev/version.js";

type Question = Parameters<typeof devVersion>[0];
const ask = async (question: Question) => (await devVersion(question)).items[0];

describe("semver", () => {
  test("tells whether a version satisfies a range, and of the others which is best", async () => {
    await expect(ask({ operation: "satisfies", version: "1.4.2", range: "^1.2.3" })).resolves.toMatchObject({
      valid: true,
      satisfies: true,
      order: 0,
    });
    const versions = ["1.2.0", "1.9.1", "1.10.0", "2.0.0", "nonsense"];
    await expect(ask({ operation: "satisfies", range: "^1.2.3", versions })).resolves.toMatchObject({
      satisfies: true,
      result: "1.10.0",
      sorted: ["1.9.1", "1.10.0"],
      rejected: ["nonsense"],
    });
  });

  test("sorts a list divided by commas, as a query has it", async () => {
    const { sorted } = (await ask({ operation: "sort", versions: "1.10.0, 1.9.0,1.10.0-rc.1" })) ?? {};
    expect(sorted).toEqual(["1.9.0", "1.10.0-rc.1", "1.10.0"]);
  });

  test("answers a wrong version with a reason", async () => {
    await expect(ask({ operation: "parse", version: "1.2" })).resolves.toMatchObject({
      valid: false,
      parsed: null,
      reason: '"1.2" is not a version of semver.',
    });
  });

  test("every case of node-semver's fixtures", async () => {
    interface Case {
      input: Question;
      expect: Record<string, unknown>;
    }
    const file = new URL("../../suites/node-semver.jsonl", import.meta.url);
    const [, ...lines] = readFileSync(file, "utf8").trim().split("\n");
    const cases = lines.map((line): Case => JSON.parse(line));
    expect(cases.length).toBe(863);
    const wrong: unknown[] = [];
    for (const { input, expect: wanted } of cases) {
      const found: Record<string, unknown> = await ask(input).then(
        (answer) => ({ ...answer }),
        // A step that does not exist has no result.
        () => ({ result: null }),
      );
      const isRight = Object.entries(wanted).every(([name, value]) => {
        if (name === "orderNot") return found.order !== value;
        if (name !== "parsed") return isDeepStrictEqual(found[name], value);
        const parsed = found.parsed as Record<string, unknown>;
        return Object.entries(value as object).every(([part, one]) => isDeepStrictEqual(parsed[part], one));
      });
      if (!isRight) wrong.push({ input, wanted, found });
    }
    expect(wrong).toEqual([]);
  });
});

describe("pep440", () => {
  const python = (question: Omit<Question, "scheme">) => ask({ scheme: "pep440", ...question } as Question);

  test.each([
    ["1.0-ALPHA.2", "1.0a2"],
    ["v1!2.0.post-1", "1!2.0.post1"],
    ["1.0-1", "1.0.post1"],
    ["1.0rc", "1.0rc0"],
    ["1.0+Ubuntu-1", "1.0+ubuntu.1"],
  ])("normalizes %s as %s", async (version, normalized) => {
    await expect(python({ operation: "parse", version })).resolves.toMatchObject({ parsed: { normalized } });
  });

  test("orders as the PEP lists it", async () => {
    const sorted = ["1.0.dev456", "1.0a1", "1.0a2.dev456", "1.0a12.dev456", "1.0a12", "1.0b1.dev456", "1.0b2"].concat(
      ["1.0b2.post345.dev456", "1.0b2.post345", "1.0rc1.dev456", "1.0rc1", "1.0", "1.0+abc.5", "1.0+abc.7", "1.0+5"],
      ["1.0.post456.dev34", "1.0.post456", "1.0.15", "1.1.dev1"],
    );
    await expect(python({ operation: "sort", versions: [...sorted].reverse() })).resolves.toMatchObject({ sorted });
  });

  test.each([
    ["2.2.post3", "~=2.2", true],
    ["3.0", "~=2.2", false],
    ["1.4.5a4", "~=1.4.5a4", true],
    ["1.1.post1", "==1.1", false],
    ["1.1.post1", "==1.1.*", true],
    ["1.0+local", "==1.0", true],
    ["1.0rc1", "<1.0", false],
    ["1.7.0.post1", ">1.7", false],
    ["1.7.1", ">1.7,!=1.7.1", false],
    ["1.0", "===1.0", true],
  ])("%s in %s: %s", async (version, range, satisfies) => {
    await expect(python({ operation: "satisfies", version, range })).resolves.toMatchObject({ valid: true, satisfies });
  });

  test("takes a pre-release alone, as packaging does, unless told not to", async () => {
    const question = { operation: "satisfies", version: "1.3a1", range: ">=1.2" } as const;
    await expect(python(question)).resolves.toMatchObject({ satisfies: true });
    await expect(python({ ...question, includePrerelease: false })).resolves.toMatchObject({ satisfies: false });
  });

  test.each(["==1.0a.*", "~=1", ">=1.0+local", "=>1.0"])("%s is no specifier", async (range) => {
    await expect(python({ operation: "satisfies", version: "1", range })).resolves.toMatchObject({
      valid: false,
      satisfies: false,
    });
  });

  test.each([
    ["1.2.3", "minor", "1.3.0"],
    ["1.3.0rc1", "minor", "1.3.0"],
    ["1.3.0rc1", "prerelease", "1.3.0rc2"],
    ["1.3", "post", "1.3.post0"],
  ] as const)("%s by one %s is %s", async (version, release, result) => {
    await expect(python({ operation: "increment", version, release })).resolves.toMatchObject({ result });
  });
});

describe("maven", () => {
  const maven = (question: Omit<Question, "scheme">) => ask({ scheme: "maven", ...question } as Question);

  test("orders qualifiers as Maven's own test does", async () => {
    const sorted = ["1-alpha2snapshot", "1-alpha2", "1-alpha-123", "1-beta-2", "1-beta123", "1-m2", "1-m11"].concat(
      ["1-rc", "1-cr2", "1-rc123", "1-SNAPSHOT", "1", "1-sp", "1-sp2", "1-sp123", "1-abc", "1-def", "1-pom-1"],
      ["1-1-snapshot", "1-1", "1-2", "1-123"],
    );
    await expect(maven({ operation: "sort", versions: [...sorted].reverse() })).resolves.toMatchObject({ sorted });
  });

  test.each([
    ["1.0.0", "1"],
    ["1.0-alpha-1", "1a1"],
    ["1.ga", "1"],
    ["2.0.x1", "2-x1"],
  ])("%s is %s", async (version, other) => {
    await expect(maven({ operation: "compare", version, other })).resolves.toMatchObject({ order: 0 });
  });

  test.each([
    ["1.5", "[1.0,2.0)", true, 0],
    ["2.0", "[1.0,2.0)", false, 1],
    ["1.1", "(,1.0],[1.2,)", false, null],
    ["0.9", "[1.0]", false, -1],
    ["7", "1.0", true, 0],
  ])("%s in %s: %s", async (version, range, satisfies, order) => {
    await expect(maven({ operation: "satisfies", version, range })).resolves.toMatchObject({ satisfies, order });
  });

  test.each(["[2.0,1.0]", "[1.0,2.0),[1.5,3.0)", "(1.0)", "[1.0"])("%s is no range", async (range) => {
    await expect(maven({ operation: "parse", range })).resolves.toMatchObject({ valid: false });
  });
});

describe("refusals", () => {
  test.each<[string, Question]>([
    ["other", { operation: "compare", version: "1.0.0" }],
    ["range", { operation: "satisfies", version: "1.0.0" }],
    ["release", { operation: "increment", version: "1.0.0" }],
    ["release", { operation: "increment", version: "1.0.0", release: "post" }],
    ["versions", { operation: "sort" }],
    ["versions", { operation: "sort", versions: Array.from({ length: 501 }, () => "1.0.0") }],
    ["version", { operation: "parse", version: "1".repeat(601) }],
  ])("names %s", async (path, question) => {
    await expect(devVersion(question)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
  });

  test("texts of the largest size end", async () => {
    const version = "1-".repeat(300);
    await expect(
      ask({ operation: "compare", scheme: "maven", version, other: `${"1.".repeat(299)}a` }),
    ).resolves.toBeDefined();
    await expect(ask({ operation: "parse", scheme: "pep440", version: "1.".repeat(300) })).resolves.toMatchObject({
      valid: false,
    });
    const range = ">=1 ".repeat(250);
    await expect(ask({ operation: "satisfies", version: "1.0.0", range })).resolves.toMatchObject({ satisfies: true });
  });
});
