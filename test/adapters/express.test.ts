import type { IncomingMessage, RequestListener } from "node:http";
import express5, { type ErrorRequestHandler } from "express";
import express4 from "express4";
import { describe, expect, it, vi } from "vitest";
import { type ExpressOptions, express } from "../../src/adapters/express.js";
import { convertUnit } from "../../src/capabilities/convert/unit.js";
import { createHandler } from "../../src/handler/handler.js";
import { silent } from "../../src/lib/logger.js";
import { createEcho, type Seen } from "../support/echo-handler.js";
import type { RawRequest } from "../support/lambda-events.js";
import { listen, type Reply } from "../support/transports.js";

/** Opens the app, sends one request, closes it. */
async function once(app: RequestListener, request: Partial<RawRequest> & { target: string }): Promise<Reply> {
  const server = await listen(app);
  try {
    return await server.send({ method: "GET", ...request });
  } finally {
    await server.close();
  }
}

const textOf = (reply: Reply) => reply.body.toString("utf8");
const seenBy = (reply: Reply): Seen => JSON.parse(textOf(reply));
const bodyOf = (reply: Reply) => Buffer.from(seenBy(reply).body, "base64").toString("utf8");
const post = (body: string | Uint8Array, type = "application/json", headers: Record<string, string> = {}) => ({
  method: "POST",
  target: "/api/echo",
  headers: { "content-type": type, ...headers },
  body,
});

describe.each([
  ["Express 4", express4],
  ["Express 5", express5],
])("%s", (_name, framework) => {
  it.each([
    ["/hello", "the host's own"],
    ["/later", "the host's later route"],
    ["/apiary", "not below /api"],
    ["//api/echo", "not below /api"],
  ])("%s stays the host's", async (target, answer) => {
    const app = framework();
    app.get("/hello", (_req, res) => void res.send("the host's own"));
    app.use(express(createEcho()));
    app.get("/later", (_req, res) => void res.send("the host's later route"));
    app.use((_req, res) => void res.send("not below /api"));
    const reply = await once(app, { target });
    expect(textOf(reply)).toBe(answer);
  });

  it("a POST outside the base path keeps its body for the host", async () => {
    const app = framework();
    app.use(express(createEcho()));
    app.post("/orders", framework.json(), (req, res) => void res.json({ got: req.body }));
    const reply = await once(app, { ...post('{"a":1}'), target: "/orders" });
    expect(JSON.parse(textOf(reply))).toEqual({ got: { a: 1 } });
  });

  it("a route of the host's below the base path is reached, or a 404 of ours where the host asks for that", async () => {
    const withRoute = (options: ExpressOptions) => {
      const app = framework();
      app.use(express(createEcho(), options));
      app.get(["/api/mine", "/api/echo"], (_req, res) => void res.send("mine"));
      return app;
    };
    expect(textOf(await once(withRoute({}), { target: "/api/mine" }))).toBe("mine");
    const own = await once(withRoute({ passThrough: false }), { target: "/api/mine" });
    expect([own.status, JSON.parse(textOf(own)).code]).toEqual([404, "NOT_FOUND"]);
    // What is ours is never passed on, whatever the method.
    expect(seenBy(await once(withRoute({}), { target: "/api/echo" })).method).toBe("GET");
    expect((await once(withRoute({}), { method: "DELETE", target: "/api/echo" })).status).toBe(405);
  });

  it.each([
    ["/shop", "/api", "/shop"],
    ["/shop", "", "/shop"],
    ["/shops/:id", "/api", "/shops/7"],
  ])(
    "mounted at %s with the base path %j it serves what is below both, and names the whole path",
    async (at, base, mount) => {
      const app = framework();
      app.use(at, express(createEcho(base)));
      app.use((_req, res) => void res.send("the host's own"));
      const { url, prefix } = seenBy(await once(app, { target: `${mount}${base}/echo?a=/b` }));
      expect([new URL(url).pathname + new URL(url).search, prefix]).toEqual([`${base}/echo?a=/b`, mount]);
      for (const target of [`${mount}/else`, `${base}/echo`, `${mount}${mount}${base}/echo`])
        expect(textOf(await once(app, { target }))).toBe("the host's own");
    },
  );

  it("a mount that its base path never reaches is told at the first request, and the app goes on", async () => {
    const echo = Object.assign(createEcho(), { logger: { ...silent, warn: vi.fn() } });
    const app = framework();
    app.use("/api/v1", express(echo));
    app.use((_req, res) => void res.send("the host's own"));
    expect(echo.logger.warn).not.toHaveBeenCalled();
    expect(textOf(await once(app, { target: "/api/v1/echo" }))).toBe("the host's own");
    await once(app, { target: "/api/v1/echo" });
    expect(echo.logger.warn.mock.calls).toEqual([
      [{ mountedAt: "/api/v1", basePath: "/api" }, expect.stringContaining('basePath: "/api/v1"')],
    ]);
  });

  it("mounted below a path, quotes and documents name it", async () => {
    const treasury = { "eip155:8453": "0x209693Bc6afc0C5328bA36FaF03C514EF312287C" };
    const payment = { treasury, facilitator: { url: "https://facilitator.example" } };
    const app = framework();
    app.use("/shop", express(createHandler({ capabilities: [convertUnit], payment }), { root: true }));
    const quote = JSON.parse(textOf(await once(app, { target: "/shop/api/convert/unit" })));
    expect(new URL(quote.resource).pathname).toBe("/shop/api/convert/unit");
    const { servers } = JSON.parse(textOf(await once(app, { target: "/shop/openapi.json" })));
    expect(new URL(servers[0].url).pathname).toBe("/shop");
  });

  it("with cors: false the host's own CORS headers stand alone", async () => {
    const handle = createHandler({ capabilities: [convertUnit], payment: false, cors: false });
    const app = framework();
    app.use((_req, res, next) => {
      res.setHeader("access-control-allow-origin", "https://shop.example");
      next();
    });
    app.use(express(handle));
    for (const method of ["GET", "OPTIONS"]) {
      const reply = await once(app, { method, target: "/api/convert/unit?value=1&from=kg&to=lb" });
      const cors = [...reply.headers].filter(([name]) => name.startsWith("access-control-"));
      expect([reply.status < 300, cors]).toEqual([true, [["access-control-allow-origin", "https://shop.example"]]]);
    }
  });

  it("below a router the whole public path counts, and req.url is left as it was", async () => {
    const app = framework();
    const router = framework.Router();
    router.use(express(createEcho("/v1/shop/api")));
    router.use((req, res) => void res.json({ url: req.url, originalUrl: req.originalUrl }));
    app.use("/v1", framework.Router().use("/shop", router));
    expect(new URL(seenBy(await once(app, { target: "/v1/shop/api/echo?a=1" })).url).pathname).toBe(
      "/v1/shop/api/echo",
    );
    const passed = await once(app, { target: "/v1/shop/else?a=1" });
    expect(JSON.parse(textOf(passed))).toEqual({ url: "/else?a=1", originalUrl: "/v1/shop/else?a=1" });
  });

  it("whoever logs the request afterwards finds its url as it was", async () => {
    const app = framework();
    const urls: (string | undefined)[] = [];
    const router = framework.Router();
    router.use((req, res, next) => {
      res.on("finish", () => urls.push(req.url));
      next();
    });
    app.use("/shop", router.use(express(createEcho("/shop/api"))));
    await once(app, { target: "/shop/api/echo?a=1" });
    expect(urls).toEqual(["/api/echo?a=1"]);
  });

  it("works as the handler of a route", async () => {
    const app = framework();
    app.all(/^\/api\//, express(createEcho()));
    expect((await once(app, { target: "/api/echo" })).status).toBe(200);
  });

  it("the bytes that came are used where a parser kept them", async () => {
    const app = framework();
    const verify = (req: IncomingMessage, _res: unknown, bytes: Buffer) => {
      Object.assign(req, { rawBody: bytes });
    };
    app.use(framework.json({ verify }), express(createEcho()));
    const body = '{ "n": 1.0, "n": 2e0 }';
    expect(bodyOf(await once(app, post(body)))).toBe(body);
  });

  it("a rebuilt body has headers that fit it", async () => {
    const app = framework();
    app.use(framework.json(), express(createEcho()));
    const reply = await once(app, post('{  "a":  "é"  }', "application/json; charset=UTF-8; x=1"));
    const { headers } = seenBy(reply);
    expect(bodyOf(reply)).toBe('{"a":"é"}');
    expect(headers).toMatchObject({
      "content-length": String(Buffer.byteLength('{"a":"é"}')),
      "content-type": "application/json; charset=utf-8; x=1",
    });
  });

  it("IN-3 a body that a parser inflated no longer claims to be compressed", async () => {
    const { gzipSync } = await import("node:zlib");
    const app = framework();
    app.use(framework.json(), express(createEcho()));
    const reply = await once(app, post(gzipSync('{"a":1}'), "application/json", { "content-encoding": "gzip" }));
    expect(bodyOf(reply)).toBe('{"a":1}');
    expect(seenBy(reply).headers).not.toHaveProperty("content-encoding");
  });

  it.each([
    ["null", "null"],
    ["12", "12"],
    ["[1,2]", "[1,2]"],
    ['{"__proto__":{"a":1}}', '{"__proto__":{"a":1}}'],
  ])("JSON that is %s stays so", async (body, expected) => {
    const app = framework();
    app.use(framework.json({ strict: false }), express(createEcho()));
    expect(bodyOf(await once(app, post(body)))).toBe(expected);
  });

  it("an empty body that express.json() turned into {} stays empty", async () => {
    const app = framework();
    app.use(framework.json(), express(createEcho()));
    expect(bodyOf(await once(app, post("")))).toBe("");
  });

  it("nested form fields keep their names", async () => {
    const app = framework();
    app.use(framework.urlencoded({ extended: true }), express(createEcho()));
    const reply = await once(app, post("a[b]=1&a[c]=x+y&d=1&d=2", "application/x-www-form-urlencoded"));
    expect([...new URLSearchParams(bodyOf(reply))]).toEqual([
      ["a[b]", "1"],
      ["a[c]", "x y"],
      ["d", "1"],
      ["d", "2"],
    ]);
  });

  it("IN-2 a parsed body too deep to write back is a 400", async () => {
    const app = framework();
    app.use(framework.json(), express(createEcho()));
    const depth = 40_000;
    const reply = await once(app, post("[".repeat(depth) + "]".repeat(depth)));
    expect([reply.status, JSON.parse(textOf(reply)).code]).toEqual([400, "INVALID_INPUT"]);
  });

  it("a body that was read and left nowhere is an error for the host, not an empty input", async () => {
    const app = framework();
    const echo = vi.fn(createEcho());
    app.use((req, _res, next) => void req.on("end", () => next()).resume());
    app.use(express(Object.assign(echo, { basePath: "/api", owns: () => true })));
    const report: ErrorRequestHandler = (error, _req, res, _next) => void res.status(500).send(error.message);
    app.use(report);
    const reply = await once(app, post('{"a":1}'));
    expect([reply.status, textOf(reply)]).toEqual([500, expect.stringContaining("Mount it before")]);
    expect(echo).not.toHaveBeenCalled();
  });

  it("what the handler rejects with goes to the host's error handler", async () => {
    const app = framework();
    app.use(express(createEcho()));
    const report: ErrorRequestHandler = (error, _req, res, _next) => void res.status(503).send(error.message);
    app.use(report);
    const reply = await once(app, { target: "/api/fail" });
    expect([reply.status, textOf(reply)]).toEqual([503, "secret detail"]);
  });

  it("IN-18 TRACE is refused below the base path and the host's outside", async () => {
    const app = framework();
    app.use(express(createEcho()));
    app.use((_req, res) => void res.status(418).end());
    expect((await once(app, { method: "TRACE", target: "/api/echo" })).status).toBe(405);
    expect((await once(app, { method: "TRACE", target: "/else" })).status).toBe(418);
  });

  it("TRI-13 the address ignores the app's trust proxy; the scheme follows it", async () => {
    const headers = { "x-forwarded-for": "198.51.100.1", "x-forwarded-proto": "https" };
    const request = { target: "/api/echo", headers };
    const plain = framework();
    plain.use(express(createEcho()));
    expect(seenBy(await once(plain, request)).url).toMatch(/^http:/);

    const trusting = framework();
    trusting.set("trust proxy", true);
    trusting.use(express(createEcho()));
    const seen = seenBy(await once(trusting, request));
    expect(seen.clientAddress).toBe("127.0.0.1");
    expect(seen.url).toMatch(/^https:/);
  });

  const throughProxies = {
    target: "/api/echo",
    headers: {
      "x-forwarded-for": "203.0.113.9, 198.51.100.1, 198.51.100.2",
      "x-forwarded-proto": "https",
      "x-forwarded-host": "api.example.com",
    },
  };

  it("TRI-2 counts trusted proxies from the right", async () => {
    const app = framework();
    app.use(express(createEcho(), { trustProxyHops: 2 }));
    const seen = seenBy(await once(app, throughProxies));
    expect(seen.clientAddress).toBe("198.51.100.1");
    expect(seen.url).toBe("https://api.example.com/api/echo");
  });

  it.each([
    ["a number", 2, "198.51.100.1"],
    ["their addresses", "loopback, 198.51.100.2/32", "198.51.100.1"],
    ["a function", (address: string) => address === "127.0.0.1", "198.51.100.2"],
  ])("the app's own trust proxy, as %s, is the default", async (_kind, setting, address) => {
    const app = framework();
    app.set("trust proxy", setting);
    app.use(express(createEcho()));
    const seen = seenBy(await once(app, throughProxies));
    expect([seen.clientAddress, seen.url]).toEqual([address, "https://api.example.com/api/echo"]);
  });

  it("an app that trusts only others believes nothing of what this connection says", async () => {
    const app = framework();
    app.set("trust proxy", "198.51.100.0/24");
    app.use(express(createEcho()));
    const seen = seenBy(await once(app, throughProxies));
    expect([seen.clientAddress, new URL(seen.url).hostname]).toEqual(["127.0.0.1", "127.0.0.1"]);
  });
});
