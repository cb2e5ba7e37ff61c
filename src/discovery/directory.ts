import { inputSchema, type JsonSchema } from "../capability/json-schema.js";
import type { Source } from "../capability/output.js";
import type { Terms } from "../capability/terms.js";
import type { AnyCapability, Facts } from "../capability/types.js";
import type { Catalogue } from "../host/catalogue.js";
import { REFUND_REQUEST } from "../payment/options/refund-policy.js";
import { availableFirst, unavailable } from "./availability.js";

/** One parameter: its location, and the flat keywords of its JSON Schema. */
export interface Param {
  name: string;
  in: "query" | "body";
  type: string;
  required: boolean;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  [keyword: string]: unknown;
}

export interface DirectoryEntry {
  id: string;
  method: Facts["method"];
  path: string;
  summary: string;
  group: string;
  price: Facts["price"];
  billing: Facts["billing"];
  shape: Facts["shape"];
  /** Time limit of a call, which then has a result or an error. */
  timeoutSeconds: number;
  version: null;
  deprecated: boolean;
  /** When it became deprecated, or will, and when it is expected to end, in ISO 8601. */
  deprecation?: string;
  sunset?: string;
  /** True if a run opens no connection, but for a URL that the caller names: its answer can be computed again. */
  offline?: true;
  /** False if this host lacks a secret, a package or a place for files, so that a call answers 502. */
  available: boolean;
  /** Why it is unavailable, in public words. */
  reason?: string;
  /** Names of what is missing, for the host, which reads them in-process only. */
  missing?: string[];
  /** Source and licence of the data. */
  source: Source;
  /** Resale terms of the sources; absent if the code computes everything itself. */
  terms?: Terms;
  params: Param[];
}

export interface Directory {
  total: number;
  endpoints: DirectoryEntry[];
  /** When buyers may ask for their money back, and where; absent if never. */
  refundPolicy?: { withinDays: number; conditions: string; path: string };
}

export interface DirectoryFilter {
  group?: string | undefined;
  /** Words that must all occur in an endpoint's id, summary or keywords. */
  q?: string | undefined;
}

/** The catalogue of a host, in catalogue order; `total` counts the endpoints that match the filter. */
export function directory(catalogue: Catalogue, filter: DirectoryFilter = {}): Directory {
  const words = (filter.q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const found = catalogue.capabilities
    .filter((capability) => !filter.group || capability.group === filter.group)
    .filter((capability) => mentionsAll(capability, words));
  const endpoints = availableFirst(catalogue, found, (one) => one).map((capability) => toEntry(catalogue, capability));
  const { refunds } = catalogue;
  const path = catalogue.publicPath(catalogue.pathOf({ id: REFUND_REQUEST }));
  return { total: endpoints.length, endpoints, ...(refunds ? { refundPolicy: { ...refunds, path } } : {}) };
}

/** The directory for the public. */
export function publicDirectory(catalogue: Catalogue, filter: DirectoryFilter): Directory {
  const { endpoints, ...facts } = directory(catalogue, filter);
  return { ...facts, endpoints: endpoints.map(({ missing, ...entry }): DirectoryEntry => entry) };
}

function mentionsAll({ id, summary, keywords }: AnyCapability, words: string[]): boolean {
  if (words.length === 0) return true;
  const text = [id, summary, ...keywords].join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
}

function toEntry(catalogue: Catalogue, capability: AnyCapability): DirectoryEntry {
  const { id, method, summary, group, billing, shape, timeoutMs, version, deprecated, deprecation, sunset, source } =
    capability;
  const lacking = unavailable(catalogue, capability);
  const terms = catalogue.termsOf(capability);
  return {
    id,
    method,
    path: catalogue.publicPath(catalogue.pathOf(capability)),
    summary,
    group,
    price: catalogue.priceOf(capability),
    billing,
    shape,
    timeoutSeconds: Math.ceil(timeoutMs / 1000),
    version,
    deprecated,
    ...(deprecation ? { deprecation } : {}),
    ...(sunset ? { sunset } : {}),
    ...(capability.offline ? { offline: true } : {}),
    available: !lacking,
    ...lacking,
    source,
    ...(terms ? { terms } : {}),
    params: paramsOf(capability),
  };
}

/** A capability's parameters, in the order of its schema. */
export function paramsOf(capability: AnyCapability): Param[] {
  const { properties = {}, required = [] } = inputSchema(capability);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: capability.method === "POST" ? "body" : "query",
    type: typeName(schema),
    required: required.includes(name),
    ...flatKeywords(schema),
  }));
}

/** The directory is a flat list; OpenAPI contains the members of objects and arrays. */
function flatKeywords(schema: JsonSchema): Record<string, unknown> {
  const { type, properties, required, additionalProperties, propertyNames, items, anyOf, oneOf, ...flat } = schema;
  return flat;
}

function typeName(schema: JsonSchema): string {
  const names = schema.type ?? (schema.anyOf ?? schema.oneOf ?? []).map(typeName);
  return [...new Set([names].flat())].join(" or ") || "any";
}
