import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { limit, text } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import type { Context } from "../../capability/types.js";
import { ancestorsOf, type Classification, type Item } from "../../engines/industry/classification.js";
import { readNaics } from "../../engines/industry/codes.js";
import { naicsLevel } from "../../engines/industry/lists.js";
import { searchTitles } from "../../engines/industry/search.js";
import { CapabilityError, invalid } from "../../errors.js";
import { censusClassifications } from "../../providers/classifications/provider.js";
import { loadNaics2022, loadNaicsSuccessors } from "../../providers/classifications/tables.js";
import { optional } from "../../upstream/optional.js";

const YEAR = 2022;

const named = () => z.array(z.object({ code: z.string(), title: z.string().nullable() }));

export const businessNaics = /* @__PURE__ */ defineCapability({
  id: "business.naics",
  summary: "NAICS 2022 industry codes: look one up with its parents and children, or search the titles by words.",
  keywords: ["industry code", "north american industry classification", "sector", "census", "sic", "classification"],
  price: "0.001",
  provider: censusClassifications,
  timeoutMs: 60_000,
  input: () =>
    z.strictObject({
      code: z
        .string()
        .regex(/^(\d{2,6}|31-33|44-45|48-49)$/, { error: "must be two to six digits, or 31-33, 44-45 or 48-49" })
        .optional()
        .describe("Code to look up; instead of query"),
      query: text(2, 120).optional().describe("Words of a title to search for; instead of code"),
      level: z.int().min(2).max(6).optional().describe("Of a search: only codes of so many digits; 2 are sectors"),
      limit: limit(20, 50).describe("How many codes of a search to return"),
    }),
  output: rows(() =>
    z.object({
      code: z.string(),
      title: z.string().nullable(),
      level: z.number().int().describe("Number of digits; a combined sector counts as two"),
      levelName: z.string(),
      year: z.literal(YEAR),
      parentCode: z.string().nullable(),
      parents: named().describe("From the sector down"),
      children: named().optional().describe("Of a look-up"),
      score: z.number().optional().describe("Of a search: share of the title's words that match, 0 to 1"),
    }),
  ),
  example: { query: "software", level: 6 },
  read({ code, query, level, limit }) {
    if (code !== undefined && query === undefined) return { mode: "code", code: readNaics(code) ?? code } as const;
    if (query?.trim() && code === undefined) return { mode: "search", query: query.trim(), level, limit } as const;
    throw invalid("", "give either code or query");
  },
  async run(input, ctx) {
    const naics = await loadNaics2022(ctx);
    if (input.mode === "code") {
      const found = naics.find(input.code);
      if (!found) throw await unknownCode(input.code, ctx);
      const children = naics.childrenOf(found.code).map(({ code, title }) => ({ code, title }));
      return { items: [{ ...toItem(found, naics), children }], total: 1 };
    }
    const { query, level, limit } = input;
    const candidates = naics.items.filter(({ code }) => level === undefined || naicsLevel(code) === level);
    const found = searchTitles(candidates, query, naicsLevel);
    return {
      items: found.slice(0, limit).map(({ item, score }) => ({ ...toItem(item, naics), score })),
      total: found.length,
      meta: { query, level: level ?? null },
    };
  },
});

const toItem = (item: Item, naics: Classification) => ({
  code: item.code,
  title: item.title,
  level: naicsLevel(item.code),
  levelName: item.level,
  year: YEAR as typeof YEAR,
  parentCode: item.parent,
  parents: ancestorsOf(naics, item).map(({ code, title }) => ({ code, title })),
});

/** A code that only NAICS 2017 had is answered with its successors. */
async function unknownCode(code: string, ctx: Context): Promise<CapabilityError> {
  const successors = await optional(loadNaicsSuccessors(ctx), undefined, () => {});
  const codes = successors?.forward.get(code)?.map((link) => link.code);
  const hint = codes ? ` It is a code of NAICS 2017, which became ${codes.join(", ")}.` : "";
  return new CapabilityError("NOT_FOUND", `NAICS ${YEAR} has no code ${code}.${hint}`);
}
