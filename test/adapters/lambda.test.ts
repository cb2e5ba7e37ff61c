import { afterEach, describe, expect, it, vi } from "vitest";
import { type LambdaOptions, lambda } from "../../src/adapters/lambda/index.js";
import { createEcho, PNG, type Seen } from "../support/echo-handler.js";
import {
  albEvent,
  functionUrlEvent,
  httpApiEvent,
  type RawRequest,
  restEvent,
  SOURCE_IP,
} from "../support/lambda-events.js";

const context = { getRemainingTimeInMillis: () => 10_000 };
const run = (event: unknown, options: LambdaOptions = {}, basePath = "/api") =>
  lambda(createEcho(basePath), options)(event, context);
const see = async (event: unknown, options: LambdaOptions = {}): Promise<Seen> =>
  JSON.parse((await run(event, options)).body);

const echo: RawRequest = { method: "GET", target: "/api/echo" };
const alb = (request: RawRequest) => albEvent(request, { multiValue: false });
const albMulti = (request: RawRequest) => albEvent(request, { multiValue: true });
const EVENTS: [string, (request: RawRequest) => object][] = [
  ["REST API", restEvent],
  ["HTTP API", httpApiEvent],
  ["function URL", functionUrlEvent],
  ["ALB", alb],
  ["ALB with multi-value headers", albMulti],
];

describe("results", () => {
  it("REST API: headers, and several cookies in multiValueHeaders", async () => {
    const result = await run(restEvent({ method: "GET", target: "/api/cookies" }));
    expect(result).toMatchObject({
      statusCode: 200,
      headers: { "content-type": "text/plain" },
      multiValueHeaders: { "set-cookie": ["a=1; Path=/", "b=2, or 3"] },
      body: "cookies",
      isBase64Encoded: false,
    });
    expect(result.headers).not.toHaveProperty("set-cookie");
  });

  it("HTTP API: cookies in their own field, no multiValueHeaders", async () => {
    const result = await run(httpApiEvent({ method: "GET", target: "/api/cookies" }));
    expect(result.cookies).toEqual(["a=1; Path=/", "b=2, or 3"]);
    expect(result).not.toHaveProperty("multiValueHeaders");
  });

  it("ALB: either the one kind of headers or the other", async () => {
    const single = await run(alb({ method: "GET", target: "/api/cookies" }));
    expect(single.headers).toMatchObject({ "content-type": "text/plain", "set-cookie": "a=1; Path=/" });
    expect(single).not.toHaveProperty("multiValueHeaders");
    const multi = await run(albMulti({ method: "GET", target: "/api/cookies" }));
    expect(multi.multiValueHeaders).toMatchObject({
      "content-type": ["text/plain"],
      "set-cookie": ["a=1; Path=/", "b=2, or 3"],
    });
    expect(multi).not.toHaveProperty("headers");
  });

  it.each([
    ["image/png", true],
    ["application/octet-stream", true],
    ["text/plain; charset=iso-8859-1", true],
    ["image/svg+xml", false],
    ["application/json", false],
    ["application/problem+json; charset=utf-8", false],
    ["application/xml", false],
    ["text/csv", false],
    ["Text/HTML; charset=UTF-8", false],
  ])("%s is base64: %s", async (type, isBase64Encoded) => {
    const result = await lambda(async () => new Response("<a>", { headers: { "content-type": type } }))(
      restEvent(echo),
    );
    expect(result).toMatchObject({ isBase64Encoded, body: isBase64Encoded ? "PGE+" : "<a>" });
  });

  it("a compressed answer is base64 whatever its type; an empty one is empty text", async () => {
    const headers = { "content-type": "text/plain", "content-encoding": "gzip" };
    expect((await lambda(async () => new Response("<a>", { headers }))(restEvent(echo))).isBase64Encoded).toBe(true);
    const empty = await lambda(async () => new Response(null, { status: 204 }))(restEvent(echo));
    expect(empty).toMatchObject({ statusCode: 204, body: "", isBase64Encoded: false });
  });

  it.each(EVENTS)(
    "PAY-41 %s: an answer of the announced size fits the platform, text or not",
    async (name, toEvent) => {
      const limit = name.startsWith("ALB") ? 1024 * 1024 : 6_291_556;
      const { maxResponseBytes = 0 } = await see(toEvent(echo));
      expect(maxResponseBytes).toBeGreaterThan(limit * 0.69);
      for (const type of ["application/octet-stream", "text/plain"]) {
        const target = `/api/stream?bytes=${maxResponseBytes}&type=${type}`;
        const result = await run(toEvent({ method: "GET", target }));
        expect(Buffer.from(result.body, result.isBase64Encoded ? "base64" : "utf8").length).toBe(maxResponseBytes);
        expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(limit);
      }
    },
  );
});

describe("paths and queries", () => {
  it.each(["prod", "api", "a.b"])("HTTP API: the stage %s is no part of the path", async (stage) => {
    const { url } = await see(httpApiEvent({ method: "GET", target: "/api/echo?a=1" }, stage));
    expect(url).toBe("https://id.execute-api.us-east-1.amazonaws.com/api/echo?a=1");
  });

  it("HTTP API: the stage stays where the handler's base path counts it in", async () => {
    const event = httpApiEvent({ method: "GET", target: "/api/echo" }, "prod");
    const seen: Seen = JSON.parse((await run(event, {}, "/prod/api")).body);
    expect(new URL(seen.url).pathname).toBe("/prod/api/echo");
    const atStage = await run(httpApiEvent({ method: "GET", target: "/echo" }, "prod"), {}, "/prod");
    expect(atStage.statusCode).toBe(200);
  });

  it("HTTP API: a handler without a base path gets the path without the stage", async () => {
    const handle = async (request: Request) => new Response(request.url);
    const { body } = await lambda(handle)(httpApiEvent({ method: "GET", target: "/x" }, "prod"));
    expect(new URL(body).pathname).toBe("/x");
  });

  it("HTTP API with payload format 1.0: as REST, with the stage in the path", async () => {
    const event = restEvent({ method: "GET", target: "/api/echo?a=b%20c" });
    const { url, clientAddress } = await see({ ...event, version: "1.0", path: "/prod/api/echo" });
    expect(new URL(url).pathname).toBe("/api/echo");
    expect(new URL(url).searchParams.get("a")).toBe("b c");
    expect(clientAddress).toBe(SOURCE_IP);
  });

  it("REST API: the stage is found where a domain mapping without one leaves it, or where the base path has it", async () => {
    const event = restEvent({ method: "GET", target: "/prod/api/echo" });
    expect(new URL((await see(event)).url).pathname).toBe("/api/echo");
    expect((await run(event, {}, "/prod/api")).statusCode).toBe(200);
  });

  it.each([
    ["REST API", restEvent({ method: "GET", target: "/api/echo" }), "/prod"],
    ["HTTP API", httpApiEvent({ method: "GET", target: "/api/echo" }, "prod"), "/prod"],
    ["HTTP API without a stage", httpApiEvent({ method: "GET", target: "/api/echo" }), undefined],
    ["function URL", functionUrlEvent({ method: "GET", target: "/api/echo" }), undefined],
  ])("%s: what stands before the path is told, for quotes", async (_name, event, prefix) => {
    expect((await see(event)).prefix).toBe(prefix);
  });

  it("REST API: the stage may be part of the base path, and quotes name it once", async () => {
    const event = restEvent({ method: "GET", target: "/api/echo" });
    const seen: Seen = JSON.parse((await run(event, {}, "/prod/api")).body);
    expect([new URL(seen.url).pathname, seen.prefix]).toEqual(["/prod/api/echo", undefined]);
  });

  it.each([
    ["REST API", restEvent({ method: "GET", target: "/api/echo" }), { path: "/api/echo" }],
    ["HTTP API", httpApiEvent({ method: "GET", target: "/api/echo" }, "prod"), {}],
  ])("%s: a domain of the host's own hides the stage", async (_name, event, more) => {
    const requestContext = { ...event.requestContext, domainName: "api.example.com", ...more };
    const seen = await see({ ...event, requestContext });
    expect([seen.url, seen.prefix]).toEqual(["https://api.example.com/api/echo", undefined]);
  });

  it("the URL that trusted proxies name is the one that counts", async () => {
    const headers = { "x-forwarded-host": "api.example.com", "x-forwarded-for": "198.51.100.1" };
    const event = functionUrlEvent({ method: "GET", target: "/api/echo", headers });
    expect((await see(event, { trustProxyHops: 1 })).url).toBe("https://api.example.com/api/echo");
    expect(new URL((await see(event)).url).hostname).toMatch(/\.on\.aws$/);
  });

  it("HTTP API: a decoded ? or # in the path moves nothing", async () => {
    const event = httpApiEvent({ method: "GET", target: "/api/echo%3Fx=1%23y?a=1" });
    expect(event.rawPath).toBe("/api/echo?x=1#y");
    const result = await run(event);
    expect(JSON.parse(result.body)).toEqual({ code: "NOT_FOUND", pathname: "/api/echo%3Fx=1%23y" });
  });

  it("single values serve where there are no multiple ones", async () => {
    const event = restEvent({ method: "GET", target: "/api/echo?a=1&b=%26" });
    const { url, headers } = await see({ ...event, multiValueHeaders: null, multiValueQueryStringParameters: null });
    expect([...new URL(url).searchParams]).toEqual([
      ["a", "1"],
      ["b", "&"],
    ]);
    expect(headers["x-forwarded-proto"]).toBe("https");
  });

  it("a lone surrogate in a decoded query is no crash", async () => {
    const event = { ...restEvent(echo), multiValueQueryStringParameters: { a: ["\ud800"] } };
    expect(new URL((await see(event)).url).searchParams.get("a")).toBe("\ufffd");
  });

  it("an ALB's health check is answered", async () => {
    const event = { ...alb({ method: "GET", target: "/" }), headers: { "user-agent": "ELB-HealthChecker/2.0" } };
    expect((await run(event)).statusCode).toBe(404);
  });

  it("an ALB without TLS serves http", async () => {
    const { url } = await see(alb({ ...echo, headers: { "x-forwarded-proto": "http" } }));
    expect(url).toMatch(/^http:/);
  });
});

describe("requests", () => {
  it.each(EVENTS)("%s: header values beyond Latin-1 arrive as their bytes", async (_name, toEvent) => {
    const { headers } = await see(toEvent({ ...echo, headers: { "x-note": "你好" } }));
    expect(Buffer.from(headers["x-note"] ?? "", "latin1").toString("utf8")).toBe("你好");
  });

  it.each(EVENTS)("%s: a body in base64 is decoded, one in text is not", async (_name, toEvent) => {
    const request = { method: "POST", target: "/api/echo" };
    expect((await see(toEvent({ ...request, body: PNG }))).body).toBe(Buffer.from(PNG).toString("base64"));
    expect((await see(toEvent({ ...request, body: "aGk=" }))).body).toBe(Buffer.from("aGk=").toString("base64"));
  });

  it("repeated headers are joined", async () => {
    const multiValueHeaders = { host: ["example.com"], "x-a": ["1", "2"] };
    const { headers } = await see({ ...albMulti(echo), multiValueHeaders });
    expect(headers["x-a"]).toBe("1, 2");
  });

  it.each(["TRACE", "CONNECT"])("IN-18 %s is a 405", async (method) => {
    expect((await run(restEvent({ ...echo, method }))).statusCode).toBe(405);
  });

  it("a Host header that is none is a 400", async () => {
    const event = alb({ ...echo, headers: { host: "example.com/api/echo?" } });
    expect((await run(event)).statusCode).toBe(400);
  });

  it.each([{ source: "aws.events" }, { Records: [] }, null, "warm-up", { requestContext: {} }])(
    "an event that is no request is refused",
    async (event) => {
      await expect(run(event)).rejects.toThrow(TypeError);
    },
  );
});

describe("TRI-13 the caller's address", () => {
  const forged = { "x-forwarded-for": "198.51.100.1, 198.51.100.2" };

  it.each(EVENTS)("%s: is what the platform states", async (_name, toEvent) => {
    expect((await see(toEvent({ ...echo, headers: forged }))).clientAddress).toBe(SOURCE_IP);
  });

  it.each(EVENTS)("%s: with trusted proxies is counted from what the platform saw", async (_name, toEvent) => {
    const event = toEvent({ ...echo, headers: forged });
    expect((await see(event, { trustProxyHops: 1 })).clientAddress).toBe("198.51.100.2");
    expect((await see(event, { trustProxyHops: 2 })).clientAddress).toBe("198.51.100.1");
    expect((await see(event, { trustProxyHops: 3 })).clientAddress).toBe(SOURCE_IP);
  });

  it("ALB: a port that it keeps is no part of it", async () => {
    const event = { ...alb(echo), headers: { host: "example.com", "x-forwarded-for": "198.51.100.1, 192.0.2.1:4711" } };
    expect((await see(event)).clientAddress).toBe("192.0.2.1");
  });

  it("TRI-11 the console's test call has none", async () => {
    const event = restEvent(echo);
    const identity = { ...event.requestContext.identity, sourceIp: "test-invoke-source-ip" };
    const { clientAddress } = await see({ ...event, requestContext: { ...event.requestContext, identity } });
    expect(clientAddress).toBeUndefined();
  });
});

describe("PAY-41 the deadline", () => {
  const NOW = 1_700_000_000_000;
  afterEach(() => void vi.useRealTimers());
  const deadline = async (event: unknown, remainingMs: number, options: LambdaOptions = {}) => {
    vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
    const remaining = { getRemainingTimeInMillis: () => remainingMs };
    const result = await lambda(createEcho(), options)(event, remaining);
    const { deadline } = JSON.parse(result.body) as Seen;
    return deadline === undefined ? undefined : deadline - NOW;
  };

  it("is the end of the function where that comes first", async () => {
    expect(await deadline(restEvent(echo), 5000)).toBe(5000);
  });

  it.each([
    ["REST API", restEvent(echo), 29_000],
    ["HTTP API", httpApiEvent(echo), 30_000],
    ["function URL", functionUrlEvent(echo), 900_000],
    ["ALB", alb(echo), 60_000],
  ])("%s: is the gateway's patience where that comes first", async (_name, event, expected) => {
    expect(await deadline(event, 900_000)).toBe(expected);
  });

  it("counts from when the gateway took the call", async () => {
    const event = restEvent(echo);
    const cold = { ...event, requestContext: { ...event.requestContext, requestTimeEpoch: NOW - 4000 } };
    expect(await deadline(cold, 900_000)).toBe(25_000);
  });

  it("may be longer where the host has raised the gateway's limit", async () => {
    expect(await deadline(restEvent(echo), 900_000, { gatewayTimeoutMs: 120_000 })).toBe(120_000);
  });

  it("is absent where nothing states one", async () => {
    const result = await lambda(createEcho())(functionUrlEvent(echo));
    expect(JSON.parse(result.body)).not.toHaveProperty("deadline");
  });
});
