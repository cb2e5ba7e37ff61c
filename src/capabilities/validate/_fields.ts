/** Fields that the validators share. */
import { z } from "zod";
import { text } from "../../capability/fields.js";
import { lazy } from "../../lib/lazy.js";

export const numberRegistry = /* @__PURE__ */ lazy(() => import("../../engines/numbers/registry.js"));

/** The kinds that `validate.identifier` lists, then check digits by themselves and further names. */
export const IDENTIFIER_KINDS = [
  ...(["bic", "lei", "isin", "cusip", "figi", "aba", "gtin", "gln", "sscc", "isbn", "issn", "ismn", "isni"] as const),
  ...([
    "orcid",
    "doi",
    "imei",
    "meid",
    "imo",
    "vin",
    "luhn",
    "iso6346",
    "rf",
    "isrc",
    "eic",
    "leitweg",
    "cas",
  ] as const),
  ...([
    "ecnumber",
    "mac",
    "isil",
    "grid",
    "ean",
    "casrn",
    "iso11649",
    "upi",
    "cfi",
    "isan",
    "imsi",
    "bitcoin",
  ] as const),
  ...(["iban", "vatin", "damm", "verhoeff", "iso7064.mod_11_2", "iso7064.mod_11_10", "iso7064.mod_37_2"] as const),
  ...(["iso7064.mod_37_36", "iso7064.mod_97_10"] as const),
] as const;

export const numberText = () =>
  text(1, 64)
    .refine((value) => value.trim() !== "", { error: "must not be blank" })
    .describe("The number as it was written, with or without blanks, dashes and dots");

export const reason = () =>
  z
    .enum(["format", "length", "checksum", "component"])
    .nullable()
    .describe("Why it is not valid: characters, length, check digit, or a part such as a country or a date");

export const details = () =>
  z
    .record(z.string(), z.union([z.string(), z.number(), z.null()]))
    .describe("Its parts: country, prefix, check digit …");

export const builtIn = {
  provider: "built-in",
  url: "https://arthurdejong.org/python-stdnum/formats",
  license: "MIT (own code and tables, from the public descriptions of the authorities)",
};
