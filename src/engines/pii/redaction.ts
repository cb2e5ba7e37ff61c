/** Replaces personal data and secrets of fixed format in a text. */
import { createHash } from "node:crypto";
import { checkBitcoin } from "../addresses/bitcoin-like.js";
import { checkEthereum } from "../addresses/ethereum.js";
import { type FoundSpan, RECOGNISERS, type Recogniser, spansIn } from "./recognisers.js";
import { SECRETS } from "./secrets.js";
import { taxIdsIn } from "./tax-ids.js";

export const TYPES = [
  ...(["credit_card", "iban", "email", "phone", "ip_address", "mac", "crypto_address"] as const),
  ...(["us_ssn", "tax_id", "secret", "url"] as const),
] as const;
export type Type = (typeof TYPES)[number];

export interface RedactionRequest {
  text: string;
  types: readonly Type[];
  replace: "label" | "mask" | "hash";
  keep: number;
  /** Numbers that hold a date of birth are judged by it. */
  now: Date;
}

export interface Redacted {
  type: Type;
  start: number;
  end: number;
  confidence: "checksum" | "pattern";
}

const CHECKED = new Set(["credit_card", "iban", "crypto_address"]);
const digitsIn = (text: string) => text.replace(/\D/g, "").length;

/** Neither that of all devices nor of none. */
const ofADevice = (mac: string) => (/^(?:[0.:-]+|[fF.:-]+)$/.test(mac) ? [] : [mac]);

const OTHERS: readonly Recogniser[] = [
  ...SECRETS.map((pattern) => ({ type: "secret", pattern })),
  {
    type: "mac",
    pattern: /(?<![\w:-])(?:[0-9A-Fa-f]{2}([:-]))(?:[0-9A-Fa-f]{2}\1){4}[0-9A-Fa-f]{2}(?![\w:-])/g,
    partsOf: ofADevice,
  },
  { type: "mac", pattern: /(?<![\w.])[0-9A-Fa-f]{4}(?:\.[0-9A-Fa-f]{4}){2}(?![\w.])/g, partsOf: ofADevice },
  {
    type: "url",
    pattern: /(?<![\w.])(?:https?|ftp|wss?):\/\/[^\s<>"'`{}|\\^]{1,2000}/gi,
    partsOf: (url) => [url.replace(/[.,;:!?)\]]{1,10}$/, "")],
  },
  { type: "url", pattern: /(?<![\w@./-])www\.[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}(?:\/[^\s<>"']{0,1000})?/gi },
  {
    type: "phone",
    // With a country's code: a plus, or 00.
    pattern: /(?<![\w+.])(?:\+|00)[1-9](?:[ ./-]{0,2}\(?\d\)?){6,14}(?![\w]|[.,-]\d)/g,
    partsOf: (text) => (digitsIn(text) <= 17 ? [text] : []),
  },
  { type: "phone", pattern: /(?<![\w.+-])(?:1[ .-])?(?:\(\d{3}\)[ .-]?|\d{3}[ .-])\d{3}[ .-]\d{4}(?![\w]|[.-]\d)/g },
  { type: "phone", pattern: /(?<![\w.+-])0\d{1,4}[ -]\d{3,4}[ -]?\d{3,4}(?![\w]|[.-]\d)/g },
  {
    type: "crypto_address",
    pattern: /(?<!\w)(?:[13][1-9A-HJ-NP-Za-km-z]{25,34}|bc1[a-z0-9]{11,71}|BC1[A-Z0-9]{11,71})(?!\w)/g,
    partsOf: (address) => (typeof checkBitcoin(address) === "string" ? [] : [address]),
  },
  {
    type: "crypto_address",
    pattern: /(?<!\w)0x[0-9a-fA-F]{40}(?!\w)/g,
    partsOf: (address) => (typeof checkEthereum(address) === "string" ? [] : [address]),
  },
];

interface Answer {
  text: string;
  count: number;
  findings: Redacted[];
  complete: false;
}

/** Everything that was found and the text without it. What has a checksum wins where findings overlap. */
export async function redact(question: RedactionRequest): Promise<Answer> {
  const { text, types } = question;
  const wanted = (type: string) => types.includes(typeOf(type));
  const all = spansIn(
    text,
    [...RECOGNISERS, ...OTHERS].filter(({ type }) => wanted(type)),
  );
  if (wanted("tax_id")) all.push(...(await taxIdsIn(text, question.now)));
  const findings = chosen(all, text.length);
  let redacted = "";
  let from = 0;
  for (const { start, end, type } of findings) {
    redacted += text.slice(from, start) + replacement(text.slice(start, end), type, question);
    from = end;
  }
  return { text: redacted + text.slice(from), count: findings.length, findings, complete: false };
}

const typeOf = (type: string): Type => (type === "ssn" ? "us_ssn" : (type as Type));
const isChecked = ({ type, hasCheck }: FoundSpan) => hasCheck ?? CHECKED.has(type);

/** Findings that do not overlap, in the order of the text. */
function chosen(spans: FoundSpan[], length: number): Redacted[] {
  const taken = new Uint8Array(length);
  const first = (a: FoundSpan, b: FoundSpan) =>
    Number(isChecked(b)) - Number(isChecked(a)) || b.to - b.from - (a.to - a.from);
  const kept = spans.sort(first).filter(({ from, to }) => {
    if (taken.subarray(from, to).includes(1)) return false;
    taken.fill(1, from, to);
    return true;
  });
  return kept
    .sort((a, b) => a.from - b.from)
    .map((span) => ({
      ...{ type: typeOf(span.type), start: span.from, end: span.to },
      confidence: isChecked(span) ? "checksum" : "pattern",
    }));
}

function replacement(value: string, type: Type, { replace, keep }: RedactionRequest): string {
  const kept = keep > 0 ? value.slice(-Math.min(keep, Math.floor(value.length / 2))) : "";
  if (replace === "mask") return "*".repeat(value.length - kept.length) + kept;
  const label = type.toUpperCase();
  if (replace === "label") return kept ? `[${label} ${kept}]` : `[${label}]`;
  const hash = createHash("sha256").update(`${type}:${value}`).digest("hex").slice(0, 16);
  return kept ? `[${label}:${hash} ${kept}]` : `[${label}:${hash}]`;
}
