/** The FDIC's directory of institutions. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { DAY_MS } from "../../lib/time.js";
import { upstream } from "../../upstream/client.js";
import { failover } from "../../upstream/failover.js";
import { id, identifiedRows, key, label, number, part, usDay, whole } from "../../upstream/fields.js";
import { fdic, fdicOldHost } from "./provider.js";

/** 12/31/9999 stands for "never". */
const day = () => usDay().transform((value) => (value?.startsWith("9999") ? null : value));

/** Fields of every institution. */
const always = () => ({
  CERT: key(),
  NAME: z.string(),
  ACTIVE: z.union([z.number(), z.string()]).transform((value) => Number(value) === 1),
  ADDRESS: label(),
  CITY: label(),
  STALP: label(),
  ZIP: id(),
  BKCLASS: label(),
  CHRTAGNT: label(),
  REGAGNT: label(),
  OFFICES: number(),
  ESTYMD: day(),
});

/** Fields that are omitted if empty: a new bank has no report yet. */
const sometimes = () => ({
  FED_RSSD: id(),
  STNAME: label(),
  COUNTY: label(),
  INSDATE: day(),
  ENDEFYMD: day(),
  REPDTE: day(),
  ASSET: number(),
  DEP: number(),
  EQ: number(),
  NETINC: number(),
  NAMEHCR: label(),
  RSSDHCR: id(),
  WEBADDR: label(),
});

/** Institutions that closed before these numbers existed, or were never insured, have neither. */
function isClosedOrUninsured({ data }: Record<string, unknown>): boolean {
  const { ACTIVE, BKCLASS } = (data ?? {}) as { ACTIVE?: unknown; BKCLASS?: unknown };
  return Number(ACTIVE) !== 1 || BKCLASS === "NC";
}

const institution = lazySchema(() => whole(always(), sometimes(), ["REPDTE", "ASSET", "DEP", "EQ"]));

export type Institution = z.output<ReturnType<typeof institution>>;

const NAMES = ["data.CERT", "data.NAME"];
const COMMON = ["data.FED_RSSD", "data.INSDATE"];

const answer = lazySchema(() =>
  z.object({
    meta: part({ total: number() }),
    totals: part({ count: number() }),
    data: identifiedRows(z.object({ data: institution() }), NAMES, COMMON, 3, isClosedOrUninsured),
  }),
);

export interface InstitutionQuery {
  /** Words of the name; matched loosely. */
  search: string | undefined;
  /** In the filter language of the API: `CERT:3511`. All must match. */
  filters: string[];
  limit: number;
  offset: number;
}

/** The institutions that match, and how many there are. */
export async function findInstitutions(
  ctx: Context,
  { search, filters, limit, offset }: InstitutionQuery,
): Promise<{ institutions: Institution[]; total: number | null }> {
  const options = {
    query: {
      // Sorting would override a search's order by relevance.
      ...(search ? { search: `NAME: ${search}` } : { sort_by: "NAME", sort_order: "ASC" }),
      filters: filters.join(" AND ") || undefined,
      fields: Object.keys({ ...always(), ...sometimes() }).join(","),
      limit,
      offset,
      format: "json",
    },
    schema: answer(),
    ttlMs: DAY_MS / 2,
    staleMs: 7 * DAY_MS,
  };
  const { data, meta, totals } = await failover(
    () => upstream(ctx, fdic).get("/institutions", options),
    () => upstream(ctx, fdicOldHost).get("/institutions", options),
  );
  return { institutions: data.map((row) => row.data), total: meta.total ?? totals.count };
}
