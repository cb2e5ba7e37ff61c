/** International bank account numbers (ISO 13616). */
import { mod97, remainder, sum } from "./arithmetic.js";
import { IBAN_FORMATS, SEPA } from "./iban-table.js";
import { fold, type NumberFault } from "./rule.js";

export interface Iban {
  valid: boolean;
  reason: NumberFault | null;
  normalized: string | null;
  formatted: string | null;
  country: string | null;
  checkDigits: string | null;
  bban: string | null;
  bankCode: string | null;
  branchCode: string | null;
  accountNumber: string | null;
  sepa: boolean | null;
}

const NOTHING = {
  ...{ normalized: null, formatted: null, country: null, checkDigits: null, bban: null, bankCode: null },
  ...{ branchCode: null, accountNumber: null, sepa: null },
};

const WRONG = (reason: NumberFault): Iban => ({ ...NOTHING, valid: false, reason });
const CHARACTERS: Record<string, string> = { n: "\\d", a: "[A-Z]", c: "[0-9A-Z]" };

/** "4a6n8n" as a pattern and a length. */
function structureOf(text: string) {
  const parts = [...text.matchAll(/(\d+)([nac])/g)].map(([, count = "0", kind = "n"]) => ({
    count: Number(count),
    kind,
  }));
  return {
    length: parts.reduce((all, { count }) => all + count, 0),
    pattern: new RegExp(`^${parts.map(({ count, kind }) => `${CHARACTERS[kind]}{${count}}`).join("")}$`),
  };
}

/** Check digits that the countries had before, inside the rest of the number. */
const NATIONAL_CHECKS: Record<string, (bban: string) => boolean> = {
  BE: (bban) => (remainder(bban.slice(0, 10), 97) || 97) === Number(bban.slice(10)),
  ES: (bban) => spanishDigit(`00${bban.slice(0, 8)}`) + spanishDigit(bban.slice(10)) === bban.slice(8, 10),
  ME: (bban) => remainder(bban, 97) === 1,
  NO: (bban) => sum(bban, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
};

function spanishDigit(digits: string): string {
  const check = 11 - (sum(digits, [1, 2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11);
  return String(check < 10 ? check : 11 - check);
}

function cut(bban: string, places: string | undefined): string | null {
  const [from, to] = (places ?? "").split("-");
  return from && to ? bban.slice(Number(from), Number(to)) : null;
}

/** Everything that the registry tells of an IBAN, from text with or without blanks. */
export function readIban(value: string): Iban {
  const iban = fold(value)
    .toUpperCase()
    .replace(/^\s*IBAN[\s:]*/, "")
    .replace(/[ .\-/]/g, "");
  if (!/^[A-Z]{2}/.test(iban)) return WRONG(/^\d/.test(iban) ? "component" : "format");
  const country = iban.slice(0, 2);
  const row = IBAN_FORMATS.split(" ").find((format) => format.startsWith(`${country}:`));
  if (!row) return WRONG("component");
  if (!/^[0-9A-Z]+$/.test(iban)) return WRONG("format");
  const [, structure = "", bank, branch, account] = row.split(":");
  const { length, pattern } = structureOf(structure);
  if (iban.length !== length + 4) return WRONG("length");
  const bban = iban.slice(4);
  if (!/^\d\d$/.test(iban.slice(2, 4)) || !pattern.test(bban)) return WRONG("format");
  const national = NATIONAL_CHECKS[country];
  if (mod97(bban + iban.slice(0, 4)) !== 1 || national?.(bban) === false) return WRONG("checksum");
  const rest = Number((branch || bank || "0-0").split("-")[1]);
  return {
    valid: true,
    reason: null,
    normalized: iban,
    formatted: iban.replace(/(.{4})(?=.)/g, "$1 "),
    country,
    checkDigits: iban.slice(2, 4),
    bban,
    bankCode: cut(bban, bank),
    branchCode: cut(bban, branch),
    accountNumber: cut(bban, account) ?? bban.slice(rest),
    sepa: SEPA.split(" ").includes(country),
  };
}
