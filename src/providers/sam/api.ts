/** Exclusions requested by name. Empty sections are objects of nulls. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { NameList } from "../../engines/names/name-list.js";
import { DAY_MS } from "../../lib/time.js";
import { upstream } from "../../upstream/client.js";
import { label, list, part } from "../../upstream/fields.js";
import { type Exclusion, isPerson, samDay } from "./exclusion.js";
import { samApi } from "./provider.js";

const excludedEntity = lazySchema(() =>
  z.object({
    exclusionDetails: part({
      classificationType: label(),
      exclusionType: label(),
      exclusionProgram: label(),
      excludingAgencyName: label(),
    }),
    exclusionIdentification: z.object({
      ueiSAM: label(),
      firstName: label(),
      middleName: label(),
      lastName: label(),
      suffix: label(),
      entityName: label(),
    }),
    exclusionActions: part({
      listOfActions: list(z.object({ activateDate: label(), terminationDate: label() })),
    }),
    exclusionPrimaryAddress: part({ countryCode: label() }),
  }),
);

/** SAM.gov's results for a name, as a list to screen it against. */
export async function askExclusions(name: string, ctx: Context): Promise<NameList<Exclusion>> {
  const { excludedEntity: found } = await upstream(ctx, samApi).get("/exclusions", {
    // These characters are operators in its queries.
    query: {
      exclusionName: name.replace(/[&|{}^\\]/g, " ").replace(/\s+/g, " "),
      recordStatus: "Active",
      page: 0,
      size: 10,
    },
    schema: z.object({ excludedEntity: z.array(excludedEntity()) }),
    ttlMs: DAY_MS,
  });
  return NameList.build(
    found.flatMap((entity) => {
      const bearer = toExclusion(entity);
      return bearer.name ? [{ text: bearer.name, bearer, isPerson: isPerson(bearer.classification) }] : [];
    }),
  );
}

function toExclusion(entity: z.output<ReturnType<typeof excludedEntity>>): Exclusion {
  const { exclusionDetails: details, exclusionIdentification: who } = entity;
  const [action] = entity.exclusionActions.listOfActions;
  const person = [who.firstName, who.middleName, who.lastName, who.suffix].filter(Boolean).join(" ");
  return {
    name: who.entityName ?? person,
    classification: details.classificationType,
    exclusionType: details.exclusionType,
    program: details.exclusionProgram,
    agency: details.excludingAgencyName,
    uei: who.ueiSAM,
    country: entity.exclusionPrimaryAddress.countryCode,
    activeDate: samDay(action?.activateDate),
    terminationDate: samDay(action?.terminationDate),
  };
}
