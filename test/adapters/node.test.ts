import { request as httpRequest } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { node, type RunningServer, type ServeOptions, serve } from "../../src/adapters/node/index.js";
import { createEcho, type Seen } from "../support/echo-handler.js";
import { LOOPBACK, listen, sendRaw } from "../support/transports.js";

const running: RunningServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

async function start(handle = createEcho(), options: Partial<ServeOptions> = {}) {
  const server = await serve(handle, { port: 0, drainMs: 1000, ...options });
  running.push(server);
  return { server, echo: handle, port: Number(new URL(server.url).port) };
}

/** Writes bytes and reads until the server closes. */
function talk(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket: Socket = connect(port, LOOPBACK, () => socket.write(text));
    socket.setEncoding("latin1").on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("end", () => resolve(answer)).on("error", reject);
  });
}

const get = (target: string, host: string | null = "localhost", method = "GET") =>
  `${method} ${target} HTTP/1.1\r\n${host === null ? "" : `Host: ${host}\r\n`}Connection: close\r\n\r\n`;
const statusOf = (answer: string) => Number(answer.split(" ")[1]);
const problemOf = (answer: string) =>
  JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4).replace(/^[\da-f]+\r\n|\r\n0\r\n\r\n$/g, ""));
const urlIn = (answer: string): string => (problemOf(answer) as Seen).url;

describe("the status line", () => {
  it("has a reason phrase, of answers and of refusals", async () => {
    const { port } = await start();
    expect(await talk(port, get("/api/pay"))).toMatch(/^HTTP\/1\.1 402 Payment Required\r\n/);
    expect(await talk(port, get("/api/echo", "localhost", "TRACE"))).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/);
  });
});

describe("what cannot become a Request", () => {
  it.each(["TRACE", "CONNECT"])("IN-18 %s is a 405 with Allow", async (method) => {
    const { port } = await start();
    const answer = await talk(port, get(method === "CONNECT" ? "example.com:443" : "/api/echo", "localhost", method));
    expect(statusOf(answer)).toBe(405);
    expect(answer.toLowerCase()).toContain("allow: get, head, post, options");
  });

  it.each(["example.com/api/echo?", "user@example.com", "example.com#", "a b", "[::1", "h:99999", "exa\\mple", "%00"])(
    "a Host header of %s is a 400 that the handler never sees",
    async (host) => {
      const echo = vi.fn(createEcho());
      const server = await serve(echo, { port: 0 });
      running.push(server);
      const answer = await talk(Number(new URL(server.url).port), get("/api/echo", host));
      expect(statusOf(answer)).toBe(400);
      expect(problemOf(answer)).toMatchObject({ code: "INVALID_INPUT", status: 400 });
      expect(echo).not.toHaveBeenCalled();
    },
  );

  it.each(["*", "example.com:80", "ftp://localhost/api/echo"])("a target of %s is a 400", async (target) => {
    const { port } = await start();
    expect(statusOf(await talk(port, get(target, "localhost", "OPTIONS")))).toBe(400);
  });

  it("the absolute form of a target is read as its path", async () => {
    const { port } = await start();
    const answer = await talk(port, get("http://elsewhere.example/api/echo?a=1"));
    expect(urlIn(answer)).toBe("http://localhost/api/echo?a=1");
  });

  it("two slashes at the start are a path, not a host", async () => {
    const { port } = await start();
    const answer = await talk(port, get("//evil.example/api/echo"));
    expect(problemOf(answer)).toEqual({ code: "NOT_FOUND", pathname: "//evil.example/api/echo" });
  });

  it("HTTP/1.0 without a Host header is served", async () => {
    const { port } = await start();
    const answer = await talk(port, "GET /api/echo HTTP/1.0\r\n\r\n");
    expect(statusOf(answer)).toBe(200);
  });
});

describe("sizes", () => {
  it("IN-21 headers over the limit are a 431", async () => {
    const { port } = await start();
    expect((await sendRaw(port, { method: "GET", target: `/api/echo?a=${"x".repeat(60_000)}` })).status).toBe(200);
    expect(statusOf(await talk(port, get(`/api/echo?a=${"x".repeat(70_000)}`)))).toBe(431);
  });

  it("IN-1 an answer that does not wait for the body arrives", async () => {
    const { port } = await start();
    const reply = await sendRaw(port, { method: "POST", target: "/api/early", body: Buffer.alloc(8_000_000) });
    expect(reply.status).toBe(413);
  });

  it("a streamed answer of 20 MB arrives whole", async () => {
    const { port } = await start();
    const reply = await sendRaw(port, { method: "GET", target: "/api/stream?bytes=20000000" });
    expect(reply.body.length).toBe(20_000_000);
  });
});

describe("when things end early", () => {
  it("D10 a client that leaves aborts the request's signal", async () => {
    const { port, echo } = await start();
    const req = httpRequest({ host: LOOPBACK, port, path: "/api/wait" });
    req.on("error", () => {});
    req.end();
    await vi.waitFor(() => expect(echo.waits.started).toBe(1));
    req.destroy();
    await vi.waitFor(() => expect(echo.waits.aborted).toEqual(["AbortError"]));
  });

  it("a handler that rejects is a 500 without detail", async () => {
    const { port } = await start();
    const reply = await sendRaw(port, { method: "GET", target: "/api/fail" });
    expect(reply.status).toBe(500);
    expect(JSON.parse(reply.body.toString())).toMatchObject({ code: "INTERNAL", status: 500 });
    expect(reply.body.toString()).not.toContain("secret");
  });

  it("an answer that breaks off breaks the connection and nothing else", async () => {
    const { port } = await start();
    await expect(sendRaw(port, { method: "GET", target: "/api/break" })).rejects.toThrow();
    expect((await sendRaw(port, { method: "GET", target: "/api/echo" })).status).toBe(200);
  });

  it("RES-10 a reader that does not read is cut off", async () => {
    let cancelled: () => void = () => {};
    const done = new Promise<void>((resolve) => {
      cancelled = resolve;
    });
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)),
      cancel: () => cancelled(),
    });
    const server = await serve(async () => new Response(endless), { port: 0, writeTimeoutMs: 50 });
    running.push(server);
    const socket = connect(Number(new URL(server.url).port), LOOPBACK, () => socket.write(get("/")));
    socket.pause().on("error", () => {});
    await done;
    socket.destroy();
  });
});

describe("serve", () => {
  it("says where it listens", async () => {
    const { server } = await start();
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it("rejects where the port is taken", async () => {
    const { port } = await start();
    await expect(serve(createEcho(), { port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  it("RES-8 close lets running calls finish and takes no new ones", async () => {
    let finish: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const handle = vi.fn(async () => {
      await gate;
      return new Response("done");
    });
    const server = await serve(handle, { port: 0 });
    const port = Number(new URL(server.url).port);
    const reply = fetch(server.url);
    await vi.waitFor(() => expect(handle).toHaveBeenCalled());
    const closed = server.close();
    expect(server.close()).toBe(closed);
    await expect(sendRaw(port, { method: "GET", target: "/" })).rejects.toMatchObject({ code: "ECONNREFUSED" });
    finish();
    expect(await (await reply).text()).toBe("done");
    await closed;
  });

  it("RES-8 calls that outlast the drain time are cut off", async () => {
    const echo = createEcho();
    const server = await serve(echo, { port: 0, drainMs: 50 });
    const reply = fetch(`${server.url}/api/wait`).catch((error: unknown) => error);
    await vi.waitFor(() => expect(echo.waits.started).toBe(1));
    await server.close();
    expect(await reply).toBeInstanceOf(TypeError);
    await vi.waitFor(() => expect(echo.waits.aborted).toHaveLength(1));
  });

  it("TRI-2 counts trusted proxies from the right", async () => {
    const { port } = await start(createEcho(), { trustProxyHops: 1 });
    const headers = { "x-forwarded-for": "198.51.100.1, 198.51.100.2" };
    const reply = await sendRaw(port, { method: "GET", target: "/api/echo", headers });
    expect((JSON.parse(reply.body.toString()) as Seen).clientAddress).toBe("198.51.100.2");
  });
});

it("node is a listener for a server of the host's own", async () => {
  const server = await listen(node(createEcho()));
  expect((await server.send({ method: "GET", target: "/api/echo" })).status).toBe(200);
  await server.close();
});
