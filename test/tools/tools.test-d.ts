import { generateText, type ToolSet } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import OpenAI from "openai";
import type { ChatCompletionTool } from "openai/resources/chat/completions";
import { expectTypeOf, test } from "vitest";
import { convertUnit } from "../../src/capabilities/convert/index.js";
import { capabilities } from "../../src/capabilities/index.js";
import type { Output } from "../../src/capability/types.js";
import { createClient } from "../../src/client/index.js";
import { aiSdkTools, anthropicTools, openaiTools, type ToolFailure } from "../../src/tools/index.js";

test("tools of the AI SDK are what it takes, typed by their capabilities", () => {
  const tools = aiSdkTools(capabilities);
  expectTypeOf(tools).toExtend<ToolSet>();
  expectTypeOf(tools.convert_unit.execute).parameter(0).toEqualTypeOf<{ value: number; from: string; to: string }>();
  expectTypeOf(tools.convert_unit.execute).returns.resolves.toEqualTypeOf<ToolFailure | Output<typeof convertUnit>>();
  expectTypeOf(tools).toHaveProperty("business_br_cnpj");
  generateText({ model: new MockLanguageModelV3(), tools: aiSdkTools([convertUnit]), prompt: "" });
  aiSdkTools([convertUnit], { client: createClient({ baseUrl: "http://shop.test" }) });
});

test("tools of OpenAI are what its calls and its runner take", () => {
  const tools = openaiTools([convertUnit]);
  expectTypeOf(tools).toExtend<ChatCompletionTool[]>();
  const { completions } = new OpenAI().chat;
  completions.create({ model: "m", messages: [], tools });
  completions.runTools({ model: "m", messages: [], tools });
});

test("tools of Anthropic have a name, a schema and a function", () => {
  const [tool] = anthropicTools([convertUnit]);
  expectTypeOf(tool).not.toBeAny();
  expectTypeOf<NonNullable<typeof tool>["name"]>().toBeString();
  // @ts-expect-error one capability is no list of them
  anthropicTools(convertUnit);
});
