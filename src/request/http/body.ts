/** Reads the body of a request as JSON, within limits that hold for untrusted text. */
import { CapabilityError, invalid } from "../../errors.js";
import { networkOf } from "../../lib/network.js";
import { createPacer, type Pacer } from "../../lib/pacer.js";
import { type Leaving, parseInTurns, shapeInTurns } from "../../lib/text/json.js";
import { UnreadJson } from "../../lib/text/unread-json.js";
import { createFairLine } from "../../lib/threads/fair-line.js";
import type { LazyRequest } from "./exchange.js";
import { createUploads, tooLarge, type UploadLimits } from "./upload.js";

const MAX_DEPTH = 64;
/** A wallet's value may have 100,000 names, and other fields come with it. */
const MAX_MEMBERS = 110_000;
/** No field of any JSON may have more elements and names. */
const MAX_PARTS = 110_000;

/** Long bodies that nobody has paid for wait in turn, so that a network that sends many of them does not delay others. */
const line = createFairLine();
const uploads = createUploads();
const LONG = 16 * 1024;
/** They get a quarter of the thread, since many callers send them together. */
const SLICE_MS = 1;
const REST_TIMES = 3;

export interface Reading {
  maxBytes: number;
  /** Address of the caller. */
  caller: string | undefined;
  /** Fields that may hold any JSON. */
  anyJson?: readonly string[] | undefined;
  /** Those that are passed on as text where they are long: an UnreadJson always stands for them. */
  asText?: readonly string[] | undefined;
  /** Told of the bytes, before they are read as JSON. */
  onBytes?: ((bytes: Uint8Array) => void) | undefined;
  /** Whether long ones are needed; otherwise only their sizes are, and an UnreadJson stands for each. */
  isWhole?: boolean;
}

/**
 * Undefined for an empty body. Rejects with PAYLOAD_TOO_LARGE, or with INVALID_INPUT for a body that is compressed, not
 * UTF-8, not a JSON object, nested deeper than 64 levels, that has more than 110,000 names, or a number beyond
 * JavaScript's range, or a whole one of more digits than it keeps.
 */
export async function readJsonObject(
  request: Pick<LazyRequest, "headers" | "body">,
  { maxBytes, caller, anyJson = [], asText = [], onBytes, isWhole = true }: Reading,
): Promise<object | undefined> {
  if (request.headers.has("content-encoding")) throw invalid("", "The body must not be compressed.");
  // guard: uploads: all addresses of a network are one | without networkOf | uploads
  const network = caller === undefined ? undefined : networkOf(caller);
  const bytes = await readBytes(request, { maxBytes, network });
  onBytes?.(bytes);
  if (bytes.byteLength === 0) return undefined;
  // guard: wallets: for a price long values are measured and not parsed |
  //   (!isWhole || parts > MAX_PARTS) -> parts > MAX_PARTS | heavy-values
  // guard: wallets: what has too many parts is not parsed, paid or not |
  //   (!isWhole || parts > MAX_PARTS) -> !isWhole | heavy-values
  const leaves: Leaving = (name, { parts }) =>
    asText.includes(name) || (anyJson.includes(name) && (!isWhole || parts > MAX_PARTS));
  const read = () => parse(bytes, leaves);
  // guard: wallets: long bodies are read one after the other | always | heavy-values
  const value = bytes.byteLength < LONG ? await read() : await line.add(network, bytes.byteLength, read);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalid("", "The body must be a JSON object.");
  return value;
}

async function parse(bytes: Uint8Array, leaves: Leaving): Promise<unknown> {
  try {
    const json = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const pacer = createPacer(SLICE_MS, REST_TIMES);
    const shape = await shapeInTurns(json, pacer);
    const { depth, members, isInfinite, rounded, long } = shape;
    // guard: bodies nest up to 64 levels | gone | order
    if (depth > MAX_DEPTH) throw invalid("", `The body is nested deeper than ${MAX_DEPTH} levels.`);
    // guard: bodies have so many names | gone | heavy-values
    if (members > MAX_MEMBERS) throw invalid("", `The body has more than ${MAX_MEMBERS} names in all.`);
    if (rounded)
      throw invalid("", `The body has the number ${shortened(rounded)}, which JSON's readers round: send it as text.`);
    // guard: bodies that are long are parsed in slices | length > -> length < | heavy-values
    const value = long.length > 0 ? await parseInTurns(json, shape, { pacer, leaves }) : JSON.parse(json);
    if (isInfinite) throw invalid(await placeOfInfinite(value, pacer), "is too large for a number");
    return value;
  } catch (error) {
    if (CapabilityError.is(error)) throw error;
    throw invalid("", "The body is not valid JSON in UTF-8.");
  }
}

const shortened = (digits: string): string => (digits.length > 30 ? `${digits.slice(0, 30)}…` : digits);

/** Reads up to `maxBytes`, whatever length the headers declare. */
async function readBytes(request: Pick<LazyRequest, "headers" | "body">, limits: UploadLimits): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length")) > limits.maxBytes) throw tooLarge(limits.maxBytes);
  return uploads.read(request.body, limits);
}

/**
 * JSON may contain 1e999, which JavaScript parses as Infinity and cannot write again. The path to such a number, found with
 * pauses for other work; that of the whole if it is written in a way that no path leads to.
 */
async function placeOfInfinite(whole: unknown, pacer: Pacer): Promise<string> {
  const left: { value: unknown; path: Place | undefined }[] = [{ value: whole, path: undefined }];
  for (let next = left.pop(); next; next = left.pop()) {
    const { value, path } = next;
    if (isInfinite(value)) return namesOf(path).join(".");
    if (typeof value === "object" && value !== null && !(value instanceof UnreadJson))
      for (const name of Object.keys(value))
        left.push({ value: (value as Record<string, unknown>)[name], path: { name, within: path } });
    if (pacer.isDue()) await pacer.rest();
  }
  return "";
}

const isInfinite = (value: unknown): boolean =>
  value instanceof UnreadJson ? value.facts.isInfinite : typeof value === "number" && !Number.isFinite(value);

interface Place {
  name: string;
  within: Place | undefined;
}

function namesOf(place: Place | undefined): string[] {
  const names: string[] = [];
  for (let at = place; at; at = at.within) names.unshift(at.name);
  return names;
}
