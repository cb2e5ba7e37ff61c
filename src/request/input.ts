import { inputSchema } from "../capability/json-schema.js";
import { textFields } from "../capability/text-fields.js";
import { decodeText, type TextType, textType } from "../capability/text-input.js";
import type { AnyCapability } from "../capability/types.js";
import { invalid } from "../errors.js";
import { lazy } from "../lib/lazy.js";
import { type Call, digestOf } from "./call.js";
import { acceptsEvents } from "./http/accept.js";
import { readJsonObject } from "./http/body.js";
import { speaksOpenAi } from "./openai/alias.js";

/** Query names of the protocol, which are never part of an input. */
const RESERVED = new Set(["trial", "sign", "x402Version"]);

/**
 * The caller's input, decoded but not yet validated; undefined for a bare probe without input. For a price long fields
 * of any JSON are only measured.
 */
export function readInput(call: Call, capability: AnyCapability, isForPrice: boolean): unknown {
  if (capability.method === "GET") return readQuery(call.url, capability);
  // Some clients send a DELETE without a body, and some proxies drop it.
  const query = capability.method === "DELETE" ? readQuery(call.url, capability) : undefined;
  return query ?? readBody(call, capability, isForPrice);
}

async function readBody(call: Call, capability: AnyCapability, isForPrice: boolean): Promise<unknown> {
  const body = await readJsonObject(call.request, {
    maxBytes: capability.maxBodyBytes ?? call.host.maxBodyBytes,
    caller: call.info.clientAddress,
    anyJson: capability.anyJson,
    asText: textFields(capability),
    isWhole: !isForPrice,
    onBytes(bytes) {
      // A host without a key signs no statement of it.
      if (call.host.signer && !isForPrice) call.requestDigest = digestOf(call, bytes);
    },
  });
  if (body && speaksOpenAi(call)) return inputOf(call, body as Record<string, unknown>);
  if (body && capability.executeStream) takeStreamFields(call, capability, body as Record<string, unknown>);
  const probing = isEmptyObject(body) && !hasQuery(call.url);
  return probing ? undefined : (body ?? {});
}

/** The input of a body in the words of OpenAI's API; undefined for a bare probe. */
async function inputOf(call: Call, body: Record<string, unknown>): Promise<Record<string, unknown> | undefined> {
  if (isEmptyObject(body)) return undefined;
  const { readOpenAiBody } = await openAiBody();
  const { input, streamed } = readOpenAiBody(body);
  call.streamed = streamed;
  return input;
}

/** Loaded by the first call of the alias. */
const openAiBody = lazy(() => import("./openai/body.js"));

/**
 * Clients of OpenAI's API say by the body's fields `stream` and `stream_options` that they read events. Where the `Accept`
 * header asks for events, too, these fields are not a part of the input, unless the capability has fields of these names;
 * elsewhere they are unknown fields, which every input refuses.
 */
function takeStreamFields(call: Call, capability: AnyCapability, body: Record<string, unknown>): void {
  const own = parameterTypes(capability);
  if (own.has("stream") || typeof body.stream !== "boolean") return;
  if (!acceptsEvents(call.request.headers.get("accept"))) return;
  call.streamed = body.stream;
  delete body.stream;
  if (!own.has("stream_options")) delete body.stream_options;
}

function hasQuery(url: URL): boolean {
  if (url.search === "") return false;
  return [...url.searchParams.keys()].some((name) => !RESERVED.has(name));
}

const isEmptyObject = (value: unknown) =>
  value === undefined ||
  (typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0);

/** The declared parameters of a query string, each decoded once by its type in the input schema. */
function readQuery(url: URL, capability: AnyCapability): Record<string, unknown> | undefined {
  if (!hasQuery(url)) return undefined;
  assertDecodable(url.search);
  const types = parameterTypes(capability);
  const input: Record<string, unknown> = {};
  for (const [name, text] of url.searchParams) {
    const type = types.get(name);
    if (type === undefined) continue;
    if (Object.hasOwn(input, name)) throw invalid(name, "is given more than once");
    input[name] = decodeText(text, type);
  }
  return input;
}

const typesByCapability = new WeakMap<AnyCapability, ReadonlyMap<string, TextType>>();

function parameterTypes(capability: AnyCapability): ReadonlyMap<string, TextType> {
  let types = typesByCapability.get(capability);
  if (!types) {
    const { properties = {} } = inputSchema(capability);
    types = new Map(Object.entries(properties).map(([name, schema]) => [name, textType(schema)]));
    typesByCapability.set(capability, types);
  }
  return types;
}

/** URLSearchParams would replace broken escapes by U+FFFD, and the answer would be for another question. */
function assertDecodable(search: string): void {
  if (!search.includes("%")) return;
  try {
    decodeURIComponent(search);
  } catch {
    throw invalid("", "The query string is not percent-encoded UTF-8.");
  }
}
