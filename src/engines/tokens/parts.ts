/** The parts of a compact token, read more strictly than libraries do: base64url without blanks, padding or spare bits. */

export type Json = Record<string, unknown>;

export interface Parts {
  form: "jws" | "jwe";
  header: Json;
  /** The payload of a signed token; empty for an encrypted one. */
  payload: Uint8Array;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Undefined if the text is not a token. */
export function readParts(token: string): Parts | undefined {
  const parts = token.split(".");
  const bytes = parts.map(fromBase64Url);
  if (parts.length !== 3 && parts.length !== 5) return undefined;
  const header = bytes[0] && jsonIn(bytes[0]);
  if (!header || bytes.includes(undefined)) return undefined;
  const form = parts.length === 3 ? "jws" : "jwe";
  return { form, header, payload: (form === "jws" && bytes[1]) || new Uint8Array() };
}

function fromBase64Url(text: string): Uint8Array | undefined {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : undefined;
}

/** The object that bytes hold as JSON. */
export function jsonIn(bytes: Uint8Array): Json | undefined {
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
