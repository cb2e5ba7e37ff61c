import type { JsonSchema } from "../capability/json-schema.js";
import type { AnyCapability } from "../capability/types.js";
import { contentOf, type ToolContent, type ToolOptions, toolsOf } from "./tool.js";

type MediaType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

/** A block of a tool result. */
export type AnthropicBlock =
  | { type: "text"; text: string }
  | { type: "image"; source: { type: "base64"; media_type: MediaType; data: string } };

/** A tool of the Messages API, for `create`, and with the function that `toolRunner` calls. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: JsonSchema & { type: "object" };
  parse(input: unknown): object;
  /** The content of a tool result. */
  run(input: object, context?: { signal?: AbortSignal | null | undefined }): Promise<AnthropicBlock[]>;
}

/**
 * Capabilities as tools of Anthropic's API. `toolRunner` runs them; with `create`, call `tool.run(input)` by hand. It
 * resolves to the content of a tool result: text, also for a failed call, and pictures.
 *
 * @example
 * ```ts
 * const tools = anthropicTools(capabilities);
 * const message = await client.beta.messages.toolRunner({ model, max_tokens: 1024, messages, tools });
 * ```
 */
export function anthropicTools(capabilities: readonly AnyCapability[], options?: ToolOptions): AnthropicTool[] {
  return toolsOf(capabilities, options).map(({ name, description, parameters, run }) => ({
    name,
    description,
    input_schema: { ...parameters, type: "object" },
    parse: (input) => input as object,
    run: async (input, context) => contentOf(await run(input, context?.signal)).map(toBlock),
  }));
}

function toBlock(content: ToolContent): AnthropicBlock {
  if (content.type === "text") return content;
  const { mediaType, data } = content;
  return { type: "image", source: { type: "base64", media_type: mediaType as MediaType, data } };
}
