/** Numbers of Austria, Belgium, France, Germany, Ireland, Liechtenstein, Luxembourg, Monaco, the Netherlands and Switzerland. */
import { digit, down, gs1, int, isDay, luhn, mod97, remainder, sum } from "../arithmetic.js";
import type { NumberRules } from "../rule.js";
import { isAustrianPostCode } from "./austrian-post-codes.js";
import { AUSTRIAN_TAX_OFFICES, BELGIAN_BANKS, isListed } from "./lists-europe.js";

/** The check digits are the remainder by 97, where 97 stands for 0. */
const belgian97 = (number: string, body = 10) => (remainder(number.slice(0, body), 97) || 97) === int(number, body);

/** Birth number of somebody born before 2000, or since, of whom a 2 stands before. */
const belgianPerson = (number: string) =>
  [number.slice(0, 9), `2${number.slice(0, 9)}`].filter((body) => 97 - remainder(body, 97) === int(number, 9));

/** Unknown days and months are 0; `month` is what stands there less what marks the kind. */
function isBelgianBirth(number: string, month: number): boolean {
  if (month === 0 || int(number, 4, 6) === 0) return month >= 0 && month <= 12;
  return [1900, 2000].some((century) => isDay(century + int(number, 0, 2), month, int(number, 4, 6)));
}

const NATIONAL = (number: string) => {
  if (belgianPerson(number).length === 0) return false;
  return int(number, 2, 4) <= 12 && isBelgianBirth(number, int(number, 2, 4)) ? true : "component";
};

const BIS = (number: string) => {
  if (belgianPerson(number).length === 0) return false;
  const month = int(number, 2, 4);
  const isBis = (month >= 20 && month <= 32) || (month >= 40 && month <= 52);
  return isBis && isBelgianBirth(number, month % 20) ? true : "component";
};

export const AT: NumberRules = {
  uid: {
    ...{ name: "Umsatzsteuer-Identifikationsnummer", type: "vat", prefix: "AT", length: 9, form: /^U\d{8}$/ },
    check: (n) => (luhnBody(n.slice(1, 8)) + digit(n, 8)) % 10 === 6,
    mask: "AT #########",
  },
  tin: {
    ...{ name: "Abgabenkontonummer", type: "person", length: 9, mask: "##-###/####" },
    check: (n) => (AUSTRIAN_TAX_OFFICES.split(" ").includes(n.slice(0, 2)) ? luhn(n) : "component"),
    tidy: (text) => text.replace(/[A-Z]/g, ""),
  },
  vnr: {
    ...{ name: "Sozialversicherungsnummer", type: "person", length: 10, form: /^[1-9]\d{9}$/, mask: "#### ######" },
    check: (n) => sum(n, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11 === digit(n, 3),
  },
  businessid: {
    ...{ name: "Firmenbuchnummer", type: "company", keepCase: true, prefix: ["FN", "fn"], form: /^\d{1,6}[a-z]$/ },
  },
  postleitzahl: {
    ...{ name: "Postleitzahl", type: "other", length: 4 },
    check: (n) => (isAustrianPostCode(Number(n)) ? true : "component"),
  },
};

/** Luhn's sum of what stands before the check digit. */
function luhnBody(digits: string): number {
  return [...digits].reduce((total, character, place) => {
    const counted = Number(character) * ((digits.length - place) % 2 === 0 ? 2 : 1);
    return total + (counted > 9 ? counted - 9 : counted);
  }, 0);
}

export const BE: NumberRules = {
  vat: {
    ...{
      name: "Ondernemingsnummer (BTW, TVA)",
      type: "vat",
      drop: " -./",
      prefix: "BE",
      length: 10,
      mask: "BE ####.###.###",
    },
    tidy: (text) => text.replace(/^\(0\)/, "0").replace(/^(\d{9})$/, "0$1"),
    form: /^[01]\d{9}$/,
    check: (n) => 97 - remainder(n.slice(0, 8), 97) === int(n, 8),
  },
  nn: { name: "Rijksregisternummer", type: "person", length: 11, check: NATIONAL, mask: "##.##.##-###.##" },
  bis: { name: "BIS-nummer", type: "person", length: 11, check: BIS, mask: "##.##.##-###.##" },
  ssn: {
    ...{ name: "INSZ, NISS", type: "person", length: 11, mask: "##.##.##-###.##" },
    check: (n) => (NATIONAL(n) === true ? true : BIS(n)),
  },
  eid: { name: "eID", type: "person", length: 12, check: (n) => belgian97(n), mask: "###-#######-##" },
  ogm_vcs: {
    ...{ name: "Gestructureerde mededeling", type: "bank", drop: " +/", length: 12, mask: "+++###/####/#####+++" },
    check: (n) => belgian97(n),
  },
  iban: {
    ...{ name: "IBAN", type: "bank", form: /^[A-Z]{2}\d[0-9A-Z]+$/, mask: "#### #### #### ####" },
    check: (n) => {
      if (mod97(n.slice(4) + n.slice(0, 4)) !== 1) return false;
      if (!n.startsWith("BE")) return "component";
      if (n.length !== 16) return "format";
      if (!belgian97(n.slice(4))) return false;
      return isListed(BELGIAN_BANKS, int(n, 4, 7)) ? true : "component";
    },
  },
};

const frenchKey = (n: string) => remainder(`${n.slice(2)}12`, 97) % 97 === int(n, 0, 2);
const TVA_LETTERS = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/** Since letters came in, the key is made of both characters: the first counts 24 more if it is a digit. */
function newKey(n: string): boolean {
  const [first, second] = [TVA_LETTERS.indexOf(n.charAt(0)), TVA_LETTERS.indexOf(n.charAt(1))];
  const key = first < 10 ? first * 24 + second - 10 : first * 34 + second - 100;
  return (int(n, 2) + 1 + Math.floor(key / 11)) % 11 === key % 11;
}

const isTvaKey = (n: string) => (/^\d\d/.test(n) ? frenchKey(n) : newKey(n));
const POSTE = "356000000";

export const FR: NumberRules = {
  tva: {
    ...{ name: "n° TVA", type: "vat", prefix: "FR", length: 11, form: /^[0-9A-HJ-NP-Z]{2}\d{9}$/ },
    check: (n) => {
      // Monaco's numbers are made in the same way, without a SIREN.
      if (!n.slice(2).startsWith("000") && !luhn(n.slice(2))) return false;
      return isTvaKey(n);
    },
    mask: "FR ## ### ### ###",
  },
  siren: { name: "SIREN", type: "company", length: 9, check: (n) => luhn(n), mask: "### ### ###" },
  siret: {
    ...{ name: "SIRET", type: "company", length: 14, mask: "### ### ### #####" },
    check: (n) => {
      // La Poste ran out of numbers for its offices: theirs have a digit sum divisible by 5.
      const isOffice = n.startsWith(POSTE) && n !== "35600000000048";
      const total = [...n].reduce((all, character) => all + Number(character), 0);
      return luhn(n.slice(0, 9)) && (isOffice ? total % 5 === 0 : luhn(n));
    },
  },
  nif: {
    ...{ name: "Numéro fiscal de référence (SPI)", type: "person", length: 13, mask: "## ## ### ### ###" },
    check: (n) => (/^[0-3]/.test(n) ? remainder(n.slice(0, 10), 511) === int(n, 10) : "component"),
  },
  nir: {
    ...{ name: "NIR (sécurité sociale)", type: "person", length: 15, form: /^\d{5}(?:\d\d|2[AB])\d{8}$/ },
    check: (n) => {
      const body = int(n.slice(0, 13).replace("2A", "19").replace("2B", "18"));
      return 97 - (body % 97) === int(n, 13);
    },
    mask: "# ## ## ## ### ### ##",
  },
  rcs: {
    ...{ name: "Numéro RCS", type: "company", drop: "", keepCase: true },
    form: /^(?:RCS|rcs) {1,9}\p{L}[^\d]* [AB] ?(?:\d ?){9}$/u,
    check: (n) => luhn(n.replace(/\D/g, "")),
    normal: (n) => `RCS ${n.replace(/^... */, "").replace(/ *([AB]) ?[\d ]+$/, " $1")} ${n.replace(/\D/g, "")}`,
  },
  accise: {
    ...{ name: "Numéro d'accise", type: "company", length: 13, form: /^FR0\d{5}[A-Z]\d{4}$/ },
    check: (n) => (/[ENCB]/.test(n.charAt(8)) ? true : "component"),
  },
};

export const MC: NumberRules = {
  tva: {
    ...{ name: "n° TVA", type: "vat", prefix: ["FR", "MC"], length: 11, form: /^[0-9A-HJ-NP-Z]{2}\d{9}$/ },
    check: (n) => (n.slice(2).startsWith("000") ? isTvaKey(n) : "component"),
    normal: (n) => `FR${n}`,
  },
};

export const IE: NumberRules = {
  vat: {
    ...{ name: "VAT number", type: "vat", prefix: "IE", form: /^\d[0-9A-Z+*]\d{5}[A-W][A-I]?$|^\d{7}[A-W]W$/ },
    length: [8, 9],
    check: (n) => {
      const old = /^\d[A-Z+*]/.test(n) ? `0${n.slice(2, 7)}${n.charAt(0)}${n.slice(7)}` : n;
      return irish(old);
    },
  },
  pps: {
    ...{ name: "PPS number", type: "person", length: [8, 9], form: /^\d{7}[A-W][ABHWTX]?$/ },
    check: (n) => irish(n.replace(/[WTX]$/, n.length === 9 ? "" : "$&")),
  },
};

/** The second letter counts 9 times, as its place in the alphabet. */
function irish(n: string): boolean {
  const second = Math.max(0, "WABCDEFGHIJKLMNOPQRSTUV".indexOf(n.charAt(8)));
  return "WABCDEFGHIJKLMNOPQRSTUV".charAt((sum(n, down(8)) + 9 * (n.length > 8 ? second : 0)) % 23) === n.charAt(7);
}

export const LI: NumberRules = {
  peid: {
    ...{
      name: "PEID",
      type: "person",
      drop: " .",
      tidy: (text) => text.replace(/^0+/, ""),
      length: [4, 5, 6, 7, 8, 9, 10, 11, 12],
    },
  },
};

export const LU: NumberRules = {
  tva: {
    ...{ name: "Numéro TVA", type: "vat", prefix: "LU", length: 8, mask: "LU ### ### ##" },
    check: (n) => int(n, 0, 6) % 89 === int(n, 6),
  },
};

const bsn = (n: string) => sum(n, [9, 8, 7, 6, 5, 4, 3, 2, -1]);
const zeros = (length: number) => (text: string) => (/^\d+$/.test(text) ? text.padStart(length, "0") : text);

export const NL: NumberRules = {
  btw: {
    ...{ name: "Btw-identificatienummer", type: "vat", prefix: "NL", length: 12, form: /^\d{9}B\d\d$/ },
    tidy: (text) => text.replace(/^(\d+)B/, (_, digits: string) => `${digits.padStart(9, "0")}B`),
    check: (n) => (int(n, 0, 9) > 0 && int(n, 10) > 0 ? bsn(n) % 11 === 0 || mod97(`NL${n}`) === 1 : "format"),
    mask: "NL############",
  },
  bsn: {
    ...{ name: "Burgerservicenummer", type: "person", tidy: zeros(9), length: 9, mask: "####.##.###" },
    check: (n) => (int(n) > 0 ? bsn(n) % 11 === 0 : "format"),
  },
  onderwijsnummer: {
    ...{ name: "Onderwijsnummer", type: "person", tidy: zeros(9), length: 9 },
    check: (n) => (n.startsWith("10") ? ((bsn(n) % 11) + 11) % 11 === 5 : "component"),
  },
  brin: { name: "BRIN", type: "other", length: [4, 6], form: /^\d\d[A-Z]{2}(?:\d\d)?$/ },
  identiteitskaartnummer: {
    ...{ name: "Paspoort- of identiteitskaartnummer", type: "person", length: 9, form: /^[A-Z]{2}[0-9A-Z]{6}\d$/ },
    check: (n) => (n.includes("O") ? "component" : true),
  },
  postcode: {
    ...{ name: "Postcode", type: "other", prefix: "NL", length: 6, form: /^[1-9]\d{3}[A-Z]{2}$/ },
    check: (n) => (/S[ADS]$/.test(n) ? "component" : true),
    normal: (n) => `${n.slice(0, 4)} ${n.slice(4)}`,
  },
};

const uid = (n: string) => (11 - (sum(n.slice(3), [5, 4, 3, 2, 7, 6, 5, 4]) % 11)) % 11 === digit(n, 11);

export const CH: NumberRules = {
  uid: {
    ...{
      name: "Unternehmens-Identifikationsnummer",
      type: "company",
      tidy: (text) => text.replace(/^(?=\d{9}$)/, "CHE"),
    },
    ...{ length: 12, form: /^CHE\d{9}$/, check: uid, mask: "###-###.###.###" },
  },
  vat: {
    ...{ name: "Mehrwertsteuernummer", type: "vat", length: [15, 16], form: /^CHE\d{9}(?:MWST|TVA|IVA|TPV)$/ },
    ...{ check: uid, mask: "###-###.###.### ####" },
  },
  ssn: {
    ...{ name: "AHV-Nummer", type: "person", length: 13, mask: "###.####.####.##" },
    check: (n) => (gs1(n) ? n.startsWith("756") || "component" : false),
  },
  esr: {
    ...{ name: "QR-Referenz, ESR", type: "bank", tidy: (text) => text.replace(/^0+(?=\d)/, ""), form: /^\d{2,27}$/ },
    check: recursiveMod10,
  },
};

/** Modulo 10, recursive: each digit moves to another row of one table. */
function recursiveMod10(n: string): boolean {
  let carry = 0;
  for (const character of n.slice(0, -1)) carry = digit("0946827135", (carry + Number(character)) % 10);
  return (10 - carry) % 10 === digit(n, -1);
}
