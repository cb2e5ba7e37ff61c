/** Identifiers of media, libraries, devices and chemistry. */
import { isCountryCode } from "../../lib/facts/country-codes.js";
import { DIGITS_AND_LETTERS, digit, down, gs1, hybrid, int, luhn, luhnSum, sum, up } from "./arithmetic.js";
import type { NumberFault, NumberRules } from "./rule.js";

const isbn10 = (n: string) => "0123456789X".charAt(sum(n, up(1, 9)) % 11) === n.charAt(9);

/** Registrants of recordings that are not countries' codes. */
const ISRC_PREFIXES = "BC BK BP BX CB CP DG FX GX KS QM QN QT QZ UK XK YU ZB ZZ";

/** Libraries: countries that have an agency, and agencies of no country. */
const ISIL_AGENCIES =
  "AR AT AU BE BY BG BO BA CA CH CY CZ DE DK EG FI FR GB GL HR HU IL IR IT JP KR KZ LU MD NL NO NP NZ QA RO RU SI SK US EUR " +
  "GTB O OCLC ZDB";

function isbn(n: string): NumberFault | boolean {
  if (n.length === 10) return isbn10(n);
  if (!/^\d+$/.test(n)) return "format";
  if (!gs1(n)) return false;
  return /^97[89]/.test(n) ? true : "component";
}

const ISMN_MASK = { 13: "###-#-####-####-#" };

function isan(n: string): NumberFault | boolean {
  const [root, check, version, last] = isanParts(n);
  if (check && hybrid(root + check, DIGITS_AND_LETTERS) !== 1) return false;
  return last ? hybrid(root + version + last, DIGITS_AND_LETTERS) === 1 : true;
}

/** Sixteen hexadecimal digits, perhaps a check character, perhaps eight digits of a version and another check. */
function isanParts(n: string): [root: string, check: string, version: string, last: string] {
  const hasCheck = n.length === 17 || n.length === 26;
  const version = n.slice(hasCheck ? 17 : 16);
  return [n.slice(0, 16), hasCheck ? n.charAt(16) : "", version.slice(0, 8), version.slice(8)];
}

/** Hexadecimal, or two decimal numbers of ten and eight digits. */
function meidHex(text: string): string {
  const [, serial, check = ""] = /^(\d{18})(\d)?$/.exec(text) ?? [];
  if (serial === undefined) return text;
  const hex = (from: number, to: number, width: number) =>
    int(serial, from, to).toString(16).toUpperCase().padStart(width, "0");
  return `${hex(0, 10, 8)}${hex(10, 18, 6)}${check ? `:${serial}${check}` : ""}`;
}

export const MEDIA: NumberRules = {
  isbn: {
    ...{
      name: "International Standard Book Number",
      type: "other",
      drop: " -",
      length: [10, 13],
      form: /^\d+X?$/,
      check: isbn,
    },
    tidy: (text) => text.replace(/^ISBN(?:1[03])?:?/, "").replace(/^([\dX]{9})$/, "0$1"),
  },
  issn: {
    ...{
      name: "International Standard Serial Number",
      type: "other",
      length: 8,
      form: /^\d{7}[0-9X]$/,
      mask: "####-####",
    },
    check: (n) => "0123456789X".charAt((11 - (sum(n, down(8)) % 11)) % 11) === n.charAt(7),
  },
  ismn: {
    ...{
      name: "International Standard Music Number",
      type: "other",
      length: [10, 13],
      form: /^[\dM]\d+$/,
      mask: ISMN_MASK,
    },
    check: (n) => {
      if (n.length === 10) return n.startsWith("M") ? gs1(`9790${n.slice(1)}`) : "format";
      if (!gs1(n)) return false;
      return n.startsWith("9790") ? true : "component";
    },
  },
  isrc: {
    ...{ name: "International Standard Recording Code", type: "other", length: 12, form: /^[A-Z]{2}[0-9A-Z]{3}\d{7}$/ },
    check: (n) => isCountryCode(n.slice(0, 2)) || ISRC_PREFIXES.split(" ").includes(n.slice(0, 2)) || "component",
    mask: "##-###-##-#####",
  },
  isan: {
    ...{ name: "International Standard Audiovisual Number", type: "other", drop: " -", length: [16, 17, 24, 26] },
    form: /^[0-9A-F]{16}(?:[0-9A-Z]|[0-9A-F]{8}|[0-9A-Z][0-9A-F]{8}[0-9A-Z])?$/,
    check: isan,
  },
  grid: {
    ...{ name: "Global Release Identifier", type: "other", prefix: "GRID", length: 18, form: /^[0-9A-Z]{18}$/ },
    check: (n) => hybrid(n, DIGITS_AND_LETTERS) === 1,
    mask: "##-#####-##########-#",
  },
  isil: {
    ...{ name: "International Standard Identifier for Libraries", type: "other", drop: "", keepCase: true },
    form: /^[0-9A-Za-z]{1,4}-[0-9A-Za-z:/-]{1,11}$/,
    check: (n) => ISIL_AGENCIES.split(" ").includes((n.split("-")[0] ?? "").toUpperCase()) || "component",
  },
  doi: {
    ...{
      name: "Digital Object Identifier",
      type: "other",
      drop: "",
      keepCase: true,
      form: /^10\.\d{4,9}(?:\.\d{1,9}){0,4}\/\S+$/,
    },
    tidy: (text) => text.replace(/^(?:doi:\s*|(?:https?:\/\/)?(?:dx\.)?doi\.org\/)/i, ""),
    normal: (n) => n.toLowerCase(),
    details: (n) => ({ prefix: n.slice(0, n.indexOf("/")), suffix: n.slice(n.indexOf("/") + 1) }),
  },
};

export const DEVICES: NumberRules = {
  imei: {
    ...{ name: "IMEI, IMEISV", type: "other", length: [14, 15, 16], check: (n) => n.length !== 15 || luhn(n) },
    details: (n) => ({
      typeAllocation: n.slice(0, 8),
      serial: n.slice(8, 14),
      checkDigit: n.length === 15 ? n.charAt(14) : null,
    }),
  },
  meid: {
    ...{ name: "MEID", type: "other", tidy: meidHex, form: /^[0-9A-F]{14}(?:[0-9A-F]|:\d{19})?$/ },
    check: (n) => {
      const [hex = "", decimal] = n.split(":");
      if (decimal) return luhn(decimal);
      if (hex.length === 14) return true;
      return luhnSum(hex, /[A-F]/.test(hex) ? "0123456789ABCDEF" : "0123456789") === 0;
    },
    normal: (n) => n.slice(0, 14),
  },
  imsi: {
    ...{ name: "International Mobile Subscriber Identity", type: "other", length: [14, 15] },
    check: (n) => (isMobileCountry(int(n, 0, 3)) ? true : "component"),
    details: (n) => ({ mobileCountry: n.slice(0, 3) }),
  },
  mac: {
    ...{ name: "MAC address", type: "other", drop: " ", form: /^(?:[0-9A-F]{2}:){5}[0-9A-F]{2}$/, length: 17 },
    tidy: (text) => text.replace(/[-.]/g, ":").replace(/^([0-9A-F]{12})$/, (hex) => hex.replace(/(..)(?=.)/g, "$1:")),
    normal: (n) => n.toLowerCase(),
    details: (n) => ({ prefix: n.slice(0, 8).toLowerCase() }),
  },
};

const MOBILE_COUNTRIES =
  "1 202 204 206 208 212-214 216 218-222 226 228 230-232 234-235 238 240 242 244 246-248 250 255 257 259-260 262 266 268 270 272 " +
  "274 276 278 280 282-284 286 288-290 292-295 297 302 308 310-314 316 330 334 338 340 342 344 346 348 350 352 354 356 358 360 " +
  "362-366 368 370 372 374 376 400-402 404-405 410 412-422 424-429 432 434 436-438 440-441 450 452 454-457 460 466-467 470 472 " +
  "502 505 510 514-515 520 525 528 530 536-537 539-555 602-643 645-655 657-659 702 704 706 708 710 712 714 716 722 724 730 732 " +
  "734 736 738 740 742 744 746 748 750 901-902 991 995 999";

const isMobileCountry = (code: number) =>
  MOBILE_COUNTRIES.split(" ").some((range) => {
    const [from = "", to = from] = range.split("-");
    return code >= Number(from) && code <= Number(to);
  });

export const CHEMISTRY: NumberRules = {
  cas: {
    ...{ name: "CAS Registry Number", type: "other", drop: " ", form: /^[1-9]\d{1,6}-\d\d-\d$/ },
    tidy: (text) => text.replace(/^(\d{2,7})(\d\d)(\d)$/, "$1-$2-$3"),
    check: (n) => {
      const body = [...n.replace(/-/g, "").slice(0, -1)].reverse().join("");
      return sum(body, up(1, body.length)) % 10 === digit(n, -1);
    },
  },
  ecnumber: {
    ...{ name: "EC number of a substance", type: "other", drop: " ", length: 9, form: /^\d{3}-\d{3}-\d$/ },
    tidy: (text) => text.replace(/^(\d{3})(\d{3})(\d)$/, "$1-$2-$3"),
    check: (n) => {
      const rest = sum(n.replace(/-/g, ""), up(1, 6)) % 11;
      // A remainder of 10 is not used, but for a few substances, which have 1.
      return (rest === 10 ? 1 : rest) === digit(n, -1);
    },
  },
};
