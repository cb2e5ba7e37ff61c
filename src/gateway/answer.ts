/** Turns an origin's answer into a result that is sold, or into an error that costs nothing. */
import type { BinaryResult } from "../capability/output.js";
import type { Context } from "../capability/types.js";
import { CapabilityError, type ErrorCode } from "../errors.js";
import { createPacer } from "../lib/pacer.js";
import { shapeInTurns } from "../lib/text/json.js";
import { readWritten } from "../lib/text/written-json.js";
import { readWhole } from "./exchange.js";
import type { Secrets } from "./secrets.js";

export interface Answering {
  /** Media types of the answers that are sold; empty: any. */
  answers: readonly string[];
  /** True if the result is the value of the JSON, else the file. */
  isValue: boolean;
  maxBytes: number;
  secrets: Secrets;
}

const isJson = (type: string): boolean => /^application\/(?:[\w.+-]+\+)?json$/.test(type);

/** The media type without parameters, in small letters. */
export const mediaTypeOf = (response: Response): string =>
  response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";

/** The result of a 2xx. Rejects with UPSTREAM_SCHEMA for another type than is sold. */
export async function originAnswer(ctx: Context, response: Response, answering: Answering): Promise<unknown> {
  const { answers, isValue, maxBytes, secrets } = answering;
  const bytes = await readWhole(ctx, response, maxBytes);
  // guard: gateway: an answer shows no credentials | gone | gateway/hostile
  assertSecret(ctx, secrets, bytes);
  const type = mediaTypeOf(response);
  if (isValue) {
    if (bytes.byteLength === 0) return null;
    if (!isJson(type) && type !== "") throw unexpected(`${shownType(type)} instead of JSON`);
    return readJson(textIn(bytes));
  }
  if (bytes.byteLength > 0 && !answers.some((known) => matches(known, type)))
    throw unexpected(`the media type ${shownType(type)}`);
  if (isJson(type)) await readJson(textIn(bytes));
  const file = fileOf(response, type, bytes);
  // guard: gateway: no header of a file shows credentials | gone | gateway/hostile
  assertSecret(ctx, secrets, JSON.stringify(file.headers));
  return file;
}

/** The name of a media type in an error, where it has a plain one. */
const shownType = (type: string): string => (/^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) ? type : "unknown");

const unexpected = (what: string) =>
  new CapabilityError("UPSTREAM_SCHEMA", `The source of this endpoint answered with ${what}.`);

function matches(known: string, type: string): boolean {
  if (known === "*/*" || known === type || (known === "application/json" && isJson(type))) return true;
  return known.endsWith("/*") && type.startsWith(known.slice(0, -1));
}

function textIn(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new CapabilityError("UPSTREAM_SCHEMA", "The source of this endpoint answered with broken text.", { cause });
  }
}

/** Levels of an answer in JSON. */
export const MAX_DEPTH = 256;

/** The value, with the origin's own text of it: numbers keep their digits. */
async function readJson(text: string): Promise<unknown> {
  try {
    const value = await readWritten(text);
    // A deeper one could not be written again, as the answer of a tool is.
    // guard: gateway: no answer is nested too deeply to be passed on | never | gateway/hostile
    if ((await shapeInTurns(text, createPacer())).depth > MAX_DEPTH) throw new Error("It is nested too deeply.");
    return value;
  } catch (cause) {
    throw new CapabilityError("UPSTREAM_SCHEMA", "The source of this endpoint answered with broken JSON.", { cause });
  }
}

/** Headers of a file that its reader needs. All others stay here: cookies, challenges, what names the origin's servers. */
const PASSED = ["content-disposition", "content-language"];
/** Types that browsers run: at the gateway's address they would run as the gateway's own pages. */
const ACTIVE = /html|xml|svg|javascript|ecmascript|pdf/;

function fileOf(response: Response, type: string, bytes: Uint8Array): BinaryResult {
  const written = response.headers.get("content-type") ?? "";
  const isPlain = /^[\w.+-]+\/[\w.+-]+(?:\s*;\s*charset="?[\w-]+"?)?$/.test(written);
  const headers: Record<string, string> = ACTIVE.test(type) || !isPlain ? { "content-security-policy": "sandbox" } : {};
  for (const name of PASSED) {
    const value = response.headers.get(name);
    if (value !== null && value.length <= 1000 && /^[\x20-\x7e]*$/.test(value)) headers[name] = value;
  }
  // Events have endings of their own, which a kept file has not.
  const isEvents = type === "text/event-stream";
  const contentType =
    isPlain && !isEvents ? written : isEvents ? "text/plain; charset=utf-8" : "application/octet-stream";
  return { contentType, body: isJson(type) ? textIn(bytes) : bytes, headers };
}

/** Throws UPSTREAM_ERROR if an answer shows what only the gateway and its origin know. */
export function assertSecret(ctx: Context, secrets: Secrets, answer: Uint8Array | string): void {
  if (!secrets.isIn(ctx, answer)) return;
  ctx.logger.error({}, "gateway: an answer of the origin contains its credentials, and was not passed on");
  throw new CapabilityError("UPSTREAM_ERROR", "The source of this endpoint gave an answer that cannot be passed on.");
}

/** How many characters of an origin's refusal callers are told. */
const MAX_TOLD = 300;
const MAX_REFUSAL = 64 * 1024;

interface Refusal {
  code: ErrorCode;
  /** The status that callers get; default: that of the code. */
  keeps?: true;
  /** True if the caller can mend it by the origin's words. */
  tells?: true;
}

const FAULT: Refusal = { code: "INVALID_INPUT", keeps: true, tells: true };
const AWAY: Refusal = { code: "UPSTREAM_ERROR" };

const REFUSALS: Readonly<Record<number, Refusal>> = {
  // A key that the origin does not take is the host's to mend.
  401: { code: "PROVIDER_NOT_CONFIGURED" },
  // The origin asks a price of this host, and not of the buyer.
  402: AWAY,
  403: { code: "NOT_ALLOWED", tells: true },
  404: { code: "NOT_FOUND", tells: true },
  405: AWAY,
  406: AWAY,
  407: AWAY,
  408: { code: "UPSTREAM_TIMEOUT" },
  410: { code: "NOT_FOUND", keeps: true, tells: true },
  413: { code: "PAYLOAD_TOO_LARGE", tells: true },
  415: AWAY,
  421: AWAY,
  425: AWAY,
  426: AWAY,
  429: { code: "UPSTREAM_RATE_LIMIT" },
  431: AWAY,
};

/** The error of an answer beyond 2xx. */
export async function originRefusal(
  ctx: Context,
  response: Response,
  { secrets, base }: { secrets: Secrets; base: URL },
): Promise<CapabilityError> {
  const { status } = response;
  const { code, keeps, tells } = status < 400 || status > 499 ? AWAY : (REFUSALS[status] ?? FAULT);
  const bytes = await readWhole(ctx, response, MAX_REFUSAL).catch(() => new Uint8Array());
  if (status === 401) ctx.logger.error({ status }, "gateway: the origin does not take the credentials of this route");
  const words = tells && !secrets.isIn(ctx, bytes) ? wordsOf(bytes, mediaTypeOf(response)) : "";
  // Where the origin is, is nobody's business.
  const told = words.includes(base.hostname) ? "" : words;
  const waitMs = status === 429 || status === 503 ? waitOf(response) : undefined;
  const message = told
    ? `The source of this endpoint refused the call with status ${status}: ${told}`
    : `The source of this endpoint answered with status ${status}.`;
  return new CapabilityError(code, message, {
    ...(keeps ? { status } : {}),
    ...(waitMs === undefined ? {} : { retryAfter: waitMs }),
  });
}

/** Seconds; a day at most. */
function waitOf(response: Response): number | undefined {
  const text = response.headers.get("retry-after") ?? "";
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return seconds > 0 ? Math.min(seconds, 86_400) : undefined;
}

/** The origin's own words about a refusal: of a problem document, of the usual fields, or a short plain text. */
function wordsOf(bytes: Uint8Array, type: string): string {
  const text = Buffer.from(bytes).toString("utf8");
  if (type.startsWith("text/plain")) return shortened(text);
  if (!isJson(type)) return "";
  try {
    return shortened(wordsIn(JSON.parse(text)) ?? "");
  } catch {
    return "";
  }
}

function wordsIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || depth > 1) return undefined;
  const members = value as Record<string, unknown>;
  for (const name of ["detail", "message", "error_description", "error", "title"]) {
    const found = Object.hasOwn(members, name) ? wordsIn(members[name], depth + 1) : undefined;
    if (found) return found;
  }
  return undefined;
}

function shortened(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return plain.length > MAX_TOLD ? `${plain.slice(0, MAX_TOLD)}…` : plain;
}
