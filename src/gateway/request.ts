/** The request to an origin that a caller's input makes. Each value stays in its place. */
import { invalid } from "../errors.js";
import type { InputField, OriginMethod, OriginOperation } from "./operation.js";

export interface OriginRequest {
  method: OriginMethod;
  url: URL;
  headers: Record<string, string>;
  body?: string;
}

const MAX_URL = 8000;
const MAX_HEADER = 4000;

type Input = Record<string, unknown>;

/** Throws INVALID_INPUT for a value that would leave its place. `extra` are members of the body beside the input. */
export function requestOf(
  base: URL,
  { method, path, fields, body, isOpen }: OriginOperation,
  input: Input,
  extra: Input = {},
): OriginRequest {
  const given = fields.filter(({ name }) => input[name] !== undefined);
  const at = (place: InputField["in"]) => given.filter((field) => field.in === place);
  const url = addressOf(base, path, new Map(at("path").map((field) => [field.target, [field, input[field.name]]])));
  for (const field of at("query"))
    for (const [name, text] of inQuery(field, input[field.name])) url.searchParams.append(name, text);
  if (url.href.length > MAX_URL) throw invalid("", `The input makes an address of more than ${MAX_URL} characters.`);
  const headers: Record<string, string> = {};
  for (const field of at("header")) headers[field.target.toLowerCase()] = inHeader(field, input[field.name]);
  const known = new Set(fields.map(({ name }) => name));
  const open = isOpen ? Object.entries(input).filter(([name]) => !known.has(name)) : [];
  const others = [...open, ...Object.entries(extra)];
  const text = bodyText(at("body"), { input, others, kind: body });
  if (text === undefined || method === "GET") return { method, url, headers };
  headers["content-type"] = body === "form" ? "application/x-www-form-urlencoded" : "application/json";
  return { method, url, headers, body: text };
}

/** Throws INVALID_INPUT. What an origin reads of the path is what its template says, however it decodes it. */
function addressOf(base: URL, template: string, values: ReadonlyMap<string, [InputField, unknown]>): URL {
  const path = template.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const [field, value] = values.get(name) ?? [];
    if (!field) throw invalid(name, "is required");
    return inPath(field, value);
  });
  const written = base.pathname.replace(/\/+$/, "") + path;
  const url = new URL(base.origin + written);
  if (url.origin !== base.origin || url.pathname !== written || url.search || url.hash)
    throw invalid("", "The input makes no address of this source.");
  return url;
}

/** Servers decode a path before they divide it, some of them twice, and some of them take a backslash for a slash. */
const LEAVES_SEGMENT = /[/\\\p{Cc}]|%(?:2e|2f|5c|25|00)/iu;

function inPath({ name }: InputField, value: unknown): string {
  const text = Array.isArray(value) ? value.map(textOf).join(",") : textOf(value);
  // guard: gateway: a value of the path stays in its place | never | gateway/hostile
  if (text === "" || LEAVES_SEGMENT.test(text) || /^\.+(?:$|;)/.test(text))
    throw invalid(name, "must be a part of a path: not empty, no dots alone, no slash, no control character");
  try {
    return encodeURIComponent(text);
  } catch {
    throw invalid(name, "must be Unicode text");
  }
}

function inQuery({ target, style }: InputField, value: unknown): [string, string][] {
  if (Array.isArray(value)) {
    if (style === "repeated") return value.map((one) => [target, textOf(one)]);
    return [[target, style === "comma" ? value.map(textOf).join(",") : JSON.stringify(value)]];
  }
  if (typeof value === "object" && value !== null && style === "deep")
    return Object.entries(value).map(([key, one]) => [`${target}[${key}]`, textOf(one)]);
  return [[target, textOf(value)]];
}

/** Only what a header can hold: no line break, which would end it. */
function inHeader({ name }: InputField, value: unknown): string {
  const text = Array.isArray(value) ? value.map(textOf).join(",") : textOf(value);
  if (text.length <= MAX_HEADER && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)) return text;
  throw invalid(name, `must be printable ASCII text of at most ${MAX_HEADER} characters`);
}

const textOf = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);

function bodyText(
  fields: readonly InputField[],
  { input, others, kind }: { input: Input; others: [string, unknown][]; kind: OriginOperation["body"] },
): string | undefined {
  const whole = fields.find(({ isWhole }) => isWhole);
  if (whole) return JSON.stringify(others.length > 0 ? withMembers(input[whole.name], others) : input[whole.name]);
  if (fields.length === 0 && others.length === 0) return undefined;
  const members = Object.fromEntries([
    ...fields.map(({ name, target }): [string, unknown] => [target, input[name]]),
    ...others,
  ]);
  if (kind === "json") return JSON.stringify(members);
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(members))
    for (const one of Array.isArray(value) ? value : [value]) form.append(name, textOf(one));
  return form.toString();
}

const withMembers = (value: unknown, members: [string, unknown][]): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? { ...value, ...Object.fromEntries(members) }
    : value;
