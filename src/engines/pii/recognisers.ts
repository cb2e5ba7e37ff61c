/** Personal data that has a form of its own: found by pattern and check digits, so that no model can miss it. */
import { lettersToNumbers, passesLuhn } from "../identifiers/check-digits.js";

export interface Finding {
  type: string;
  /** As the text has it. */
  value: string;
}

interface Recogniser {
  type: string;
  /** Linear in the text: every repetition is bounded and none is nested. */
  pattern: RegExp;
  /** What the pattern alone cannot tell. */
  holds?(value: string): boolean;
}

const RECOGNISERS: readonly Recogniser[] = [
  {
    type: "email",
    pattern: /(?<![\w.+-])[\w.+-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,5}[a-z]{2,24}(?![\w-])/gi,
  },
  {
    type: "credit_card",
    pattern: /(?<![\d-])\d(?:[ -]?\d){12,18}(?![\d-])/g,
    holds: (value) => passesLuhn(digitsOf(value)) && !/^(\d)\1+$/.test(digitsOf(value)),
  },
  {
    type: "iban",
    pattern: /(?<![A-Z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?![A-Z0-9])/g,
    holds: isIban,
  },
  { type: "ssn", pattern: /(?<![\d-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])/g },
  {
    type: "ip_address",
    pattern: /(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\d.]*\d)/g,
  },
  {
    type: "ip_address",
    pattern: /(?<![\w:.])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?![\w:])/gi,
    holds: (value) => URL.canParse(`http://[${value}]/`),
  },
];

/** Everything that the recognisers find, each value once. */
export function recognise(text: string): Finding[] {
  const found = new Map<string, Finding>();
  for (const { type, pattern, holds } of RECOGNISERS)
    for (const [value] of text.matchAll(pattern))
      if (!holds || holds(value)) found.set(`${type} ${value}`, { type, value });
  return [...found.values()];
}

const digitsOf = (text: string): string => text.replace(/\D/g, "");

/** ISO 13616: the first four characters at the end, letters as numbers, divided by 97, leave 1. */
function isIban(text: string): boolean {
  const iban = text.replaceAll(" ", "");
  return BigInt(lettersToNumbers(iban.slice(4) + iban.slice(0, 4))) % 97n === 1n;
}
