import { generateText, stepCountIs } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { barcodeGenerate } from "../../src/capabilities/barcode/index.js";
import { calendarHolidays } from "../../src/capabilities/calendar/index.js";
import { convertUnit } from "../../src/capabilities/convert/index.js";
import { cryptoGlobal } from "../../src/capabilities/crypto/index.js";
import { capabilities } from "../../src/capabilities/index.js";
import { createClient } from "../../src/client/index.js";
import { createHandler } from "../../src/handler/handler.js";
import { aiSdkTools, anthropicTools, openaiTools } from "../../src/tools/index.js";
import { payerOf, wireTo } from "../support/client.js";
import { FACILITATOR_URL, fakeFacilitator } from "../support/facilitator.js";
import { modelServer } from "../support/model-server.js";
import { NETWORK } from "../support/shop.js";
import { TREASURY } from "../support/wallets.js";

const KG = { value: 1, from: "kg", to: "lb" };
const CODE = { data: { type: "url", url: "https://example.com" }, output: "png" };
const some = [convertUnit, barcodeGenerate, calendarHolidays];

/** A model that calls one tool and then says that it is done. */
function modelCalling(toolName: string, input: object) {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const call = { type: "tool-call" as const, toolCallId: "1", toolName, input: JSON.stringify(input) };
  const finish = (unified: "tool-calls" | "stop") => ({
    finishReason: { unified, raw: undefined },
    usage,
    warnings: [],
  });
  return new MockLanguageModelV3({
    doGenerate: [
      { content: [call], ...finish("tool-calls") },
      { content: [{ type: "text", text: "Done." }], ...finish("stop") },
    ],
  });
}

async function generate(model: MockLanguageModelV3, tools = aiSdkTools(some)) {
  const { text, steps } = await generateText({ model, tools, prompt: "Do it.", stopWhen: stepCountIs(3) });
  const [result] = steps[0]?.toolResults ?? [];
  // What the model itself read of the result.
  const told = model.doGenerateCalls[1]?.prompt.find(({ role }) => role === "tool")?.content[0];
  return { text, output: result?.output, told: told as { output?: unknown } };
}

describe("with the AI SDK", () => {
  it("a model's call is run, and its result is read by the model", async () => {
    const model = modelCalling("convert_unit", KG);
    const { text, output, told } = await generate(model);
    expect(text).toBe("Done.");
    expect(output).toMatchObject({ ok: true, items: [{ to: "lb", result: 2.2046226218487757 }] });
    expect(JSON.stringify(told.output)).toContain("2.2046226218487757");
    expect(model.doGenerateCalls[0]?.tools?.[0]).toMatchObject({
      name: "convert_unit",
      description: convertUnit.summary,
      inputSchema: { type: "object", properties: { value: { type: "number" } }, required: ["value", "from", "to"] },
    });
  });

  it("a picture is a picture to the model", async () => {
    const { told, output } = await generate(modelCalling("barcode_generate", CODE));
    expect(output).toMatchObject({ contentType: "image/png", base64: expect.stringMatching(/^iVBOR/) });
    expect(told.output).toMatchObject({ type: "content", value: [{ type: "image-data", mediaType: "image/png" }] });
  });

  it("a call that fails is a result that names the field", async () => {
    const { text, output } = await generate(modelCalling("convert_unit", { ...KG, to: "km" }));
    expect(text).toBe("Done.");
    expect(output).toMatchObject({ error: { code: "INCOMPATIBLE_UNITS" } });
    const { output: wrong } = await generate(modelCalling("convert_unit", { value: "much" }));
    expect(wrong).toMatchObject({ error: { code: "INVALID_INPUT", issues: [{ path: "value" }, {}, {}] } });
  });
});

describe("with OpenAI's tool runner", () => {
  const call = (name: string, input: object) => ({
    finish_reason: "tool_calls",
    content: null,
    tool_calls: [{ id: "call_1", type: "function" as const, function: { name, arguments: JSON.stringify(input) } }],
  });

  async function run(name: string, input: object, options = {}) {
    const server = await modelServer((_, count) => (count === 0 ? call(name, input) : "Done."));
    const openai = new OpenAI({ apiKey: "none", baseURL: server.url });
    const runner = openai.chat.completions.runTools({
      model: "test/fast",
      messages: [{ role: "user", content: "Do it." }],
      tools: openaiTools(some, options),
    });
    return { text: await runner.finalContent(), asked: server.asked };
  }

  it("a model's call is run, and its result is sent back as text", async () => {
    const { text, asked } = await run("convert_unit", KG);
    expect(text).toBe("Done.");
    expect(asked[0]?.body.tools).toMatchObject([
      { type: "function", function: { name: "convert_unit", strict: false, parameters: { type: "object" } } },
      { function: { name: "barcode_generate" } },
      { function: { name: "calendar_holidays" } },
    ]);
    expect(asked[1]?.body.messages.at(-1)).toMatchObject({ role: "tool", content: expect.stringContaining("2.2046") });
  });

  it("what fails is told; a file goes to the host, and the model reads what the host says of it", async () => {
    const failed = await run("convert_unit", { ...KG, to: "km" });
    expect(failed.asked[1]?.body.messages.at(-1)?.content).toContain("INCOMPATIBLE_UNITS");
    const files: unknown[] = [];
    const onFile = (file: unknown, id: string) => {
      files.push([id, file]);
      return "Saved as code.png";
    };
    const drawn = await run("barcode_generate", CODE, { onFile });
    expect(drawn.asked[1]?.body.messages.at(-1)?.content).toBe("Saved as code.png");
    expect(files).toEqual([["barcode.generate", expect.objectContaining({ contentType: "image/png" })]]);
  });
});

it("Anthropic's tools give blocks of a tool result: text, pictures, and why a call failed", async () => {
  const [unit, code] = anthropicTools(some);
  expect(unit).toMatchObject({ name: "convert_unit", input_schema: { type: "object", required: expect.any(Array) } });
  expect(await unit?.run(KG)).toEqual([{ type: "text", text: expect.stringContaining("2.2046") }]);
  expect(await code?.run(CODE)).toMatchObject([
    { type: "image", source: { type: "base64", media_type: "image/png", data: expect.stringMatching(/^iVBOR/) } },
  ]);
  expect(await unit?.run({})).toMatchObject([{ type: "text", text: expect.stringContaining("INVALID_INPUT") }]);
});

it("over HTTP tools are paid for within the client's limits, and tell their prices", async () => {
  const facilitator = fakeFacilitator();
  const handle = createHandler({
    capabilities: some,
    payment: { treasury: { [NETWORK]: TREASURY }, facilitator: { url: FACILITATOR_URL } },
    fetch: facilitator.fetch,
  });
  const { client: pay, signed } = payerOf();
  const settings = { baseUrl: "http://shop.test", fetch: wireTo(handle).fetch, pay, maxTotalUsd: "0.001" };
  for (const client of [createClient(settings), settings]) {
    const tools = aiSdkTools(some, { client });
    expect(tools.convert_unit.description).toMatch(/ Costs 0\.001 USD a call\.$/);
    expect(await tools.convert_unit.execute(KG, {})).toMatchObject({ ok: true });
    expect(await tools.convert_unit.execute({ ...KG, value: 2 }, {})).toMatchObject({
      error: { code: "SPENDING_LIMIT" },
    });
  }
  expect(signed).toEqual(["1000", "1000"]);
});

it("options of a call reach it, and an abort ends it", async () => {
  const fetch = async () => Response.json({ data: {} });
  const [tool] = anthropicTools([cryptoGlobal], { fetch, cache: false });
  expect(await tool?.run({})).toMatchObject([{ text: expect.stringContaining("UPSTREAM_SCHEMA") }]);
  await expect(tool?.run({}, { signal: AbortSignal.abort("enough") })).rejects.toBe("enough");
});

it("every capability is a tool that each API takes", () => {
  const tools = anthropicTools(capabilities);
  expect(new Set(tools.map(({ name }) => name)).size).toBe(capabilities.length);
  for (const { name, description, input_schema } of tools) {
    expect(name).toMatch(/^[a-zA-Z0-9_]{1,64}$/);
    expect(description.length, name).toBeLessThan(1024);
    // The APIs refuse schemas that are no plain object at the top, references, and names beyond these.
    expect(input_schema.type, name).toBe("object");
    expect(
      Object.keys(input_schema).filter((key) => /^(?:any|one|all)Of$/.test(key)),
      name,
    ).toEqual([]);
    expect(JSON.stringify(input_schema), name).not.toContain('"$ref"');
    for (const field of Object.keys(input_schema.properties ?? {})) expect(field).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
  }
});
