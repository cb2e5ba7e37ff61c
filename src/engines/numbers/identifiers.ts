/** Identifiers of no country: of finance, trade, media, devices and science. */
import { isCountryCode } from "../../lib/facts/country-codes.js";
import { DIGITS_AND_LETTERS, digit, down, gs1, hybrid, int, luhn, luhnSum, mod11_2, mod97, sum } from "./arithmetic.js";
import type { NumberFault, NumberRules } from "./rule.js";

const isCountry = (code: string) => isCountryCode(code);
const isin = (n: string) => luhn(n.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55)));

/** Prefixes of securities without a country: unions, international issuers, derivatives, and former states. */
const ISIN_PREFIXES = [
  "EU",
  "EZ",
  "QS",
  "QT",
  "QW",
  "QY",
  "XA",
  "XB",
  "XC",
  "XD",
  "XF",
  "XK",
  "XS",
  "XT",
  "XX",
  "AN",
  "CS",
  "DD",
  "SU",
  "YU",
  "ZR",
];

/** Letters count from 10, two digits of a product apart; every second one is doubled. */
function cusip(n: string, alphabet = `${DIGITS_AND_LETTERS}*@#`): boolean {
  const total = [...n.slice(0, -1)].reduce((all, one, place) => {
    const value = alphabet.indexOf(one) * (place % 2 === 0 ? 1 : 2);
    return all + Math.floor(value / 10) + (value % 10);
  }, 0);
  return (10 - (total % 10)) % 10 === digit(n, -1);
}

const prefix = (n: string) => ({ checkDigit: n.slice(-1) });

function bic(n: string): NumberFault | boolean {
  return isCountry(n.slice(4, 6)) ? true : "component";
}

/** Letters of a vehicle's number count 1 to 9, again and again, without I, O and Q. */
const VIN_LETTERS = "ABCDEFGH JKLMN P R STUVWXYZ";
const VIN_DIGITS = "12345678 12345 7 9 23456789";

const vinValue = (one: string) => (/\d/.test(one) ? Number(one) : digit(VIN_DIGITS, VIN_LETTERS.indexOf(one)));

function vin(n: string): NumberFault | boolean {
  const weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
  const rest = weights.reduce((all, weight, place) => all + weight * vinValue(n.charAt(place)), 0) % 11;
  return "0123456789X".charAt(rest) === n.charAt(8);
}

export const FINANCE: NumberRules = {
  bic: {
    ...{ name: "Business Identifier Code (ISO 9362)", type: "bank", length: [8, 11] },
    ...{ form: /^[A-Z]{6}[0-9A-Z]{2}(?:[0-9A-Z]{3})?$/, check: bic },
    details: (n) => ({
      bank: n.slice(0, 4),
      country: n.slice(4, 6),
      location: n.slice(6, 8),
      branch: n.slice(8) || null,
    }),
  },
  lei: {
    ...{ name: "Legal Entity Identifier (ISO 17442)", type: "company", length: 20, form: /^[0-9A-Z]{18}\d\d$/ },
    check: (n) => mod97(n) === 1,
    details: (n) => ({ issuer: n.slice(0, 4), checkDigits: n.slice(-2) }),
  },
  isin: {
    ...{
      name: "International Securities Identification Number (ISO 6166)",
      type: "other",
      length: 12,
      form: /^[A-Z]{2}[0-9A-Z]{9}\d$/,
    },
    check: (n) => (isCountry(n.slice(0, 2)) || ISIN_PREFIXES.includes(n.slice(0, 2)) ? isin(n) : "component"),
    details: (n) => ({ country: n.slice(0, 2), nationalNumber: n.slice(2, 11), checkDigit: n.slice(-1) }),
  },
  cusip: {
    ...{ name: "CUSIP", type: "other", length: 9, form: /^[0-9A-Z*@#]{9}$/, check: (n) => cusip(n) },
    details: (n) => ({ issuer: n.slice(0, 6), issue: n.slice(6, 8), checkDigit: n.slice(-1) }),
  },
  figi: {
    ...{ name: "Financial Instrument Global Identifier", type: "other", length: 12 },
    form: /^[B-DF-HJ-NP-TV-Z]{2}[0-9B-DF-HJ-NP-TV-Z]{9}\d$/,
    check: (n) => {
      if (["BS", "BM", "GG", "GB", "GH", "KY", "VG"].includes(n.slice(0, 2)) || n.charAt(2) !== "G") return "component";
      return cusip(n);
    },
  },
  aba: {
    ...{ name: "ABA routing transit number", type: "bank", length: 9 },
    check: (n) => {
      const first = int(n, 0, 2);
      const isDistrict = first <= 12 || (first >= 21 && first <= 32) || (first >= 61 && first <= 72) || first === 80;
      if (sum(n, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 !== 0 || int(n) === 0) return false;
      return isDistrict ? true : "component";
    },
  },
  rf: {
    ...{ name: "Creditor reference (ISO 11649)", type: "bank", form: /^RF\d\d[0-9A-Z]{1,21}$/ },
    check: (n) => mod97(n.slice(4) + n.slice(0, 4)) === 1,
    mask: "#### #### #### #### #### #### #",
  },
  upi: {
    ...{ name: "Unique Product Identifier (ISO 4914)", type: "other", length: 12, form: /^[0-9B-DF-HJ-NP-TV-XZ]{12}$/ },
    check: (n) => {
      if (!n.startsWith("QZ")) return "component";
      return hybrid(n, "0123456789BCDFGHJKLMNPQRSTVWXZ") === 1;
    },
  },
};

const gtin = (lengths: number | number[], name: string) => ({
  ...{ name, type: "other" as const, length: lengths, check: gs1, details: prefix },
});

export const TRADE: NumberRules = {
  gtin: gtin([8, 12, 13, 14], "Global Trade Item Number (EAN, UPC)"),
  gln: gtin(13, "Global Location Number"),
  sscc: gtin(18, "Serial Shipping Container Code"),
  vin: {
    ...{
      name: "Vehicle Identification Number (ISO 3779)",
      type: "other",
      length: 17,
      form: /^[0-9A-HJ-NPR-Z]{17}$/,
      check: vin,
    },
    details: (n) => ({
      manufacturer: n.slice(0, 3),
      descriptor: n.slice(3, 8),
      checkDigit: n.charAt(8),
      serial: n.slice(9),
    }),
  },
  iso6346: {
    ...{
      name: "Freight container (ISO 6346)",
      type: "other",
      length: 11,
      form: /^[A-Z]{3}[UJZR]\d{7}$/,
      mask: "#### ###### #",
    },
    check: (n) => {
      const values = "0123456789A BCDEFGHIJK LMNOPQRSTU VWXYZ";
      return (sum(n, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512], values) % 11) % 10 === digit(n, 10);
    },
    details: (n) => ({ owner: n.slice(0, 3), category: n.charAt(3), serial: n.slice(4, 10), checkDigit: n.slice(-1) }),
  },
  imo: {
    ...{ name: "IMO ship number", type: "other", prefix: "IMO", length: 7, mask: "IMO #######" },
    check: (n) => sum(n, down(7)) % 10 === digit(n, 6),
  },
  eic: {
    ...{
      name: "Energy Identification Code",
      type: "other",
      drop: " ",
      length: 16,
      form: /^\d\d[0-9A-Z][0-9A-Z-]{12}[0-9A-Z]$/,
    },
    check: (n) => {
      const values = `${DIGITS_AND_LETTERS}-`;
      const letter = values.charAt(36 - ((sum(n, down(16), values) + 36) % 37));
      return letter === "-" ? "format" : letter === n.charAt(15);
    },
    details: (n) => ({ issuer: n.slice(0, 2), object: n.charAt(2), checkDigit: n.slice(-1) }),
  },
};

export const NUMBERS: NumberRules = {
  luhn: {
    ...{ name: "Luhn (ISO/IEC 7812)", type: "other", drop: " -", form: /^\d+$/, check: (n) => luhnSum(n) === 0 },
    details: prefix,
  },
  orcid: {
    ...{
      name: "ORCID iD",
      type: "person",
      drop: " -",
      length: 16,
      form: /^\d{15}[0-9X]$/,
      mask: "####-####-####-####",
    },
    tidy: (text) => text.replace(/^(?:HTTPS?:\/\/)?(?:WWW\.)?ORCID\.ORG\//, ""),
    check: (n) => {
      const serial = int(n, 0, 15);
      const isOrcid =
        (serial >= 15_000_000 && serial < 35_000_000) || (serial >= 900_000_000_000 && serial < 900_100_000_000_000);
      return mod11_2(n) ? isOrcid || "component" : false;
    },
  },
  isni: {
    ...{
      name: "International Standard Name Identifier",
      type: "person",
      length: 16,
      form: /^\d{15}[0-9X]$/,
      mask: "#### #### #### ####",
    },
    check: mod11_2,
  },
};
