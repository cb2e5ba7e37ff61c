/** An operation of the OpenAPI document. */
import type { JsonSchema } from "../capability/json-schema.js";

export interface Parameter {
  name: string;
  in: "query" | "header";
  required: boolean;
  description?: string;
  schema: JsonSchema;
  example?: unknown;
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  deprecated?: boolean;
  parameters: Parameter[];
  /** Credentials that replace a payment; empty if there are none. */
  security: Record<string, string[]>[];
  requestBody?: unknown;
  responses: Record<string, unknown>;
  [extension: `x-${string}`]: unknown;
}
