/** Reads a gateway's file: origins with their routes and prices, in YAML or JSON. */
import { readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { AnyCapability } from "../capability/types.js";
import { without } from "../errors.js";
import { readLimitedText } from "../lib/http/read-limited.js";
import { lazy } from "../lib/lazy.js";
import { isPlainObject } from "../lib/options/check.js";
import { named } from "../lib/packages/named.js";
import type { ProxyOptions } from "./options.js";
import { readProxy } from "./proxied.js";

const yaml = lazy(() => import("yaml").catch(without("yaml")).then(named));

/** An origin as it is sold. */
export interface GatewayOrigin {
  group: string;
  /** Its address, for the operator alone. */
  origin: string;
  endpoints: readonly AnyCapability[];
  /** Names of the settings that its credentials need. */
  secrets: readonly string[];
  /** Operations of its document that are not sold, and why. */
  left: readonly { operation: string; because: string }[];
}

export interface Gateway {
  capabilities: AnyCapability[];
  origins: GatewayOrigin[];
  /** Options of the host, for `createHandler`: as the file has them. */
  host: Record<string, unknown>;
}

export interface ReadGatewayOptions {
  /** Settings that an address may name: `origin: ${API_URL}`. Default: `process.env`. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Fetches OpenAPI documents. Default: the global fetch. */
  fetch?: typeof globalThis.fetch;
}

const MAX_FILE = 1024 * 1024;
const MAX_DOCUMENT = 5 * 1024 * 1024;
const DOCUMENT_MS = 10_000;

/**
 * Reads a gateway's file, with the OpenAPI documents and key files that it names, relative to itself. Rejects with a
 * TypeError that names the fault, and shows no secret.
 *
 * @example
 * ```ts
 * const { capabilities, host } = await readGateway("./gateway.yaml");
 * const handle = createHandler({ ...host, capabilities, payment });
 * ```
 */
export async function readGateway(file: string, options: ReadGatewayOptions = {}): Promise<Gateway> {
  const { env = process.env, fetch = globalThis.fetch } = options;
  const from = dirname(resolve(file));
  const given = await readData(file, MAX_FILE);
  if (!isPlainObject(given)) throw new TypeError(`${file} must have an object: origin, group and routes, or origins.`);
  const { origins, host = {}, ...single } = given;
  if (!isPlainObject(host)) throw new TypeError(`${file}: host must be an object of options.`);
  if (origins !== undefined && Object.keys(single).length > 0)
    throw new TypeError(`${file}: beside origins only host is allowed, not ${Object.keys(single).join(", ")}.`);
  const all: unknown = origins ?? [single];
  if (!Array.isArray(all) || all.length === 0 || all.length > 100)
    throw new TypeError(`${file}: origins must be a list of 1 to 100.`);
  const sold = await Promise.all(all.map((one) => readOrigin(one, { file, from, env, fetch })));
  return { capabilities: sold.flatMap(({ endpoints }) => endpoints), origins: sold, host };
}

interface Reading {
  file: string;
  from: string;
  env: Readonly<Record<string, string | undefined>>;
  fetch: typeof globalThis.fetch;
}

async function readOrigin(given: unknown, reading: Reading): Promise<GatewayOrigin> {
  const { file, from } = reading;
  if (!isPlainObject(given)) throw new TypeError(`${file}: an origin must be an object.`);
  const { openapi, credentials, origin } = given;
  const read = {
    ...given,
    ...(typeof origin === "string" ? { origin: withSettings(origin, reading) } : {}),
    ...(openapi === undefined ? {} : { openapi: await documentOf(openapi, reading) }),
    ...(credentials === undefined ? {} : { credentials: await withKeyFiles(credentials, from) }),
  } as unknown as ProxyOptions;
  const { capabilities, left } = readProxy(read);
  const [first] = capabilities;
  return {
    group: read.group,
    origin: read.origin,
    endpoints: capabilities,
    secrets: first?.requires ?? [],
    left,
  };
}

/** An address that differs from place to place. */
function withSettings(text: string, { env, file }: Reading): string {
  return text.replace(/\$\{([A-Za-z_]\w*)\}/g, (_, name: string) => {
    const value = env[name];
    if (!value) throw new TypeError(`${file}: origin names ${name}, which is not set.`);
    return value;
  });
}

/** `{ file: "./key.txt" }` in place of a text. */
async function withKeyFiles(value: unknown, from: string, depth = 0): Promise<unknown> {
  if (depth > 4) return value;
  if (Array.isArray(value)) return Promise.all(value.map((one) => withKeyFiles(one, from, depth + 1)));
  if (!isPlainObject(value)) return value;
  if (typeof value.file === "string" && Object.keys(value).length === 1) {
    const text = (await readBounded(resolve(from, value.file), 64 * 1024)).trim();
    if (text === "") throw new TypeError(`${value.file} is empty: a key was expected.`);
    return { text };
  }
  const read = Object.entries(value).map(async ([name, one]) => [name, await withKeyFiles(one, from, depth + 1)]);
  return Object.fromEntries(await Promise.all(read));
}

async function documentOf(openapi: unknown, reading: Reading): Promise<unknown> {
  if (typeof openapi !== "string") return openapi;
  const place = withSettings(openapi, reading);
  if (!/^https?:\/\//i.test(place)) return readData(resolve(reading.from, place), MAX_DOCUMENT);
  try {
    const response = await reading.fetch(place, { redirect: "error", signal: AbortSignal.timeout(DOCUMENT_MS) });
    if (!response.ok) throw new TypeError(`status ${response.status}`);
    return await parse(await readLimitedText(response.body, MAX_DOCUMENT));
  } catch (cause) {
    throw new TypeError(`The OpenAPI document at ${place} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

async function readData(file: string, maxBytes: number): Promise<unknown> {
  const text = await readBounded(file, maxBytes);
  try {
    return await parse(text);
  } catch (cause) {
    // The package that reads YAML may be missing.
    throw new TypeError(`${file} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

async function readBounded(file: string, maxBytes: number): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`);
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new TypeError(`${file} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

const parse = async (text: string): Promise<unknown> =>
  /^\s*[{[]/.test(text) ? JSON.parse(text) : (await yaml()).parse(text);

const messageOf = (error: unknown): string => (error instanceof Error ? (error.message.split("\n")[0] ?? "") : "");
