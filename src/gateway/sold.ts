/** The capability of a route: schema, price, documents and code, in one place. */
import { z } from "zod";
import { defineCapability } from "../capability/define.js";
import type { JsonSchema } from "../capability/json-schema.js";
import { binary, legacy, type OutputKind, type Source } from "../capability/output.js";
import { streaming } from "../capability/own/streaming.js";
import type { AnyCapability, Context } from "../capability/types.js";
import { once } from "../lib/lazy.js";
import type { WaitingLine } from "../upstream/line.js";
import { callOrigin, type Plan, streamOrigin } from "./call.js";
import { comesInParts } from "./events.js";
import { exampleFor, inputOf, isQuery } from "./input.js";
import { hasEffects, type OriginOperation } from "./operation.js";
import type { ProxyOptions, ProxyRoute } from "./options.js";
import { requestOf } from "./request.js";
import { withRoute } from "./route.js";
import type { Secrets } from "./secrets.js";

/** Facts that all routes of an origin share. */
export interface Shared {
  options: ProxyOptions;
  base: URL;
  secrets: Secrets;
  /** Calls wait in it for one of the places at the origin. */
  line: WaitingLine;
  title: string;
  /** Names that credentials take, which no caller sets. */
  isTaken(place: string, name: string): boolean;
}

/** Thrown for an operation whose path no address has. */
export class Unusable extends TypeError {}

export const methodAndPath = ({ method = "GET", path }: Pick<ProxyRoute, "method" | "path">): string =>
  `${method} ${path}`;
const ANY = ["application/json", "*/*"];
const DEFAULT_MS = 30_000;
const DEFAULT_BYTES = 5 * 1024 * 1024;

/** The capability of an operation. Throws a TypeError. */
export function soldRoute(given: OriginOperation, route: ProxyRoute | undefined, shared: Shared): AnyCapability {
  const { options, base, isTaken } = shared;
  const named = withRoute(given, route);
  const operation = { ...named, fields: named.fields.filter((field) => !isTaken(field.in, field.target)) };
  assertPath(base, operation);
  const plan = planOf(operation, route, shared);
  const effects = hasEffects(operation);
  const { timeoutMs = DEFAULT_MS, maxBodyBytes, price, example, trial = !effects }: Settings = { ...options, ...route };
  const capability = defineCapability<string, z.ZodType, unknown, unknown, Input, undefined, unknown>(
    {
      id: plan.id,
      method: isQuery(operation) ? "GET" : "POST",
      summary: summaryOf(operation),
      keywords: [...operation.keywords, ...(route?.keywords ?? [])],
      price: price as string,
      batchable: !effects,
      ...(operation.isDeprecated ? { deprecated: true } : {}),
      requires: plan.secrets.names,
      source: sourceOf(shared),
      input: once(() => inputOf(operation)),
      output: outputOf(operation, plan),
      example: example ?? exampleFor(operation),
      live: false,
      timeoutMs,
      ...(maxBodyBytes === undefined ? {} : { maxBodyBytes }),
      // Refuses what would leave its place before a price is quoted.
      read(input) {
        requestOf(base, operation, input as Input);
        return input as Input;
      },
      run: (input, ctx) => callOrigin(plan, input, ctx),
      ...(plan.streams ? { stream: (input: Input, ctx: Context) => streamOrigin(plan, input, ctx) } : {}),
    },
    streaming,
  );
  if (example) assertExample(capability);
  return Object.defineProperties(capability, {
    ...(trial ? {} : { trial: { value: false, enumerable: true } }),
    // A call that changes something is finished for a caller that leaves, so that its answer is kept for the payment.
    ...(effects ? { resold: { value: true, enumerable: true } } : {}),
  }) as AnyCapability;
}

const sourceOf = ({ title, options: { homepage = "", license = "the source's own" } }: Shared): Source => ({
  provider: title,
  url: homepage,
  license,
});

type Input = Record<string, unknown>;
type Settings = Partial<ProxyRoute>;

function planOf(
  operation: OriginOperation,
  route: Settings = {},
  { options, base, secrets, line }: Shared,
): Plan & { streams: boolean } {
  const { answers: told } = operation;
  const { stream: streams = told.some((type) => type !== "text/plain" && comesInParts(type)), name = idOf(operation) } =
    route;
  const answers = told.length > 0 ? told : ANY;
  return {
    ...{ id: `${options.group}.${name}`, base, operation, secrets, line, answers, streams },
    isValue: streams || (answers.length === 1 && answers[0] === "application/json"),
    headers: lowerCased(options.headers),
    maxBytes: route.maxBytes ?? options.maxBytes ?? DEFAULT_BYTES,
    repeatable: route.repeatable ?? false,
    redirects: options.redirects !== false,
    streamField: route.streamField,
  };
}

const lowerCased = (headers: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** An address that the platform would write otherwise would be refused by each call. */
function assertPath(base: URL, operation: OriginOperation): void {
  const { path, fields } = operation;
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name);
  const lacking = names.find((name) => !fields.some((field) => field.in === "path" && field.target === name));
  if (lacking !== undefined)
    throw new Unusable(`${methodAndPath(operation)}: the path's parameter "${lacking}" is not declared`);
  const written = base.pathname.replace(/\/+$/, "") + path.replace(/\{[^{}]+\}/g, "x");
  if (/[{}?#]/.test(written) || new URL(base.origin + written).pathname !== written)
    throw new Unusable(`${methodAndPath(operation)}: the path is not written as in an address`);
}

function outputOf(
  { answerSchema }: OriginOperation,
  { isValue, answers }: { isValue: boolean; answers: readonly string[] },
): OutputKind<unknown, unknown> {
  const schema = () => z.any().meta((answerSchema?.() ?? { description: "The source's own answer." }) as JsonSchema);
  if (isValue) return legacy(schema);
  const types = answers.map((type) => (type === "application/json" && answerSchema ? { json: schema } : type));
  return binary(...types) as unknown as OutputKind<unknown, unknown>;
}

const MAX_SUMMARY = 300;

function summaryOf({ summary, method, path }: OriginOperation): string {
  const text = (summary ?? `${method} ${path}`).replace(/[\p{Cc}\s]+/gu, " ").trim();
  if (text.length <= MAX_SUMMARY) return text;
  const [first = ""] = /^.{20,298}?[.!?](?= )/.exec(text) ?? [];
  return first || `${text.slice(0, MAX_SUMMARY - 1)}…`;
}

/** With its group and a separator it is the name of a tool, of at most 64 characters. */
const MAX_NAME = 39;

/** In small letters with hyphens: of the operation's id, or of method and path. */
function idOf({ id, method, path }: OriginOperation): string {
  const words = (id ?? `${method} ${path.replace(/\{([^{}]+)\}/g, "by $1")}`)
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  const name = words.join("-").slice(0, MAX_NAME).replace(/-+$/, "");
  return name || method.toLowerCase();
}

function assertExample(capability: AnyCapability): void {
  const { error } = capability.input.safeParse(capability.example) as z.ZodSafeParseResult<unknown>;
  if (!error) return;
  const flaws = error.issues.map(({ path, message }) => `${["example", ...path].join(".")}: ${message}`);
  throw new TypeError(`${capability.id}: the route's input refuses its example. ${flaws.join("; ")}`);
}
