/** Numbers of Andorra, Cyprus, Greece, Italy, Malta, Portugal, San Marino, Spain and Turkey. */
import {
  DIGITS_AND_LETTERS,
  digit,
  down,
  int,
  isDay,
  luhn,
  luhnSum,
  mod97,
  remainder,
  repeat,
  sum,
} from "../arithmetic.js";
import type { NumberFault, NumberRules } from "../rule.js";
import { SPANISH_EXCISE_ACTIVITIES } from "./lists-europe.js";

export const AD: NumberRules = {
  nrt: {
    ...{ name: "Número de Registre Tributari", type: "vat", prefix: "AD", length: 8, form: /^[A-Z]\d{6}[A-Z]$/ },
    check: (n) => {
      const serial = int(n, 1, 7);
      if (!"ACDEFGLOPU".includes(n.charAt(0))) return "component";
      if (n.startsWith("F") && serial > 699_999) return "component";
      return /^[AL]/.test(n) && !(serial > 699_999 && serial < 800_000) ? "component" : true;
    },
    mask: "#-######-#",
  },
};

const CYPRIOT = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21];

export const CY: NumberRules = {
  vat: {
    ...{ name: "Αριθμός Εγγραφής Φ.Π.Α.", type: "vat", prefix: "CY", length: 9, form: /^\d{8}[A-Z]$/ },
    check: (n) => {
      if (n.startsWith("12")) return "component";
      const total = [...n.slice(0, 8)].reduce(
        (all, character, place) => all + (place % 2 === 0 ? (CYPRIOT[Number(character)] ?? 0) : Number(character)),
        0,
      );
      return n.charCodeAt(8) - 65 === total % 26;
    },
  },
};

export const GR: NumberRules = {
  vat: {
    ...{ name: "ΑΦΜ", type: "vat", prefix: ["EL", "GR"], length: 9, tidy: (text) => text.replace(/^(\d{8})$/, "0$1") },
    check: (n) => (sum(n, [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10 === digit(n, 8),
  },
  amka: {
    ...{ name: "ΑΜΚΑ", type: "person", length: 11 },
    check: (n) => {
      if (!luhn(n)) return false;
      const [day, month, year] = [int(n, 0, 2), int(n, 2, 4), int(n, 4, 6)];
      return [1900, 2000].some((century) => isDay(century + year, month, day)) || "component";
    },
  },
};

/** Letters in even places count by a table of the ministry's, others as they stand in the alphabet. */
const ITALIAN_ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

function italianLetter(n: string): string {
  const total = [...n.slice(0, 15)].reduce((all, character, place) => {
    const value = /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 65;
    return all + (place % 2 === 0 ? (ITALIAN_ODD[value] ?? 0) : value);
  }, 0);
  return String.fromCharCode(65 + (total % 26));
}

const PERSON = /^[A-Z]{6}[\dLMNPQRSTUV]{2}[ABCDEHLMPRST][\dLMNPQRSTUV]{2}[A-Z][\dLMNPQRSTUV]{3}[A-Z]$/;

/** Letters stand for digits where two people would have the same code. */
const withDigits = (text: string) => text.replace(/[LMNPQRSTUV]/g, (letter) => String("LMNPQRSTUV".indexOf(letter)));

function codiceFiscale(n: string): NumberFault | boolean {
  if (n.length === 11) return partitaIva(n);
  if (italianLetter(n) !== n.charAt(15)) return false;
  const day = Number(withDigits(n.slice(9, 11))) % 40;
  const month = "ABCDEHLMPRST".indexOf(n.charAt(8)) + 1;
  const year = Number(withDigits(n.slice(6, 8)));
  return [1900, 2000].some((century) => isDay(century + year, month, day)) || "component";
}

function partitaIva(n: string): NumberFault | boolean {
  const office = int(n, 7, 10);
  if (int(n, 0, 7) === 0 || !((office >= 1 && office <= 100) || [120, 121, 888, 999].includes(office)))
    return "component";
  return luhn(n);
}

export const IT: NumberRules = {
  iva: { name: "Partita IVA", type: "vat", prefix: "IT", length: 11, check: partitaIva },
  codicefiscale: {
    ...{ name: "Codice fiscale", type: "person", length: [11, 16] },
    form: new RegExp(`${PERSON.source}|^\\d{11}$`),
    check: codiceFiscale,
  },
  aic: {
    ...{ name: "Codice AIC", type: "other", drop: " ", length: [6, 9], form: /^(?:\d{9}|[0-9B-DF-HJ-NP-TV-Z]{6})$/ },
    check: (n) => {
      const digits = aicDigits(n);
      if (!digits.startsWith("0")) return "component";
      const total = [...digits.slice(0, 8)].reduce((all, character, place) => {
        const counted = Number(character) * (place % 2 === 0 ? 1 : 2);
        return all + Math.floor(counted / 10) + (counted % 10);
      }, 0);
      return total % 10 === digit(digits, 8);
    },
    normal: aicDigits,
  },
};

/** Six characters to the base 32, without vowels, are the same number. */
function aicDigits(n: string): string {
  if (n.length === 9) return n;
  const value = [...n].reduce((all, character) => all * 32 + "0123456789BCDFGHJKLMNPQRSTUVWXYZ".indexOf(character), 0);
  return String(value).padStart(9, "0");
}

export const MT: NumberRules = {
  vat: {
    ...{ name: "VAT number", type: "vat", prefix: "MT", length: 8, form: /^[1-9]\d{7}$/ },
    check: (n) => sum(n, [3, 4, 6, 7, 8, 9, 10, 1]) % 37 === 0,
  },
};

export const PT: NumberRules = {
  nif: {
    ...{ name: "NIF, NIPC", type: "vat", prefix: "PT", length: 9, form: /^[1-9]\d{8}$/, mask: "### ### ###" },
    check: (n) => ((11 - (sum(n, down(9)) % 11)) % 11) % 10 === digit(n, 8),
  },
  cc: {
    ...{ name: "Número de Cartão de Cidadão", type: "person", length: 12, form: /^\d{9}[A-Z0-9]{2}\d$/ },
    check: (n) => {
      const total = [...n.slice(0, 11)].reduce((all, character, place) => {
        const value = DIGITS_AND_LETTERS.indexOf(character);
        const counted = place % 2 === 0 ? value * 2 : value;
        return all + (counted > 9 && place % 2 === 0 ? counted - 9 : counted);
      }, 0);
      return (10 - (total % 10)) % 10 === digit(n, 11);
    },
    mask: "######## # ###",
  },
};

export const SM: NumberRules = {
  coe: {
    ...{
      name: "Codice operatore economico",
      type: "vat",
      tidy: (text) => text.replace(/^0+/, ""),
      length: [1, 2, 3, 4, 5],
    },
    // Of the numbers below 100 only these were given out.
    check: (n) => (n.length > 2 || SMALL_COE.has(Number(n)) ? true : "component"),
  },
};

const SMALL_COE: ReadonlySet<number> = /* @__PURE__ */ new Set([
  ...[2, 4, 6, 7, 8, 9, 10, 11, 13, 16, 18, 19, 20, 21, 25, 26, 30, 32, 33, 35, 36, 37, 38, 39, 40, 42, 45, 47, 49],
  ...[51, 52, 55, 56, 57, 58, 59, 61, 62, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 79, 80, 81, 84, 85],
  ...[87, 88, 91, 92, 94, 95, 96, 97, 99],
]);

const DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE";
const dniLetter = (digits: string) => DNI_LETTERS.charAt(remainder(digits, 23));
const dni = (n: string) => dniLetter(n.slice(0, 8)) === n.charAt(8);
const nie = (n: string) => dniLetter("XYZ".indexOf(n.charAt(0)) + n.slice(1, 8)) === n.charAt(8);

/** Companies have a digit or a letter, by their kind; the letters of both stand for one sum. */
function cif(n: string): boolean {
  const check = (10 - luhnSum(`${n.slice(1, 8)}0`)) % 10;
  const letter = "JABCDEFGHI".charAt(check);
  if (/^[PQRSNW]/.test(n)) return n.charAt(8) === letter;
  if (/^[ABEH]/.test(n)) return n.charAt(8) === String(check);
  return n.charAt(8) === letter || n.charAt(8) === String(check);
}

const KLM = (n: string) => dniLetter(n.slice(1, 8)) === n.charAt(8);
const CIF_FORM = /^[ABCDEFGHJNPQRSUVW]\d{7}[0-9A-J]$/;

function nif(n: string): NumberFault | boolean {
  if (/^\d{8}[A-Z]$/.test(n)) return dni(n);
  if (/^[XYZ]\d{7}[A-Z]$/.test(n)) return nie(n);
  if (/^[KLM]\d{7}[A-Z]$/.test(n)) return KLM(n);
  return CIF_FORM.test(n) ? cif(n) : "format";
}

/** Two check digits: of the bank with its branch, and of the account. */
function ccc(n: string): boolean {
  const check = (text: string) => {
    const rest = 11 - (sum(text, [1, 2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11);
    return rest < 10 ? rest : 11 - rest;
  };
  return check(`00${n.slice(0, 8)}`) === digit(n, 8) && check(n.slice(10)) === digit(n, 9);
}

const CATASTRAL = [13, 15, 12, 5, 4, 17, 9, 21, 3, 7, 1];

/** The parcel's two halves have a letter each, together with the four digits of the property. */
function catastral(n: string): boolean {
  const values = "ABCDEFGHIJKLMNÑOPQRSTUVWXYZ";
  const letter = (text: string) => {
    const total = [...text].reduce((all, character, place) => {
      const value = /\d/.test(character) ? Number(character) : values.indexOf(character) + 1;
      return all + (CATASTRAL[place] ?? 0) * value;
    }, 0);
    return "MQWERTYUIOPASDFGHJKLBZX".charAt(total % 23);
  };
  const characters = [...n];
  const part = (from: number, to: number) => characters.slice(from, to).join("");
  return letter(part(0, 7) + part(14, 18)) + letter(part(7, 14) + part(14, 18)) === part(18, 20);
}

export const ES: NumberRules = {
  nif: { name: "NIF", type: "vat", prefix: "ES", length: 9, form: /^[0-9A-Z]{9}$/, check: nif },
  dni: { name: "DNI", type: "person", length: 9, form: /^\d{8}[A-Z]$/, check: dni, mask: "########-#" },
  nie: { name: "NIE", type: "person", length: 9, form: /^[XYZ]\d{7}[A-Z]$/, check: nie },
  cif: { name: "CIF", type: "company", length: 9, form: CIF_FORM, check: cif },
  ccc: {
    ...{ name: "Código Cuenta Corriente", type: "bank", length: 20, check: ccc, mask: "#### #### ## ##########" },
  },
  iban: {
    ...{ name: "IBAN", type: "bank", form: /^[A-Z]{2}\d[0-9A-Z]+$/, mask: "#### #### #### #### #### ####" },
    check: (n) => {
      if (mod97(n.slice(4) + n.slice(0, 4)) !== 1) return false;
      if (!n.startsWith("ES")) return "component";
      return /^ES\d{22}$/.test(n) ? ccc(n.slice(4)) : "format";
    },
  },
  cups: {
    ...{ name: "CUPS", type: "other", length: [20, 22], form: /^[A-Z]{2}\d{16}[A-Z]{2}(?:\d[FPRCXYZ])?$/ },
    check: (n) => {
      if (!n.startsWith("ES")) return "component";
      const rest = remainder(n.slice(2, 18), 529);
      return DNI_LETTERS.charAt(Math.floor(rest / 23)) + DNI_LETTERS.charAt(rest % 23) === n.slice(18, 20);
    },
    mask: "## #### #### #### #### ##",
  },
  cae: {
    ...{ name: "Código de Actividad y Establecimiento", type: "company", length: 13 },
    form: /^ES000\d\d[0-9A-Z]{2}\d{3}[A-Z]$/,
    check: (n) => {
      const isOffice = int(n, 5, 7) >= 1 && int(n, 5, 7) <= 56;
      const isActivity = SPANISH_EXCISE_ACTIVITIES.split(" ").includes(n.slice(7, 9));
      return isOffice && isActivity ? true : "format";
    },
  },
  referenciacatastral: {
    ...{ name: "Referencia catastral", type: "other", drop: " -", length: 20, form: /^[0-9A-ZÑ]{20}$/ },
    ...{ check: catastral, mask: "####### ####### #### ##" },
  },
  postal_code: {
    ...{ name: "Código postal", type: "other", length: 5 },
    check: (n) => (int(n, 0, 2) >= 1 && int(n, 0, 2) <= 52 ? true : "component"),
  },
};

export const TR: NumberRules = {
  tckimlik: {
    ...{ name: "T.C. Kimlik No", type: "person", length: 11, form: /^[1-9]\d{10}$/ },
    check: (n) => {
      const tenth = sum(n, repeat([7, 9], 9)) % 10;
      return tenth === digit(n, 9) && sum(n, repeat([1], 10)) % 10 === digit(n, 10);
    },
  },
  vkn: {
    ...{ name: "Vergi Kimlik Numarası", type: "company", length: 10 },
    check: (n) => {
      const total = [...n.slice(0, 9)].reduce((all, character, place) => {
        const shifted = (Number(character) + 9 - place) % 10;
        if (shifted === 0) return all;
        return all + ((shifted * 2 ** (9 - place)) % 9 || 9);
      }, 0);
      return (10 - (total % 10)) % 10 === digit(n, 9);
    },
  },
};
