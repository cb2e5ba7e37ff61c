import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { limit } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import type { Context } from "../../capability/types.js";
import { CapabilityError, invalid } from "../../errors.js";
import { findIsins } from "../../providers/gleif/isins.js";
import { gleif } from "../../providers/gleif/provider.js";
import { searchRecords } from "../../providers/gleif/records.js";
import { entityBriefSchema, isin, lei, toEntityBrief, unknownLei } from "./_lei.js";

/** An ISIN has one issuer; several records would be a mapping error, and are shown. */
const ISSUERS = 5;

export const businessLeiIsins = /* @__PURE__ */ defineCapability({
  id: "business.lei-isins",
  summary: "The ISINs of a legal entity's securities by its LEI, or the issuer of an ISIN.",
  keywords: ["isin", "securities", "issuer", "gleif", "anna", "bond", "stock", "identifier mapping"],
  price: "0.00144",
  provider: gleif,
  input: () =>
    z.strictObject({
      lei: lei().optional().describe("Legal Entity Identifier: lists its ISINs"),
      isin: isin().optional().describe("ISIN: finds its issuer"),
      limit: limit(100, 200).describe("How many ISINs of an LEI to return"),
    }),
  output: rows(() =>
    z.object({
      isin: z.string(),
      ...entityBriefSchema().partial({ legalName: true, country: true, jurisdiction: true, status: true }).shape,
    }),
  ),
  example: { isin: "US0378331005" },
  read({ lei, isin, limit }) {
    if (lei !== undefined && isin === undefined) return { mode: "lei", lei, limit } as const;
    if (isin !== undefined && lei === undefined) return { mode: "isin", isin } as const;
    throw invalid("", "give either lei or isin");
  },
  run: (query, ctx) => (query.mode === "isin" ? issuersOf(query.isin, ctx) : isinsOf(query.lei, query.limit, ctx)),
});

async function isinsOf(lei: string, limit: number, ctx: Context) {
  const found = await findIsins(lei, limit, ctx);
  if (!found) throw unknownLei();
  const items = found.isins.slice(0, limit).map((isin) => ({ isin, lei }));
  return { items, total: found.total, meta: { mode: "lei", lei, truncated: found.total > items.length } };
}

async function issuersOf(isin: string, ctx: Context) {
  const { records, total } = await searchRecords({ isin }, { limit: ISSUERS }, ctx);
  if (records.length === 0) throw new CapabilityError("NOT_FOUND", "GLEIF knows no issuer of this ISIN.");
  return { items: records.map((record) => ({ isin, ...toEntityBrief(record) })), total, meta: { mode: "isin", isin } };
}
