import type { JsonSchema } from "../capability/json-schema.js";
import type { BinaryResult } from "../capability/output.js";
import type { AnyCapability, Input, Output } from "../capability/types.js";
import {
  type CapabilityTool,
  contentOf,
  type ToolContent,
  type ToolFailure,
  type ToolFile,
  type ToolOptions,
  toolsOf,
} from "./tool.js";

type Underscored<Text extends string> = Text extends `${infer First}${"." | "-"}${infer Rest}`
  ? `${First}_${Underscored<Rest>}`
  : Text;

type ModelOutput = {
  type: "content";
  value: ({ type: "text"; text: string } | { type: "image-data"; data: string; mediaType: string })[];
};

/** The schema of an input as Standard Schema. The call itself validates the model's input. */
interface InputSchema<In> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "coinslot";
    readonly types?: { readonly input: unknown; readonly output: In };
    validate(value: unknown): { readonly value: In };
    readonly jsonSchema: { input(): JsonSchema; output(): JsonSchema };
  };
}

/** A tool of the Vercel AI SDK. */
export interface AiSdkTool<In = unknown, Out = unknown> {
  description: string;
  inputSchema: InputSchema<In>;
  execute(input: In, options: { abortSignal?: AbortSignal | undefined }): Promise<Out>;
  toModelOutput(result: { output: unknown }): ModelOutput;
}

/** The capability's own result; for a file its JSON form, or the result of `onFile`. */
type ToolOutput<C extends AnyCapability> =
  | ToolFailure
  | (Output<C> extends BinaryResult ? ToolFile | string : Output<C>);

/** By name: `convert_unit` for "convert.unit". */
export type AiSdkTools<C extends AnyCapability> = {
  [One in C as Underscored<One["id"]>]: AiSdkTool<Input<One>, ToolOutput<One>>;
};

/**
 * Capabilities as tools of the Vercel AI SDK. A failed call is a result with the reason; pictures are sent to the model
 * as pictures.
 *
 * @example
 * ```ts
 * const { text } = await generateText({ model, prompt, tools: aiSdkTools(capabilities), stopWhen: stepCountIs(5) });
 * ```
 */
export function aiSdkTools<C extends AnyCapability>(capabilities: readonly C[], options?: ToolOptions): AiSdkTools<C> {
  const tools = toolsOf(capabilities, options).map((tool) => [tool.name, toAiSdk(tool)]);
  return Object.fromEntries(tools) as AiSdkTools<C>;
}

const toAiSdk = ({ description, parameters, run }: CapabilityTool): AiSdkTool => ({
  description,
  inputSchema: {
    "~standard": {
      version: 1,
      vendor: "coinslot",
      validate: (value) => ({ value }),
      jsonSchema: { input: () => parameters, output: () => parameters },
    },
  },
  execute: (input, { abortSignal }) => run(input, abortSignal),
  toModelOutput: ({ output }) => ({ type: "content", value: contentOf(output).map(toPart) }),
});

const toPart = (content: ToolContent): ModelOutput["value"][number] =>
  content.type === "text" ? content : { type: "image-data", data: content.data, mediaType: content.mediaType };
