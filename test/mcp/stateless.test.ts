/** The catalogue in the era of MCP 2026-07-28: the official client of release 2 and raw messages against a mounted handler. */
import { Client, InMemoryResponseCacheStore, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { type PaymentRequired, x402Client } from "@x402/fetch";
import { describe, expect, it, onTestFinished } from "vitest";
import { convertUnit } from "../../src/capabilities/convert/index.js";
import { createHandler, type Handler } from "../../src/handler/handler.js";
import { fakeClock } from "../support/clock.js";
import { openShop, type ShopOptions } from "../support/shop.js";
import { alice } from "../support/wallets.js";

const ERA = "2026-07-28";
const PROTOCOL = "io.modelcontextprotocol/";
const clientAddress = "203.0.113.7";
const free = createHandler({ capabilities: [convertUnit], payment: false });
const units = { value: 1, from: "kg", to: "lb" };

async function connect(handle: Handler, mode: "auto" | "legacy" | { pin: string } = { pin: ERA }): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(`http://shop.test${handle.basePath}/mcp`), {
    fetch: (input, init) => handle(new Request(input, init), { clientAddress }),
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

interface Sent {
  headers?: Record<string, string | undefined>;
  meta?: Record<string, unknown>;
  capabilities?: Record<string, unknown>;
  id?: string | number;
  query?: string;
  signal?: AbortSignal;
}

/** Sends a message as its sender writes it, right or wrong. */
async function send(handle: Handler, method: string, params: Record<string, unknown> = {}, sent: Sent = {}) {
  const { headers = {}, meta = {}, capabilities = {}, id = 1, query = "", signal } = sent;
  const envelope = {
    [`${PROTOCOL}protocolVersion`]: ERA,
    [`${PROTOCOL}clientInfo`]: { name: "test", version: "1" },
    [`${PROTOCOL}clientCapabilities`]: capabilities,
    ...meta,
  };
  const all = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": ERA,
    "mcp-method": method,
    ...(typeof params.name === "string" ? { "mcp-name": params.name } : {}),
    ...headers,
  };
  const request = new Request(`http://shop.test${handle.basePath}/mcp${query}`, {
    method: "POST",
    headers: Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined),
    body: JSON.stringify({ jsonrpc: "2.0", id, method, params: { _meta: envelope, ...params } }),
    ...(signal ? { signal } : {}),
  });
  const response = await handle(request, { clientAddress });
  const text = await response.text();
  return { status: response.status, response, body: text === "" ? undefined : JSON.parse(text) };
}

const call = async (handle: Handler, name: string, args: object, sent: Sent = {}) =>
  (await send(handle, "tools/call", { name, arguments: args }, sent)).body.result;

describe("the stateless era", () => {
  it("answers the official client beside clients of the era before, on one endpoint", async () => {
    const seen = await Promise.all(
      ([{ pin: ERA }, "auto", "legacy"] as const).map(async (mode) => {
        const client = await connect(free, mode);
        const { tools } = await client.listTools();
        const { structuredContent } = await client.callTool({ name: "convert_unit", arguments: units });
        expect(structuredContent).toMatchObject({ data: { ok: true } });
        return [client.getNegotiatedProtocolVersion(), tools.map(({ name }) => name)];
      }),
    );
    const names = ["search_capabilities", "describe", "call_capability", "convert_unit"];
    expect(seen).toEqual([
      [ERA, names],
      [ERA, names],
      ["2025-11-25", names],
    ]);
  });

  it("is discovered without a handshake, and says for how long a list holds", async () => {
    const { status, response, body } = await send(free, "server/discover");
    expect([status, response.headers.get("mcp-session-id")]).toEqual([200, null]);
    expect(body.result).toMatchObject({
      ...{ supportedVersions: [ERA], capabilities: { tools: {} }, resultType: "complete" },
      ...{ ttlMs: 60_000, cacheScope: "public", instructions: expect.stringContaining("search_capabilities") },
      _meta: { [`${PROTOCOL}serverInfo`]: { name: "svc", title: "Coinslot" } },
    });
    expect(body.result.capabilities.extensions).toBeUndefined();
    const lists = await Promise.all([1, 2].map(() => send(free, "tools/list")));
    expect(lists[0]?.body.result).toMatchObject({ resultType: "complete", ttlMs: 60_000, cacheScope: "public" });
    expect(lists[0]?.body).toEqual(lists[1]?.body);
  });

  it("has lists that clients do not take for those of another address, though they keep them together", async () => {
    const shop = openShop({ payment: false });
    const responseCacheStore = new InMemoryResponseCacheStore();
    let asked = 0;
    const listAt = async (handle: Handler, query: string) => {
      const client = new Client(
        { name: "test", version: "1" },
        { versionNegotiation: { mode: { pin: ERA } }, responseCacheStore },
      );
      const transport = new StreamableHTTPClientTransport(new URL(`http://shop.test/api/mcp${query}`), {
        fetch: (input, init) => {
          asked++;
          return handle(new Request(input, init), { clientAddress });
        },
      });
      await client.connect(transport);
      onTestFinished(() => client.close());
      return (await client.listTools()).tools.slice(3).map(({ name }) => name);
    };
    const all = ["test_work", "test_other", "test_dear"];
    expect(await listAt(shop.handle, "")).toEqual(all);
    expect(await listAt(shop.handle, "?tools=test.work")).toEqual(["test_work"]);
    expect(await listAt(shop.handle, "?tools=test.other")).toEqual(["test_other"]);
    const elsewhere = createHandler({
      capabilities: [convertUnit],
      payment: false,
      brand: { baseUrl: "https://b.test" },
    });
    expect(await listAt(elsewhere, "")).toEqual(["convert_unit"]);
    const before = asked;
    expect(await listAt(shop.handle, "")).toEqual(all);
    // Only the connection, since the list is kept for everybody.
    expect(asked - before).toBe(1);
  });

  it("needs no session, and heeds none", async () => {
    const headers = { "mcp-session-id": "of-someone-else" };
    const { status, response } = await send(free, "tools/list", {}, { headers });
    expect([status, response.headers.get("mcp-session-id")]).toEqual([200, null]);
    for (const method of ["GET", "DELETE"]) {
      const refused = await free(new Request("http://shop.test/api/mcp", { method, headers }));
      expect([refused.status, refused.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
    }
  });

  it("answers requests of one id each with its own result", async () => {
    const values = [1, 2, 3, 4, 5];
    const results = await Promise.all(
      values.map((value) => call(free, "convert_unit", { ...units, value, to: "g" }, { id: 7 })),
    );
    expect(results.map(({ structuredContent }) => structuredContent.data.items[0].result)).toEqual(
      values.map((value) => value * 1000),
    );
  });

  it("names the tool that it does not have", async () => {
    expect((await send(free, "tools/call", { name: "no_such_tool" })).body.error).toMatchObject({
      code: -32_602,
      message: expect.stringContaining("no_such_tool"),
    });
    const { status, body } = await send(free, "tools/list", {}, { query: "?tools=nonsense" });
    expect([status, body.error.message]).toEqual([400, expect.stringContaining("nonsense")]);
  });

  it("tells a client that asks for it that long work goes on, before the result", async () => {
    const shop = openShop({ payment: false });
    shop.behaviours.push(() => new Promise((resolve) => setTimeout(resolve, 2500)));
    const client = await connect(shop.handle);
    const seen: number[] = [];
    const params = { name: "test_work", arguments: { n: 1 } };
    const done = await client.callTool(params, { onprogress: ({ progress }) => seen.push(progress) });
    expect(done.structuredContent).toMatchObject({ data: { items: [{ n: 1 }] } });
    expect(seen).toEqual([1, 2]);
  });

  it("stops the work of a client that went away", async () => {
    const shop = openShop({ payment: false });
    const gone = new AbortController();
    const stopped = new Promise<void>((resolve) => {
      shop.behaviours.push((signal) => {
        signal.addEventListener("abort", () => resolve(), { once: true });
        gone.abort();
        return stopped;
      });
    });
    const sent = send(shop.handle, "tools/call", { name: "test_work", arguments: { n: 1 } }, { signal: gone.signal });
    await stopped;
    expect((await sent).status).toBe(499);
  });
});

interface Refusal {
  id: unknown;
  error: { code: number; message: string };
}

describe("contradictions in the stateless era are refused with the protocol's own codes", () => {
  const tool = { name: "convert_unit", arguments: units };
  const version = (value: unknown) => ({ [`${PROTOCOL}protocolVersion`]: value });
  const cases: [what: string, method: string, params: Record<string, unknown>, sent: Sent, [number, number]][] = [
    [
      "another version in the header",
      "tools/list",
      {},
      { headers: { "mcp-protocol-version": "2025-11-25" } },
      [400, -32_020],
    ],
    [
      "two versions in the header",
      "tools/list",
      {},
      { headers: { "mcp-protocol-version": `${ERA}, 2025-11-25` } },
      [400, -32_020],
    ],
    ["no version in the header", "tools/list", {}, { headers: { "mcp-protocol-version": undefined } }, [400, -32_020]],
    ["another method in the header", "tools/call", tool, { headers: { "mcp-method": "tools/list" } }, [400, -32_020]],
    ["no method in the header", "tools/list", {}, { headers: { "mcp-method": undefined } }, [400, -32_020]],
    ["another tool in the header", "tools/call", tool, { headers: { "mcp-name": "describe" } }, [400, -32_020]],
    ["no tool in the header", "tools/call", tool, { headers: { "mcp-name": undefined } }, [400, -32_020]],
    ["a broken encoding of the tool", "tools/call", tool, { headers: { "mcp-name": "=?base64?!?=" } }, [400, -32_020]],
    [
      "a version that is not there yet",
      "tools/list",
      {},
      { meta: version("2099-01-01"), headers: { "mcp-protocol-version": "2099-01-01" } },
      [400, -32_022],
    ],
    [
      "a version that is none",
      "tools/list",
      {},
      { meta: version("v999"), headers: { "mcp-protocol-version": "v999" } },
      [400, -32_022],
    ],
    ["a version that is no text", "tools/list", {}, { meta: version({ toString: 1 }) }, [400, -32_602]],
    ["no envelope", "tools/list", { _meta: {} }, {}, [400, -32_602]],
    ["a handshake", "initialize", {}, {}, [404, -32_601]],
    ["a handshake of the era before under this era's header", "initialize", { _meta: {} }, {}, [400, -32_020]],
    ["a ping", "ping", {}, {}, [404, -32_601]],
    ["prompts", "prompts/list", {}, {}, [404, -32_601]],
    [
      "resources",
      "resources/read",
      { uri: "file:///etc/passwd" },
      { headers: { "mcp-name": "file:///etc/passwd" } },
      [404, -32_601],
    ],
  ];
  it.each(cases)("%s", async (_, method, params, sent, expected) => {
    const { status, body } = await send(free, method, params, { ...sent, id: "a-1" });
    expect([status, body.error.code]).toEqual(expected);
    expect(body.id).toBe("a-1");
    if (expected[1] === -32_022) expect(body.error.data.supported).toEqual([ERA]);
  });

  it("unknown tools in the address, whether the header or the body alone tells the era", async () => {
    for (const headers of [{}, { "mcp-protocol-version": undefined }]) {
      const { status, body } = await send(free, "tools/list", {}, { query: "?tools=nonsense", headers, id: "a-1" });
      expect([status, body.error?.code, body.id]).toEqual([400, -32_600, "a-1"]);
    }
  });

  it("long names that an answer would repeat, and more names than metadata have", async () => {
    const long = "x".repeat(100_000);
    const wide = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`k${i}`, i]));
    const requests: [method: string, params: Record<string, unknown>, meta: Record<string, unknown>][] = [
      [long, {}, {}],
      ["tools/call", { name: long }, {}],
      ["tools/list", {}, version(long)],
      ["tools/call", tool, wide],
      ["tools/call", tool, { "x402/payment": { payload: wide } }],
      ["tools/call", tool, { [`${PROTOCOL}clientCapabilities`]: { experimental: wide } }],
    ];
    for (const [method, params, meta] of requests) {
      const headers = { "mcp-method": method.slice(0, 20), "mcp-name": "convert_unit" };
      const { status, body } = await send(free, method, params, { meta, headers });
      expect([status, body.error?.code]).toEqual([400, -32_600]);
      expect(JSON.stringify(body).length).toBeLessThan(1000);
    }
    const input = await call(free, "convert_unit", { ...units, ...wide });
    expect(input.structuredContent).toMatchObject({ data: { ok: true } });
  });

  const post = (body: string, headers: Record<string, string> = {}) =>
    free(
      new Request("http://shop.test/api/mcp", {
        method: "POST",
        body,
        headers: {
          "content-type": "application/json",
          "mcp-protocol-version": ERA,
          "mcp-method": "tools/list",
          ...headers,
        },
      }),
      { clientAddress },
    );

  it("bodies that are none, batches, answers nobody asked for and bodies over the bound", async () => {
    const one = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const bodies = ["{", "", "[", JSON.stringify([one, one]), `{"a":${"[".repeat(100_000)}`, '{"jsonrpc":"2.0"}'];
    for (const body of [...bodies, '{"jsonrpc":"2.0","id":1,"result":{}}']) {
      const refused = await post(body);
      const { error, id } = (await refused.json()) as Refusal;
      expect([refused.status, error.code, id]).toEqual([400, -32_600, id === 1 ? 1 : null]);
    }
    const large = await post(JSON.stringify({ ...one, params: { pad: "x".repeat(2_000_000) } }));
    expect([large.status, ((await large.json()) as Refusal).error.code]).toEqual([413, -32_000]);
    expect((await post(JSON.stringify(one), { "content-type": "text/plain" })).status).toBe(415);
  });

  it("a client of a version nobody knows, without an envelope, as ever", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const headers = { accept: "application/json, text/event-stream", "mcp-protocol-version": "banana" };
    const refused = await post(body, headers);
    expect([refused.status, ((await refused.json()) as Refusal).error.message]).toEqual([
      400,
      expect.stringContaining("banana"),
    ]);
  });
});

describe("paying in the stateless era", () => {
  const sign = (quote: unknown) =>
    new x402Client().register("eip155:*", new ExactEvmScheme(alice)).createPaymentPayload(quote as PaymentRequired);
  const open = (options: ShopOptions = {}) =>
    openShop({ trial: false, clock: fakeClock(new Date().toISOString()), ...options });

  it("is by the tool's result: a quote, a payment beside the arguments, a receipt", async () => {
    const shop = open();
    const client = await connect(shop.handle);
    const quote = (await client.callTool({ name: "test_work", arguments: { n: 1 } })) as CallToolResult;
    expect(quote).toMatchObject({
      isError: true,
      structuredContent: { x402Version: 2, accepts: [{ amount: "1000" }] },
    });
    expect(quote.content).toEqual([{ type: "text", text: JSON.stringify(quote.structuredContent) }]);
    const payment = await sign(quote.structuredContent);
    const params = { name: "test_work", arguments: { n: 1 }, _meta: { "x402/payment": { ...payment } } };
    const paid = await client.callTool(params);
    expect(paid.structuredContent).toMatchObject({ meta: { caller: "paid", costUsd: "0.001" } });
    expect(paid._meta?.["x402/payment-response"]).toMatchObject({ success: true });
    expect(shop.facilitator.settled.length).toBe(1);
  });

  it("takes a payment once, whichever era it comes through", async () => {
    const shop = open();
    const older = new OlderClient({ name: "test", version: "1" });
    const transport = new OlderTransport(new URL("http://shop.test/api/mcp"), {
      fetch: (input, init) => shop.handle(new Request(input, init), { clientAddress }),
    });
    await older.connect(transport as Parameters<OlderClient["connect"]>[0]);
    onTestFinished(() => older.close());
    const before = async (name: string, n: number, payment: object) =>
      (await older.callTool({ name, arguments: { n }, _meta: { "x402/payment": payment } })) as CallToolResult;
    const now = (name: string, n: number, payment: object): Promise<CallToolResult> =>
      call(shop.handle, name, { n }, { meta: { "x402/payment": payment } });
    for (const [first, second] of [
      [before, now],
      [now, before],
    ] as const) {
      const runs = shop.runs();
      const quote = await call(shop.handle, "test_work", { n: 1 });
      const payment = { ...(await sign(quote.structuredContent)) };
      const both = await Promise.all([first("test_work", 1, payment), second("test_work", 1, payment)]);
      expect(shop.runs()).toBe(runs + 1);
      expect(both.some(({ structuredContent }) => (structuredContent as { data?: unknown }).data)).toBe(true);
      // The same call again is the same answer; any other is refused.
      const again = await second("test_work", 1, payment);
      expect(again.structuredContent).toMatchObject({ data: { items: [{ n: 1, run: runs + 1 }] } });
      for (const [name, n] of [
        ["test_work", 2],
        ["test_other", 1],
        ["test_dear", 1],
      ] as const)
        expect(await second(name, n, payment)).toMatchObject({ isError: true });
      expect(shop.runs()).toBe(runs + 1);
    }
    expect(shop.facilitator.settled.length).toBe(2);
  });

  it("refuses what came beside a call and fits in no header", async () => {
    const refused = await call(open().handle, "test_work", { n: 1 }, { meta: { "x402/payment": "a\nb" } });
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("_meta.x402/payment") }],
    });
  });

  it("is by the extension where the host and the client both list it", async () => {
    const capabilities = { extensions: { "org.x402/payment": {} } };
    const shop = open({ mcp: { x402Extension: true } });
    const { body } = await send(shop.handle, "server/discover");
    expect(body.result.capabilities).toMatchObject({ tools: {}, ...capabilities });

    const quote = await call(shop.handle, "test_work", { n: 1 }, { capabilities });
    expect(quote).toMatchObject({ resultType: "payment_required", paymentRequired: { x402Version: 2 } });
    expect([quote.isError, quote.structuredContent, quote._meta["x402/error"]]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const payment = await sign(quote.paymentRequired);
    const paid = await call(shop.handle, "test_work", { n: 1 }, { capabilities, meta: { "x402/payment": payment } });
    expect(paid).toMatchObject({
      ...{ resultType: "complete", structuredContent: { meta: { caller: "paid" } } },
      _meta: { "x402/payment-response": { success: true } },
    });
    // A payment that is refused is answered by a quote, too.
    const refused = await call(shop.handle, "test_work", { n: 2 }, { capabilities, meta: { "x402/payment": payment } });
    expect(refused.structuredContent ?? refused.paymentRequired).toBeDefined();
    expect(shop.runs()).toBe(1);

    const plain = await call(shop.handle, "test_work", { n: 1 });
    expect(plain).toMatchObject({ resultType: "complete", isError: true, structuredContent: { x402Version: 2 } });
    const off = await call(open().handle, "test_work", { n: 1 }, { capabilities });
    expect(off).toMatchObject({ resultType: "complete", isError: true, structuredContent: { x402Version: 2 } });
  });
});
