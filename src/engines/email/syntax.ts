/**
 * Whether a text is an e-mail address, and by which standard: RFC 5321 (what servers send), RFC 5322 (what may stand in a
 * message), or what both allow but call obsolete. The findings are those of Dominic Sayers' is_email.
 */

/** Findings by gravity; the gravest decides. */
const FINDINGS = {
  valid: 0,
  rfc5321_tld: 9,
  rfc5321_tldnumeric: 10,
  rfc5321_quotedstring: 11,
  rfc5321_addressliteral: 12,
  rfc5321_ipv6deprecated: 13,
  cfws_comment: 17,
  cfws_fws: 18,
  deprec_localpart: 33,
  deprec_fws: 34,
  deprec_qtext: 35,
  deprec_qp: 36,
  deprec_comment: 37,
  deprec_ctext: 38,
  deprec_cfws_near_at: 49,
  rfc5322_domain: 65,
  rfc5322_toolong: 66,
  rfc5322_local_toolong: 67,
  rfc5322_domain_toolong: 68,
  rfc5322_label_toolong: 69,
  rfc5322_domainliteral: 70,
  rfc5322_domlit_obsdtext: 71,
  rfc5322_ipv6_grpcount: 72,
  rfc5322_ipv6_2x2xcolon: 73,
  rfc5322_ipv6_badchar: 74,
  rfc5322_ipv6_maxgrps: 75,
  rfc5322_ipv6_colonstrt: 76,
  rfc5322_ipv6_colonend: 77,
  err_expecting_dtext: 129,
  err_nolocalpart: 130,
  err_nodomain: 131,
  err_consecutivedots: 132,
  err_atext_after_cfws: 133,
  err_atext_after_qs: 134,
  err_atext_after_domlit: 135,
  err_expecting_qpair: 136,
  err_expecting_atext: 137,
  err_expecting_qtext: 138,
  err_expecting_ctext: 139,
  err_backslashend: 140,
  err_dot_start: 141,
  err_dot_end: 142,
  err_domainhyphenstart: 143,
  err_domainhyphenend: 144,
  err_unclosedquotedstr: 145,
  err_unclosedcomment: 146,
  err_uncloseddomlit: 147,
  err_fws_crlf_x2: 148,
  err_fws_crlf_end: 149,
  err_cr_no_lf: 150,
} as const;

export type AddressFinding = keyof typeof FINDINGS;
export type Syntax = "valid" | "rfc5321" | "comment" | "deprecated" | "rfc5322" | "error";

export interface Address {
  finding: AddressFinding;
  syntax: Syntax;
  /** Without comments and blanks; null where no address was found. */
  local: string | null;
  domain: string | null;
}

function syntaxOf(finding: AddressFinding): Syntax {
  if (finding === "valid") return "valid";
  // An IPv6 address that leaves out one group alone is obsolete, although it was RFC 5321 that allowed it.
  if (finding.startsWith("deprec") || finding === "rfc5321_ipv6deprecated") return "deprecated";
  if (finding.startsWith("cfws")) return "comment";
  if (finding.startsWith("rfc5321")) return "rfc5321";
  return finding.startsWith("rfc5322") ? "rfc5322" : "error";
}

class NoAddress extends Error {
  constructor(readonly finding: AddressFinding) {
    super(finding);
  }
}

const ATEXT = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]$/;
const isBlank = (character: string) => character === " " || character === "\t" || character === "\r";

class Scan {
  at = 0;
  grave: AddressFinding = "valid";
  local = "";
  domain = "";
  /** Characters of the part between dots that is being read, and how many parts are complete. */
  length = 0;
  count = 0;
  /** The end of the part, so that only a dot or the end may follow. */
  ended: "" | "cfws" | "quoted" | "literal" = "";
  hyphen = false;

  constructor(readonly text: string) {}

  peek(): string {
    return this.text.charAt(this.at);
  }

  note(finding: AddressFinding) {
    if (FINDINGS[finding] > FINDINGS[this.grave]) this.grave = finding;
  }

  refuse(finding: AddressFinding): never {
    throw new NoAddress(finding);
  }
}

/** Folding white space: blanks, and line ends that blanks follow. */
function readBlanks(scan: Scan): void {
  let lines = 0;
  while (isBlank(scan.peek())) {
    if (scan.peek() !== "\r") {
      scan.at++;
      continue;
    }
    if (scan.text.charAt(scan.at + 1) !== "\n") scan.refuse("err_cr_no_lf");
    scan.at += 2;
    lines++;
    if (lines > 1) scan.note("deprec_fws");
    if (scan.text.startsWith("\r\n", scan.at)) scan.refuse("err_fws_crlf_x2");
    if (scan.peek() !== " " && scan.peek() !== "\t") scan.refuse("err_fws_crlf_end");
  }
}

/** A backslash and the character behind it. */
function readPair(scan: Scan, obsolete: AddressFinding): string {
  scan.at++;
  const character = scan.peek();
  const code = character.charCodeAt(0);
  if (character === "") scan.refuse("err_backslashend");
  if (code > 127) scan.refuse("err_expecting_qpair");
  if ((code < 31 && code !== 9) || code === 127) scan.note(obsolete);
  scan.at++;
  return `\\${character}`;
}

interface Inside {
  unclosed: AddressFinding;
  expecting: AddressFinding;
  /** Characters that must not stand here, beside those beyond ASCII. */
  refused: string;
  obsolete: AddressFinding;
  /** The first code that is not obsolete. */
  from: number;
}

const QUOTED: Inside = {
  ...{ unclosed: "err_unclosedquotedstr", expecting: "err_expecting_qtext", refused: "\0\n" },
  ...{ obsolete: "deprec_qtext", from: 32 },
};
const COMMENT: Inside = {
  ...{ unclosed: "err_unclosedcomment", expecting: "err_expecting_ctext", refused: "\0\n" },
  ...{ obsolete: "deprec_ctext", from: 32 },
};
const LITERAL: Inside = {
  ...{ unclosed: "err_uncloseddomlit", expecting: "err_expecting_dtext", refused: "\0[" },
  ...{ obsolete: "rfc5322_domlit_obsdtext", from: 33 },
};

/** The next character, pair or blanks of a quoted string, comment or literal. */
function readInside(scan: Scan, { unclosed, expecting, refused, obsolete, from }: Inside): string {
  const character = scan.peek();
  const code = character.charCodeAt(0);
  if (character === "") scan.refuse(unclosed);
  if (character === "\\") return readPair(scan, "deprec_qp");
  if (isBlank(character)) {
    readBlanks(scan);
    return " ";
  }
  if (code > 127 || refused.includes(character)) scan.refuse(expecting);
  if (code < from || code === 127) scan.note(obsolete);
  scan.at++;
  return character;
}

/** Depth is counted, so that no nesting grows the stack. */
function readComment(scan: Scan): void {
  let depth = 0;
  do {
    const read = readInside(scan, COMMENT);
    if (read === "(") depth++;
    if (read === ")") depth--;
  } while (depth > 0);
}

/** Comments and blanks before, between or behind the parts; false if there are none. */
function readCfws(scan: Scan, atStart: readonly AddressFinding[], later: readonly AddressFinding[]): boolean {
  const isComment = scan.peek() === "(";
  if (!isComment && !isBlank(scan.peek())) return false;
  const kind = isComment ? 0 : 1;
  if (scan.length === 0) scan.note((scan.count === 0 ? atStart : later)[kind] ?? "valid");
  else {
    // Blanks behind the local part are told by the @.
    if (isComment || scan.domain !== "") scan.note(CFWS[kind] ?? "valid");
    scan.ended = "cfws";
  }
  if (isComment) readComment(scan);
  else readBlanks(scan);
  return true;
}

const CFWS: readonly AddressFinding[] = ["cfws_comment", "cfws_fws"];
const OBSOLETE_CFWS: readonly AddressFinding[] = ["deprec_comment", "deprec_fws"];
const NEAR_AT: readonly AddressFinding[] = ["deprec_cfws_near_at", "deprec_cfws_near_at"];

function readQuoted(scan: Scan): void {
  scan.note(scan.count === 0 ? "rfc5321_quotedstring" : "deprec_localpart");
  scan.at++;
  let text = '"';
  while (scan.peek() !== '"') text += readInside(scan, QUOTED);
  scan.at++;
  scan.local += `${text}"`;
  scan.length += text.length + 1;
  scan.ended = "quoted";
}

function readDot(scan: Scan): void {
  if (scan.length === 0) scan.refuse(scan.count === 0 ? "err_dot_start" : "err_consecutivedots");
  scan.ended = "";
  scan.length = 0;
  scan.count++;
  scan.at++;
}

function assertMayFollow(scan: Scan): void {
  if (scan.ended === "cfws") scan.refuse("err_atext_after_cfws");
  if (scan.ended === "quoted") scan.refuse("err_atext_after_qs");
  if (scan.ended === "literal") scan.refuse("err_atext_after_domlit");
}

function readLocal(scan: Scan): void {
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
  if (scan.local.length > 64) scan.note("rfc5322_local_toolong");
  else if (wasCfws) scan.note("deprec_cfws_near_at");
  scan.at++;
}

function readLocalCharacter(scan: Scan, character: string): void {
  if (character === ".") {
    if (scan.ended !== "") scan.note("deprec_localpart");
    readDot(scan);
    scan.local += ".";
  } else if (character === '"' && scan.length === 0) readQuoted(scan);
  else {
    if (character !== '"') assertMayFollow(scan);
    if (!ATEXT.test(character)) scan.refuse("err_expecting_atext");
    scan.local += character;
    scan.length++;
    scan.at++;
  }
}

function readDomain(scan: Scan): void {
  scan.length = 0;
  scan.count = 0;
  scan.ended = "";
  while (scan.peek() !== "") if (!readCfws(scan, NEAR_AT, OBSOLETE_CFWS)) readDomainCharacter(scan, scan.peek());
  if (scan.domain === "") scan.refuse("err_nodomain");
  if (scan.length === 0) scan.refuse("err_dot_end");
  if (scan.hyphen) scan.refuse("err_domainhyphenend");
  if (scan.domain.length > 255) scan.note("rfc5322_domain_toolong");
  else if (scan.local.length + 1 + scan.domain.length > 254) scan.note("rfc5322_toolong");
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

const OCTET = "(?:25[0-5]|2[0-4]\\d|[01]?\\d\\d?)";
const IPV4 = new RegExp(`(?:^|:)${OCTET}(?:\\.${OCTET}){3}$`);

function literalFindings(text: string): AddressFinding[] {
  const v4 = IPV4.exec(text)?.[0];
  if (v4 === text) return ["rfc5321_addressliteral"];
  if (!/^ipv6:/i.test(text)) return ["rfc5322_domainliteral"];
  // Four octets stand for two groups.
  const address = (v4 ? `${text.slice(0, -v4.length)}:0:0` : text).slice(5);
  return [...groupFindings(address), formFinding(address)];
}

function groupFindings(address: string): AddressFinding[] {
  const groups = address.split(":").length;
  const gap = address.indexOf("::");
  if (gap < 0) return groups === 8 ? [] : ["rfc5322_ipv6_grpcount"];
  if (gap !== address.lastIndexOf("::")) return ["rfc5322_ipv6_2x2xcolon"];
  const most = gap === 0 || gap === address.length - 2 ? 9 : 8;
  if (groups > most) return ["rfc5322_ipv6_maxgrps"];
  return groups === most ? ["rfc5321_ipv6deprecated"] : [];
}

function formFinding(address: string): AddressFinding {
  if (/^:(?!:)/.test(address)) return "rfc5322_ipv6_colonstrt";
  if (/(?<!:):$/.test(address)) return "rfc5322_ipv6_colonend";
  const isRight = address.split(":").every((group) => /^[0-9A-Fa-f]{0,4}$/.test(group));
  return isRight ? "rfc5321_addressliteral" : "rfc5322_ipv6_badchar";
}

/** Reads one address. Time grows with its length alone. */
export function readAddress(text: string): Address {
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
