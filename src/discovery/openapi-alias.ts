/** The alias of `ai.chat` in the OpenAPI document: the request of OpenAI's chat completions, as far as it is kept. */
import type { JsonSchema } from "../capability/json-schema.js";
import type { Operation } from "../host/operation.js";

const text = (description: string): JsonSchema => ({ type: "string", description });
const number = (description: string): JsonSchema => ({ type: "number", description });

const REQUEST: JsonSchema = {
  type: "object",
  properties: {
    model: text("Model id of the form vendor/model"),
    messages: {
      type: "array",
      description: "The conversation so far; the content is text, or a list of parts of text",
      items: {
        type: "object",
        properties: {
          role: { type: "string", enum: ["developer", "system", "user", "assistant"], description: "Who says it" },
          content: {
            anyOf: [
              { type: "string" },
              {
                type: "array",
                items: {
                  type: "object",
                  properties: { type: { type: "string", enum: ["text"] }, text: { type: "string" } },
                  required: ["type", "text"],
                },
              },
            ],
            description: "What is said",
          },
        },
        required: ["role", "content"],
      },
    },
    max_completion_tokens: { type: "integer", description: "Most tokens of the answer" },
    max_tokens: { type: "integer", description: "The same under its older name" },
    temperature: number("0 for the likeliest words, higher for more variety"),
    top_p: number("Choose among the likeliest words of this total share"),
    stop: {
      anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }],
      description: "Text, or texts, at which the answer ends",
    },
    response_format: {
      type: "object",
      description: "text, json_object, or json_schema with a schema",
      properties: { type: { type: "string", enum: ["text", "json_object", "json_schema"] } },
      required: ["type"],
    },
    stream: { type: "boolean", description: "Whether the answer comes as events" },
  },
  required: ["model", "messages"],
};

/** The endpoint's own operation with the alias's request. */
export const aliasOperation = (operation: Operation, example: unknown): Operation => ({
  ...operation,
  operationId: `${operation.operationId}Completions`,
  summary: "The same in the words of OpenAI's chat completions, for its clients.",
  requestBody: { required: true, content: { "application/json": { schema: REQUEST, example } } },
});
