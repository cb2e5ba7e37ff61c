/** Fields that several of AWS's events share, as parts of a request. */
import { normalizeAddress } from "../shared/client-address.js";

export type Single = Record<string, string | null | undefined> | null | undefined;
export type Multi = Record<string, string[] | null | undefined> | null | undefined;

/** By lower-case name; repeated headers are joined. */
export type HeaderFields = Map<string, string>;

/** If a sender gives single and multiple values, the multiple ones are complete. */
export function readHeaders(event: { headers?: Single; multiValueHeaders?: Multi }): HeaderFields {
  const headers: HeaderFields = new Map();
  for (const [given, value] of pairsOf(event.multiValueHeaders ?? event.headers)) {
    const name = given.toLowerCase();
    const text = toByteString(value.trim());
    const before = headers.get(name);
    headers.set(name, before === undefined ? text : `${before}, ${text}`);
  }
  return headers;
}

/** Names and values of a query as the event contains them: decoded or not, depending on the sender. */
export function readQuery(event: {
  queryStringParameters?: Single;
  multiValueQueryStringParameters?: Multi;
}): [name: string, value: string][] {
  return pairsOf(event.multiValueQueryStringParameters ?? event.queryStringParameters);
}

function pairsOf(fields: Single | Multi): [name: string, value: string][] {
  return Object.entries(fields ?? {}).flatMap(([name, value]) => {
    const values = Array.isArray(value) ? value : [value];
    return values.filter((each) => typeof each === "string").map((each): [string, string] => [name, each]);
  });
}

/** Header values arrive as text, but a Request takes bytes and throws for text beyond Latin-1. */
export const toByteString = (text: string): string => Buffer.from(text, "utf8").toString("latin1");

export function readBody(event: { body?: string | null; isBase64Encoded?: boolean | null }): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(event.body ?? "", event.isBase64Encoded ? "base64" : "utf8"));
}

/**
 * The caller according to the sender, and the hops before: the sender appends the same address to X-Forwarded-For,
 * which must not count as a hop again.
 */
export function readSource(headers: HeaderFields, sourceAddress: string | undefined) {
  const hops = (headers.get("x-forwarded-for") ?? "").split(",");
  if (normalizeAddress(hops.at(-1)) === normalizeAddress(sourceAddress)) hops.pop();
  return { sourceAddress, forwardedFor: hops.join(",") };
}
