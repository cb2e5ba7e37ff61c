import { inputSchema, isBinary, type JsonSchema, outputSchema } from "../capability/json-schema.js";
import type { AnyCapability } from "../capability/types.js";
import type { Catalogue } from "../host/catalogue.js";
import { exportName } from "./export-name.js";
import { components, errorResponses, type Operation, type Parameter, receiptHeaders } from "./openapi-components.js";

/** An OpenAPI 3.1 document; the same service always gives the same text. */
export interface OpenApiDocument {
  openapi: "3.1.0";
  info: Record<string, unknown>;
  servers?: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, unknown>;
}

/** Every mounted capability and the free discovery endpoints, with prices as directories of paid APIs read them. */
export function openapi(catalogue: Catalogue): OpenApiDocument {
  const { brand, capabilities } = catalogue;
  const groups = [...new Set(capabilities.map((capability) => capability.group))];
  return {
    openapi: "3.1.0",
    info: {
      title: brand.name,
      version: "1",
      description: brand.description ?? "Pay-per-call data, AI and utility endpoints: no account, no API key.",
      ...(brand.contact ? { contact: brand.contact } : {}),
      "x-guidance": guidance(catalogue),
    },
    ...(brand.baseUrl ? { servers: [{ url: brand.baseUrl }] } : {}),
    tags: [...groups, "discovery"].map((name) => ({ name })),
    paths: { ...capabilityPaths(catalogue), ...pagePaths(catalogue) },
    components: components(),
  };
}

/** What an agent that reads only this document has to know. */
function guidance({ brand, basePath, publicPath, paid, trialsPerHour }: Catalogue): string {
  return (
    `Find an endpoint with GET ${publicPath(basePath)}/search/endpoints?q=<task>. ` +
    (paid
      ? "Call it: the 402 answer states the exact price. Repeat the same request with an x402 payment in the PAYMENT-SIGNATURE header."
      : "Call it: nothing is asked for it.") +
    (trialsPerHour > 0
      ? ` ${freeCalls(trialsPerHour)}: add the query parameter trial=1 or the header ${trialHeader(brand.slug)}: 1.`
      : "")
  );
}

const freeCalls = (perHour: number): string =>
  `${perHour === 1 ? "One free call" : `${perHour} free calls`} per endpoint and hour`;

function trialHeader(slug: string): string {
  return `X-${slug.toUpperCase()}-Trial`;
}

function capabilityPaths(catalogue: Catalogue): OpenApiDocument["paths"] {
  return Object.fromEntries(
    catalogue.capabilities.map((capability) => [
      catalogue.pathOf(capability),
      { [capability.method.toLowerCase()]: toOperation(catalogue, capability) },
    ]),
  );
}

function pagePaths({ routes }: Catalogue): OpenApiDocument["paths"] {
  return Object.fromEntries(routes.pages().map(([path, { operation }]) => [path, { get: operation }]));
}

function toOperation(catalogue: Catalogue, capability: AnyCapability): Operation {
  const { id, method, group, summary, source } = capability;
  const { "402": unpaid, ...others } = errorResponses(capability);
  const responses = catalogue.paid && unpaid ? { "402": unpaid, ...others } : others;
  return {
    operationId: exportName(id),
    summary,
    description: `Source: ${source.provider}. License: ${source.license}.`,
    tags: [group],
    ...(capability.deprecated ? { deprecated: true } : {}),
    parameters: [
      ...(method === "GET" ? queryParameters(capability) : []),
      ...(catalogue.trialsPerHour > 0 ? trialParameters(catalogue) : []),
    ],
    ...(method === "POST" ? { requestBody: requestBody(capability) } : {}),
    responses: { "200": success(capability), ...responses },
    ...facts(catalogue, capability),
  };
}

function facts(catalogue: Catalogue, capability: AnyCapability): Record<`x-${string}`, unknown> {
  const { slug } = catalogue.brand;
  const { mode, ...price } = catalogue.priceOf(capability);
  return {
    [`x-${slug}-id`]: capability.id,
    [`x-${slug}-version`]: capability.version,
    [`x-${slug}-price`]: price,
    [`x-${slug}-accepts`]: ["x402"],
    [`x-${slug}-response-shape`]: capability.shape,
    ...(catalogue.paid ? { "x-payment-info": paymentInfo(catalogue, capability) } : {}),
  };
}

/**
 * As x402scan reads it. A payment is no credential, so operations carry no `security`: readers would take an API key
 * there for an account that the caller needs besides the payment.
 */
function paymentInfo(catalogue: Catalogue, capability: AnyCapability) {
  const price = catalogue.priceOf(capability);
  const amounts = price.mode === "fixed" ? { amount: price.usd } : ({ min: price.minUsd, max: price.maxUsd } as const);
  return { price: { mode: price.mode, currency: "USD", ...amounts }, protocols: [{ x402: {} }] };
}

function queryParameters(capability: AnyCapability): Parameter[] {
  const { properties = {}, required = [] } = inputSchema(capability);
  const examples = new Map<string, unknown>(Object.entries(capability.example));
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    ...(description ? { description } : {}),
    schema,
    ...(examples.has(name) ? { example: examples.get(name) } : {}),
  }));
}

function trialParameters({ brand, trialsPerHour }: Catalogue): Parameter[] {
  const schema: JsonSchema = { type: "integer", enum: [1] };
  return [
    { name: "trial", in: "query", required: false, description: `${freeCalls(trialsPerHour)}.`, schema },
    { name: trialHeader(brand.slug), in: "header", required: false, description: "The same as trial=1.", schema },
  ];
}

function requestBody(capability: AnyCapability) {
  const content = { schema: inputSchema(capability), example: capability.example };
  return { required: true, content: { "application/json": content } };
}

function success(capability: AnyCapability) {
  return { description: "The result.", headers: receiptHeaders, content: successContent(capability) };
}

function successContent(capability: AnyCapability): Record<string, { schema?: JsonSchema }> {
  // OpenAPI 3.1 describes a raw file by its media type alone.
  if (isBinary(capability)) return Object.fromEntries(capability.contentTypes.map((type) => [type, {}]));
  const payload = outputSchema(capability);
  return { "application/json": { schema: capability.shape === "normalized" ? envelope(payload) : payload } };
}

function envelope(data: JsonSchema): JsonSchema {
  return {
    type: "object",
    properties: { data, meta: { $ref: "#/components/schemas/CallMeta" } },
    required: ["data", "meta"],
  };
}
