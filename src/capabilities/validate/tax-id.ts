import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { builtIn, details, numberRegistry, numberText, reason } from "./_fields.js";
import { taxKinds } from "./_menu.js";

const TYPES = ["vat", "company", "person", "bank", "other"] as const;

export const validateTaxId = /* @__PURE__ */ defineCapability({
  id: "validate.tax-id",
  method: "POST",
  summary:
    "Check a VAT, company or personal tax number of some eighty countries by its form and check digit, and tell what kind it is.",
  keywords: [
    "vat number",
    "tax number",
    "tin",
    "ssn",
    "ein",
    "national id",
    "social security number",
    "company registration number",
    "cnpj",
    "cpf",
    "gstin",
    "pesel",
    "codice fiscale",
    "nif",
    "steuernummer",
    "abn",
  ],
  price: "0.0015",
  offline: true,
  source: builtIn,
  menu: taxKinds,
  input: () =>
    z.strictObject({
      country: text(2, 2)
        .overwrite((code) => code.toUpperCase())
        .describe("ISO 3166-1 alpha-2, such as DE; EU for numbers of the Union"),
      kind: text(1, 32)
        .overwrite((kind) => kind.toLowerCase())
        .optional()
        .describe("From the menu, such as vat, ssn or cnpj; without it all kinds of the country are tried"),
      value: numberText(),
    }),
  output: one(() =>
    z.object({
      country: z.string(),
      valid: z.boolean().describe("It is right as one kind at least; no register was asked"),
      matches: z.array(
        z.object({
          kind: z.string(),
          name: z.string().describe("As the country calls it"),
          type: z.enum(TYPES),
          normalized: z.string(),
          formatted: z.string(),
          details: details(),
        }),
      ),
      reason: reason(),
      registerAsked: z.literal(false),
    }),
  ),
  example: { country: "DE", kind: "vat", value: "DE 136 695 976" },
  async check({ country, kind }) {
    const { kindsOf } = await engine();
    await assertKind(country, kind, await kindsOf(country));
  },
  async run({ country, kind, value }, ctx) {
    const [{ judgeTaxId }, { RULES_DATE }] = await Promise.all([engine(), numberRegistry()]);
    const verdict = await judgeTaxId({ country, kind, value }, ctx.clock());
    return { item: { country, ...verdict, registerAsked: false as const }, meta: method({ data: RULES_DATE }) };
  },
});

const engine = /* @__PURE__ */ lazy(() => import("../../engines/numbers/tax-id.js"));

async function assertKind(country: string, kind: string | undefined, kinds: string[] | undefined) {
  const { TAX_COUNTRIES } = await numberRegistry();
  if (!kinds) throw invalid("country", `has no rules here; countries with rules are ${TAX_COUNTRIES.join(", ")}`);
  if (kind !== undefined && kind !== "vat" && !kinds.includes(kind))
    throw invalid("kind", `is not a kind of ${country}; kinds are ${kinds.join(", ")}`);
}
