import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { unavailableIn } from "../../capability/facts.js";
import { digits, limit, offset, text, usState } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { usState as stateOf } from "../../lib/facts/us-states.js";
import { findInstitutions, type Institution } from "../../providers/fdic/institutions.js";
import { fdic } from "../../providers/fdic/provider.js";

const ACTIVE_FILTER = { active: "ACTIVE:1", inactive: "ACTIVE:0", any: undefined } as const;

export const bankLookup = /* @__PURE__ */ defineCapability({
  id: "bank.lookup",
  summary:
    "Look up FDIC-insured US banks by name, certificate number, RSSD id or state, with size, regulator and owner.",
  keywords: ["fdic", "bankfind", "bank", "institution", "insured", "rssd", "certificate", "assets", "deposits", "kyb"],
  price: "0.0012",
  provider: fdic,
  input: () =>
    z.strictObject({
      name: text(2, 200).optional().describe("Bank name, or a part of it; spelling is matched loosely"),
      cert: digits(1, 7).optional().describe("FDIC certificate number"),
      rssdId: digits(1, 10).optional().describe("Federal Reserve RSSD id"),
      state: usState({ also: ["FM", "MH", "PW"] })
        .optional()
        .describe("State of the head office, as a code of two letters"),
      status: z
        .enum(["active", "inactive", "any"])
        .default("active")
        .describe("Banks in business, closed ones, or both"),
      limit: limit(10, 50).describe("How many banks to return"),
      offset: offset(10_000).describe("How many matches to skip"),
    }),
  output: rows(() =>
    z.object({
      cert: z.string().describe("FDIC certificate number"),
      name: z.string(),
      rssdId: z.string().nullable(),
      active: z.boolean(),
      address: z.string().nullable(),
      city: z.string().nullable(),
      state: z.string().nullable(),
      stateName: z.string().nullable(),
      zip: z.string().nullable(),
      county: z.string().nullable(),
      bankClass: z.string().nullable().describe("FDIC class: N national, NM state non-member, SM state member, ..."),
      charterAgency: z.string().nullable(),
      regulator: z.string().nullable(),
      assetsUsd: z.number().nullable(),
      depositsUsd: z.number().nullable(),
      equityUsd: z.number().nullable(),
      netIncomeUsd: z.number().nullable(),
      offices: z.number().nullable(),
      established: z.string().nullable(),
      insuredSince: z.string().nullable(),
      closed: z.string().nullable(),
      reportDate: z.string().nullable().describe("The day that the figures are of"),
      holdingCompany: z.string().nullable(),
      holdingCompanyRssdId: z.string().nullable(),
      website: z.string().nullable(),
      url: z.string(),
    }),
  ),
  example: { name: "Wells Fargo" },
  read({ name, cert, rssdId, state, status, limit, offset }) {
    const search = name === undefined ? undefined : searchWords(name);
    if (search === "") throw invalid("name", "must contain letters or digits");
    const filters = [
      cert && `CERT:${Number(cert)}`,
      rssdId && `FED_RSSD:${Number(rssdId)}`,
      state && `STALP:${state}`,
      ACTIVE_FILTER[status],
    ];
    return { search, filters: filters.filter((filter) => filter !== undefined), limit, offset, status };
  },
  async run({ status, ...query }, ctx) {
    const { institutions, total } = await findInstitutions(ctx, query);
    const items = institutions.map(toBank);
    const unavailable = unavailableIn(items, { rssdId: ["rssdId"], insuredSince: ["insuredSince"] });
    return { items, total, meta: { limit: query.limit, offset: query.offset, status, ...unavailable } };
  },
});

/** Without operators of the search language. */
function searchWords(name: string): string {
  return name
    .replace(/[:"()*?\\/[\]{}~^+\-&|!<>=]/g, " ")
    .replace(/\b(?:AND|OR|NOT)\b/g, (word) => word.toLowerCase())
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

/** A row under plain names, with money in dollars and ISO dates. */
function toBank(row: Institution) {
  return {
    cert: row.CERT,
    name: row.NAME,
    rssdId: row.FED_RSSD,
    active: row.ACTIVE,
    address: row.ADDRESS,
    city: row.CITY,
    state: row.STALP,
    stateName: row.STNAME ?? (row.STALP === null ? null : (stateOf(row.STALP)?.name ?? null)),
    zip: row.ZIP,
    county: row.COUNTY,
    bankClass: row.BKCLASS,
    charterAgency: row.CHRTAGNT,
    regulator: row.REGAGNT,
    assetsUsd: dollars(row.ASSET),
    depositsUsd: dollars(row.DEP),
    equityUsd: dollars(row.EQ),
    netIncomeUsd: dollars(row.NETINC),
    offices: row.OFFICES,
    established: row.ESTYMD,
    insuredSince: row.INSDATE,
    closed: row.ENDEFYMD,
    reportDate: row.REPDTE,
    holdingCompany: row.NAMEHCR,
    holdingCompanyRssdId: row.RSSDHCR,
    website: row.WEBADDR && (/^https?:\/\//i.test(row.WEBADDR) ? row.WEBADDR : `https://${row.WEBADDR}`),
    url: `https://banks.data.fdic.gov/bankfind-suite/bankfind/details/institution/${row.CERT}`,
  };
}

/** The FDIC gives thousands. */
const dollars = (thousands: number | null) => (thousands === null ? null : thousands * 1000);
