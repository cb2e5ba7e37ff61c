/**
 * The header fields of the Machine Payments Protocol: challenges, credentials and receipts, of any method. JSON is encoded in
 * its canonical form (RFC 8785), in base64url without padding.
 */
import { z } from "zod";
import { once } from "../../lib/lazy.js";
import { shapeOf } from "../../lib/text/json.js";
import { sortedJson } from "../../lib/text/sorted-json.js";

/** A challenge as objects have it: `request` is decoded. */
export interface Challenge {
  id: string;
  realm: string;
  method: string;
  intent: string;
  request: Record<string, unknown>;
  description?: string;
  digest?: string;
  /** RFC 3339. */
  expires?: string;
  header?: string;
  opaque?: string;
}

/** The answer of a buyer: the challenge, and how it was paid. */
export interface Credential {
  challenge: Challenge;
  payload: Record<string, unknown>;
  source?: string;
}

const MAX_DEPTH = 32;
const BASE64URL = /^[A-Za-z0-9_-]*={0,2}$/;
const utf8 = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Text from base64url, with padding or without. Undefined for letters outside the alphabet, and for no UTF-8. */
export function decodeText(encoded: string): string | undefined {
  if (!BASE64URL.test(encoded)) return undefined;
  try {
    return utf8.decode(Buffer.from(encoded, "base64url"));
  } catch {
    return undefined;
  }
}

export const encodeText = (text: string): string => Buffer.from(text).toString("base64url");

export const encodeJson = (value: unknown): string => encodeText(sortedJson(value));

/** Undefined for anything but an object, and for one that is nested deeply: each level of it costs a part of the stack. */
function decodeJson(encoded: string): Record<string, unknown> | undefined {
  const text = decodeText(encoded) ?? "";
  if (shapeOf(text).depth > MAX_DEPTH) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

const challenge = once(() =>
  z.object({
    id: z.string().min(1),
    realm: z.string(),
    method: z.string(),
    intent: z.string(),
    request: z.string(),
    description: z.string().optional(),
    digest: z.string().optional(),
    expires: z.string().optional(),
    header: z.string().optional(),
    opaque: z.string().optional(),
  }),
);

function readChallenge(parameters: unknown): Challenge | undefined {
  const sent = challenge().safeParse(parameters).data;
  const request = sent && decodeJson(sent.request);
  if (!sent || !request) return undefined;
  const present = Object.entries({ ...sent, request }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as unknown as Challenge;
}

/** Parameters of a challenge as its header has them. Throws a TypeError for one that no header holds. */
export function formatParameters(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => {
      if (/[\r\n]/.test(value)) throw new TypeError(`${name} of a challenge must be one line.`);
      return `${name}="${value.replace(/["\\]/g, "\\$&")}"`;
    })
    .join(", ");
}

/** The challenges of a `WWW-Authenticate` header; undefined where one of them cannot be read. */
export function readChallenges(header: string): Challenge[] | undefined {
  const found = schemesIn(header)?.filter(({ scheme }) => scheme === "payment");
  const read = found?.map(({ parameters }) => readChallenge(Object.fromEntries(parameters)));
  return read?.every((one) => one !== undefined) && read.length > 0 ? read : undefined;
}

interface Scheme {
  scheme: string;
  parameters: Map<string, string>;
}

const TOKEN = /[\w!#$%&'*+.^`|~-]+/y;
const EQUALS = /[ \t]*=[ \t]*/y;
const GAP = /[ \t,]*/y;
const END = /[ \t]*(?:,|$)/y;

/** The schemes of a header with their parameters; undefined for one that names a parameter twice. */
function schemesIn(header: string): Scheme[] | undefined {
  const schemes: Scheme[] = [];
  for (const part of partsOf(header)) {
    if (part.value === undefined) {
      schemes.push({ scheme: part.name, parameters: new Map() });
      continue;
    }
    const { parameters } = schemes.at(-1) ?? {};
    if (!parameters || parameters.has(part.name)) return undefined;
    parameters.set(part.name, part.value);
  }
  return schemes;
}

/** Names of schemes, and parameters. Each step goes on from where the last ended, so a header costs only its length. */
function* partsOf(header: string): Generator<{ name: string; value?: string }> {
  let at = 0;
  const next = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const [text] = pattern.exec(header) ?? [];
    if (text !== undefined) at += text.length;
    return text;
  };
  for (;;) {
    next(GAP);
    const name = next(TOKEN)?.toLowerCase();
    if (name === undefined) return;
    if (next(EQUALS) === undefined) {
      yield { name };
      continue;
    }
    const value = header[at] === '"' ? quotedAt(header, at) : { text: next(TOKEN) ?? "", end: at };
    // A text that does not end is none, and what stands behind a value without a comma is not told apart.
    if (!value) return;
    yield { name, value: value.text };
    at = value.end;
    if (next(END) === undefined) return;
  }
}

function quotedAt(header: string, start: number): { text: string; end: number } | undefined {
  const letters: string[] = [];
  for (let at = start + 1; at < header.length; at++) {
    if (header[at] === '"') return { text: letters.join(""), end: at + 1 };
    if (header[at] === "\\") at++;
    letters.push(header[at] ?? "");
  }
  return undefined;
}

/** In an `Authorization` header, beside other uses of it. */
const PRESENTED = /(?:^|,[ \t]*)Payment(?:[ \t]+([^\s,]*)|[ \t]*(?=,|$))/i;

/** The encoded credential of a header; undefined if it has none. */
export function credentialIn(header: string): string | undefined {
  const found = PRESENTED.exec(header);
  return found ? (found[1] ?? "") : undefined;
}

const credential = once(() =>
  z.object({
    challenge: z.unknown(),
    payload: z.record(z.string(), z.unknown()),
    source: z.string().optional(),
  }),
);

/** Undefined for anything but a credential. */
export function readCredentialText(encoded: string): Credential | undefined {
  const sent = credential().safeParse(decodeJson(encoded)).data;
  const paid = sent && readChallenge(sent.challenge);
  if (!sent || !paid) return undefined;
  const { payload, source } = sent;
  return { challenge: paid, payload, ...(source === undefined ? {} : { source }) };
}

/** The value of the header for a credential. */
export function formatCredential({ challenge: { request, ...paid }, ...sent }: Credential): string {
  return `Payment ${encodeText(JSON.stringify({ challenge: { ...paid, request: encodeJson(request) }, ...sent }))}`;
}

const receipt = once(() =>
  z.looseObject({
    status: z.literal("success"),
    method: z.string().min(1),
    timestamp: z.iso.datetime({ offset: true }),
    reference: z.string().min(1),
  }),
);
export type Receipt = z.infer<ReturnType<typeof receipt>>;

/** Undefined for anything but a receipt. */
export const readReceipt = (encoded: string): Receipt | undefined => receipt().safeParse(decodeJson(encoded)).data;
