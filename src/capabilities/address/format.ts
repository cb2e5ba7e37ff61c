import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { countryCode, text } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";

/** Forms send what was left empty as well. */
const line = () =>
  text(0, 100)
    .refine((value) => !/\p{Cc}/u.test(value), { error: "must be one line, without control characters" })
    .overwrite((value) => value.trim());

const FIELDS = ["name", "organization", "city", "district", "state", "postalCode", "sortingCode"] as const;

const fieldName = () => z.enum([...FIELDS, "street"]);

export const addressFormat = /* @__PURE__ */ defineCapability({
  id: "address.format",
  method: "POST",
  summary:
    "Write a postal address in the order and lines of its country, name the fields that are missing, and check its postal code.",
  keywords: [
    "mailing label",
    "shipping address",
    "envelope",
    "zip code format",
    "postcode",
    "required fields",
    "checkout form",
    "street city state",
    "international address",
  ],
  price: "0.001",
  offline: true,
  source: {
    provider: "built-in (Google address data)",
    url: "https://github.com/google/libaddressinput",
    license: "CC-BY-4.0",
    attribution: "Address formats: Google, CC BY 4.0",
  },
  input: () =>
    z.strictObject({
      country: countryCode().describe("Country of the address, ISO 3166-1 alpha-2"),
      name: line().optional().describe("Person"),
      organization: line().optional().describe("Company or institution"),
      street: z.array(line()).max(5).optional().describe("Lines of street, house number, flat or PO box"),
      city: line().optional().describe("Town or post town"),
      district: line().optional().describe("Part of the town, or dependent locality"),
      state: line().optional().describe("State, province, prefecture, county, as it is written on letters"),
      postalCode: line().optional().describe("Postal or ZIP code"),
      sortingCode: line().optional().describe("CEDEX and the like"),
      language: z
        .string()
        .regex(/^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,4}$/, {
          error: "must be a language tag, such as ja or ja-Latn",
        })
        .optional()
        .describe("Language of the address; ja-Latn asks for the order of Latin script"),
    }),
  output: one(() =>
    z.object({
      lines: z.array(z.string()).describe("As the country writes them, without its name"),
      singleLine: z.string(),
      required: z.array(fieldName()),
      missing: z.array(fieldName()).describe("Required, and not given"),
      postalCodeValid: z
        .boolean()
        .nullable()
        .describe("null if no code was given, or the country has none of one form"),
      postalCodeExample: z.string().nullable(),
      uppercase: z.array(fieldName()).describe("What its post wants in capitals; the lines stay as they were given"),
    }),
  ),
  example: {
    country: "CH",
    name: "Erika Muster",
    street: ["Bahnhofstrasse 1"],
    postalCode: "8001",
    city: "Zürich",
  },
  async run({ country, language, street = [], ...fields }) {
    const { addressRules, formatAddress, inOneLine } = await postal();
    const { ADDRESS_DATA_DATE } = await formats();
    const parts = { ...partsOf(fields), street: street.filter((given) => given !== "") };
    const rules = addressRules(country, language);
    const lines = formatAddress(parts, rules.format);
    const [postalCode] = parts.postalCode;
    return {
      item: {
        lines,
        singleLine: inOneLine(lines, language),
        required: rules.required,
        missing: rules.required.filter((field) => parts[field].length === 0),
        postalCodeValid: postalCode && rules.postalCode ? rules.postalCode.test(postalCode) : null,
        postalCodeExample: rules.postalCodeExample,
        uppercase: rules.uppercase,
      },
      meta: method({ data: ADDRESS_DATA_DATE }),
    };
  },
});

const postal = /* @__PURE__ */ lazy(() => import("../../engines/postal/format-address.js"));
const formats = /* @__PURE__ */ lazy(() => import("../../engines/postal/address-formats.js"));

type Field = (typeof FIELDS)[number];

function partsOf(fields: Partial<Record<Field, string | undefined>>): Record<Field, string[]> {
  const parts = FIELDS.map((field) => [field, fields[field] ? [fields[field]] : []]);
  return Object.fromEntries(parts) as Record<Field, string[]>;
}
