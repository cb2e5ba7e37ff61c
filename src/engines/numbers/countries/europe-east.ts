/** Numbers of eastern and south-eastern Europe. */
import { digit, down, int, isDay, mod11_10, mod97, remainder, repeat, sum, up } from "../arithmetic.js";
import type { NumberFault, NumberRules } from "../rule.js";
import { CZECH_BANKS } from "./lists-europe.js";

/** The digit that makes the weighted sum a multiple of 11; 10 stands for 0. */
const by11 = (n: string, weights: readonly number[]) =>
  ((11 - (sum(n, weights) % 11)) % 11) % 10 === digit(n, weights.length);

export const AL: NumberRules = {
  nipt: {
    ...{ name: "NIPT", type: "vat", drop: " -.()", prefix: "AL", length: 10, form: /^[A-M]\d{8}[A-Z]$/ },
  },
};

/** Months above 20 belong to the century before 1900, those above 40 to that after 2000. */
function egn(n: string): NumberFault | boolean {
  const month = int(n, 2, 4);
  const [century, past] = month > 40 ? [2000, 40] : month > 20 ? [1800, 20] : [1900, 0];
  if (!isDay(century + int(n, 0, 2), month - past, int(n, 4, 6))) return "component";
  return (sum(n, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10 === digit(n, 9);
}

const pnf = (n: string) => sum(n, [21, 19, 17, 13, 11, 9, 7, 3, 1]) % 10 === digit(n, 9);

function bulgarianVat(n: string): boolean {
  if (n.length === 10) return egn(n) === true || pnf(n) || by11(n, [4, 3, 2, 7, 6, 5, 4, 3, 2]);
  const first = sum(n, up(1, 8)) % 11;
  return (first === 10 ? (sum(n, up(3, 10)) % 11) % 10 : first) === digit(n, 8);
}

export const BG: NumberRules = {
  vat: { name: "Номер по ДДС", type: "vat", prefix: "BG", length: [9, 10], check: bulgarianVat },
  egn: { name: "ЕГН", type: "person", length: 10, check: egn },
  pnf: { name: "ЛНЧ", type: "person", length: 10, check: pnf },
};

const CYRILLIC = "АВЕКМНОРСТ";
const inLatin = (text: string) =>
  text.replace(/[А-Т]/g, (letter) => "ABEKMHOPCT".charAt(CYRILLIC.indexOf(letter)) || letter);

export const BY: NumberRules = {
  unp: {
    ...{ name: "УНП", type: "vat", prefix: ["УНП", "UNP"], length: 9, tidy: inLatin },
    form: /^(?:\d{9}|[A-Z][A-Z]\d{7})$/,
    check: (n) => {
      if (!/^[1-7ABCEHKM]/.test(n)) return "component";
      if (/^[A-Z]/.test(n) && !/^.[ABCEHKMOPT]/.test(n)) return "component";
      const body = /^\d/.test(n) ? n : n.charAt(0) + "ABCEHKMOPT".indexOf(n.charAt(1)) + n.slice(2);
      return sum(body, [29, 23, 19, 17, 13, 7, 5, 3]) % 11 === digit(n, 8);
    },
  },
};

/** Women have 50 months more, and 20 more where numbers ran out. */
function czechPerson(n: string): NumberFault | boolean {
  let year = 1900 + int(n, 0, 2);
  if (n.length === 9 && year >= 1980) year -= 100;
  if (n.length === 9 && year > 1953) return "length";
  if (n.length === 10 && year < 1954) year += 100;
  const month = (int(n, 2, 4) % 50) % 20;
  if (!isDay(year, month, int(n, 4, 6))) return "component";
  if (n.length === 9) return true;
  return (int(n, 0, 9) % 11) % 10 === digit(n, 9);
}

function czechCompany(n: string): boolean {
  return (11 - (sum(n, down(8)) % 11)) % 10 === digit(n, 7);
}

function czechVat(n: string): NumberFault | boolean {
  if (n.length === 8) return n.startsWith("9") ? "component" : czechCompany(n);
  if (n.length === 9 && n.startsWith("6")) {
    const rest = sum(n.slice(1), down(8)) % 11;
    return (((8 - ((10 - rest + 11) % 11)) % 10) + 10) % 10 === digit(n, 8);
  }
  return czechPerson(n);
}

export const CZ: NumberRules = {
  dic: { name: "DIČ", type: "vat", prefix: "CZ", length: [8, 9, 10], check: czechVat },
  ico: {
    ...{
      name: "IČO",
      type: "company",
      tidy: (text) => text.replace(/^(\d{7})$/, "0$1"),
      length: 8,
      check: czechCompany,
    },
  },
  rc: { name: "Rodné číslo", type: "person", length: [9, 10], check: czechPerson, mask: "######/####" },
  bankaccount: {
    ...{ name: "Číslo účtu", type: "bank", drop: " ", form: /^(?:\d{0,6}-)?\d{2,10}\/\d{4}$/ },
    tidy: (text) => {
      const [, prefix = "", root = "", bank = ""] = /^(?:(\d{0,6})-)?(\d{2,10})\/(\d{4})$/.exec(text) ?? [];
      return root ? `${prefix.padStart(6, "0")}-${root.padStart(10, "0")}/${bank}` : text;
    },
    check: (n) => {
      const weights = [6, 3, 7, 9, 10, 5, 8, 4, 2, 1];
      const right = [n.slice(0, 6).padStart(10, "0"), n.slice(7, 17)].every((part) => sum(part, weights) % 11 === 0);
      return right ? CZECH_BANKS.split(" ").includes(n.slice(18)) || "component" : false;
    },
  },
};

export const SK: NumberRules = {
  dph: {
    ...{ name: "IČ DPH", type: "vat", prefix: "SK", length: 10, form: /^[1-9]\d[2-47-9]\d{7}$/ },
    check: (n) => Number(n) % 11 === 0,
  },
  ico: CZ.ico as NumberRules[string],
  rc: CZ.rc as NumberRules[string],
};

export const HR: NumberRules = { oib: { name: "OIB", type: "vat", prefix: "HR", length: 11, check: mod11_10 } };

export const HU: NumberRules = {
  anum: {
    ...{ name: "Közösségi adószám", type: "vat", prefix: "HU", length: 8 },
    check: (n) => sum(n, [9, 7, 3, 1, 9, 7, 3, 1]) % 10 === 0,
  },
};

export const MD: NumberRules = {
  idno: {
    name: "IDNO",
    type: "company",
    length: 13,
    check: (n) => sum(n, repeat([7, 3, 1], 12)) % 10 === digit(n, 12),
  },
};

export const ME: NumberRules = {
  pib: { name: "PIB", type: "vat", length: 8, check: (n) => by11(n, down(8)) },
  iban: {
    ...{ name: "IBAN", type: "bank", form: /^[A-Z]{2}\d[0-9A-Z]+$/, mask: "#### #### #### #### #### ##" },
    check: (n) => {
      if (mod97(n.slice(4) + n.slice(0, 4)) !== 1) return false;
      if (!n.startsWith("ME")) return "component";
      return /^ME\d{20}$/.test(n) ? remainder(n.slice(4), 97) === 1 : "format";
    },
  },
};

export const MK: NumberRules = {
  edb: {
    ...{ name: "ЕДБ", type: "vat", prefix: ["MK", "МК"], length: 13 },
    check: (n) => by11(n, [7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]),
  },
};

const REGON_LOCAL = [2, 4, 8, 5, 0, 9, 7, 3, 6, 1, 2, 4, 8];
const POLISH_CENTURIES = [1900, 2000, 2100, 2200, 1800];

export const PL: NumberRules = {
  nip: {
    ...{ name: "NIP", type: "vat", prefix: "PL", length: 10, mask: "###-###-##-##" },
    check: (n) => sum(n, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === digit(n, 9),
  },
  pesel: {
    ...{ name: "PESEL", type: "person", length: 11 },
    check: (n) => {
      const month = int(n, 2, 4);
      const year = (POLISH_CENTURIES[Math.floor(month / 20)] ?? 0) + int(n, 0, 2);
      if (!isDay(year, month % 20, int(n, 4, 6))) return "component";
      return (10 - (sum(n, repeat([1, 3, 7, 9], 10)) % 10)) % 10 === digit(n, 10);
    },
    details: (n) => ({ sex: digit(n, 9) % 2 === 1 ? "male" : "female" }),
  },
  regon: {
    ...{ name: "REGON", type: "company", length: [9, 14] },
    check: (n) => {
      const head = (sum(n, [8, 9, 2, 3, 4, 5, 6, 7]) % 11) % 10 === digit(n, 8);
      return head && (n.length === 9 || (sum(n, REGON_LOCAL) % 11) % 10 === digit(n, 13));
    },
  },
};

const cui = (n: string) => ((sum(n.padStart(10, "0"), [7, 5, 3, 2, 1, 7, 5, 3, 2]) * 10) % 11) % 10 === digit(n, -1);

function cnp(n: string): NumberFault | boolean {
  const century = [0, 1900, 1900, 1800, 1800, 2000, 2000, 1900, 1900, 1900][digit(n, 0)] ?? 0;
  if (century === 0 || !isDay(century + int(n, 1, 3), int(n, 3, 5), int(n, 5, 7))) return "component";
  const county = int(n, 7, 9);
  const isCounty = (county >= 1 && county <= 48) || [51, 52, 70, 80, 81, 82, 83].includes(county);
  const rest = sum(n, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
  return isCounty ? (rest === 10 ? 1 : rest) === digit(n, 12) : "component";
}

/** Counties of Romania, by the register of trade. */
const isCounty = (county: number) => (county >= 1 && county <= 40) || county === 51 || county === 52;

/** Before 26 July 2024: letter, county, serial, year, divided by slashes. */
function oldTradeNumber(n: string, year: number): NumberFault | boolean {
  const [county = "", serial = "", written = ""] = n.slice(1).split("/");
  if (serial.length > 5) return "length";
  if (![1, 2].includes(county.length) || written.length !== 4) return county.length === 2 ? "length" : "component";
  if (!isCounty(Number(county))) return "component";
  return Number(written) >= 1990 && Number(written) <= Math.min(year, 2024) ? true : "component";
}

/** Since then: letter, year, serial, county, check digit. */
function newTradeNumber(n: string, year: number): NumberFault | boolean {
  if (n.length !== 14) return "length";
  const [written, county] = [int(n, 1, 5), int(n, 11, 13)];
  if (written < 1990 || written > year) return "component";
  // Since the change, the county is left open.
  const isOpen = county === 0 && written >= 2024;
  if (!isOpen && !(isCounty(county) && written <= 2024)) return "component";
  return tradeCheck(n) === digit(n, 13);
}

function tradeCheck(n: string): number {
  const digits = `${n.charCodeAt(0) % 10}${n.slice(1, 13)}`;
  return sum(digits, repeat([1], 13)) % 10;
}

export const RO: NumberRules = {
  cf: {
    ...{ name: "Cod de înregistrare în scopuri de TVA", type: "vat", form: /^(?:RO)?[1-9]\d{1,12}$/ },
    check: (n) => {
      const digits = n.replace("RO", "");
      if (digits.length === 13) return cnp(digits);
      return digits.length > 10 ? "length" : cui(digits);
    },
  },
  cui: {
    name: "CUI, CIF",
    type: "company",
    prefix: "RO",
    length: [2, 3, 4, 5, 6, 7, 8, 9, 10],
    form: /^[1-9]\d+$/,
    check: cui,
  },
  cnp: { name: "Cod Numeric Personal", type: "person", length: 13, form: /^[1-9]\d{12}$/, check: cnp },
  onrc: {
    ...{ name: "Număr de ordine în Registrul Comerţului", type: "company", drop: "" },
    form: /^[A-Z](?:\d+\/\d+\/\d+|\d{1,20})$/,
    tidy: (text) =>
      text
        .replace(/[ /\\-]+/g, "/")
        .replace(/^([A-Z])\/(?=\d)/, "$1")
        .replace(/^([A-Z])(\d)(?=\/)/, "$10$2")
        .replace(/^(.*\/)\d\d\.\d\d\.(\d{4})$/, "$1$2"),
    check: (n, now) => {
      if (!/^[JFC]/.test(n)) return "component";
      return n.includes("/") ? oldTradeNumber(n, now.getUTCFullYear()) : newTradeNumber(n, now.getUTCFullYear());
    },
  },
};

export const RS: NumberRules = { pib: { name: "PIB", type: "vat", length: 9, check: mod11_10 } };

export const RU: NumberRules = {
  inn: {
    ...{ name: "ИНН", type: "vat", length: [10, 12] },
    check: (n) => {
      const check = (weights: number[]) => (sum(n, weights) % 11) % 10;
      const weights = [2, 4, 10, 3, 5, 9, 4, 6, 8];
      if (n.length === 10) return check(weights) === digit(n, 9);
      return check([7, ...weights]) === digit(n, 10) && check([3, 7, ...weights]) === digit(n, 11);
    },
  },
  ogrn: {
    ...{ name: "ОГРН", type: "company", length: [13, 15] },
    check: (n) => {
      if (n.startsWith("0") || (n.length === 15 && !/^[34]/.test(n))) return "component";
      return remainder(n.slice(0, -1), n.length - 2) % 10 === digit(n, -1);
    },
  },
};

export const SI: NumberRules = {
  ddv: {
    ...{ name: "Davčna številka", type: "vat", prefix: "SI", length: 8, form: /^[1-9]\d{7}$/ },
    check: (n) => {
      const check = 11 - (sum(n, down(8)) % 11);
      return check !== 11 && check % 10 === digit(n, 7);
    },
  },
  emso: {
    ...{ name: "EMŠO", type: "person", length: 13 },
    check: (n) => {
      const short = int(n, 4, 7);
      if (!isDay(short + (short < 800 ? 2000 : 1000), int(n, 2, 4), int(n, 0, 2))) return "component";
      return by11(n, [7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]);
    },
  },
  maticna: {
    ...{ name: "Matična številka", type: "company", length: [7, 10], form: /^\d{7}(?:[0-9A-Z]\d\d)?$/ },
    tidy: (text) => text.replace(/^(\d{7})000$/, "$1"),
    check: (n) => {
      const check = 11 - (sum(n, down(7)) % 11);
      return check !== 11 && check % 10 === digit(n, 6);
    },
  },
};

export const UA: NumberRules = {
  edrpou: {
    ...{ name: "ЄДРПОУ", type: "company", length: 8 },
    check: (n) => {
      const weights = /^[345]/.test(n) ? [7, 1, 2, 3, 4, 5, 6] : up(1, 7);
      const first = sum(n, weights) % 11;
      return (
        (first < 10
          ? first
          : (sum(
              n,
              weights.map((weight) => weight + 2),
            ) %
              11) %
            10) === digit(n, 7)
      );
    },
  },
  rntrc: {
    ...{ name: "РНОКПП", type: "person", length: 10 },
    check: (n) => (((sum(n, [-1, 5, 7, 9, 4, 6, 10, 5, 7]) % 11) + 11) % 11) % 10 === digit(n, 9),
  },
};
