/**
 * Whether a text is an e-mail address, and by which standard: RFC 5321 (what servers send), RFC 5322 (what may stand in a
 * message), or what both allow but call obsolete.
 */
import { type AddressFinding, type Syntax, syntaxOf } from "./findings.js";
import { readDomain, readLocal } from "./parts.js";
import { NoAddress, Scan } from "./scan.js";

export interface MailAddress {
  finding: AddressFinding;
  syntax: Syntax;
  /** Without comments and blanks; null where no address was found. */
  local: string | null;
  domain: string | null;
}

/** Reads one address. Time grows with its length alone. */
export function readAddress(text: string): MailAddress {
  const scan = new Scan(text);
  try {
    readLocal(scan);
    readDomain(scan);
  } catch (error) {
    if (!(error instanceof NoAddress)) throw error;
    return { finding: error.finding, syntax: "error", local: null, domain: null };
  }
  if (scan.grave === "valid") {
    if (scan.count === 0) scan.note("rfc5321_tld");
    if (/(?:^|\.)\d[^.]*$/.test(scan.domain)) scan.note("rfc5321_tldnumeric");
  }
  return { finding: scan.grave, syntax: syntaxOf(scan.grave), local: scan.local, domain: scan.domain };
}
