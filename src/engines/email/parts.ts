import { literalFindings } from "./literals.js";
import {
  ATEXT,
  assertMayFollow,
  CFWS,
  isBeyondAscii,
  LITERAL,
  NEAR_AT,
  OBSOLETE_CFWS,
  readCfws,
  readDot,
  readInside,
  readQuoted,
  type Scan,
} from "./scan.js";

export function readLocal(scan: Scan): void {
  let wasCfws = false;
  while (scan.peek() !== "@") {
    const character = scan.peek();
    if (character === "") scan.refuse("err_nodomain");
    const isCfws = readCfws(scan, CFWS, OBSOLETE_CFWS);
    if (!isCfws) readLocalCharacter(scan, character);
    wasCfws = isCfws;
  }
  if (scan.local === "") scan.refuse("err_nolocalpart");
  if (scan.length === 0) scan.refuse("err_dot_end");
  if (octetsOf(scan.local) > 64) scan.note("rfc5322_local_toolong");
  else if (wasCfws) scan.note("deprec_cfws_near_at");
  scan.at++;
}

/** Servers count octets, of which a letter beyond ASCII has two to four. */
const octetsOf = (text: string): number => Buffer.byteLength(text);

function readLocalCharacter(scan: Scan, character: string): void {
  if (character === ".") {
    if (scan.ended !== "") scan.note("deprec_localpart");
    readDot(scan);
    scan.local += ".";
  } else if (character === '"' && scan.length === 0) readQuoted(scan);
  else {
    if (character !== '"') assertMayFollow(scan);
    if (!ATEXT.test(character) && !isBeyondAscii(character)) scan.refuse("err_expecting_atext");
    scan.local += character;
    scan.length++;
    scan.at += character.length;
  }
}

export function readDomain(scan: Scan): void {
  scan.length = 0;
  scan.count = 0;
  scan.ended = "";
  while (scan.peek() !== "") if (!readCfws(scan, NEAR_AT, OBSOLETE_CFWS)) readDomainCharacter(scan, scan.peek());
  if (scan.domain === "") scan.refuse("err_nodomain");
  if (scan.length === 0) scan.refuse("err_dot_end");
  if (scan.hyphen) scan.refuse("err_domainhyphenend");
  if (scan.domain.length > 255) scan.note("rfc5322_domain_toolong");
  else if (octetsOf(scan.local) + 1 + scan.domain.length > 254) scan.note("rfc5322_toolong");
  else if (scan.length > 63) scan.note("rfc5322_label_toolong");
}

function readDomainCharacter(scan: Scan, character: string): void {
  if (character === ".") {
    if (scan.length > 0 && scan.hyphen) scan.refuse("err_domainhyphenend");
    if (scan.length > 63) scan.note("rfc5322_label_toolong");
    readDot(scan);
    scan.domain += ".";
    return;
  }
  if (character === "[" && scan.domain === "") {
    readLiteral(scan);
    return;
  }
  assertMayFollow(scan);
  if (!ATEXT.test(character)) scan.refuse("err_expecting_atext");
  if (character === "-" && scan.length === 0) scan.refuse("err_domainhyphenstart");
  if (!/[A-Za-z0-9-]/.test(character)) scan.note("rfc5322_domain");
  scan.hyphen = character === "-";
  scan.domain += character;
  scan.length++;
  scan.at++;
}

function readLiteral(scan: Scan): void {
  scan.at++;
  let text = "";
  while (scan.peek() !== "]") {
    const read = readInside(scan, LITERAL);
    if (read.startsWith("\\")) scan.note("rfc5322_domlit_obsdtext");
    text += read;
  }
  scan.at++;
  scan.domain = `[${text}]`;
  scan.length = scan.domain.length;
  scan.ended = "literal";
  for (const finding of literalFindings(text)) scan.note(finding);
}
