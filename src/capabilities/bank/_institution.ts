/** A row of the FDIC's institution directory, and how it reads to our callers. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";

/** Some figures are texts, and older rows have "" for what is missing. */
const figure = () =>
  z
    .union([z.number(), z.string()])
    .nullish()
    .transform((value) => (value === "" || value == null || Number.isNaN(Number(value)) ? null : Number(value)));
const id = () => z.union([z.number(), z.string()]).transform(String);
const label = () =>
  z
    .string()
    .nullish()
    .transform((value) => value?.trim() || null);
/** "06/30/2026"; 12/31/9999 stands for "never". */
const day = () =>
  label().transform((value) => {
    const [, month, dayOfMonth, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(value ?? "") ?? [];
    return year && year !== "9999" ? `${year}-${month}-${dayOfMonth}` : null;
  });

export const institution = lazySchema(() =>
  z.object({
    CERT: id(),
    NAME: z.string(),
    ACTIVE: z.union([z.number(), z.string()]).transform((value) => Number(value) === 1),
    FED_RSSD: id().nullish(),
    ADDRESS: label(),
    CITY: label(),
    STALP: label(),
    STNAME: label(),
    ZIP: id().nullish(),
    COUNTY: label(),
    BKCLASS: label(),
    CHRTAGNT: label(),
    REGAGNT: label(),
    ASSET: figure(),
    DEP: figure(),
    EQ: figure(),
    NETINC: figure(),
    OFFICES: figure(),
    ESTYMD: day(),
    INSDATE: day(),
    ENDEFYMD: day(),
    REPDTE: day(),
    NAMEHCR: label(),
    RSSDHCR: id().nullish(),
    WEBADDR: label(),
  }),
);

/** A row under plain names, with money in dollars and ISO dates. */
export function toBank(row: z.output<ReturnType<typeof institution>>) {
  return {
    cert: row.CERT,
    name: row.NAME,
    rssdId: row.FED_RSSD || null,
    active: row.ACTIVE,
    address: row.ADDRESS,
    city: row.CITY,
    state: row.STALP,
    stateName: row.STNAME,
    zip: row.ZIP || null,
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
    holdingCompanyRssdId: row.RSSDHCR || null,
    website: row.WEBADDR && (/^https?:\/\//i.test(row.WEBADDR) ? row.WEBADDR : `https://${row.WEBADDR}`),
    url: `https://banks.data.fdic.gov/bankfind-suite/bankfind/details/institution/${row.CERT}`,
  };
}

/** The FDIC counts in thousands. */
const dollars = (thousands: number | null) => (thousands === null ? null : thousands * 1000);
