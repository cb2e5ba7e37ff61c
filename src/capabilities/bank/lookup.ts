import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { lazySchema, text } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import { CapabilityError, invalid } from "../../errors.js";
import { DAY_MS } from "../../lib/time.js";
import { fdic, fdicOldHost } from "../../providers/fdic.js";
import { upstream } from "../../upstream/client.js";
import { institution, toBank } from "./_institution.js";

const answer = lazySchema(() =>
  z.object({
    meta: z.object({ total: z.number().nullish() }).nullish(),
    totals: z.object({ count: z.number().nullish() }).nullish(),
    data: z.array(z.object({ data: institution() })),
  }),
);

const ACTIVE_FILTER = { active: "ACTIVE:1", inactive: "ACTIVE:0", any: undefined } as const;

interface Query {
  name?: string | undefined;
  cert?: string | undefined;
  rssdId?: string | undefined;
  state?: string | undefined;
  status: keyof typeof ACTIVE_FILTER;
  limit: number;
  offset: number;
}

export const bankLookup = /* @__PURE__ */ defineCapability({
  id: "bank.lookup",
  summary:
    "Look up FDIC-insured US banks by name, certificate number, RSSD id or state, with size, regulator and owner.",
  keywords: ["fdic", "bankfind", "bank", "institution", "insured", "rssd", "certificate", "assets", "deposits", "kyb"],
  price: "0.0012",
  provider: fdic,
  timeoutMs: 40_000,
  input: () =>
    z.strictObject({
      name: text(2, 200).optional().describe("Bank name, or a part of it; spelling is matched loosely"),
      cert: digits(7).optional().describe("FDIC certificate number"),
      rssdId: digits(10).optional().describe("Federal Reserve RSSD id"),
      state: z
        .string()
        .regex(/^[A-Za-z]{2}$/, { error: "must be a state code of two letters, such as TX" })
        .optional()
        .describe("State of the head office, as a code of two letters"),
      status: z
        .enum(["active", "inactive", "any"])
        .default("active")
        .describe("Banks in business, closed ones, or both"),
      limit: z.int().min(1).max(50).default(10).describe("How many banks to return"),
      offset: z.int().min(0).max(10_000).default(0).describe("How many matches to skip"),
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
  check({ name }) {
    if (name !== undefined && searchWords(name) === "") throw invalid("name", "must contain letters or digits");
  },
  async run(input, ctx) {
    const options = { query: toQuery(input), schema: answer(), ttlMs: DAY_MS / 2, staleMs: 7 * DAY_MS };
    const found = await upstream(ctx, fdic)
      .get("/institutions", options)
      .catch((error: unknown) => {
        if (!CapabilityError.is(error) || error.status !== 502) throw error;
        // The first failure says more than the second one.
        return upstream(ctx, fdicOldHost)
          .get("/institutions", options)
          .catch(() => Promise.reject(error));
      });
    const { limit, offset, status } = input;
    return {
      items: found.data.map(({ data }) => toBank(data)),
      total: found.meta?.total ?? found.totals?.count ?? null,
      meta: { limit, offset, status },
    };
  },
});

function digits(max: number) {
  return z.string().regex(new RegExp(`^\\d{1,${max}}$`), { error: `must be 1 to ${max} digits` });
}

function toQuery({ name, cert, rssdId, state, status, limit, offset }: Query) {
  const filters = [
    cert && `CERT:${Number(cert)}`,
    rssdId && `FED_RSSD:${Number(rssdId)}`,
    state && `STALP:${state.toUpperCase()}`,
    ACTIVE_FILTER[status],
  ];
  return {
    // Sorting would destroy the order by relevance that a search has.
    ...(name ? { search: `NAME: ${searchWords(name)}` } : { sort_by: "NAME", sort_order: "ASC" }),
    filters: filters.filter(Boolean).join(" AND ") || undefined,
    fields: Object.keys(institution().shape).join(","),
    limit,
    offset,
    format: "json",
  };
}

/** Without what the search language takes for operators. */
function searchWords(name: string): string {
  return name
    .replace(/[:"()*?\\/[\]{}~^+\-&|!<>=]/g, " ")
    .replace(/\b(?:AND|OR|NOT)\b/g, (word) => word.toLowerCase())
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}
