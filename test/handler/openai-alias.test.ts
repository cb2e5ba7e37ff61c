/** The alias of ai.chat in the words of OpenAI's chat completions: what it takes, what it refuses, and how it is sold. */
import { describe, expect, it } from "vitest";
import { aiChat } from "../../src/capabilities/ai/index.js";
import { bodyOf } from "../support/body.js";
import { readEvents } from "../support/events.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { modelServer, type Reply } from "../support/model-server.js";
import { openShop, type ShopOptions } from "../support/shop.js";
import { quoteOf, sign, toHeader } from "../support/wallets.js";

const USAGE = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30, cost: 0.005 };
const BASIC = { model: "test/dear", messages: [{ role: "user", content: "Hi" }], max_tokens: 1000 };

async function open(reply: Reply = { content: "Hello", usage: USAGE }, options: ShopOptions = {}) {
  const gateway = await modelServer(reply);
  const facilitator = fakeFacilitator();
  const shop = openShop({
    capabilities: [aiChat],
    facilitator,
    secrets: gateway.secrets,
    fetch: (input, init) =>
      String(input).startsWith(gateway.url) ? globalThis.fetch(input, init) : facilitator.fetch(input, init),
    ...options,
  });
  const post = (body: object, headers: Record<string, string> = {}, path = "/ai/chat/completions") =>
    shop.handle(
      new Request(`http://shop.test/api${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      }),
      { clientAddress: "203.0.113.7" },
    );
  const buy = async (body: object, headers: Record<string, string> = {}, path?: string) => {
    const quote = quoteOf(await post(body, headers, path));
    const [terms] = quote.accepts;
    if (!terms) throw new Error("nothing offered");
    const payment = { ...(await sign(terms, { now: shop.clock.seconds() })), resource: quote.resource };
    return post(body, { ...headers, "payment-signature": toHeader(payment) }, path);
  };
  return { ...shop, gateway, facilitator, post, buy };
}

/** What the gateway got for a body. */
async function passed(body: object): Promise<Record<string, unknown>> {
  const shop = await open(undefined, { payment: false });
  const answer = await shop.post(body);
  expect(answer.status).toBe(200);
  const { messages, ...rest } = shop.gateway.asked[0]?.body ?? { messages: [] };
  return { messages, ...rest };
}

describe("the alias of ai.chat for clients of OpenAI's API", () => {
  it("is sold as ai.chat: one price, one id in events and answers, one key of a repetition", async () => {
    const shop = await open();
    const [own, alias] = [await shop.post(BASIC, {}, "/ai/chat"), await shop.post(BASIC)];
    expect(quoteOf(alias).accepts[0]?.amount).toBe(quoteOf(own).accepts[0]?.amount);
    const answer = await shop.buy(BASIC);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-svc-endpoint")).toBe("ai.chat");
    expect(answer.headers.get("x-svc-cost-usd")).toBe("0.006");
    expect(await bodyOf(answer)).toMatchObject({ object: "chat.completion", usage: { total_tokens: 30 } });
    expect(shop.events.map((event) => event.id)).toEqual(["ai.chat", "ai.chat", "ai.chat", "ai.chat"]);
  });

  it("takes what changes nothing, and passes on what it keeps", async () => {
    expect(
      await passed({
        ...BASIC,
        max_tokens: undefined,
        max_completion_tokens: 77,
        messages: [
          { role: "developer", content: "Be short." },
          {
            role: "user",
            content: [
              { type: "text", text: "One" },
              { type: "text", text: "two" },
            ],
          },
          { role: "assistant", content: null, refusal: null, tool_calls: [], annotations: [] },
          { role: "user", content: "Hi" },
        ],
        ...{ stream: false, n: 1, user: "u-1", store: false, metadata: { a: "b" }, seed: 7, service_tier: "auto" },
        ...{ frequency_penalty: 0, presence_penalty: 0, logit_bias: {}, logprobs: false, tools: [], stop: null },
        ...{ parallel_tool_calls: true, response_format: { type: "text" }, temperature: 0.5, modalities: ["text"] },
      }),
    ).toEqual({
      model: "test/dear",
      max_tokens: 77,
      temperature: 0.5,
      stream: false,
      messages: [
        { role: "system", content: "Be short." },
        { role: "user", content: "One\ntwo" },
        { role: "assistant", content: "" },
        { role: "user", content: "Hi" },
      ],
    });
    const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
    const format = { type: "json_schema", json_schema: { name: "number", strict: true, schema } };
    expect(await passed({ ...BASIC, response_format: format })).toMatchObject({ response_format: format });
    expect(await passed({ ...BASIC, response_format: { type: "json_object" } })).toMatchObject({
      response_format: { type: "json_object" },
    });
  });

  it.each<[string, object, string]>([
    ["several answers", { n: 2 }, "n"],
    ["tools", { tools: [{ type: "function", function: { name: "f" } }] }, "tools"],
    ["a penalty", { frequency_penalty: 0.5 }, "frequency_penalty"],
    ["keeping it", { store: true }, "store"],
    ["probabilities", { logprobs: true }, "logprobs"],
    ["an unknown field", { constructor: 1 }, "constructor"],
    ["two limits", { max_completion_tokens: 5 }, "max_completion_tokens"],
    ["more than it may say", { max_tokens: 90_000 }, "max_tokens"],
    ["a picture", { messages: [{ role: "user", content: [{ type: "image_url" }] }] }, "messages.0.content.0"],
    ["a tool's answer", { messages: [{ role: "tool", content: "x", tool_call_id: "t" }] }, "messages.0.tool_call_id"],
    ["an odd role", { messages: [{ role: "owner", content: "x" }] }, "messages.0.role"],
    ["no messages", { messages: undefined }, "messages"],
    [
      "a schema that refers elsewhere",
      {
        response_format: {
          type: "json_schema",
          json_schema: { name: "x", schema: { type: "object", $ref: "https://a.example/b" } },
        },
      },
      "response_format.json_schema.schema",
    ],
  ])("refuses %s by name, with the member of OpenAI's errors", async (_, more, param) => {
    const shop = await open();
    const answer = await shop.post({ ...BASIC, ...more });
    expect(answer.status).toBe(400);
    expect(await bodyOf(answer)).toMatchObject({
      code: "INVALID_INPUT",
      issues: [{ path: param }],
      error: { param, code: "INVALID_INPUT", type: "invalid_request_error", message: expect.stringContaining(param) },
    });
    expect(shop.gateway.asked).toEqual([]);
  });

  it("streams by the body's field alone, and nothing follows its end", async () => {
    const shop = await open({ words: ["Hel", "lo"], usage: USAGE });
    const answer = await shop.buy({ ...BASIC, stream: true, stream_options: { include_usage: true } });
    const text = await answer.text();
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
    expect(text).not.toContain("event:");
    const { chunks, meta, headers } = readEvents(text);
    expect(chunks.at(-1).usage).toMatchObject({ prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 });
    expect(meta).toMatchObject({ endpoint: "ai.chat", costUsd: "0.006", caller: "paid" });
    expect(Object.keys(headers)).toContain("payment-response");
  });

  it("tells the facts of a stream that broke off in its last event", async () => {
    const shop = await open({ words: ["Hel"], ending: "cut" });
    const text = await (await shop.buy({ ...BASIC, stream: true })).text();
    const { error, meta } = readEvents(text);
    expect(error).toMatchObject({ code: "UPSTREAM_ERROR", error: { type: "server_error", param: null } });
    expect(meta).toMatchObject({ endpoint: "ai.chat", costUsd: "0.001" });
    expect(text.trimEnd().split("\n\n").at(-1)).toMatch(/^event: error/);
  });

  it("repeats a stream for the same payment with its facts", async () => {
    const shop = await open({ words: ["Hel", "lo"], usage: USAGE });
    const body = { ...BASIC, stream: true };
    const quote = quoteOf(await shop.post(body));
    const [terms] = quote.accepts;
    if (!terms) throw new Error("nothing offered");
    const payment = { "payment-signature": toHeader(await sign(terms, { now: shop.clock.seconds() })) };
    const [first, again] = [
      await (await shop.post(body, payment)).text(),
      await (await shop.post(body, payment)).text(),
    ];
    expect(again).toBe(first);
    expect(shop.gateway.asked).toHaveLength(1);
  });

  it("looks at no key beside a payment, and at none that is not of this service", async () => {
    const { createMemoryStore } = await import("../../src/stores/memory/memory.js");
    const shop = await open(undefined, { accounts: { keys: true }, store: createMemoryStore() });
    const foreign = { authorization: "Bearer sk-none" };
    expect((await shop.post(BASIC, foreign)).status).toBe(402);
    expect((await shop.buy(BASIC, foreign)).status).toBe(200);
    const unknown = await shop.post(BASIC, { authorization: "Bearer svc_none" });
    expect([unknown.status, (await bodyOf(unknown)).error]).toEqual([
      401,
      expect.objectContaining({ code: "INVALID_KEY", type: "authentication_error" }),
    ]);
    expect((await shop.buy(BASIC, {})).status).toBe(200);
  });

  it("stands in the OpenAPI document, is POST alone, and can be left out", async () => {
    const shop = await open();
    const path = "/api/ai/chat/completions";
    expect(shop.handle.openapi().paths[path]?.post).toMatchObject({ operationId: "aiChatCompletions" });
    const wrong = await shop.get("/ai/chat/completions");
    expect([wrong.status, await bodyOf(wrong)]).toEqual([405, expect.objectContaining({ error: expect.anything() })]);
    const without = await open(undefined, { openaiAlias: false });
    expect((await without.post(BASIC)).status).toBe(404);
    expect(Object.keys(without.handle.openapi().paths)).not.toContain(path);
  });
});
