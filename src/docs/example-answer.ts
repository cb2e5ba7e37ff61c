/**
 * Answers to the examples of endpoints that ask nobody, computed on the first visit of their page. An upstream's words
 * belong to the upstream: a recorded answer is shown where they are in the public domain, and elsewhere a shape.
 */
import { isBinary } from "../capability/json-schema.js";
import type { BinaryResult } from "../capability/output.js";
import type { AnyCapability } from "../capability/types.js";
import { unavailable } from "../discovery/availability.js";
import type { Catalogue } from "../host/catalogue.js";
import { lazy } from "../lib/lazy.js";

/** A JSON value whose long lists and texts are cut, or the text of a file. */
export type ExampleAnswer = JsonAnswer | { text: string; type: string };

interface JsonAnswer {
  json: unknown;
  shortened: boolean;
  /** Of a recorded answer, which may differ from the example's. */
  input?: unknown;
}

const recordings = lazy(async () => (await import("./recorded-answers.js")).RECORDED);

const MAX_CHARACTERS = 12_000;
const MAX_ITEMS = 3;
const MAX_TEXT = 400;
/** A page does not wait longer. */
const TIMEOUT_MS = 5000;

/** Endpoints of ours that ask nobody, though they do not say so of themselves. */
const COMPUTED: ReadonlySet<string> = new Set([
  "barcode.generate",
  "chinese.convert",
  "chinese.detect",
  "chinese.pinyin",
  "convert.unit",
  "crypto.address-validate",
]);

/** An example is computed once in a process, a failure included. */
const answers = new WeakMap<AnyCapability, Promise<ExampleAnswer | undefined>>();

/** Undefined for an endpoint that keeps state, fails, or asks an upstream whose answers belong to it. */
export async function exampleAnswer(
  catalogue: Catalogue,
  capability: AnyCapability,
): Promise<ExampleAnswer | undefined> {
  if (!asksNobody(catalogue, capability)) return recorded(capability);
  if (unavailable(catalogue, capability)) return undefined;
  const answer = answers.get(capability) ?? compute(capability).catch(() => undefined);
  answers.set(capability, answer);
  return answer;
}

function asksNobody(catalogue: Catalogue, capability: AnyCapability): boolean {
  if (capability.wallet || capability.resold || capability.requires.length > 0) return false;
  const origins = capability.originsAt(catalogue.contextFor(capability));
  // A host's own capability names no origins, whatever it does.
  // guard: page: an example is computed only where nobody is asked | - length > 0 && origins. | docs-host
  return (
    capability.offline === true ||
    COMPUTED.has(capability.id) ||
    (origins.length > 0 && origins.every(({ packaged }) => packaged))
  );
}

/** Undefined also for a host's own endpoint of the same id, which has another source. */
async function recorded({ id, source }: AnyCapability): Promise<JsonAnswer | undefined> {
  const text = (await recordings())[id];
  if (text === undefined) return undefined;
  const answer = JSON.parse(text) as JsonAnswer & { json: { source?: { provider?: string } } };
  return answer.json.source?.provider === source.provider ? answer : undefined;
}

async function compute(capability: AnyCapability): Promise<ExampleAnswer | undefined> {
  const fetch = () => Promise.reject(new Error("An example asks nobody."));
  const options = { fetch, secrets: {}, cache: false, signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
  const result: unknown = await capability(capability.example, options);
  if (isBinary(capability)) return textOf(result as BinaryResult);
  const { value, shortened } = shorten(result);
  return JSON.stringify(value).length <= MAX_CHARACTERS ? { json: value, shortened } : undefined;
}

function textOf({ contentType: type, body }: BinaryResult): ExampleAnswer | undefined {
  if (!/^(?:text\/|image\/svg)/.test(type)) return undefined;
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  return text.length <= MAX_CHARACTERS ? { text, type } : undefined;
}

/** Cuts long lists and texts. */
export function shorten(result: unknown, most = MAX_ITEMS): { value: unknown; shortened: boolean } {
  let shortened = false;
  const cut = (_: string, value: unknown): unknown => {
    const isLong = Array.isArray(value) ? value.length > most : typeof value === "string" && value.length > MAX_TEXT;
    if (!isLong) return value;
    shortened = true;
    return Array.isArray(value) ? value.slice(0, most) : `${String(value).slice(0, MAX_TEXT)}…`;
  };
  return { value: JSON.parse(JSON.stringify(result, cut) ?? "null"), shortened };
}
