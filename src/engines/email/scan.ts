/** Reads an address character by character. */
import { type AddressFinding, FINDINGS } from "./findings.js";

export class NoAddress extends Error {
  constructor(readonly finding: AddressFinding) {
    super(finding);
  }
}

/**
 * A character beyond ASCII that may stand before the @, by RFC 6531: any letter, mark, number or sign, and the two joiners that
 * some scripts are written with; no blank, and none that is not seen or not assigned.
 */
const BEYOND_ASCII = /^(?!\p{ASCII})[\p{L}\p{M}\p{N}\p{P}\p{S}\u200c\u200d]$/u;
export const isBeyondAscii = (character: string): boolean => BEYOND_ASCII.test(character);

export const ATEXT = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]$/;

const isBlank = (character: string) => character === " " || character === "\t" || character === "\r";

export class Scan {
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

  /** The next character, which may be two units long. */
  peek(): string {
    const code = this.text.codePointAt(this.at);
    return code === undefined ? "" : String.fromCodePoint(code);
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
  /** Whether RFC 6531 allows more than ASCII here. */
  beyondAscii?: boolean;
}

const QUOTED: Inside = {
  ...{ unclosed: "err_unclosedquotedstr", expecting: "err_expecting_qtext", refused: "\0\n" },
  ...{ obsolete: "deprec_qtext", from: 32, beyondAscii: true },
};

const COMMENT: Inside = {
  ...{ unclosed: "err_unclosedcomment", expecting: "err_expecting_ctext", refused: "\0\n" },
  ...{ obsolete: "deprec_ctext", from: 32 },
};

export const LITERAL: Inside = {
  ...{ unclosed: "err_uncloseddomlit", expecting: "err_expecting_dtext", refused: "\0[" },
  ...{ obsolete: "rfc5322_domlit_obsdtext", from: 33 },
};

/** The next character, pair or blanks of a quoted string, comment or literal. */
export function readInside(scan: Scan, { unclosed, expecting, refused, obsolete, from, beyondAscii }: Inside): string {
  const character = scan.peek();
  const code = character.charCodeAt(0);
  if (character === "") scan.refuse(unclosed);
  if (character === "\\") return readPair(scan, "deprec_qp");
  if (isBlank(character)) {
    readBlanks(scan);
    return " ";
  }
  const isLetter = code > 127 && beyondAscii && isBeyondAscii(character);
  if ((code > 127 && !isLetter) || refused.includes(character)) scan.refuse(expecting);
  if (code < from || code === 127) scan.note(obsolete);
  scan.at += character.length;
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
export function readCfws(scan: Scan, atStart: readonly AddressFinding[], later: readonly AddressFinding[]): boolean {
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

export const CFWS: readonly AddressFinding[] = ["cfws_comment", "cfws_fws"];

export const OBSOLETE_CFWS: readonly AddressFinding[] = ["deprec_comment", "deprec_fws"];

export const NEAR_AT: readonly AddressFinding[] = ["deprec_cfws_near_at", "deprec_cfws_near_at"];

export function readQuoted(scan: Scan): void {
  scan.note(scan.count === 0 ? "rfc5321_quotedstring" : "deprec_localpart");
  scan.at++;
  let text = '"';
  while (scan.peek() !== '"') text += readInside(scan, QUOTED);
  scan.at++;
  scan.local += `${text}"`;
  scan.length += text.length + 1;
  scan.ended = "quoted";
}

export function readDot(scan: Scan): void {
  if (scan.length === 0) scan.refuse(scan.count === 0 ? "err_dot_start" : "err_consecutivedots");
  scan.ended = "";
  scan.length = 0;
  scan.count++;
  scan.at++;
}

export function assertMayFollow(scan: Scan): void {
  if (scan.ended === "cfws") scan.refuse("err_atext_after_cfws");
  if (scan.ended === "quoted") scan.refuse("err_atext_after_qs");
  if (scan.ended === "literal") scan.refuse("err_atext_after_domlit");
}
