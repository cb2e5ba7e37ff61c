/** The free list of kinds of tax numbers. */
import { z } from "zod";
import type { OptionsDocument } from "../../capability/types.js";
import { numberRegistry } from "./_fields.js";

export const taxKinds: OptionsDocument = {
  path: "/validate/tax-kinds",
  operationId: "validateTaxKinds",
  summary: "The kinds of numbers that validate.tax-id knows, by country.",
  schema: () =>
    z.object({
      total: z.int(),
      kinds: z.array(
        z.object({
          country: z.string(),
          kind: z.string(),
          name: z.string().describe("As the country calls it"),
          type: z.enum(["vat", "company", "person", "bank", "other"]),
        }),
      ),
    }),
  async read() {
    const { rulesOf, TAX_COUNTRIES } = await numberRegistry();
    const kinds = await Promise.all(
      [...TAX_COUNTRIES].sort().map(async (country) => {
        const rules = Object.entries((await rulesOf(country)) ?? {});
        return rules.map(([kind, { name, type }]) => ({ country, kind, name, type }));
      }),
    );
    return { total: kinds.flat().length, kinds: kinds.flat() };
  },
};
