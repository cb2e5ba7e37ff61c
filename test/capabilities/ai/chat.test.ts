import { describe, expect, it } from "vitest";
import { aiChat } from "../../../src/capabilities/ai/index.js";
import { createContext } from "../../../src/capability/context.js";
import { MODEL_LIST, modelRow, modelServer } from "../../support/model-server.js";

const hi = [{ role: "user" as const, content: "What's 2 + 2?" }];

const quote = async (input: object, secrets: Record<string, string>) => {
  const ctx = createContext({ secrets }, { timeoutMs: 5000 });
  const parsed = await aiChat.parse({ messages: hi, ...input }, ctx);
  return aiChat.quote(parsed.input, ctx);
};

describe("ai.chat", () => {
  it("answers in the common format, without what the gateway adds of its own", async () => {
    const { secrets, asked } = await modelServer("4");
    const answer = await aiChat({ model: "test/fast", messages: hi, temperature: 0.5, stop: ["\n"] }, { secrets });
    expect(answer).toEqual({
      id: "gen-1",
      object: "chat.completion",
      created: 1_790_000_000,
      model: "test/fast-20260101",
      choices: [{ index: 0, message: { role: "assistant", content: "4" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
    });
    expect(asked[0]?.body).toEqual({
      model: "test/fast",
      messages: hi,
      max_tokens: 1024,
      temperature: 0.5,
      stop: ["\n"],
      stream: false,
    });
  });

  it("takes an answer without an id, a model or a role, and refuses one that says nothing", async () => {
    const saying = (message: object) => ({ status: 200, body: { choices: [{ message }] } });
    const { secrets } = await modelServer(saying({ content: "4" }));
    expect(await aiChat({ model: "test/fast", messages: hi }, { secrets })).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/),
      model: "test/fast",
      choices: [{ index: 0, message: { role: "assistant", content: "4" }, finish_reason: null }],
    });
    const called = await modelServer(saying({ tool_calls: [{ id: "1", type: "function" }] }));
    expect(await aiChat({ model: "test/fast", messages: hi }, called)).toMatchObject({
      choices: [{ message: { content: null } }],
    });
    const renamed = await modelServer(saying({ text: "4" }));
    await expect(aiChat({ model: "test/fast", messages: hi }, renamed)).rejects.toMatchObject({
      code: "UPSTREAM_SCHEMA",
    });
  });

  it("quotes tokens of the prompt and the most of the answer at the list price, with the margin, rounded up", async () => {
    const { secrets } = await modelServer();
    // 13 bytes are at most 13 tokens of a model that nobody knows, 8 for the message and 16 for the prompt: (37 + 5 x 1024) millionths, times 1.2.
    expect(await quote({ model: "test/fast" }, secrets)).toBe(6189n);
    expect(await quote({ model: "test/fast" }, { ...secrets, AI_MARKUP: "2" })).toBe(10_314n);
    // Below cost nothing is sold.
    expect(await quote({ model: "test/fast" }, { ...secrets, AI_MARKUP: "0.1" })).toBe(5157n);
  });

  it("never quotes less than a tenth of a cent, and takes a long prompt's own price", async () => {
    const { secrets } = await modelServer();
    expect(await quote({ model: "test/fast", max_tokens: 1 }, secrets)).toBe(1000n);
    const long = { messages: [{ role: "user", content: "x".repeat(30_000) }], max_tokens: 1 };
    const flat = await quote({ model: "test/fast", ...long }, secrets);
    expect(await quote({ model: "test/tiered", ...long }, secrets)).toBeGreaterThan(flat + flat / 2n);
  });

  it.each([
    ["LLM-6 unknown", { model: "nobody/nothing" }, "model"],
    ["without a price", { model: "test/unpriced" }, "model"],
    ["that only draws", { model: "test/painter" }, "model"],
    ["that writes less", { model: "test/tiered", max_tokens: 4000 }, "max_tokens"],
    ["that reads less", { model: "test/fast", messages: [{ role: "user", content: "x".repeat(200_000) }] }, "messages"],
  ])("refuses a model %s before a price is told", async (_, input, path) => {
    const { secrets, asked } = await modelServer();
    await expect(quote(input, secrets)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
    expect(asked).toHaveLength(0);
  });

  it("quotes nothing without a list of prices, and reads the list once an hour", async () => {
    const down = await modelServer({ status: 500 }, { models: [] });
    await expect(quote({ model: "test/fast" }, down.secrets)).rejects.toMatchObject({ status: 502 });
    const { secrets, lists } = await modelServer();
    await quote({ model: "test/fast" }, secrets);
    await quote({ model: "test/dear" }, secrets);
    expect(lists()).toBe(1);
  });

  it.each([
    ["the gateway's own figure", { cost: 0.01 }, 12_000n],
    ["its tokens, without one", {}, 1000n],
    [
      "the vendor's bill, where the host's own key was used",
      { cost: 0, is_byok: true, cost_details: { upstream_inference_cost: 0.02 } },
      24_000n,
    ],
  ])("costs %s", async (_, more, used) => {
    const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120, ...more };
    const { secrets } = await modelServer({ content: "4", usage });
    const ctx = createContext({ secrets }, { timeoutMs: 5000 });
    await aiChat.execute(await aiChat.parse({ model: "test/fast", messages: hi }, ctx), ctx);
    expect(ctx.meter.used).toBe(used);
  });

  it.each([
    // 1000 tokens in at 10 dollars a million and 20 out at 50: 11,000 millionths.
    ["test/keeps", undefined, 13_200n],
    // 900 of them at 1 dollar: 2,900 millionths.
    ["test/keeps", 900, 3_480n],
    ["test/keeps", 5000, 2_400n],
    ["test/dear", 900, 13_200n],
  ])(
    "charges of %s what was cached, %s tokens, at the cached price where the gateway tells it",
    async (model, cached, cost) => {
      const details = cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } };
      const usage = { prompt_tokens: 1000, completion_tokens: 20, total_tokens: 1020, ...details };
      const kept = modelRow("test/keeps", { input: "0.00001", output: "0.00005", input_cache_read: "0.000001" });
      const { secrets } = await modelServer({ content: "4", usage }, { models: [...MODEL_LIST, kept] });
      const ctx = createContext({ secrets }, { timeoutMs: 5000 });
      await aiChat.execute(await aiChat.parse({ model, messages: hi }, ctx), ctx);
      expect(ctx.meter.used).toBe(cost);
    },
  );

  it.each([
    ["missing", null],
    ["negative", { prompt_tokens: -5, completion_tokens: 1, total_tokens: -4 }],
    ["zero", { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }],
  ])("LLM-6 reports nothing where usage is %s, so that the quote stands", async (_, usage) => {
    const { secrets } = await modelServer({ content: "4", usage });
    const ctx = createContext({ secrets }, { timeoutMs: 5000 });
    await aiChat.execute(await aiChat.parse({ model: "test/fast", messages: hi }, ctx), ctx);
    expect(ctx.meter.used).toBeUndefined();
  });

  it.each([
    ["no such model", { status: 404, body: { error: { message: "x", type: "model_not_found" } } }, "model"],
    [
      "a prompt too long",
      { status: 400, body: { error: { message: "maximum context length is 10 tokens", code: 400 } } },
      "messages",
    ],
    [
      "a bad value",
      { status: 400, body: { error: { message: "key sk-123", param: "temperature", code: "invalid" } } },
      "temperature",
    ],
  ])("tells the caller of %s in our own words", async (_, reply, path) => {
    const { secrets } = await modelServer(reply);
    const error = await aiChat({ model: "test/fast", messages: hi }, { secrets }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "INVALID_INPUT", status: 400, issues: [{ path }] });
    expect(String(error)).not.toContain("sk-123");
  });

  it("says max_completion_tokens to who does not know max_tokens", async () => {
    const unsupported = {
      error: { message: "Unsupported parameter", param: "max_tokens", code: "unsupported_parameter" },
    };
    const { secrets, asked } = await modelServer(({ body }) =>
      "max_tokens" in body ? { status: 400, body: unsupported } : "4",
    );
    await expect(aiChat({ model: "test/fast", messages: hi, max_tokens: 9 }, { secrets })).resolves.toMatchObject({
      id: "gen-1",
    });
    expect(asked[1]?.body).toMatchObject({ max_completion_tokens: 9 });
  });

  it("sends no temperature to a model that takes none", async () => {
    const models = [{ ...MODEL_LIST[0], temperature: false }];
    const { secrets, asked } = await modelServer("4", { models });
    await aiChat({ model: "test/fast", messages: hi, temperature: 1 }, { secrets });
    expect(asked[0]?.body).not.toHaveProperty("temperature");
  });

  it("gives an empty answer whose room was used up by thinking", async () => {
    const { secrets } = await modelServer({ content: null, finish_reason: "length" });
    const { choices } = await aiChat({ model: "test/fast", messages: hi }, { secrets });
    expect(choices[0]).toMatchObject({ message: { content: null }, finish_reason: "length" });
  });
});
