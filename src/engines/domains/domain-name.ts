/** Domain names as people write them, in the form of DNS and in that of readers. */
import { domainToASCII, domainToUnicode } from "node:url";

export const MAX_DOMAIN_LENGTH = 253;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const FOREIGN = /[^\x21-\x7e]/;

export interface DomainName {
  /** Lower case, letters beyond ASCII as `xn--…`. */
  ascii: string;
  unicode: string;
  /** Whether a label has letters beyond ASCII. */
  idn: boolean;
}

/** Reads a name; a final dot is left out. Other texts give what is wrong with them. */
export function readDomain(text: string): DomainName | string {
  const name = text
    .trim()
    .replace(/[。．｡]/g, ".")
    .replace(/\.$/, "")
    .toLowerCase();
  if (name === "") return "must not be empty";
  if (/[:/@\s?#]/.test(name)) return "must be a domain alone, such as www.example.com, without scheme, port or path";
  const labels = name.split(".").map(toAscii);
  if (labels.includes("")) return "has a label that is empty, or cannot be written in DNS";
  const wrong = labels.find((label) => !LABEL.test(label));
  if (wrong !== undefined)
    return wrong.length > 63
      ? "has a label of more than 63 characters"
      : "has a label that is not made of letters, digits and inner hyphens";
  if (/^\d+$/.test(labels.at(-1) ?? "")) return "must be a domain, not an IP address";
  const ascii = labels.join(".");
  if (ascii.length > MAX_DOMAIN_LENGTH) return `must be at most ${MAX_DOMAIN_LENGTH} characters long in ASCII`;
  return { ascii, unicode: toUnicode(ascii), idn: labels.some((label) => label.startsWith("xn--")) };
}

/** "" for a label that DNS cannot have. */
const toAscii = (label: string): string => (FOREIGN.test(label) ? domainToASCII(label) : label);

/** The letters of `xn--` labels; a label that stands for none stays as it is. */
export const toUnicode = (ascii: string): string =>
  ascii
    .split(".")
    .map((label) => (label.startsWith("xn--") && domainToUnicode(label)) || label)
    .join(".");
