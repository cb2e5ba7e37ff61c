/** What a host's operators see: health, timing, logs, traces and metrics. */
import { context, metrics, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import pino from "pino";
import { afterEach, describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { openShop, type ShopOptions } from "../support/shop.js";

const WORK = "/test/work?n=1";
const paidCall = async (options: ShopOptions = {}) => {
  const shop = openShop(options);
  return { shop, response: await shop.pay(WORK, await shop.payFor(WORK)) };
};

describe("health", () => {
  it("a process lives, and is ready while it can reach its store and be paid", async () => {
    const shop = openShop();
    expect((await shop.get("/healthz")).status).toBe(200);
    const ready = await shop.get("/readyz");
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: "ok", checks: { store: "ok", payment: "ok" }, rails: { "eip155:8453": "ok" } },
    ]);
  });

  it("hears of a store that hangs, and waits no longer than for its first reading", async () => {
    const shop = openShop({ store: { ...createMemoryStore(), get: () => new Promise(() => {}) } });
    const began = performance.now();
    expect((await shop.get("/readyz")).status).toBe(503);
    expect(performance.now() - began).toBeLessThan(9000);
  });

  it("is not ready without its store, but lives", async () => {
    const shop = openShop({
      store: { ...createMemoryStore(), get: () => Promise.reject(new Error("redis://secret@host")) },
    });
    expect((await shop.get("/healthz")).status).toBe(200);
    const ready = await shop.get("/readyz");
    const text = await ready.text();
    expect([ready.status, text]).toEqual([503, expect.stringContaining("store")]);
    expect(text).not.toContain("secret");
  });
});

describe("Server-Timing", () => {
  it("says where the time of a paid call went, and nothing on a mere quote", async () => {
    const { shop, response } = await paidCall();
    expect(response.headers.get("server-timing")).toMatch(
      /^authorize;dur=[\d.]+, prepare;dur=[\d.]+, run;dur=[\d.]+, settle;dur=[\d.]+, total;dur=[\d.]+$/,
    );
    expect((await shop.get(WORK)).headers.has("server-timing")).toBe(false);
  });
});

describe("logs", () => {
  it("are pino's: a line a call with its request's id, and the id on lines of the capability too", async () => {
    const lines: Record<string, unknown>[] = [];
    const logger = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const { response } = await paidCall({ logger });
    const requestId = response.headers.get("x-request-id");
    expect(lines).toContainEqual(
      expect.objectContaining({
        msg: "call",
        requestId,
        id: "test.work",
        outcome: "paid",
        status: 200,
        chargedUsd: "0.001",
      }),
    );
  });
});

describe("OpenTelemetry", () => {
  afterEach(() => {
    trace.disable();
    context.disable();
    metrics.disable();
  });

  it("a paid call is a span with its parts inside, once a provider is registered", async () => {
    const exporter = new InMemorySpanExporter();
    await paidCall();
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    await paidCall();
    const spans = exporter.getFinishedSpans();
    const root = spans.find(({ attributes }) => attributes["call.outcome"] === "paid");
    expect(root).toMatchObject({
      name: "GET /api/test/work",
      attributes: { "http.response.status_code": 200, "call.endpoint": "test.work", "payment.charged_usd": "0.001" },
    });
    expect(root?.kind).toBe(SpanKind.SERVER);
    const inside = spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === root?.spanContext().spanId);
    expect(inside.map(({ name }) => name)).toEqual(["authorize", "prepare", "run", "settle"]);
  });

  it("a call is a part of its caller's trace, over HTTP and over MCP", async () => {
    const exporter = new InMemorySpanExporter();
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const shop = openShop({ payment: false });
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    const [overHttp, overMcp] = ["b7ad6b7169203331", "00f067aa0ba902b7"];
    await shop.get(WORK, { traceparent: `00-${traceId}-${overHttp}-01` });
    const params = { name: "test_work", arguments: { n: 1 }, _meta: { traceparent: `00-${traceId}-${overMcp}-01` } };
    await shop.handle(
      new Request("http://shop.test/api/mcp", {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
      }),
    );
    const calls = () => exporter.getFinishedSpans().filter(({ name }) => name === "GET /api/test/work");
    expect(calls().map((span) => [span.spanContext().traceId, span.parentSpanContext?.spanId])).toEqual([
      [traceId, overHttp],
      [traceId, overMcp],
    ]);
    // What cannot be read begins a trace of its own, and the host's own span goes before what a caller says.
    for (const traceparent of ["", "x", `ff-${traceId}-${overHttp}-01`, `00-${"0".repeat(32)}-${overHttp}-01`])
      await shop.get(WORK, { traceparent });
    expect(
      calls()
        .slice(2)
        .map(({ parentSpanContext }) => parentSpanContext),
    ).toEqual(Array(4).fill(undefined));
    const host = trace.getTracer("host").startSpan("host");
    await context.with(trace.setSpan(context.active(), host), () =>
      shop.get(WORK, { traceparent: `00-${traceId}-${overHttp}-01` }),
    );
    expect(calls().at(-1)?.parentSpanContext?.spanId).toBe(host.spanContext().spanId);
  });

  /** Answers requests and resolves to the spans that have no parent in this process. */
  async function rootsOf(ask: (shop: ReturnType<typeof openShop>) => Promise<unknown>, options: ShopOptions = {}) {
    const exporter = new InMemorySpanExporter();
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const shop = openShop(options);
    await ask(shop);
    await shop.handle.close();
    return exporter.getFinishedSpans().filter(({ parentSpanContext }) => !parentSpanContext);
  }

  it("a request's span was INTERNAL without method and route: it follows the conventions for HTTP servers", async () => {
    const [root] = await rootsOf((shop) => shop.get(WORK, { "user-agent": "curl/8" }));
    expect(root).toMatchObject({
      name: "GET /api/test/work",
      kind: SpanKind.SERVER,
      status: { code: SpanStatusCode.UNSET },
      attributes: {
        "http.request.method": "GET",
        "http.route": "/api/test/work",
        "http.response.status_code": 402,
        "url.scheme": "http",
        "url.path": "/api/test/work",
        "server.address": "shop.test",
        "server.port": 80,
        "client.address": "203.0.113.7",
        "user_agent.original": "curl/8",
      },
    });
    // What buyers ask is in the query.
    expect(root?.attributes).not.toHaveProperty("url.query");
    expect(root?.attributes).not.toHaveProperty("error.type");
  });

  it("callers make no names: an unknown path or method is none", async () => {
    const ask = (path: string, method: string) =>
      new Request(`http://shop.test/api${path}`, { method, headers: { "user-agent": "x".repeat(5000) } });
    const roots = await rootsOf(async ({ handle }) => {
      await handle(ask(`/nowhere/${"y".repeat(2000)}`, "GET"));
      await handle(ask("/test/work", "BREW"));
    });
    expect(roots.map(({ name }) => name)).toEqual(["GET", "HTTP /api/test/work"]);
    expect(roots[0]?.attributes).not.toHaveProperty("http.route");
    expect(roots[1]?.attributes).toMatchObject({
      "http.request.method": "_OTHER",
      "http.request.method_original": "BREW",
      "http.response.status_code": 405,
    });
    const lengths = roots.flatMap(({ attributes }) => Object.values(attributes).map((value) => String(value).length));
    expect(Math.max(...lengths)).toBeLessThanOrEqual(256);
  });

  it("an error of the server is one, with its code; a refusal of the caller's input is none", async () => {
    const [refused, failed] = await rootsOf(
      async (shop) => {
        await shop.get("/test/work?n=x");
        shop.behaviours.push(() => Promise.reject(new Error("no luck")));
        await shop.get(WORK);
      },
      { payment: false },
    );
    expect([refused?.status.code, refused?.attributes["error.type"], refused?.attributes["call.code"]]).toEqual([
      SpanStatusCode.UNSET,
      undefined,
      "INVALID_INPUT",
    ]);
    expect([failed?.status.code, failed?.attributes["error.type"], failed?.attributes["http.route"]]).toEqual([
      SpanStatusCode.ERROR,
      "INTERNAL",
      "/api/test/work",
    ]);
  });

  it("a request with a server's span of the host's instrumentation is a part of it", async () => {
    const exporter = new InMemorySpanExporter();
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const shop = openShop();
    const span = trace.getTracer("http").startSpan("GET", { kind: SpanKind.SERVER });
    await context.with(trace.setSpan(context.active(), span), () => shop.get(WORK));
    await shop.get(WORK, { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` });
    const ours = exporter.getFinishedSpans().filter(({ name }) => name === "GET /api/test/work");
    expect(ours.map(({ kind }) => kind)).toEqual([SpanKind.INTERNAL, SpanKind.SERVER]);
  });

  it("a failed part is an error of its span", async () => {
    const exporter = new InMemorySpanExporter();
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
    const shop = openShop({ payment: false });
    shop.behaviours.push(() => Promise.reject(new Error("no luck")));
    await shop.get(WORK);
    const run = exporter.getFinishedSpans().find(({ name }) => name === "run");
    expect(run?.status.code).toBe(2);
    expect(run?.events[0]?.name).toBe("exception");
  });

  it("calls, their durations and what they earned are counted", async () => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
    metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
    await paidCall();
    await reader.forceFlush();
    const seen = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
    const points = (name: string) => seen.find(({ descriptor }) => descriptor.name === name)?.dataPoints ?? [];
    expect(points("coinslot.calls").map(({ attributes, value }) => [attributes.outcome, value])).toEqual([
      ["challenged", 1],
      ["paid", 1],
    ]);
    expect(points("coinslot.charged")).toMatchObject([{ value: 0.001, attributes: { endpoint: "test.work" } }]);
    expect(points("coinslot.call.duration")).toHaveLength(2);
    await reader.shutdown();
  });
});
