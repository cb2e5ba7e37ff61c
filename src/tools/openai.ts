import type { AnyCapability } from "../capability/types.js";
import { contentOf, type ToolContent, type ToolOptions, toolsOf } from "./tool.js";

/** A tool of chat completions, for `create`, and with the function that `runTools` calls. */
export interface OpenaiTool {
  type: "function";
  function: {
    name: string;
    description: string;
    /** A JSON Schema, loosely typed for compatibility with all versions of `openai`. */
    parameters: { type: "object" };
    /**
     * The strict mode of the API allows no optional fields, which most inputs have. The call validates its input
     * itself.
     */
    strict: false;
    parse(json: string): object;
    function(input: object, runner?: { controller?: AbortController }): Promise<string>;
  };
}

/**
 * Capabilities as tools of OpenAI's API, and of compatible APIs. `runTools` runs them; with `create`, call
 * `tool.function.function(input)` by hand. It resolves to text for the model, also for a failed call. The API takes no
 * pictures in results: `onFile` gets them.
 *
 * @example
 * ```ts
 * const runner = client.chat.completions.runTools({ model, messages, tools: openaiTools(capabilities) });
 * ```
 */
export function openaiTools(capabilities: readonly AnyCapability[], options?: ToolOptions): OpenaiTool[] {
  return toolsOf(capabilities, options).map(({ name, description, parameters, run }) => ({
    type: "function",
    function: {
      name,
      description,
      parameters: { ...parameters, type: "object" },
      strict: false,
      // Models send an empty text for a tool without parameters.
      parse: (json) => JSON.parse(json || "{}") as object,
      function: async (input, runner) =>
        contentOf(await run(input, runner?.controller?.signal))
          .map(asText)
          .join("\n"),
    },
  }));
}

const asText = (content: ToolContent): string =>
  content.type === "text" ? content.text : `A picture of ${content.mediaType}, which cannot be shown here.`;
