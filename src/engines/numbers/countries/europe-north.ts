/** Numbers of Denmark, Estonia, the Faroes, Finland, Iceland, Latvia, Lithuania, Norway, Sweden and the United Kingdom. */
import { digit, down, int, isDay, luhn, mod97, sum, up } from "../arithmetic.js";
import type { NumberFault, NumberRules } from "../rule.js";
import { ENGLISH_AUTHORITIES, isListed } from "./lists-europe.js";

export const DK: NumberRules = {
  cvr: {
    ...{ name: "CVR", type: "vat", prefix: "DK", length: 8, form: /^[1-9]\d{7}$/ },
    check: (n) => sum(n, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
  },
  cpr: {
    ...{ name: "CPR", type: "person", length: 10, mask: "######-####" },
    // The check digit ended in 2007. The seventh digit tells the century.
    check: (n, now) => {
      const [seventh, short] = [digit(n, 6), int(n, 4, 6)];
      return isBorn(danishCentury(seventh, short) + short, int(n, 2, 4), int(n, 0, 2), now);
    },
  },
};

function danishCentury(seventh: number, short: number): number {
  if (seventh >= 5 && seventh <= 8 && short >= 58) return 1800;
  if (seventh <= 3 || ((seventh === 4 || seventh === 9) && short >= 37)) return 1900;
  return 2000;
}

/** A day that was, or "component". */
function isBorn(year: number, month: number, day: number, now: Date): true | NumberFault {
  return isDay(year, month, day) && Date.UTC(year, month - 1, day) <= now.getTime() ? true : "component";
}

/** Baltic numbers are weighted a second time, if the first remainder is 10. */
function baltic(n: string, places: number): boolean {
  const first = sum(n, [...up(1, 9), 1].slice(0, places)) % 11;
  const check = first === 10 ? (sum(n, [...up(3, 9), 1, 2, 3].slice(0, places)) % 11) % 10 : first;
  return check === digit(n, places);
}

function balticPerson(n: string): NumberFault | boolean {
  const century = 1700 + 100 * Math.ceil(digit(n, 0) / 2);
  if (!/^[1-8]/.test(n) || !isDay(century + int(n, 1, 3), int(n, 3, 5), int(n, 5, 7))) return "component";
  return baltic(n, 10);
}

export const EE: NumberRules = {
  kmkr: {
    ...{ name: "KMKR", type: "vat", prefix: "EE", length: 9 },
    check: (n) => sum(n, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0,
  },
  ik: { name: "Isikukood", type: "person", length: 11, check: balticPerson },
  registrikood: {
    ...{ name: "Registrikood", type: "company", length: 8 },
    check: (n) => (/^[1789]/.test(n) ? baltic(n, 7) : "component"),
  },
};

export const FO: NumberRules = { vn: { name: "Vinnutal", type: "vat", prefix: "FO", length: 6 } };

const finnish = (n: string) => sum(n, [7, 9, 10, 5, 8, 4, 2, 1]) % 11 === 0;
const FINNISH_SMALL: ReadonlySet<number> = /* @__PURE__ */ new Set([
  ...[1, 6, 7, 9, 12, 14, 15, 16, 18, 22, 23, 24, 27, 28, 29, 35, 36, 38, 40, 41, 42, 43, 45, 46, 50, 52, 55, 58, 60],
  ...[64, 65, 68, 72, 75, 76, 77, 78, 83, 84, 85, 89, 92],
]);
const FINNISH_CENTURY: Record<string, number> = { "+": 18, ...each("-YXWVU", 19), ...each("ABCDEF", 20) };

function each(letters: string, century: number): Record<string, number> {
  return Object.fromEntries([...letters].map((letter) => [letter, century]));
}

export const FI: NumberRules = {
  alv: { name: "ALV-numero", type: "vat", prefix: "FI", length: 8, check: finnish },
  ytunnus: {
    ...{
      name: "Y-tunnus",
      type: "company",
      tidy: (text) => text.replace(/^(\d{7})$/, "0$1"),
      length: 8,
      mask: "#######-#",
    },
    check: finnish,
  },
  hetu: {
    ...{ name: "Henkilötunnus", type: "person", drop: " ", length: 11 },
    form: /^[0-3]\d[01]\d{3}[-+A-FU-Y]\d{3}[0-9A-FHJ-NPR-Y]$/,
    check: (n) => {
      const year = (FINNISH_CENTURY[n.charAt(6)] ?? 0) * 100 + int(n, 4, 6);
      // 900 to 999 are given for a time only.
      const serial = int(n, 7, 10);
      if (serial < 2 || serial >= 900 || !isDay(year, int(n, 2, 4), int(n, 0, 2))) return "component";
      const letters = "0123456789ABCDEFHJKLMNPRSTUVWXY";
      return letters.charAt(Number(n.slice(0, 6) + n.slice(7, 10)) % 31) === n.charAt(10);
    },
  },
  veronumero: { name: "Veronumero", type: "person", length: 12 },
  associationid: {
    ...{ name: "Yhdistysrekisterinumero", type: "company", drop: " -._+", length: [1, 2, 3, 4, 5, 6] },
    check: (n) => (n.length > 2 || FINNISH_SMALL.has(Number(n)) ? true : "component"),
  },
};

export const IS: NumberRules = {
  vsk: { name: "VSK-númer", type: "vat", prefix: "IS", length: [5, 6] },
  kennitala: {
    ...{ name: "Kennitala", type: "person", length: 10, form: /^[0-7]\d[01]\d{6}[09]$/, mask: "######-####" },
    check: (n) => {
      const day = int(n, 0, 2);
      // Companies have 40 days more.
      const year = (n.endsWith("9") ? 1900 : 2000) + int(n, 4, 6);
      if (!isDay(year, int(n, 2, 4), day > 40 ? day - 40 : day)) return "component";
      return sum(n, [3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;
    },
  },
};

export const LV: NumberRules = {
  pvn: {
    ...{ name: "PVN", type: "vat", prefix: "LV", length: 11 },
    check: (n) => {
      if (/^[4-9]/.test(n)) return sum(n, [9, 1, 4, 8, 3, 10, 2, 5, 7, 6, 1]) % 11 === 3;
      const year = 1800 + 100 * digit(n, 6) + int(n, 4, 6);
      if (!n.startsWith("32") && !isDay(year, int(n, 2, 4), int(n, 0, 2))) return "component";
      return ((1 + sum(n, [10, 5, 8, 4, 2, 1, 6, 3, 7, 9])) % 11) % 10 === digit(n, 10);
    },
  },
};

export const LT: NumberRules = {
  pvm: {
    ...{ name: "PVM mokėtojo kodas", type: "vat", prefix: "LT", length: [9, 12] },
    check: (n) => {
      if (n.charAt(n.length - 2) !== "1") return "component";
      const last = n.length - 1;
      const weights = (from: number) => Array.from({ length: last }, (_, place) => ((place + from - 1) % 9) + 1);
      const first = sum(n, weights(1)) % 11;
      return (first === 10 ? (sum(n, weights(3)) % 11) % 10 : first) === digit(n, last);
    },
  },
  asmens: {
    name: "Asmens kodas",
    type: "person",
    length: 11,
    check: (n) => (n.startsWith("9") ? baltic(n, 10) : balticPerson(n)),
  },
};

const norwegian = (n: string) => sum(n, [3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;

const kontonr = (n: string) => sum(n, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;

export const NO: NumberRules = {
  mva: {
    ...{
      name: "Merverdiavgiftsnummer",
      type: "vat",
      prefix: "NO",
      length: 12,
      form: /^\d{9}MVA$/,
      mask: "### ### ### ###",
    },
    check: norwegian,
  },
  orgnr: { name: "Organisasjonsnummer", type: "company", length: 9, check: norwegian, mask: "### ### ###" },
  fodselsnummer: { name: "Fødselsnummer", type: "person", length: 11, check: fodselsnummer, mask: "###### #####" },
  kontonr: {
    name: "Kontonummer",
    type: "bank",
    length: [7, 11],
    check: norwegianAccount,
    mask: { 11: "####.##.#####" },
    normal: (n) => n.replace(/^0000/, ""),
  },
  iban: {
    ...{ name: "IBAN", type: "bank", form: /^[A-Z]{2}\d[0-9A-Z]+$/, mask: "#### #### #### ###" },
    check: (n) => {
      if (mod97(n.slice(4) + n.slice(0, 4)) !== 1) return false;
      if (!n.startsWith("NO")) return "component";
      return /^NO\d{13}$/.test(n) ? kontonr(n.slice(4)) : "format";
    },
  },
};

/** Accounts of the post had seven digits, with Luhn's check. */
function norwegianAccount(n: string): boolean {
  return n.length === 7 ? luhn(n) : n.startsWith("0000") ? luhn(n.slice(4)) : kontonr(n);
}

function fodselsnummer(n: string, now: Date): NumberFault | boolean {
  const first = (11 - (sum(n, [3, 7, 6, 1, 8, 9, 4, 5, 2]) % 11)) % 11;
  const second = (11 - (sum(n, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
  if (first !== digit(n, 9) || second !== digit(n, 10)) return false;
  const [day, month, short, serial] = [int(n, 0, 2), int(n, 2, 4), int(n, 4, 6), int(n, 6, 9)];
  // Help numbers above 80 hold no day of birth; D numbers have 40 days more, others 40 months.
  if (day >= 80) return true;
  const century = norwegianCentury(short, serial);
  return century === undefined ? "component" : isBorn(century + short, month % 40, day % 40, now);
}

function norwegianCentury(short: number, serial: number): number | undefined {
  if (serial < 500) return 1900;
  if (serial < 750 && short >= 54) return 1800;
  if (short < 40) return 2000;
  return serial >= 900 ? 1900 : undefined;
}

export const SE: NumberRules = {
  vat: {
    ...{ name: "Momsregistreringsnummer", type: "vat", prefix: "SE", length: 12, form: /^\d{10}01$/ },
    check: (n) => luhn(n.slice(0, 10)),
  },
  orgnr: { name: "Organisationsnummer", type: "company", length: 10, check: (n) => luhn(n), mask: "######-####" },
  personnummer: {
    ...{ name: "Personnummer", type: "person", drop: " :", form: /^\d{6,8}[-+]\d{4}$/ },
    tidy: (text) => text.replace(/[-+](?!\d{4}$)/g, "").replace(/^(\d{6,8})(\d{4})$/, "$1-$2"),
    length: [11, 13],
    check: swedishPerson,
  },
  postnummer: { name: "Postnummer", type: "other", prefix: "SE", length: 5, form: /^[1-9]\d{4}$/, mask: "### ##" },
};

/** A + marks those who are a hundred years old. */
function swedishPerson(n: string, now: Date): NumberFault | boolean {
  const digits = n.replace(/[-+]/, "");
  const [month, day] = [int(digits, -8, -6), int(digits, -6, -4)];
  let year = int(digits, 0, digits.length - 8);
  if (digits.length === 10) {
    const today = now.getUTCFullYear();
    year += Math.floor(today / 100) * 100;
    if (year > today) year -= 100;
    if (n.includes("+")) year -= 100;
  }
  // Coordination numbers have 60 days more.
  const born = isBorn(year, month, day > 60 ? day - 60 : day, now);
  return born === true ? luhn(digits.slice(-10)) : born;
}

function britishVat(n: string): NumberFault | boolean {
  if (/^(?:GD|HA)/.test(n)) return britishOffice(n);
  const rest = sum(n, [8, 7, 6, 5, 4, 3, 2, 10, 1]) % 97;
  // Numbers of 1,000,000 and more are also given out with 55 more.
  if (int(n, 0, 3) >= 100 && [0, 42, 55].includes(rest)) return true;
  return int(n, 0, 7) > 0 && rest === 0;
}

/** Government departments have 000 to 499, health authorities 500 to 999; the long forms end in a check of their own. */
function britishOffice(n: string): NumberFault | boolean {
  const serial = n.length === 5 ? int(n, 2) : int(n, 6, 9);
  if (serial >= 500 !== n.startsWith("HA")) return "component";
  if (n.length === 5) return true;
  return serial % 97 === int(n, 9, 11);
}

export const GB: NumberRules = {
  vat: {
    ...{ name: "VAT registration number", type: "vat", prefix: ["GB", "XI"], length: [5, 9, 11, 12, 13] },
    form: /^(?:\d{9}|\d{12}|(?:GD|HA)\d{3}|(?:GD|HA)8888\d{5}(?:\d\d)?)$/,
    check: britishVat,
    mask: { 9: "GB ### #### ##", 12: "GB ### #### ## ###" },
  },
  utr: {
    ...{ name: "Unique Taxpayer Reference", type: "person", length: 10, tidy: (text) => text.replace(/K$/, "") },
    check: (n) => "21987654321".charAt(sum(n.slice(1), [6, 7, 8, 9, 10, 5, 4, 3, 2]) % 11) === n.charAt(0),
  },
  nhs: {
    ...{ name: "NHS number", type: "person", length: 10, mask: "### ### ####" },
    check: (n) => (11 - (sum(n, down(10)) % 11)) % 11 === digit(n, 9),
  },
  sedol: {
    ...{ name: "SEDOL", type: "other", length: 7, form: /^(?:[B-DF-HJ-NP-TV-Z][0-9B-DF-HJ-NP-TV-Z]{5}|\d{6})\d$/ },
    check: (n) => sum(n, [1, 3, 1, 7, 3, 9, 1]) % 10 === 0,
  },
  upn: {
    ...{ name: "Unique Pupil Number", type: "person", length: 13, form: /^[A-HJ-NP-RT-Z]\d{11}[0-9A-HJ-NP-RT-Z]$/ },
    check: (n) => {
      if (!isListed(ENGLISH_AUTHORITIES, int(n, 1, 4))) return "component";
      const letters = "ABCDEFGHJKLMNPQRTUVWXYZ";
      const values = `${letters}0123456789`;
      const last = /\d/.test(n.charAt(12)) ? digit(n, 12) : values.indexOf(n.charAt(12));
      return letters.charAt((sum(n.slice(1, 12), up(2, 12)) + last * 13) % 23) === n.charAt(0);
    },
  },
};
