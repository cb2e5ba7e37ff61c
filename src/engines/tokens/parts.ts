/** The parts of a compact token, read more strictly than libraries do: base64url without blanks, padding or spare bits. */

import { parseJson, plainValue } from "../json/text.js";

export type Json = Record<string, unknown>;

export interface Parts {
  form: "jws" | "jwe";
  header: Json;
  /** The header's text. */
  headerBytes: Uint8Array;
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
  return {
    form,
    header,
    headerBytes: bytes[0] as Uint8Array,
    payload: (form === "jws" && bytes[1]) || new Uint8Array(),
  };
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
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The same object for an answer: numbers with more digits than readers of JSON keep are texts of their digits. `onExact` hears
 * of the names at the top that hold one.
 */
export function exactJsonIn(bytes: Uint8Array, onExact: (name: string) => void): Json | null {
  const value = jsonIn(bytes);
  const text = decoder.decode(bytes);
  if (!value || !/\d{16}|\d[eE]|\.\d{15}/.test(text)) return value ?? null;
  try {
    const exact = parseJson(text, "", { mayRepeat: true }) as Json;
    return Object.fromEntries(
      Object.entries(exact).map(([name, one]) => {
        let isExact = false;
        const plain = plainValue(one, () => {
          isExact = true;
        });
        if (isExact) onExact(name);
        return [name, plain];
      }),
    );
  } catch {
    return value;
  }
}

export const isJsonObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
