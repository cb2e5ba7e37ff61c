/** Stock clients of OpenAI's API at the alias of ai.chat, over HTTP, paid by the official x402 client: streams and not. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { ChatOpenAI } from "@langchain/openai";
import { Agent, OpenAIChatCompletionsModel, Runner, setTracingDisabled } from "@openai/agents";
import { APICallError, generateText, streamText } from "ai";
import OpenAI from "openai";
import { beforeAll, describe, expect, it } from "vitest";
import { openAiShop } from "../support/ai-shop.js";
import type { Asked, Reply } from "../support/model-server.js";

const USAGE = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30, cost: 0.005 };
const MODEL = "test/dear";
const LIMIT = 500;

const script = ({ body }: Asked): Reply =>
  body.stream ? { words: ["Hel", "lo", ", you"], usage: USAGE } : { content: "Hello, you", usage: USAGE };

const shops = {
  open: async (reply: Parameters<typeof openAiShop>[0] = script) => {
    const shop = await openAiShop(reply);
    const settings = { apiKey: "sk-nobody", baseURL: `${shop.server.url}/api/ai`, fetch: shop.paying };
    return { ...shop, settings };
  },
};

beforeAll(() => setTracingDisabled(true));

describe("openai", () => {
  const messages = [
    { role: "developer" as const, content: "Be short." },
    { role: "user" as const, content: [{ type: "text" as const, text: "Hi" }] },
  ];

  it("completes, with a key that is nobody's", async () => {
    const shop = await shops.open();
    const openai = new OpenAI({ ...shop.settings, maxRetries: 0 });
    const { data, response } = await openai.chat.completions
      .create({ model: MODEL, messages, max_completion_tokens: LIMIT, n: 1, store: false })
      .withResponse();
    expect(data.choices[0]?.message.content).toBe("Hello, you");
    expect(data.usage?.total_tokens).toBe(30);
    expect(response.headers.get("x-svc-cost-usd")).toBe("0.006");
    expect(shop.signed).toHaveLength(1);
  });

  it("streams, and finds the cost in the last chunk's usage", async () => {
    const shop = await shops.open();
    const openai = new OpenAI({ ...shop.settings, maxRetries: 0 });
    const stream = await openai.chat.completions.create({
      ...{ model: MODEL, messages, max_tokens: LIMIT },
      ...{ stream: true as const, stream_options: { include_usage: true } },
    });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe("Hello, you");
    expect(chunks.at(-1)?.usage).toMatchObject({ total_tokens: 30, meta: { costUsd: "0.006" } });
  });

  it("throws its own errors, with what was refused", async () => {
    const shop = await shops.open();
    const openai = new OpenAI({ ...shop.settings, maxRetries: 0 });
    const asked = openai.chat.completions.create({ model: MODEL, messages, n: 3 });
    await expect(asked).rejects.toBeInstanceOf(OpenAI.BadRequestError);
    await expect(asked).rejects.toMatchObject({ status: 400, param: "n", code: "INVALID_INPUT" });
    const broken = await shops.open({ words: ["Hel"], ending: "cut" });
    const stream = await new OpenAI(broken.settings).chat.completions.create({ model: MODEL, messages, stream: true });
    const read = async () => {
      for await (const _ of stream);
    };
    await expect(read()).rejects.toThrow(/broke off/);
  });
});

describe("ai, the Vercel AI SDK, with its compatible provider", () => {
  const modelOf = ({ settings }: Awaited<ReturnType<typeof shops.open>>, includeUsage = true) =>
    createOpenAICompatible({ name: "coinslot", ...settings, includeUsage })(MODEL);

  it("completes", async () => {
    const shop = await shops.open();
    const { text, usage } = await generateText({
      ...{ model: modelOf(shop), prompt: "Hi", maxOutputTokens: LIMIT, system: "Be short.", maxRetries: 0 },
    });
    expect([text, usage.totalTokens]).toEqual(["Hello, you", 30]);
  });

  it.each([true, false])("streams to its end without an error; usage asked for: %s", async (includeUsage) => {
    const shop = await shops.open();
    const errors: unknown[] = [];
    const { fullStream, usage, finishReason } = streamText({
      model: modelOf(shop, includeUsage),
      ...{ prompt: "Hi", maxOutputTokens: LIMIT, maxRetries: 0 },
      onError: ({ error }) => void errors.push(error),
    });
    let text = "";
    const kinds = new Set<string>();
    for await (const part of fullStream) {
      kinds.add(part.type);
      if (part.type === "text-delta") text += part.text;
    }
    expect(text).toBe("Hello, you");
    expect(errors).toEqual([]);
    expect(kinds).not.toContain("error");
    expect(await finishReason).toBe("stop");
    expect((await usage).totalTokens).toBe(30);
  });

  it("reads errors", async () => {
    const shop = await shops.open();
    const asked = generateText({ model: modelOf(shop), prompt: "Hi", frequencyPenalty: 1, maxRetries: 0 });
    await expect(asked).rejects.toBeInstanceOf(APICallError);
    await expect(asked).rejects.toThrow(/frequency_penalty/);
  });
});

describe("LangChain", () => {
  const modelOf = ({ settings: { fetch, baseURL, apiKey } }: Awaited<ReturnType<typeof shops.open>>) =>
    new ChatOpenAI({ model: MODEL, apiKey, maxTokens: LIMIT, maxRetries: 0, configuration: { baseURL, fetch } });

  it("completes", async () => {
    const shop = await shops.open();
    const answer = await modelOf(shop).invoke([
      ["system", "Be short."],
      ["human", "Hi"],
    ]);
    expect(answer.content).toBe("Hello, you");
    expect(answer.usage_metadata?.total_tokens).toBe(30);
  });

  it("streams", async () => {
    const shop = await shops.open();
    let text = "";
    let total = 0;
    for await (const chunk of await modelOf(shop).stream("Hi")) {
      text += String(chunk.content);
      total += chunk.usage_metadata?.total_tokens ?? 0;
    }
    expect([text, total]).toEqual(["Hello, you", 30]);
  });
});

describe("the OpenAI Agents SDK", () => {
  const agentOf = ({ settings }: Awaited<ReturnType<typeof shops.open>>) =>
    new Agent({
      name: "Greeter",
      instructions: "Be short.",
      model: new OpenAIChatCompletionsModel(new OpenAI({ ...settings, maxRetries: 0 }) as never, MODEL),
      modelSettings: { maxTokens: LIMIT },
    });

  it("runs an agent", async () => {
    const shop = await shops.open();
    const { finalOutput } = await new Runner({ tracingDisabled: true }).run(agentOf(shop), "Hi");
    expect(finalOutput).toBe("Hello, you");
  });

  it("runs an agent as a stream", async () => {
    const shop = await shops.open();
    const run = await new Runner({ tracingDisabled: true }).run(agentOf(shop), "Hi", { stream: true });
    let text = "";
    for await (const piece of run.toTextStream()) text += piece;
    await run.completed;
    expect([text, run.finalOutput]).toEqual(["Hello, you", "Hello, you"]);
  });
});
