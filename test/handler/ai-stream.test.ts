/** ai.chat as a stream: stock clients on a real server, and a gateway that breaks off. */
import { wrapFetchWithPayment } from "@x402/fetch";
import OpenAI from "openai";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { serve } from "../../src/adapters/node/index.js";
import { aiChat } from "../../src/capabilities/ai/index.js";
import { payerOf } from "../support/client.js";
import { fakeClock } from "../support/clock.js";
import { readEvents } from "../support/events.js";
import { FACILITATOR_URL } from "../support/facilitator.js";
import { modelServer, type Reply } from "../support/model-server.js";
import { NETWORK, openShop, receiptOf } from "../support/shop.js";
import { signUpto, uptoFacilitator } from "../support/upto.js";
import { quoteOf, TREASURY, toHeader } from "../support/wallets.js";

const CHAT = { model: "test/dear", messages: [{ role: "user" as const, content: "Hi" }], max_tokens: 1000 };
const USAGE = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30, cost: 0.005 };

async function open(reply: Reply) {
  const gateway = await modelServer(reply);
  const facilitator = uptoFacilitator();
  const shop = openShop({
    capabilities: [aiChat],
    facilitator,
    secrets: gateway.secrets,
    clock: fakeClock(new Date().toISOString()),
    payment: {
      treasury: { [NETWORK]: TREASURY },
      facilitator: { url: FACILITATOR_URL },
      schemes: ["exact", "upto"],
    },
    fetch: (input, init) =>
      String(input).startsWith(gateway.url) ? globalThis.fetch(input, init) : facilitator.fetch(input, init),
  });
  await new Promise((resolve) => setImmediate(resolve));
  const server = await serve(shop.handle, { port: 0 });
  onTestFinished(async () => {
    await server.close();
    await shop.handle.close();
  });
  const url = `${server.url}/api/ai/chat`;
  const post = (body: object, headers: Record<string, string> = {}) =>
    fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const sign = async () => {
    const terms = quoteOf(await post(CHAT)).accepts.find(({ scheme }) => scheme === "upto");
    if (!terms) throw new Error("no upto offer");
    return { "payment-signature": toHeader(await signUpto(terms)) };
  };
  const { client, signed } = payerOf();
  return {
    ...shop,
    facilitator,
    gateway,
    server,
    url,
    post,
    sign,
    signed,
    paying: wrapFetchWithPayment(fetch, client),
  };
}

const EVENTS = { accept: "text/event-stream" };
const WORDS = ["Hel", "lo", ", you"];
const textOf = (chunks: { choices: { delta: { content?: string } }[] }[]) =>
  chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("");

/** It asks for JSON unless told otherwise. */
const OPENAI = { apiKey: "none", maxRetries: 0, defaultHeaders: { accept: "text/event-stream" } };

describe("STR-6 ai.chat streams to stock clients of x402 and of OpenAI", () => {
  it("streams to the official x402 client, settled before the first byte, and credits what was not used", async () => {
    const shop = await open({ words: WORDS, usage: USAGE });
    const response = await shop.paying(shop.url, {
      method: "POST",
      headers: { "content-type": "application/json", ...EVENTS },
      body: JSON.stringify(CHAT),
    });
    expect(response.status).toBe(200);
    expect(receiptOf(response)).toMatchObject({ success: true, amount: "60312" });
    const told = readEvents(await response.text());
    expect(textOf(told.chunks)).toBe("Hello, you");
    expect(told.chunks[0]).toEqual({
      id: "gen-1",
      object: "chat.completion.chunk",
      created: 1_790_000_000,
      model: "test/dear-20260101",
      choices: [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }],
    });
    expect(told.chunks.at(-1)).toMatchObject({ usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 } });
    expect(told).toMatchObject({ isWhole: true, last: "message" });
    expect(told.meta).toMatchObject({ costUsd: "0.006", usage: { usedUsd: "0.006", settledUsd: "0.060312" } });
    expect(Object.keys(told.headers).map((name) => name.toLowerCase())).toContain("x-svc-credit");
    expect(shop.gateway.asked[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it("streams to the official OpenAI client, which says so by a field of the body, too", async () => {
    const shop = await open({ words: WORDS, usage: USAGE });
    const openai = new OpenAI({ ...OPENAI, baseURL: `${shop.server.url}/api`, fetch: shop.paying });
    const body = { ...CHAT, stream: true, stream_options: { include_usage: true } };
    const stream = (await openai.post("/ai/chat", {
      body,
      stream: true,
    })) as unknown as AsyncIterable<OpenAI.ChatCompletionChunk>;
    let text = "";
    for await (const { choices } of stream) text += choices[0]?.delta.content ?? "";
    expect(text).toBe("Hello, you");
    expect(shop.signed).toHaveLength(1);
  });

  it("refuses the field where no events are asked for, as every field that it does not know", async () => {
    const shop = await open({ words: WORDS, usage: USAGE });
    const response = await fetch(`${shop.server.url}/api/ai/chat?trial=1`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...CHAT, stream: true }),
    });
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([400, "INVALID_INPUT"]);
  });

  it("tells the official OpenAI client of a break", async () => {
    const shop = await open({ words: WORDS, ending: "error" });
    const openai = new OpenAI({ ...OPENAI, baseURL: `${shop.server.url}/api`, fetch: shop.paying });
    const stream = (await openai.post("/ai/chat", {
      body: { ...CHAT, stream: true },
      stream: true,
    })) as unknown as AsyncIterable<OpenAI.ChatCompletionChunk>;
    let text = "";
    const read = async () => {
      for await (const { choices } of stream) text += choices[0]?.delta.content ?? "";
    };
    await expect(read()).rejects.toThrow(/broke off/);
    expect(text).toBe("Hello, you");
  });

  it("settles the very sum that was used, with upto", async () => {
    const shop = await open({ words: WORDS, usage: USAGE });
    const told = readEvents(await (await shop.post(CHAT, { ...EVENTS, ...(await shop.sign()) })).text());
    expect(told.meta).toMatchObject({ costUsd: "0.006", payment: { scheme: "upto", amount: "6000" } });
    expect(shop.facilitator.settled.map(({ value }) => value)).toEqual([6000n]);
  });

  it.each(["cut", "error"] as const)("costs its tokens so far when the gateway breaks off: %s", async (ending) => {
    const shop = await open({ words: WORDS, ending });
    const told = readEvents(await (await shop.post(CHAT, { ...EVENTS, ...(await shop.sign()) })).text());
    expect(textOf(told.chunks)).toBe("Hello, you");
    expect(told.error).toMatchObject({ code: "UPSTREAM_ERROR" });
    expect(JSON.stringify(told)).not.toContain("sk-key");
    // 26 tokens in and ten out at 10 and 50 dollars a million make 912 millionths, below the least price of a call.
    expect(told.meta).toMatchObject({ costUsd: "0.001", payment: { amount: "1000" } });
    expect(shop.facilitator.settled.map(({ value }) => value)).toEqual([1000n]);
  });

  it.each<[string, Reply]>([
    ["refuses", { status: 500 }],
    ["breaks off before a word", { words: [], ending: "cut" }],
    ["says nothing that is known", { status: 200, body: "<html>", headers: { "content-type": "text/html" } }],
  ])("costs nothing where the gateway %s", async (_, reply) => {
    const shop = await open(reply);
    const response = await shop.post(CHAT, { ...EVENTS, ...(await shop.sign()) });
    expect(response.status).toBe(502);
    expect(shop.facilitator.settled).toEqual([]);
  });

  it("closes the gateway's stream when its buyer is gone, and is paid for the words that left", async () => {
    const words = Array.from({ length: 40 }, () => "word ".repeat(20));
    const shop = await open({ words, ending: "stall", before: () => new Promise((resolve) => setTimeout(resolve, 5)) });
    const leaving = new AbortController();
    const response = await fetch(shop.url, {
      method: "POST",
      headers: { "content-type": "application/json", ...EVENTS, ...(await shop.sign()) },
      body: JSON.stringify(CHAT),
      signal: leaving.signal,
    });
    const reader = response.body?.getReader();
    await reader?.read();
    leaving.abort();
    await vi.waitFor(() => expect(shop.facilitator.settled).toHaveLength(1));
    const [{ value } = { value: 0n }] = shop.facilitator.settled;
    expect(value).toBeGreaterThanOrEqual(1000n);
    expect(value).toBeLessThan(60_312n);
  });

  it("is paid for the thoughts that a model told before the words, though its buyer leaves before the usage", async () => {
    const thought = { reasoning: "t".repeat(500) };
    const shop = await open({ words: [thought, { reasoning_content: "t".repeat(198) }, "Four"], ending: "cut" });
    const response = await shop.post(CHAT, { ...EVENTS, ...(await shop.sign()) });
    expect(textOf(readEvents(await response.text()).chunks)).toBe("Four");
    // 702 tokens out at 50 dollars a million, and 26 in at 10, with the markup of a fifth.
    expect(shop.facilitator.settled.map(({ value }) => value)).toEqual([42_432n]);
  });

  it("streams in-process, and returns the whole completion", async () => {
    const { secrets } = await modelServer({ words: WORDS, usage: USAGE });
    const chunks: string[] = [];
    const stream = aiChat.stream(CHAT, { secrets });
    let step = await stream.next();
    for (; !step.done; step = await stream.next()) chunks.push(step.value.choices[0]?.delta.content ?? "");
    expect(chunks.join("")).toBe("Hello, you");
    expect(step.value).toMatchObject({
      object: "chat.completion",
      choices: [{ message: { role: "assistant", content: "Hello, you" }, finish_reason: "stop" }],
      usage: { total_tokens: 30 },
    });
    await expect(aiChat.stream({ ...CHAT, max_tokens: 9000 }, { secrets }).next()).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
  });
});
