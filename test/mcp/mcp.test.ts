/** The catalogue as models reach it: the official MCP client against a mounted handler. */
import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { type PaymentRequired, x402Client } from "@x402/fetch";
import MiniSearch from "minisearch";
import { request } from "undici";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { serve } from "../../src/adapters/node/index.js";
import { aiChat } from "../../src/capabilities/ai/index.js";
import { barcodeGenerate } from "../../src/capabilities/barcode/index.js";
import { convertUnit } from "../../src/capabilities/convert/index.js";
import { capabilities } from "../../src/capabilities/index.js";
import { createHandler, type Handler } from "../../src/handler/handler.js";
import { createMcpServer } from "../../src/mcp/index.js";
import { fakeClock } from "../support/clock.js";
import { openShop, type ShopOptions } from "../support/shop.js";
import { alice } from "../support/wallets.js";

async function connect(handle: Handler, { query = "", headers = {} } = {}): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const url = new URL(`http://shop.test${handle.basePath}/mcp${query}`);
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers },
    fetch: (input, init) => handle(new Request(input, init), { clientAddress: "203.0.113.7" }),
  });
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  onTestFinished(() => client.close());
  return client;
}

const call = (client: Client, name: string, args: object, meta: object = {}) =>
  client.callTool({ name, arguments: { ...args }, _meta: { ...meta } }) as Promise<CallToolResult>;
const textOf = ({ content: [first] }: CallToolResult) => (first?.type === "text" ? first.text : "");
const free = createHandler({ capabilities, payment: false });
const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

describe("finding", () => {
  it("a big catalogue is three tools, which find, describe and call everything", async () => {
    const client = await connect(free);
    expect(await names(client)).toEqual(["search_capabilities", "describe", "call_capability"]);
    const found = await call(client, "search_capabilities", { query: "convert kilograms to pounds", limit: 3 });
    expect(found.structuredContent).toMatchObject({
      results: expect.arrayContaining([expect.objectContaining({ id: "convert.unit" })]),
    });
    const { structuredContent: told } = await call(client, "describe", { id: "convert.unit" });
    expect(told).toMatchObject({ id: "convert.unit", price: "free", available: true, input: { type: "object" } });
    const example = (told as { example: Record<string, unknown> }).example;
    const done = await call(client, "call_capability", { id: "convert.unit", input: example });
    expect(done.structuredContent).toMatchObject({ data: { ok: true } });
    expect(JSON.parse(textOf(done))).toEqual(done.structuredContent);
  });

  it("a small one is plain tools, and a client may ask for groups of a big one", async () => {
    const small = createHandler({ capabilities: [convertUnit], payment: false });
    expect(await names(await connect(small))).toContain("convert_unit");
    const client = await connect(free, { query: "?tools=convert.unit,aviation.metar" });
    expect((await names(client)).slice(3).sort()).toEqual(["aviation_metar", "convert_unit"]);
    const { structuredContent } = await call(client, "convert_unit", { value: 1, from: "kg", to: "lb" });
    expect(structuredContent).toMatchObject({ data: { items: [{ result: expect.closeTo(2.2046, 3) }] } });
  });

  it("every capability as a tool has a name and schema that clients take", async () => {
    const { tools } = await (await connect(free, { query: "?tools=all" })).listTools();
    expect(tools.length).toBe(capabilities.filter(({ deprecated }) => !deprecated).length + 3);
    expect(tools.filter(({ name }) => !/^[a-z0-9_]{1,64}$/.test(name))).toEqual([]);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
  });

  it("PAY-3 refuses by its name what came beside a call and fits in no header", async () => {
    const { handle } = openShop({ capabilities: [convertUnit] });
    const client = await connect(handle);
    const input = { value: 1, from: "kg", to: "lb" };
    for (const text of ["a\0b", "a\nb", "\u{1f600}", "\ud800"])
      for (const name of ["x402/payment", "svc/credit", "svc/idempotency-key"]) {
        const refused = await call(client, "convert_unit", input, { [name]: text });
        expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining(`_meta.${name}`)]);
      }
  });

  it("says of what cannot be called here that it is not available, last and with the reason", async () => {
    const bare = createHandler({ capabilities: [aiChat, convertUnit], payment: false, secrets: {} });
    const client = await connect(bare);
    const { tools } = await client.listTools();
    expect(tools.slice(3).map(({ name }) => name)).toEqual(["convert_unit", "ai_chat"]);
    expect(tools.at(-1)?.description).toContain("Not available here: It is not configured on this service.");
    const said = { available: false, reason: "It is not configured on this service." };
    expect((await call(client, "describe", { id: "ai.chat" })).structuredContent).toMatchObject(said);
    const found = await call(client, "search_capabilities", { query: "chat with a model, or convert units" });
    const results = [
      expect.objectContaining({ id: "convert.unit" }),
      expect.objectContaining({ id: "ai.chat", ...said }),
    ];
    expect(found.structuredContent).toMatchObject({ results });
  });

  it("builds its search index once for a catalogue, whoever asks it and from wherever", async () => {
    const handle = createHandler({ capabilities: [convertUnit, barcodeGenerate], payment: false });
    const build = vi.spyOn(MiniSearch.prototype, "addAll");
    for (let i = 0; i < 5; i++) {
      const client = await connect(handle);
      const found = await call(client, "search_capabilities", { query: "kilograms to pounds" });
      expect(found.structuredContent).toMatchObject({ results: [{ id: "convert.unit" }] });
    }
    expect(build.mock.calls.length).toBe(1);
    build.mockRestore();
  });

  it("names what it does not have, and what is near it", async () => {
    const client = await connect(free);
    const unknown = await call(client, "call_capability", { id: "convert.units" });
    expect(unknown.isError).toBe(true);
    expect(textOf(unknown)).toMatch(/NOT_FOUND.*convert\.unit/);
    await expect(connect(free, { query: "?tools=nonsense" })).rejects.toThrow(/nonsense/);
    expect(() => createHandler({ capabilities, payment: false, mcp: { tools: ["nonsense"] } })).toThrow(TypeError);
    await expect(call(client, "no_such_tool", {})).rejects.toThrow(/no_such_tool/);
  });

  it("says which release it is", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    const client = await connect(createHandler({ capabilities: [convertUnit], payment: false }));
    expect(client.getServerVersion()).toMatchObject({ name: "svc", title: "Coinslot", version });
  });

  it("on this machine answers no web page but those of this machine (DNS rebinding)", async () => {
    const server = await serve(createHandler({ capabilities: [convertUnit], payment: false }), { port: 0 });
    onTestFinished(() => server.close());
    const { host } = new URL(server.url);
    const initialize = {
      ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
    };
    const ask = async (headers: Record<string, string>) => {
      const { statusCode, body } = await request(`${server.url}/api/mcp`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
        body: JSON.stringify(initialize),
      });
      await body.dump();
      return statusCode;
    };
    // As the official conformance suite asks.
    expect(await ask({ host: "evil.example.com", origin: "http://evil.example.com" })).toBe(403);
    expect(await ask({ host, origin: `http://${host}` })).toBe(200);
    expect(await ask({ host, origin: "http://localhost:6274" })).toBe(200);
    expect(await ask({ host, origin: "https://evil.example.com" })).toBe(403);
    expect(await ask({ host: "evil.example.com", origin: `http://${host}` })).toBe(403);
    expect(await ask({ host, origin: "null" })).toBe(403);
    // What is no browser, or comes through a proxy, which states the caller's address.
    expect(await ask({ host: "api.example.com" })).toBe(200);
    const named = createHandler({
      capabilities: [convertUnit],
      payment: false,
      brand: { baseUrl: "https://api.example.com" },
    });
    const post = (origin: string, clientAddress: string, handle: Handler) =>
      handle(
        new Request(`https://api.example.com/api/mcp`, {
          method: "POST",
          headers: { "content-type": "application/json", accept: "application/json, text/event-stream", origin },
          body: JSON.stringify(initialize),
        }),
        { clientAddress },
      );
    expect((await post("https://any.example", "203.0.113.7", free)).status).toBe(200);
    expect((await post("https://api.example.com", "::ffff:127.0.0.1", free)).status).toBe(403);
    expect((await post("https://api.example.com", "127.0.0.1", named)).status).toBe(200);
  });

  it("is not there where the host leaves it out", async () => {
    const handle = createHandler({ capabilities: [convertUnit], payment: false, mcp: false });
    await expect(connect(handle)).rejects.toThrow();
  });
});

describe("calling", () => {
  it("says what is wrong with an input, for the model to mend", async () => {
    const result = await call(await connect(free), "call_capability", { id: "convert.unit", input: { value: "x" } });
    expect(result).toMatchObject({ isError: true, structuredContent: { code: "INVALID_INPUT", status: 400 } });
  });

  it("shows pictures as images, and vector graphics as text", async () => {
    const code = { data: { type: "text", text: "hello" } };
    const client = await connect(createHandler({ capabilities: [barcodeGenerate], payment: false }));
    const png = await call(client, "barcode_generate", { ...code, output: "png" });
    expect(png.content).toEqual([{ type: "image", mimeType: "image/png", data: expect.stringMatching(/^iVBOR/) }]);
    const svg = await call(client, "barcode_generate", code);
    expect(svg.content).toMatchObject([{ type: "resource", resource: { mimeType: "image/svg+xml" } }]);
  });

  it("tells a client that asks for it that long work goes on", async () => {
    const shop = openShop({ payment: false });
    shop.behaviours.push(() => new Promise((resolve) => setTimeout(resolve, 2500)));
    const client = await connect(shop.handle);
    const seen: number[] = [];
    const params = { name: "test_work", arguments: { n: 1 } };
    const done = await client.callTool(params, undefined, { onprogress: ({ progress }) => seen.push(progress) });
    expect(done.structuredContent).toMatchObject({ data: { items: [{ n: 1 }] } });
    expect(seen).toEqual([1, 2]);
  });

  it("refuses batches of messages, and bodies that are none", async () => {
    const post = (body: string) =>
      free(
        new Request("http://shop.test/api/mcp", {
          method: "POST",
          body,
          headers: { accept: "application/json, text/event-stream", "content-type": "application/json" },
        }),
      );
    const one = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    expect((await post(JSON.stringify([one, one]))).status).toBe(400);
    expect((await post("{")).status).toBe(400);
    expect((await post("[".repeat(100_000))).status).toBe(400);
    expect((await post(JSON.stringify(one))).status).toBe(200);
    expect((await free(new Request("http://shop.test/api/mcp"))).status).toBe(405);
  });

  it("serves any transport of the protocol, as desktop clients need", async () => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    await createMcpServer(free, { tools: ["convert"] }).connect(far);
    const client = new Client({ name: "test", version: "1" });
    await client.connect(near);
    onTestFinished(() => client.close());
    const { structuredContent } = await call(client, "convert_unit", { value: 1, from: "kg", to: "lb" });
    expect(structuredContent).toMatchObject({ data: { ok: true } });
  });
});

describe("paying", () => {
  /** What an official buyer makes of a quote; it signs by the system's clock. */
  const pay = ({ structuredContent }: CallToolResult) =>
    new x402Client()
      .register("eip155:*", new ExactEvmScheme(alice))
      .createPaymentPayload(structuredContent as unknown as PaymentRequired);
  const open = (options: ShopOptions = {}) => openShop({ clock: fakeClock(new Date().toISOString()), ...options });

  it("the first call of the hour is the free trial; the next one is quoted, paid and receipted", async () => {
    const shop = open();
    const client = await connect(shop.handle);
    const tool = (await client.listTools()).tools.find(({ name }) => name === "test_work");
    expect(tool?.description).toMatch(/0\.001 USD/);
    const trial = await call(client, "test_work", { n: 1 });
    expect(trial.structuredContent).toMatchObject({ meta: { caller: "trial" } });

    const quote = await call(client, "test_work", { n: 2 });
    expect(quote).toMatchObject({
      isError: true,
      structuredContent: { x402Version: 2, accepts: [{ amount: "1000" }] },
    });
    expect(JSON.parse(textOf(quote))).toEqual(quote.structuredContent);
    // Where Cloudflare's agents look.
    expect(quote._meta?.["x402/error"]).toEqual(quote.structuredContent);
    const payment = await pay(quote);
    const paid = await call(client, "test_work", { n: 2 }, { "x402/payment": payment });
    expect(paid.structuredContent).toMatchObject({ meta: { caller: "paid", costUsd: "0.001" } });
    expect(paid._meta?.["x402/payment-response"]).toMatchObject({ success: true });
    expect(shop.runs()).toBe(2);

    const other = await call(
      client,
      "call_capability",
      { id: "test.work", input: { n: 3 } },
      { "x402/payment": payment },
    );
    expect(other.isError).toBe(true);
    expect(shop.runs()).toBe(2);
  });

  it("spends no trial that nobody asked for where the host wants it so", async () => {
    const shop = open({ mcp: { trial: "asked" } });
    const client = await connect(shop.handle);
    expect(await call(client, "test_work", { n: 1 })).toMatchObject({ isError: true });
    const asked = await call(client, "test_work", { n: 1 }, { "svc/trial": true });
    expect(asked.structuredContent).toMatchObject({ meta: { caller: "trial" } });
  });

  it("quotes in the first version of x402 where a client asks for it", async () => {
    const shop = open({ trial: false });
    const client = await connect(shop.handle, { query: "?x402Version=1" });
    const quote = await call(client, "test_work", { n: 1 });
    expect(quote.structuredContent).toMatchObject({
      x402Version: 1,
      accepts: [{ scheme: "exact", network: "base", maxAmountRequired: "1000", resource: expect.any(String) }],
    });
    // Cloudflare's agents, which read only this, know version 2 alone.
    expect(quote._meta?.["x402/error"]).toMatchObject({ x402Version: 2, accepts: [{ network: "eip155:8453" }] });
  });

  it("searching and describing are free", async () => {
    const shop = open({ trial: false });
    const client = await connect(shop.handle);
    expect((await call(client, "describe", { id: "test.dear" })).structuredContent).toMatchObject({ price: "0.5 USD" });
    expect((await call(client, "search_capabilities", { query: "counts runs" })).isError).toBeUndefined();
    expect(shop.events).toEqual([]);
  });
});

it("bounds the long messages of each caller, and not those of many callers together", async () => {
  const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: { list: Array(100_000).fill(0) } });
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const send = (clientAddress: string) =>
    free(new Request(`http://shop.test${free.basePath}/mcp`, { method: "POST", headers, body: message }), {
      clientAddress,
    });
  const statuses = async (addressOf: (i: number) => string) =>
    (await Promise.all(Array.from({ length: 40 }, (_, i) => send(addressOf(i))))).map(({ status }) => status);
  expect(new Set(await statuses((i) => `203.0.113.${i}`))).toEqual(new Set([200]));
  expect(new Set(await statuses(() => "203.0.113.99"))).toEqual(new Set([200, 502]));
});
