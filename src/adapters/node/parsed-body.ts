/** Recovers the bytes of a body that a parser such as express.json() has replaced by a value. */
import type { IncomingMessage } from "node:http";
import { invalid } from "../../errors.js";

/** A request whose body a parser may have read. */
export interface ParsedRequest extends IncomingMessage {
  /** The parser's result. */
  body?: unknown;
  /** The original bytes: set by the `verify` hook of many apps and by Google's and Firebase's runtimes. */
  rawBody?: unknown;
}

const encode = (text: string) => new TextEncoder().encode(text);

/**
 * Undefined if the stream was not read. Throws INVALID_INPUT for a value that cannot be serialized, and an Error for
 * the host if a body was read and not kept: a paid call must not run without its input.
 */
export function consumedBody(req: ParsedRequest): Uint8Array<ArrayBuffer> | undefined {
  if (!req.readableDidRead && !req.readableEnded) return undefined;
  // Without data there was nothing to parse, though express.json() leaves {} for it.
  if (!req.readableDidRead) return new Uint8Array();

  const { body } = req;
  const raw = req.rawBody ?? body;
  if (raw instanceof Uint8Array) return new Uint8Array(raw);
  if (typeof raw === "string") return encode(raw);
  if (body === undefined)
    throw new Error("The request body was read before the mounted handler saw it. Mount it before body parsers.");
  const isForm = req.headers["content-type"]?.startsWith("application/x-www-form-urlencoded");
  return encode(isForm ? toForm(body) : toJson(body));
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // JSON.parse takes any depth, but serializing recurses.
    throw error instanceof RangeError ? invalid("", "The body is nested too deeply.") : error;
  }
}

/** A parsed form as text: repeated names from lists, `a[b]` from the nested values of the extended parser. */
function toForm(body: unknown): string {
  const form = new URLSearchParams();
  for (const [name, value] of pairs(body, "")) form.append(name, value);
  return form.toString();
}

function* pairs(value: unknown, name: string): Generator<[name: string, value: string]> {
  if (Array.isArray(value)) for (const item of value) yield* pairs(item, name);
  else if (typeof value === "object" && value !== null)
    for (const [key, item] of Object.entries(value)) yield* pairs(item, name ? `${name}[${key}]` : key);
  else yield [name, String(value)];
}
