import { type JsonSchema, toJsonSchema } from "../capability/json-schema.js";
import type { OptionsDocument } from "../capability/types.js";
import type { Operation, Parameter } from "../host/operation.js";

/** The operation of a free document: `security: []` without payment info tells readers that it is free. */
function free(operation: Pick<Operation, "operationId" | "summary" | "parameters">, schema: JsonSchema): Operation {
  const badRequest = { $ref: "#/components/responses/BadRequest" };
  return {
    ...operation,
    tags: ["discovery"],
    security: [],
    responses: {
      "200": { description: "The document.", content: { "application/json": { schema } } },
      ...(operation.parameters.length > 0 ? { "400": badRequest } : {}),
    },
  };
}

/** A document that belongs to a capability. */
export const menuOperation = ({ operationId, summary, schema }: OptionsDocument): Operation =>
  free({ operationId, summary, parameters: [] }, toJsonSchema(schema(), "output"));

function query(name: string, description: string, schema: JsonSchema, required = false): Parameter {
  return { name, in: "query", required, description, schema };
}

function listOf(always: Record<string, JsonSchema>, sometimes: Record<string, JsonSchema> = {}): JsonSchema {
  const properties = { ...always, ...sometimes };
  return { type: "array", items: { type: "object", properties, required: Object.keys(always) } };
}

const string: JsonSchema = { type: "string" };

const price: JsonSchema = {
  type: "object",
  properties: { mode: { type: "string", enum: ["fixed", "dynamic"] }, usd: string, minUsd: string, maxUsd: string },
  required: ["mode"],
};

const reason = { ...string, description: "Why it is not available" };
const endpoint = { id: string, method: string, path: string, summary: string, price };

export const directoryOperation = () =>
  free(
    {
      operationId: "directory",
      summary: "Every endpoint with its price and parameters.",
      parameters: [
        query("group", "Only this group, such as `convert`", string),
        query("q", "Only endpoints that mention all of these words", string),
      ],
    },
    {
      type: "object",
      properties: {
        total: { type: "integer" },
        endpoints: listOf(
          {
            ...endpoint,
            group: string,
            billing: { type: "string", enum: ["exact", "upto"] },
            shape: { type: "string", enum: ["normalized", "legacy"] },
            version: { type: ["string", "null"] },
            deprecated: { type: "boolean" },
            available: { type: "boolean" },
            params: listOf({ name: string, in: string, type: string, required: { type: "boolean" } }),
          },
          {
            reason,
            deprecation: string,
            sunset: string,
            offline: { type: "boolean", description: "True if a run asks nobody" },
          },
        ),
      },
      required: ["total", "endpoints"],
    },
  );

export const searchOperation = () =>
  free(
    {
      operationId: "searchEndpoints",
      summary: "The endpoints for a task in your own words, best first.",
      parameters: [
        query("q", "What you want to do; the first 500 characters count", { type: "string", minLength: 1 }, true),
        query("limit", "How many results", { type: "integer", minimum: 1, maximum: 50, default: 10 }),
      ],
    },
    {
      type: "object",
      properties: {
        query: string,
        results: listOf(
          { ...endpoint, score: { type: "number" } },
          { available: { const: false, description: "Only for unavailable endpoints" }, reason },
        ),
      },
      required: ["query", "results"],
    },
  );

export const openapiOperation = () =>
  free(
    {
      operationId: "openapi",
      summary: "This document, or the part of it that describes one group.",
      parameters: [
        query("group", "Only this group, such as `convert`", string),
        query("all", "Include endpoints that are unavailable on this service", { type: "integer", enum: [1] }),
      ],
    },
    { type: "object" },
  );

export const callbackKeysOperation = () =>
  free(
    {
      operationId: "webhookKeys",
      summary:
        "The public keys that callbacks are signed with, by Standard Webhooks (v1a, ed25519), the current one first.",
      parameters: [],
    },
    { type: "object", properties: { keys: listOf({ publicKey: string, since: string }) }, required: ["keys"] },
  );

export const keysOperation = () =>
  free(
    {
      operationId: "jwks",
      summary: "The public key that answers, offers and receipts are signed with.",
      parameters: [],
    },
    { type: "object", properties: { keys: listOf({ kty: string, kid: string }) }, required: ["keys"] },
  );
