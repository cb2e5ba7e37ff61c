/** Companies of Finland's business information system. What has ended carries an end date, what is current has none. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { DAY_MS } from "../../lib/time.js";
import { upstream } from "../../upstream/client.js";
import { day, id, label, list, maybe } from "../../upstream/fields.js";
import { prh } from "./index.js";

/** 1 Finnish, 2 Swedish, 3 English, in any order. */
const texts = () => list(z.object({ languageCode: id(), description: label() }));
const period = () => ({ registrationDate: day(), endDate: day() });

const company = lazySchema(() =>
  z.object({
    businessId: z.object({ value: z.string() }),
    euId: maybe(z.object({ value: label() })),
    names: list(z.object({ name: z.string(), type: id(), ...period() })),
    mainBusinessLine: maybe(z.object({ type: id(), descriptions: texts(), typeCodeSet: label() })),
    website: maybe(z.object({ url: label() })),
    companyForms: list(z.object({ type: id(), descriptions: texts(), ...period() })),
    companySituations: list(z.object({ type: id(), ...period() })),
    registeredEntries: list(z.object({ type: id(), register: id(), descriptions: texts(), ...period() })),
    addresses: list(
      z.object({
        type: id(),
        street: label(),
        buildingNumber: label(),
        entrance: label(),
        apartmentNumber: label(),
        postCode: label(),
        postOffices: list(z.object({ city: label(), languageCode: id() })),
        postOfficeBox: label(),
        country: label(),
      }),
    ),
    tradeRegisterStatus: id(),
    registrationDate: day(),
    endDate: day(),
    lastModified: label(),
  }),
);
export type FinnishCompany = z.output<ReturnType<typeof company>>;

/** Companies by a part of a present or former name, or the one of a business ID; up to a hundred, and how many match. */
export async function searchFinnishCompanies(search: { name: string } | { businessId: string }, ctx: Context) {
  const { companies, totalResults } = await upstream(ctx, prh).get("/companies", {
    query: { ...search, page: 1 },
    schema: z.object({ totalResults: z.int(), companies: z.array(company()) }),
    ttlMs: DAY_MS,
    staleMs: 7 * DAY_MS,
  });
  return { companies, total: totalResults };
}
