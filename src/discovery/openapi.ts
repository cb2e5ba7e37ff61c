import { inputSchema, isBinary, type JsonSchema, jsonFileSchema, outputSchema } from "../capability/json-schema.js";
import type { AnyCapability } from "../capability/types.js";
import { invalid } from "../errors.js";
import { type Catalogue, trialsOf } from "../host/catalogue.js";
import type { Operation, Parameter } from "../host/operation.js";
import { listed } from "./availability.js";
import { exportName } from "./export-name.js";
import { DEFAULT_DESCRIPTION, freeCalls, guidance, trialHeader } from "./guidance.js";
import { mayBeJob } from "./job-operations.js";
import { aliasOperation } from "./openapi-alias.js";
import { components, errorResponses, receiptHeaders } from "./openapi-components.js";
import { webhooks } from "./openapi-webhooks.js";
import { serviceInfo } from "./service-info.js";

/** An OpenAPI 3.1 document; the same service always gives the same text. */
export interface OpenApiDocument {
  openapi: "3.1.0";
  info: Record<string, unknown>;
  /** For directories of services that are paid by the Machine Payments Protocol. */
  "x-service-info"?: ReturnType<typeof serviceInfo>;
  servers?: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  /** Requests to the addresses that wallets name. */
  webhooks?: Record<string, { post: object }>;
  components: Record<string, unknown>;
}

export interface OpenApiOptions {
  /** The service's public address. Default: the brand's; without one the document names no server. */
  origin?: string | undefined;
  /** Only this group's endpoints, without the discovery ones: a document that fits an agent's context. */
  group?: string | undefined;
  /** Includes endpoints that cannot be sold here, because the host lacks a key, a package or the option `wallets`. */
  all?: boolean | undefined;
}

/**
 * Every mounted capability and the free discovery endpoints, with prices in the format of directories of paid APIs.
 * Throws INVALID_INPUT for a group that is not mounted.
 */
export function openapi(catalogue: Catalogue, options: OpenApiOptions = {}): OpenApiDocument {
  const { brand } = catalogue;
  const { origin = brand.baseUrl, group, all } = options;
  const known = [...new Set(catalogue.capabilities.map((capability) => capability.group))];
  if (group !== undefined && !known.includes(group)) throw invalid("group", `must be one of ${known.join(", ")}`);
  const capabilities = listed(catalogue, { all }).filter((one) => group === undefined || one.group === group);
  const groups = [...new Set(capabilities.map((capability) => capability.group))];
  const jobs = capabilities.some((one) => mayBeJob(catalogue, one));
  const calledBack = webhooks(groups, { slug: brand.slug, jobs: jobs && group === undefined });
  return {
    openapi: "3.1.0",
    info: {
      title: brand.name,
      version: "1",
      description: brand.description ?? DEFAULT_DESCRIPTION,
      ...(brand.contact ? { contact: brand.contact } : {}),
      "x-guidance": guidance(catalogue),
    },
    ...(catalogue.paid ? { "x-service-info": serviceInfo(catalogue, { capabilities, origin }) } : {}),
    ...(origin ? { servers: [{ url: origin }] } : {}),
    tags: (group === undefined ? [...groups, "discovery"] : [group]).map((name) => ({ name })),
    paths: {
      ...capabilityPaths(catalogue, capabilities),
      ...(group === undefined ? pagePaths(catalogue) : {}),
    },
    ...(calledBack ? { webhooks: calledBack } : {}),
    components: components(catalogue, jobs),
  };
}

function capabilityPaths(catalogue: Catalogue, capabilities: readonly AnyCapability[]): OpenApiDocument["paths"] {
  const paths: OpenApiDocument["paths"] = {};
  for (const capability of capabilities) {
    const path = catalogue.pathOf(capability);
    paths[path] = { ...paths[path], [capability.method.toLowerCase()]: toOperation(catalogue, capability) };
  }
  const { openAiPath } = catalogue;
  const aliased = capabilities.find(({ id }) => id === "ai.chat");
  if (openAiPath === undefined || !aliased) return paths;
  const alias = { post: aliasOperation(toOperation(catalogue, aliased), aliased.example) };
  return Object.fromEntries(
    Object.entries(paths).flatMap((entry) =>
      entry[0] === catalogue.pathOf(aliased) ? [entry, [openAiPath, alias]] : [entry],
    ),
  );
}

function pagePaths({ routes }: Catalogue): OpenApiDocument["paths"] {
  return Object.fromEntries(
    routes.operations().map(([path, method, operation]) => [path, { [method.toLowerCase()]: operation }]),
  );
}

function toOperation(catalogue: Catalogue, capability: AnyCapability): Operation {
  const { id, method, group, summary, source, deprecation, sunset } = capability;
  const ends = [
    ...(deprecation ? [` Deprecated as of ${deprecation.slice(0, 10)}.`] : []),
    ...(sunset ? [` Ends on ${sunset.slice(0, 10)}.`] : []),
  ].join("");
  const { "402": unpaid, ...others } = errorResponses(capability, catalogue);
  const responses = catalogue.paid && unpaid ? { "402": unpaid, ...others } : others;
  return {
    operationId: exportName(id),
    summary,
    description: `Source: ${source.provider}. License: ${source.license}.${ends}`,
    tags: [group],
    ...(capability.deprecated ? { deprecated: true } : {}),
    parameters: [
      ...(method === "POST" ? [] : queryParameters(capability)),
      ...(trialsOf(catalogue, capability) > 0 ? trialParameters(catalogue) : []),
    ],
    ...(method === "POST" ? { requestBody: requestBody(capability) } : {}),
    // A payment is not a security scheme: readers would take a key here for an account that the caller needs as well.
    security: securityOf(catalogue, capability),
    responses: {
      "200": success(capability),
      ...(mayBeJob(catalogue, capability) ? { "202": { $ref: "#/components/responses/JobAccepted" } } : {}),
      ...responses,
    },
    ...facts(catalogue, capability),
  };
}

function securityOf(
  { accountKeys, signIn, signInFree, ownSignIn }: Catalogue,
  { id, wallet, ownersOnly }: AnyCapability,
): Operation["security"] {
  const schemes: Record<string, string[]>[] = [];
  if (accountKeys) schemes.push({ account: [] });
  if ((signIn && wallet?.signIn) || signInFree.has(id) || (ownersOnly && ownSignIn)) schemes.push({ siwx: [] });
  return schemes.length > 0 && !ownersOnly ? [...schemes, {}] : schemes;
}

function facts(catalogue: Catalogue, capability: AnyCapability): Record<`x-${string}`, unknown> {
  const { slug } = catalogue.brand;
  const { mode, ...price } = catalogue.priceOf(capability);
  const terms = catalogue.termsOf(capability);
  return {
    [`x-${slug}-id`]: capability.id,
    [`x-${slug}-version`]: capability.version,
    [`x-${slug}-price`]: price,
    ...(capability.ownersOnly ? {} : { [`x-${slug}-accepts`]: ["x402"] }),
    [`x-${slug}-response-shape`]: capability.shape,
    [`x-${slug}-timeout-seconds`]: Math.ceil(capability.timeoutMs / 1000),
    ...(capability.deprecation ? { [`x-${slug}-deprecation`]: capability.deprecation } : {}),
    ...(capability.sunset ? { [`x-${slug}-sunset`]: capability.sunset } : {}),
    ...(terms ? { [`x-${slug}-terms`]: terms } : {}),
    ...(capability.wallet ? { [`x-${slug}-wallet`]: capability.wallet.effects ? "effects" : "reads" } : {}),
    ...(catalogue.paid && !capability.ownersOnly ? { "x-payment-info": paymentInfo(catalogue, capability) } : {}),
  };
}

/** In the format of x402scan. `offers` are for clients of the Machine Payments Protocol. */
function paymentInfo(catalogue: Catalogue, capability: AnyCapability) {
  const price = catalogue.priceOf(capability);
  const amounts = price.mode === "fixed" ? { amount: price.usd } : ({ min: price.minUsd, max: price.maxUsd } as const);
  const charges = catalogue.chargesOf(capability).map(({ asset, amount, network }) => {
    const method = network.startsWith("solana:") ? "solana" : "evm";
    return { way: { method, intent: "charge", currency: asset }, amount };
  });
  const offers = charges.map(({ way, amount }) => ({
    ...way,
    amount: price.mode === "fixed" ? amount : null,
  }));
  return {
    price: { mode: price.mode, currency: "USD", ...amounts },
    protocols: [{ x402: {} }, ...charges.map(({ way }) => ({ mpp: way }))],
    ...(offers.length > 0 ? { offers } : {}),
  };
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

/** Server-sent events: OpenAPI 3.1 describes them by their media type alone. */
const EVENTS = {
  "text/event-stream": {
    schema: {
      type: "string",
      description:
        "`data:` lines with a chunk each as JSON, `data: [DONE]` after the last, and `event: meta` with CallMeta, usage and receipt at the end; `ai.chat` tells them in the `usage` of its last chunk, and nothing follows `[DONE]`. A stream that breaks off has `event: error` with a problem document instead of `[DONE]`, and costs what was sent.",
    } satisfies JsonSchema,
  },
};

function success(capability: AnyCapability) {
  return { description: "The result.", headers: receiptHeaders, content: successContent(capability) };
}

function successContent(capability: AnyCapability): Record<string, { schema?: JsonSchema }> {
  // OpenAPI 3.1 describes a raw file by its media type alone.
  if (isBinary(capability))
    return Object.fromEntries(capability.contentTypes.map((type) => [type, file(capability, type)]));
  const payload = outputSchema(capability);
  return {
    "application/json": { schema: capability.shape === "normalized" ? envelope(payload) : payload },
    ...(capability.executeStream ? EVENTS : {}),
  };
}

function file(capability: AnyCapability, type: string): { schema?: JsonSchema } {
  const schema = type === "application/json" ? jsonFileSchema(capability) : undefined;
  return schema ? { schema } : {};
}

function envelope(data: JsonSchema): JsonSchema {
  return {
    type: "object",
    properties: { data, meta: { $ref: "#/components/schemas/CallMeta" } },
    required: ["data", "meta"],
  };
}
