import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text, textList } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { RELEASES, type Scheme } from "../../engines/versions/scheme.js";
import { SEMVER } from "../../engines/versions/semver.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";

const inputSchema = () =>
  z.strictObject({
    operation: z
      .enum(["satisfies", "compare", "increment", "parse", "sort"])
      .describe("satisfies a range, compare two, increment one, parse one (or a range), or sort many"),
    scheme: z
      .enum(["semver", "pep440", "maven"])
      .default("semver")
      .describe("Whose rules hold: npm's, Python's or Maven's"),
    version: text(1, 600).optional().describe("The version; for all operations but sort"),
    other: text(1, 600).optional().describe("The version to compare with"),
    range: text(0, 1000)
      .optional()
      .describe("The range to satisfy or parse: ^1.2 || >=3 (semver), >=1.2,!=1.3.* (pep440), [1.0,2.0) (maven)"),
    release: z.enum(RELEASES).optional().describe("The step to increment by; post and dev for pep440 only"),
    identifier: text(0, 100).optional().describe("Word of the pre-release to increment to, such as beta; semver only"),
    base: z.enum(["0", "1", "none"]).optional().describe("Number that a new pre-release begins with; semver only"),
    versions: textList({ max: 500, maxLength: 600, what: "versions" })
      .optional()
      .describe("Up to 500 versions to sort, or to choose the best from that satisfies the range, divided by commas"),
    loose: z.boolean().default(false).describe("Take versions such as 1.2.3beta, too; semver only"),
    includePrerelease: z
      .boolean()
      .optional()
      .describe("Let pre-releases satisfy a range. Left out: as npm, pip's packaging and Maven decide"),
  });

type Input = z.output<ReturnType<typeof inputSchema>>;

export const devVersion = /* @__PURE__ */ defineCapability({
  id: "dev.version",
  summary:
    "Compare, sort, parse or increment versions, or test them against a range, by the rules of npm, Python or Maven.",
  keywords: [
    "semver",
    "semantic version",
    "pep 440",
    "version range",
    "caret",
    "tilde",
    "newer version",
    "bump version",
    "npm range",
    "pip specifier",
    "maven version",
    "pre-release",
    "satisfies",
  ],
  price: "0.001",
  packages: ["semver"],
  offline: true,
  source: { provider: "built-in (semver)", url: "https://semver.org", license: "ISC" },
  input: inputSchema,
  output: one(() =>
    z.object({
      valid: z.boolean().describe("Whether all versions and the range are what the scheme calls so"),
      reason: z.string().nullable().describe("Why not, or why the result is null"),
      satisfies: z.boolean().nullable(),
      order: z
        .union([z.literal(-1), z.literal(0), z.literal(1)])
        .nullable()
        .describe("compare: 1 if the version comes after the other. satisfies: 1 above the whole range, -1 below it"),
      result: z
        .string()
        .nullable()
        .describe("The next version; the best of `versions` that satisfies; the range in canonical form"),
      parsed: z
        .looseObject({
          normalized: z.string(),
          release: z.array(z.union([z.number(), z.string()])),
          prerelease: z.array(z.union([z.number(), z.string()])),
          isPrerelease: z.boolean(),
        })
        .nullable()
        .describe("Of the version; further parts by scheme"),
      sorted: z.array(z.string()).nullable().describe("Ascending, as they were written"),
      rejected: z.array(z.string()).describe("Of `versions`, those that are none"),
    }),
  ),
  example: { operation: "satisfies", version: "1.4.2", range: "^1.2.3" },
  check(input) {
    const needs: Record<Input["operation"], (keyof Input)[]> = {
      satisfies: input.versions ? ["range"] : ["version", "range"],
      compare: ["version", "other"],
      increment: ["version", "release"],
      parse: input.range === undefined ? ["version"] : [],
      sort: ["versions"],
    };
    for (const field of needs[input.operation])
      if (input[field] === undefined) throw invalid(field, `is needed to ${VERBS[input.operation]}`);
  },
  async run(input) {
    const { openScheme, work } = await engine();
    const scheme: Scheme = await openScheme(input);
    return { item: work(scheme, input), meta: method(input.scheme === "semver" ? SEMVER : {}) };
  },
});

const VERBS = {
  satisfies: "test versions against a range",
  compare: "compare",
  increment: "increment",
  parse: "parse",
  sort: "sort",
};

const engine = /* @__PURE__ */ lazy(() => import("../../engines/versions/versions.js"));
