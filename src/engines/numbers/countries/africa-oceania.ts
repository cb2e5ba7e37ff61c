/** Numbers of Africa, Australia and New Zealand. */
import { DIGITS_AND_LETTERS, digit, down, int, isDay, luhn, mod97, sum } from "../arithmetic.js";
import type { NumberFault, NumberRules } from "../rule.js";
import { isNewZealandBranch } from "./new-zealand-banks.js";

export const AU: NumberRules = {
  abn: {
    ...{ name: "Australian Business Number", type: "vat", length: 11, mask: "## ### ### ###" },
    check: (n) => (sum(n, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) - 10) % 89 === 0,
  },
  acn: {
    ...{ name: "Australian Company Number", type: "company", length: 9, mask: "### ### ###" },
    check: (n) => (10 - (sum(n, [8, 7, 6, 5, 4, 3, 2, 1]) % 10)) % 10 === digit(n, 8),
  },
  tfn: {
    ...{ name: "Tax File Number", type: "person", length: [8, 9], mask: "### ### ###" },
    check: (n) => sum(n, [1, 4, 3, 7, 5, 8, 6, 9, 10].slice(0, n.length)) % 11 === 0,
  },
};

export const DZ: NumberRules = { nif: { name: "NIF", type: "vat", length: [15, 20] } };

export const EG: NumberRules = { tn: { name: "Tax Registration Number", type: "vat", length: 9, mask: "###-###-###" } };

export const GH: NumberRules = {
  tin: {
    ...{ name: "TIN", type: "vat", length: 11, form: /^[PCGQV]00[0-9A-Z]{8}$/ },
    check: (n) => "0123456789X".charAt(sum(n.slice(1), [1, 2, 3, 4, 5, 6, 7, 8, 9]) % 11) === n.charAt(10),
  },
};

export const GN: NumberRules = {
  nifp: { name: "NIF permanent", type: "vat", length: 9, check: (n) => luhn(n), mask: "###-###-###" },
};

export const KE: NumberRules = { pin: { name: "KRA PIN", type: "vat", length: 11, form: /^[AP]\d{9}[A-Z]$/ } };

export const MA: NumberRules = {
  ice: {
    ...{ name: "Identifiant Commun de l'Entreprise", type: "vat", length: 15 },
    check: (n) => mod97(n) === 0,
  },
};

export const MU: NumberRules = {
  nid: {
    ...{ name: "National ID", type: "person", length: 14, form: /^[A-Z]\d{12}[0-9A-Z]$/ },
    check: (n) => {
      const isBirth = [1900, 2000].some((century) => isDay(century + int(n, 5, 7), int(n, 3, 5), int(n, 1, 3)));
      if (!isBirth) return "component";
      return DIGITS_AND_LETTERS.charAt((17 - (sum(n, down(14)) % 17)) % 17) === n.charAt(13);
    },
  },
};

export const MZ: NumberRules = {
  nuit: {
    ...{ name: "NUIT", type: "vat", length: 9, mask: "### ### ###" },
    check: (n) => "01234567891".charAt(sum(n, [8, 9, 4, 5, 6, 7, 8, 9]) % 11) === n.charAt(8),
  },
};

/** A second series of weights is tried if the first leaves 10. */
function ird(n: string): NumberFault | boolean {
  if (int(n) <= 10_000_000 || int(n) >= 150_000_000) return "component";
  const full = n.padStart(9, "0");
  const check = (weights: number[]) => (11 - (sum(full, weights) % 11)) % 11;
  const first = check([3, 2, 7, 6, 5, 4, 3, 2]);
  return (first === 10 ? check([7, 4, 3, 2, 5, 2, 7, 6]) : first) === digit(full, 8);
}

/** Weights over the sixteen digits, and how products and sum are reduced, by algorithm; A and B depend on the account. */
const BANK_WEIGHTS: Record<string, { weights: number[]; each: number; modulus: number }> = {
  A: { weights: [0, 0, 6, 3, 7, 9, 0, 10, 5, 8, 4, 2, 1, 0, 0, 0], each: 0, modulus: 11 },
  B: { weights: [0, 0, 0, 0, 0, 0, 0, 10, 5, 8, 4, 2, 1, 0, 0, 0], each: 0, modulus: 11 },
  D: { weights: [0, 0, 0, 0, 0, 0, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0], each: 0, modulus: 11 },
  E: { weights: [0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 4, 3, 2, 0, 0, 1], each: 9, modulus: 11 },
  F: { weights: [0, 0, 0, 0, 0, 0, 1, 7, 3, 1, 7, 3, 1, 0, 0, 0], each: 0, modulus: 10 },
  G: { weights: [0, 0, 0, 0, 0, 0, 1, 3, 7, 1, 3, 7, 1, 3, 7, 1], each: 9, modulus: 10 },
};
const BANK_ALGORITHMS: Record<string, string> = {
  "08": "D",
  "09": "E",
  "25": "F",
  "33": "F",
  "26": "G",
  "28": "G",
  "29": "G",
};

function newZealandAccount(n: string): NumberFault | boolean {
  const bank = n.slice(0, 2);
  if (!isNewZealandBranch(bank, int(n, 2, 6))) return "component";
  if (bank === "31") return true;
  const name = BANK_ALGORITHMS[bank] ?? (int(n, 6, 13) < 990_000 ? "A" : "B");
  const { weights = [], each = 0, modulus = 11 } = BANK_WEIGHTS[name] ?? {};
  const reduce = (product: number) => (each > 0 && product > 0 ? ((product - 1) % each) + 1 : product);
  return weights.reduce((all, weight, place) => all + reduce(weight * digit(n, place)), 0) % modulus === 0;
}

export const NZ: NumberRules = {
  ird: {
    name: "IRD number",
    type: "vat",
    prefix: "NZ",
    length: [8, 9],
    check: ird,
    mask: { 8: "##-###-###", 9: "###-###-###" },
  },
  bankaccount: {
    ...{
      name: "Bank account number",
      type: "bank",
      drop: "",
      length: 16,
      check: newZealandAccount,
      mask: "##-####-#######-###",
    },
    // Zeros before each part are left out where the parts are divided.
    tidy: (text) => {
      const parts = text.trim().split(/[- .]+/);
      const [bank = "", branch = "", base = "", suffix = ""] = parts;
      if (parts.length !== 4) return text.replace(/[- .]/g, "").replace(/^(\d{13})(\d\d)$/, "$10$2");
      return bank.padStart(2, "0") + branch.padStart(4, "0") + base.padStart(7, "0") + suffix.padStart(3, "0");
    },
  },
};

/** Seven digits, and three characters that tell taxes, legal form and place. */
export const SN: NumberRules = {
  ninea: {
    ...{ name: "NINEA", type: "vat", drop: " -/,.", length: [7, 9, 10, 12], form: /^\d{7}(?:\d\d)?(?:.{3})?$/ },
    check: (n) => {
      const [, digits = "", cofi = ""] = /^(\d{9}|\d{7})(.{3})?$/.exec(n) ?? [];
      if (digits === "") return "format";
      if (cofi && !/^[012][A-HJ-NP-WZ]\d$/.test(cofi)) return "component";
      return sum(digits.padStart(9, "0"), [1, 2, 1, 2, 1, 2, 1, 2, 1]) % 10 === 0;
    },
  },
};

export const TN: NumberRules = {
  mf: {
    ...{ name: "Matricule fiscal", type: "vat", length: [8, 13] },
    tidy: (text) => text.replace(/^\d{1,6}(?=\D)/, (serial) => serial.padStart(7, "0")),
    form: /^\d{7}[A-HJ-NP-TV-Z](?:[APBDN][MPCNE]\d{3})?$/,
    check: (n) => {
      // Only a branch has a number of its own behind E, a head office has none.
      if (n.length === 8) return true;
      return n.charAt(9) === "E" ? (n.endsWith("000") ? "format" : true) : n.endsWith("000") || "format";
    },
    mask: { 13: "#######/#/#/#/###" },
  },
};

export const ZA: NumberRules = {
  tin: {
    ...{ name: "Tax reference number", type: "vat", length: 10 },
    check: (n) => (/^[01239]/.test(n) ? luhn(n) : "component"),
  },
  idnr: {
    ...{ name: "Identity number", type: "person", length: 13, mask: "###### #### ###" },
    check: (n) => {
      const isBirth = [1900, 2000].some((century) => isDay(century + int(n, 0, 2), int(n, 2, 4), int(n, 4, 6)));
      return isBirth && /^[0-4]/.test(n.slice(10)) ? luhn(n) : "component";
    },
  },
};
