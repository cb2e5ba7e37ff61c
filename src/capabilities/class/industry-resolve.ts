import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import { readCode, SYSTEMS } from "../../engines/industry/codes.js";
import { CapabilityError, invalid } from "../../errors.js";
import { classifications } from "../../providers/classifications/provider.js";
import { resolveCode } from "../../providers/classifications/resolve.js";
import { loadIndustryTables } from "../../providers/classifications/tables.js";

const FORMS = {
  naics: "two to six digits, or a combined sector such as 31-33",
  sic: "two to four digits, or the letter of a division from A to J",
  isic: "two to four digits, or the letter of a section from A to U",
  nace: "digits such as 62, 62.0, 62.01 or 6201, or the letter of a section from A to U",
} as const;

const equivalents = () =>
  z.array(
    z.object({
      code: z.string(),
      title: z.string().nullable(),
      hops: z.number().int().describe("How many tables lie between"),
      partial: z.boolean().describe("Only a part of one of the two codes is meant"),
      path: z.array(z.string()),
      note: z.string().nullable(),
    }),
  );

export const classIndustryResolve = /* @__PURE__ */ defineCapability({
  id: "class.industry-resolve",
  summary: "What an industry code of NAICS, SIC, ISIC or NACE is in the other three, by the official concordances.",
  keywords: ["crosswalk", "concordance", "industry code", "naics to sic", "nace", "isic", "classification", "convert"],
  price: "0.0036",
  provider: classifications,
  // The first call may have to download the tables.
  timeoutMs: 60_000,
  input: () =>
    z.strictObject({
      system: z
        .enum(SYSTEMS)
        .describe("The system that the code is of: NAICS 2022 and older, SIC 1987, ISIC Rev. 4, NACE Rev. 2"),
      code: text(1, 12).describe("Code of any level, with its dots or without, such as 541511, 7372, 6201 or J62.01"),
    }),
  output: one(() =>
    z.object({
      system: z.enum(SYSTEMS),
      code: z.string(),
      title: z.string().nullable(),
      level: z.string(),
      version: z.string(),
      equivalents: z
        .object({ naics: equivalents(), sic: equivalents(), isic: equivalents(), nace: equivalents() })
        .describe("Exact links first. Of an outdated NAICS code, naics has its successors"),
      notes: z.array(z.string()),
    }),
  ),
  example: { system: "naics", code: "541511" },
  read({ system, code }) {
    const read = readCode(system, code);
    if (read === undefined) throw invalid("code", `must be ${FORMS[system]}`);
    return { system, code: read };
  },
  async run({ system, code }, ctx) {
    const resolved = resolveCode(await loadIndustryTables(ctx), system, code);
    if (!resolved) throw new CapabilityError("NOT_FOUND", `${system.toUpperCase()} has no code ${code}.`);
    const { item, version, equivalents, notes } = resolved;
    return {
      item: { system, code: item.code, title: item.title, level: item.level, version, equivalents, notes },
      meta: { versions: ["NAICS 2022", "SIC 1987", "ISIC Rev. 4", "NACE Rev. 2"], classificationVersion: version },
    };
  },
});
