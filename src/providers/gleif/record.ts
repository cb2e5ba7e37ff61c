/** An LEI record in JSON:API, as GLEIF sends it alone and in lists. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import { day, label, list, maybe, part } from "../../upstream/fields.js";

const address = () =>
  maybe(
    z.object({ addressLines: list(z.string()), city: label(), region: label(), country: label(), postalCode: label() }),
  );

const name = () => z.object({ name: z.string(), language: label(), type: label() });

/** By relationship the names of its links: they show whether there is a record, or a reason why there is none. */
const relationships = () =>
  z
    .record(z.string(), z.object({ links: z.record(z.string(), z.unknown()).nullish() }))
    .nullish()
    .transform(
      (all) => new Map(Object.entries(all ?? {}).map(([name, { links }]) => [name, Object.keys(links ?? {})])),
    );

export const leiRecord = lazySchema(() =>
  z
    .object({
      attributes: z.object({
        lei: z.string(),
        entity: z.object({
          legalName: z.object({ name: z.string(), language: label() }),
          otherNames: list(name()),
          transliteratedOtherNames: list(name()),
          legalAddress: address(),
          headquartersAddress: address(),
          registeredAt: part({ id: label() }),
          registeredAs: label(),
          jurisdiction: label(),
          category: label(),
          subCategory: label(),
          legalForm: part({ id: label(), other: label() }),
          status: label(),
          creationDate: day(),
          expiration: part({ date: day(), reason: label() }),
          successorEntity: part({ lei: label(), name: label() }),
        }),
        registration: z.object({
          status: label(),
          initialRegistrationDate: day(),
          lastUpdateDate: day(),
          nextRenewalDate: day(),
          managingLou: label(),
          corroborationLevel: label(),
        }),
        bic: list(z.string()),
        mic: list(z.string()),
        ocid: label(),
        conformityFlag: label(),
      }),
      relationships: relationships(),
    })
    .transform(({ attributes, relationships }) => ({ ...attributes, relationships })),
);
export type LeiRecord = z.output<ReturnType<typeof leiRecord>>;
