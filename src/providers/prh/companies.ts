/** Companies of Finland's business information system. Ended entries have an end date, current ones have none. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { DAY_MS } from "../../lib/time.js";
import { upstream } from "../../upstream/client.js";
import { day, id, identifiedRows, label, list, maybe, named, whole } from "../../upstream/fields.js";
import { prh } from "./provider.js";

/** 1 Finnish, 2 Swedish, 3 English, in any order. */
const texts = () => list(whole({ languageCode: id(), description: label() }));

/** An entry with an optional end. */
const ending = <Shape extends z.ZodRawShape>(shape: Shape) =>
  whole({ ...shape, type: id(), registrationDate: day() }, { endDate: day() });

const company = lazySchema(() =>
  whole(
    {
      businessId: z.object({ value: z.string() }),
      names: named(ending({ name: label() }), "name"),
      companyForms: list(ending({ descriptions: texts() })),
      tradeRegisterStatus: id(),
      registrationDate: day(),
      lastModified: label(),
    },
    {
      euId: maybe(z.object({ value: label() })),
      mainBusinessLine: maybe(whole({ type: id(), descriptions: texts(), typeCodeSet: label() })),
      website: maybe(whole({ url: label() })),
      companySituations: list(ending({})),
      registeredEntries: list(ending({ register: id(), descriptions: texts() })),
      addresses: list(
        whole(
          { type: id() },
          {
            street: label(),
            buildingNumber: label(),
            entrance: label(),
            apartmentNumber: label(),
            postCode: label(),
            postOffices: list(whole({ city: label(), languageCode: id() })),
            postOfficeBox: label(),
            country: label(),
          },
          ["postCode", "postOffices"],
        ),
      ),
      endDate: day(),
    },
  ),
);
export type FinnishCompany = z.output<ReturnType<typeof company>>;

/** Companies by a part of a present or former name, or by business ID; up to a hundred, and the number of matches. */
export async function searchFinnishCompanies(search: { name: string } | { businessId: string }, ctx: Context) {
  const { companies, totalResults } = await upstream(ctx, prh).get("/companies", {
    query: { ...search, page: 1 },
    schema: z.object({ totalResults: z.int(), companies: identifiedRows(company(), ["businessId.value"]) }),
    ttlMs: DAY_MS,
    staleMs: 7 * DAY_MS,
  });
  return { companies, total: totalResults };
}
