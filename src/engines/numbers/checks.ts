/** Check characters by themselves, classifications and addresses of coins. */
import { checkBitcoin } from "../addresses/bitcoin-like.js";
import { DIGITS_AND_LETTERS, damm, hybrid, mod11_2, mod11_10, mod97, pure, verhoeff } from "./arithmetic.js";
import { CFI } from "./cfi-table.js";
import type { NumberFault, NumberRules } from "./rule.js";

function cfi(n: string): NumberFault | boolean {
  const row = CFI.split(" ").find((group) => group.startsWith(`${n.slice(0, 2)}:`));
  if (!row) return "component";
  const letters = row.slice(3).split(",");
  return [...n.slice(2)].every((one, place) => one === "X" || letters[place]?.includes(one)) || "component";
}

const BITCOIN_REASONS: Record<string, NumberFault> = {
  "bad checksum": "checksum",
  "wrong checksum algorithm": "checksum",
  "bad length": "length",
  "bad character": "format",
  "mixed case": "format",
};

export const CHECKS: NumberRules = {
  cfi: {
    name: "Classification of Financial Instruments (ISO 10962)",
    type: "other",
    length: 6,
    form: /^[A-Z]{6}$/,
    check: cfi,
  },
  bitcoin: {
    ...{ name: "Bitcoin address", type: "other", drop: " ", keepCase: true, form: /^[0-9A-Za-z]+$/ },
    check: (n) => {
      const found = checkBitcoin(n);
      return typeof found === "string" ? (BITCOIN_REASONS[found] ?? "component") : true;
    },
    normal: (n) => (/^bc1/i.test(n) ? n.toLowerCase() : n),
  },
  damm: { name: "Damm", type: "other", drop: "", check: (n) => damm(n) === 0 },
  verhoeff: { name: "Verhoeff", type: "other", drop: "", check: (n) => verhoeff(n) === 0 },
  "iso7064.mod_11_10": { name: "ISO 7064 MOD 11,10", type: "other", check: mod11_10 },
  "iso7064.mod_11_2": { name: "ISO 7064 MOD 11-2", type: "other", form: /^\d+[0-9X]$/, check: mod11_2 },
  "iso7064.mod_37_2": {
    ...{ name: "ISO 7064 MOD 37-2", type: "other", form: /^[0-9A-Z]+\*?$/ },
    check: (n) => pure(n, `${DIGITS_AND_LETTERS}*`) === 1,
  },
  "iso7064.mod_37_36": {
    ...{
      name: "ISO 7064 MOD 37,36",
      type: "other",
      form: /^[0-9A-Z]+$/,
      check: (n) => hybrid(n, DIGITS_AND_LETTERS) === 1,
    },
  },
  "iso7064.mod_97_10": { name: "ISO 7064 MOD 97-10", type: "other", form: /^[0-9A-Z]+$/, check: (n) => mod97(n) === 1 },
};
