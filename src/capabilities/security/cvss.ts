import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { words } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";

const cvss = /* @__PURE__ */ lazy(() => import("../../engines/security/cvss.js"));

const score = () => z.number().nullable();

export const securityCvss = /* @__PURE__ */ defineCapability({
  id: "security.cvss",
  summary: "Score a CVSS vector of version 2.0, 3.0, 3.1 or 4.0, and say what each of its metrics means.",
  keywords: [
    "vulnerability",
    "severity",
    "cve score",
    "cvss calculator",
    "cvss 4.0",
    "base score",
    "advisory",
    "attack vector",
    "risk rating",
  ],
  price: "0.001",
  packages: ["ae-cvss-calculator"],
  offline: true,
  source: {
    provider: "built-in (ae-cvss-calculator)",
    url: "https://www.first.org/cvss/",
    license: "Apache-2.0",
  },
  input: () =>
    z.strictObject({
      vector: words(1, 300).describe("The vector, such as CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"),
    }),
  output: one(() =>
    z.object({
      version: z.enum(["2.0", "3.0", "3.1", "4.0"]),
      scores: z
        .object({
          base: score(),
          temporal: score().describe("Versions 2 and 3"),
          environmental: score(),
          overall: score().describe("Of all metrics that are given"),
          threat: score().describe("Version 4"),
        })
        .describe("0 to 10; null where the vector or its version has none"),
      severity: z.enum(["none", "low", "medium", "high", "critical"]).nullable().describe("Of the overall score"),
      metrics: z
        .array(z.object({ id: z.string(), name: z.string(), value: z.string(), words: z.string() }))
        .describe("As given, with their meaning"),
      missing: z.array(z.string()).describe("Base metrics that the vector lacks; all scores need them"),
    }),
  ),
  example: { vector: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N" },
  async run({ vector }) {
    const { assess, CALCULATOR } = await cvss();
    return { item: await assess(vector), meta: method(CALCULATOR) };
  },
});
