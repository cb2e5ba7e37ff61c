/** The tests of components, by the names of the syntax dictionary; their findings have the names of its syntax engine. */
import { coupon, couponOffer } from "./coupon.js";
import { dateTest, timeTest } from "./date-tests.js";
import type { ComponentFinding, Test } from "./finding.js";
import { COUNTRIES, COUNTRY_LETTERS, CURRENCIES, PACKAGE_TYPES } from "./gs1-table.js";

const finding = (code: string, at = 0): ComponentFinding => ({ code, at });
const not = (pattern: RegExp, code: string): Test => {
  return (text) => {
    const at = text.search(pattern);
    return at < 0 ? undefined : finding(code, at);
  };
};
const only =
  (pattern: RegExp, code: string): Test =>
  (text) =>
    pattern.test(text) ? undefined : finding(code);
const listed = (codes: string, code: string): Test => {
  const known = new Set(codes.trim().split(" "));
  return (text) => (known.has(text) ? undefined : finding(code));
};

export const CHARACTER_TESTS = {
  N: not(/[^0-9]/, "NON_DIGIT_CHARACTER"),
  X: not(/[^!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]/, "INVALID_CSET82_CHARACTER"),
  Y: not(/[^#\-/0-9A-Z]/, "INVALID_CSET39_CHARACTER"),
  Z: base64url,
} satisfies Record<string, Test>;

function base64url(text: string): ComponentFinding | undefined {
  const padding = text.length - text.replace(/={1,90}$/, "").length;
  if (padding > 2 || (padding > 0 && text.length % 3 !== 0))
    return finding("INVALID_CSET64_PADDING", text.length - padding);
  const at = text.slice(0, text.length - padding).search(/[^A-Za-z0-9_-]/);
  return at < 0 ? undefined : finding("INVALID_CSET64_CHARACTER", at);
}

const number = (text: string) => Number.parseInt(text, 10);

function checkDigit(text: string): ComponentFinding | undefined {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum += number(text[at] ?? "") * ((text.length - at) % 2 === 0 ? 3 : 1);
  return sum % 10 === 0 ? undefined : finding("INCORRECT_CHECK_DIGIT", text.length - 1);
}

const CSET82 = `!"%&'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz`;
const CSET32 = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const PRIMES = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83];

/** Characters before the pair are weighted by primes from right to left, modulo 1021. */
function checkPair(text: string): ComponentFinding | undefined {
  if (text.length < 2) return finding("TOO_SHORT_FOR_CHECK_PAIR");
  const last = text.length - 3;
  let sum = 0;
  for (let at = 0; at <= last; at++) sum += CSET82.indexOf(text[at] ?? "") * (PRIMES[last - at] ?? 0);
  sum %= 1021;
  const pair = `${CSET32[sum >> 5]}${CSET32[sum & 31]}`;
  return text.endsWith(pair) ? undefined : finding("INCORRECT_CHECK_PAIR", text.length - 2);
}

/** Whether four digits, the shortest company prefix, begin at a place. */
const companyPrefix =
  (from: 0 | 1): Test =>
  (text) => {
    if (text.length < from + 4) return finding("TOO_SHORT_FOR_GCP");
    const at = text.slice(from, from + 4).search(/[^0-9]/);
    return at < 0 ? undefined : finding("INVALID_GCP_PREFIX", from + at);
  };

const country = listed(COUNTRY_LETTERS, "ILLEGAL_IBAN_COUNTRY_CODE");

function iban(text: string, year: number): ComponentFinding | undefined {
  if (text.length < 4) return finding("IBAN_TOO_SHORT");
  const wrong = country(text.slice(0, 2), year);
  if (wrong) return wrong;
  if (text.length <= 10) return finding("IBAN_TOO_SHORT");
  const at = text.search(/[^0-9A-Z]/);
  if (at >= 0) return finding("INVALID_IBAN_CHARACTER", at);
  let rest = 0;
  for (const sign of text.slice(4) + text.slice(0, 4)) rest = number(`${rest}${Number.parseInt(sign, 36)}`) % 97;
  return rest === 1 ? undefined : finding("INCORRECT_IBAN_CHECKSUM", 2);
}

const degrees =
  (most: number, code: string): Test =>
  (text) =>
    number(text) > most ? finding(code) : undefined;

function pieceOfTotal(text: string): ComponentFinding | undefined {
  const half = text.length / 2;
  const [piece, total] = [number(text.slice(0, half)), number(text.slice(half))];
  if (piece === 0) return finding("ZERO_PIECE_NUMBER");
  if (total === 0) return finding("ZERO_TOTAL_PIECES", half);
  return piece > total ? finding("PIECE_NUMBER_EXCEEDS_TOTAL") : undefined;
}

function positionInSequence(text: string): ComponentFinding | undefined {
  const [, position = "", end = ""] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  if (position === "") return finding("POSITION_IN_SEQUENCE_MALFORMED");
  if (position.startsWith("0")) return finding("ILLEGAL_ZERO_PREFIX");
  if (end.startsWith("0")) return finding("ILLEGAL_ZERO_PREFIX", position.length + 1);
  return number(position) > number(end) ? finding("POSITION_EXCEEDS_END") : undefined;
}

function mediaType(text: string): ComponentFinding | undefined {
  const type = number(text);
  return (type >= 1 && type <= 10) || (type >= 80 && type <= 99) ? undefined : finding("INVALID_MEDIA_TYPE");
}

/** The component's own test is the last of these; what they lean on was tested before. */
export const TESTS: Record<string, Test> = {
  csum: checkDigit,
  csumalpha: checkPair,
  gcppos1: companyPrefix(0),
  gcppos2: companyPrefix(1),
  iban,
  couponcode: (text, year) => coupon(text, year),
  couponposoffer: (text) => couponOffer(text),
  latitude: degrees(1_800_000_000, "INVALID_LATITUDE"),
  longitude: degrees(3_600_000_000, "INVALID_LONGITUDE"),
  pieceoftotal: pieceOfTotal,
  posinseqslash: positionInSequence,
  mediatype: mediaType,
  yymmdd: dateTest({ dayZero: false }),
  yymmd0: dateTest({ dayZero: true }),
  yyyymmdd: dateTest({ dayZero: false }),
  hh: timeTest(["HOUR"]),
  mi: timeTest(["MINUTE"]),
  ss: timeTest(["SECOND"]),
  hhmi: timeTest(["HOUR", "MINUTE"]),
  iso3166: listed(COUNTRIES, "NOT_ISO3166"),
  iso3166999: listed(`${COUNTRIES}999`, "NOT_ISO3166_OR_999"),
  iso3166alpha2: listed(COUNTRY_LETTERS, "NOT_ISO3166_ALPHA2"),
  iso4217: listed(CURRENCIES, "NOT_ISO4217"),
  packagetype: listed(PACKAGE_TYPES, "INVALID_PACKAGE_TYPE"),
  iso5218: only(/^[0129]$/, "INVALID_BIOLOGICAL_SEX_CODE"),
  importeridx: only(/^[-0-9A-Z_a-z]$/, "INVALID_IMPORT_IDX_CHARACTER"),
  winding: only(/^[019]$/, "INVALID_WINDING_DIRECTION"),
  yesno: only(/^[01]$/, "NOT_ZERO_OR_ONE"),
  zero: only(/^0+$/, "NOT_ZERO"),
  nonzero: only(/[^0]/, "ILLEGAL_ZERO_VALUE"),
  nozeroprefix: only(/^[^0]/, "ILLEGAL_ZERO_PREFIX"),
  hasnondigit: only(/[^0-9]/, "REQUIRES_NON_DIGIT_CHARACTER"),
  hyphen: only(/^-+$/, "NOT_HYPHEN"),
  pcenc: not(/%(?![0-9A-Fa-f]{2})/, "INVALID_PERCENT_SEQUENCE"),
};
