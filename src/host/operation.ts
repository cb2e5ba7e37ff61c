/** An operation as OpenAPI tells it. */
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
  /** Credentials by which a caller need not pay, or none; empty: there are none, whether or not it pays. */
  security: Record<string, string[]>[];
  requestBody?: unknown;
  responses: Record<string, unknown>;
  [extension: `x-${string}`]: unknown;
}
