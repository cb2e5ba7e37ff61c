/** The body of a request as JSON, within the limits that any stranger's text has to keep. */
import { CapabilityError, invalid } from "../errors.js";
import { nestingOf } from "../lib/json.js";
import { BodyTooLargeError, readLimited } from "../lib/read-limited.js";
import type { Incoming } from "./exchange.js";

const MAX_DEPTH = 64;

/**
 * Undefined for an empty body. Rejects with PAYLOAD_TOO_LARGE, or with INVALID_INPUT for what is compressed, no UTF-8, no
 * JSON object or nested deeper than 64 levels.
 */
export async function readJsonObject(
  request: Pick<Incoming, "headers" | "body">,
  maxBytes: number,
): Promise<object | undefined> {
  if (request.headers.has("content-encoding")) throw invalid("", "The body must not be compressed.");
  const bytes = await readBytes(request, maxBytes);
  if (bytes.byteLength === 0) return undefined;
  let value: unknown;
  try {
    const json = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (nestingOf(json) > MAX_DEPTH) throw invalid("", `The body is nested deeper than ${MAX_DEPTH} levels.`);
    value = JSON.parse(json);
  } catch (error) {
    if (CapabilityError.is(error)) throw error;
    throw invalid("", "The body is not valid JSON in UTF-8.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalid("", "The body must be a JSON object.");
  return value;
}

/** Reads up to `maxBytes`, whatever the headers say of its length. */
async function readBytes(request: Pick<Incoming, "headers" | "body">, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = () =>
    new CapabilityError("PAYLOAD_TOO_LARGE", `The body is larger than ${maxBytes} bytes, the most this service takes.`);
  if (Number(request.headers.get("content-length")) > maxBytes) throw tooLarge();
  try {
    return await readLimited(request.body, maxBytes);
  } catch (error) {
    throw error instanceof BodyTooLargeError ? tooLarge() : error;
  }
}
