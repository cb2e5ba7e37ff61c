import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text, textList } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import type { Licence } from "../../engines/licences/expression.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";

export const devLicense = /* @__PURE__ */ defineCapability({
  id: "dev.license",
  summary: "Check an SPDX licence expression, and whether a list of allowed licences satisfies it.",
  keywords: [
    "spdx",
    "open source license",
    "licence",
    "license compliance",
    "copyleft",
    "gpl",
    "mit",
    "apache",
    "osi approved",
    "license compatibility",
    "package.json license",
    "dependencies",
  ],
  price: "0.001",
  offline: true,
  source: { provider: "built-in", url: "https://spdx.org/licenses/", license: "CC0-1.0 (SPDX license list)" },
  input: () =>
    z.strictObject({
      expression: text(1, 2000).describe("The expression, such as (MIT OR Apache-2.0) AND BSD-3-Clause"),
      allowed: textList({ max: 200, maxLength: 200, what: "licences" })
        .optional()
        .describe("Licences that are allowed, divided by commas, such as MIT,Apache-2.0,GPL-2.0-or-later"),
    }),
  output: one(() =>
    z.object({
      valid: z.boolean(),
      normalized: z.string().nullable().describe("In the list's spelling, without needless parentheses"),
      licenses: z.array(z.string()).describe("Identifiers of the licences, without plus and exception"),
      exceptions: z.array(z.string()),
      satisfied: z.boolean().nullable().describe("Whether the allowed licences suffice; null if none were given"),
      osiApproved: z.boolean().nullable().describe("Whether it can be met by licences that the OSI approved"),
      copyleft: z
        .enum(["none", "weak", "strong", "network"])
        .nullable()
        .describe("Of the mildest choice that the expression leaves; no legal advice"),
      deprecated: z.array(z.string()).describe("Identifiers that the list has replaced by others"),
      error: z
        .object({ position: z.int().describe("In UTF-16 units, from 0"), message: z.string() })
        .nullable()
        .describe("Where and why reading it stopped"),
    }),
  ),
  example: { expression: "(MIT OR GPL-2.0-only) AND Apache-2.0", allowed: "MIT,Apache-2.0" },
  async run({ expression, allowed }) {
    const { judgeExpression, readExpression, SPDX_RELEASE } = await engine();
    const licences = allowed?.map((text, at): Licence => {
      const read = readOrUndefined(() => readExpression(text));
      if (read?.kind === "licence") return read;
      throw invalid(`allowed.${at}`, read ? "must be one licence, without AND and OR" : "is not an SPDX licence");
    });
    return { item: judgeExpression(expression, licences ?? null), meta: method({ data: SPDX_RELEASE }) };
  },
});

function readOrUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The table of identifiers is loaded with the first call. */
const engine = /* @__PURE__ */ lazy(async () => ({
  ...(await import("../../engines/licences/judge.js")),
  ...(await import("../../engines/licences/expression.js")),
  ...(await import("../../engines/licences/spdx-table.js")),
}));
