/** An LEI record in JSON:API, from a single answer or a list. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import { day, label, labels, maybe, named, oneOrMany, part, whole, wholeOrNone } from "../../upstream/fields.js";

const address = () =>
  maybe(whole({ addressLines: labels(), city: label(), region: label(), country: label(), postalCode: label() }));

const names = () => named(whole({ name: label(), language: label(), type: label() }), "name");

const RELATIVES = new Set(["direct-parent", "ultimate-parent", "direct-children", "ultimate-children"]);

/** Names of links by relationship: they tell whether there is a record, or a reason for its absence. */
const relationships = () =>
  z
    .record(z.string(), part({ links: z.record(z.string(), z.unknown()).nullish() }))
    .refine(
      (all) => Object.keys(all).every((name) => !/parent|child/i.test(name) || RELATIVES.has(name)),
      "has other kin",
    )
    .transform((all) => new Map(Object.entries(all).map(([name, { links }]) => [name, Object.keys(links ?? {})])));

export const leiRecord = lazySchema(() =>
  z
    .object({
      attributes: whole({
        lei: z.string(),
        entity: whole({
          legalName: whole({ name: z.string(), language: label() }),
          otherNames: names(),
          transliteratedOtherNames: names(),
          legalAddress: address(),
          headquartersAddress: address(),
          registeredAt: wholeOrNone({ id: label() }),
          registeredAs: label(),
          jurisdiction: label(),
          category: label(),
          subCategory: label(),
          legalForm: wholeOrNone({ id: label(), other: label() }),
          status: label(),
          creationDate: day(),
          expiration: wholeOrNone({ date: day(), reason: label() }),
          successorEntity: wholeOrNone({ lei: label(), name: label() }),
        }),
        registration: whole({
          status: label(),
          initialRegistrationDate: day(),
          lastUpdateDate: day(),
          nextRenewalDate: day(),
          managingLou: label(),
          corroborationLevel: label(),
        }),
        bic: oneOrMany(z.string()),
        mic: oneOrMany(z.string()),
        ocid: label(),
        conformityFlag: label(),
      }),
      relationships: relationships(),
    })
    .transform(({ attributes, relationships }) => ({ ...attributes, relationships })),
);
/** Of a list. */
export const RECORD_NAMES = ["attributes.lei", "attributes.entity.legalName.name"];

export type LeiRecord = z.output<ReturnType<typeof leiRecord>>;
