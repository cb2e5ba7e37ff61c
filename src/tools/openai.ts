import type { AnyCapability } from "../capability/types.js";
import { contentOf, type ToolContent, type ToolOptions, toolsOf } from "./tool.js";

/** A tool of chat completions: as it stands for `create`, and with what `runTools` calls. */
export interface OpenaiTool {
  type: "function";
  function: {
    name: string;
    description: string;
    /** A JSON Schema; so little of it is told to the compiler that the types of all versions of `openai` take it. */
    parameters: { type: "object" };
    /** The strict mode of the API takes no optional fields, which most inputs have. The call checks its input itself. */
    strict: false;
    parse(json: string): object;
    function(input: object, runner?: { controller?: AbortController }): Promise<string>;
  };
}

/**
 * Capabilities as tools of OpenAI's API, and of those that speak it. `client.chat.completions.runTools({ tools, ... })`
 * runs them; with `create` call `tool.function.function(input)` by hand. It resolves to text for the model, also where
 * the call failed. The API takes no pictures in results: `onFile` gets them.
 */
export function openaiTools(capabilities: readonly AnyCapability[], options?: ToolOptions): OpenaiTool[] {
  return toolsOf(capabilities, options).map(({ name, description, parameters, run }) => ({
    type: "function",
    function: {
      ...{ name, description, parameters: { ...parameters, type: "object" }, strict: false },
      // Models call what takes no input with nothing at all.
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
