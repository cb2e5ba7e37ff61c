/** The guard over real sockets: what it connects to, and what hostile servers on loopback can do to it. */
import diagnostics from "node:diagnostics_channel";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import net, { type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createContext } from "../../../src/capability/context.js";
import type { OutboundOptions } from "../../../src/capability/outbound-options.js";
import type { CallOptions } from "../../../src/capability/types.js";
import { fetchOutbound } from "../../../src/upstream/outbound/outbound.js";
import { outboundContext, type Script, scriptedLookup } from "../../support/outbound.js";

const MB = 1024 * 1024;
const options = { maxBytes: MB };

const servers: { server: Server; sockets: Set<Socket> }[] = [];
/** Every address that this process tried to connect to, as `address:port`. */
let attempts: string[] = [];

function recordSocket(message: unknown) {
  const { socket } = message as { socket: Socket };
  socket.on("connectionAttempt", (address: string, port: number) => attempts.push(`${address}:${port}`));
}

beforeEach(() => {
  attempts = [];
  diagnostics.subscribe("net.client.socket", recordSocket);
});
afterEach(async () => {
  diagnostics.unsubscribe("net.client.socket", recordSocket);
  vi.unstubAllEnvs();
  for (const { server, sockets } of servers.splice(0)) {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** Listens on loopback; `sockets` are its open connections. */
async function listen<S extends Server>(server: S) {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  servers.push({ server, sockets });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, sockets, port: (server.address() as AddressInfo).port };
}

const serve = (listener: RequestListener) => listen(createServer(listener));

/** The default fetch's way, in a network where loopback is allowed. */
function pinned(script: Script, outbound: Partial<OutboundOptions> = {}) {
  const { lookup, asked } = scriptedLookup(script);
  const ctx = outboundContext({ injectedFetch: false, outbound: { allowPrivate: true, lookup, ...outbound } });
  return { ctx, asked };
}

const toLoopback = { "site.example": ["127.0.0.1"] };

describe("SSRF-2 pinned sockets", () => {
  it("connect to the looked-up address, under the name", async () => {
    const { port } = await serve((request, response) => response.end(JSON.stringify(request.rawHeaders)));
    const { ctx, asked } = pinned(toLoopback);
    const { bytes, finalUrl } = await fetchOutbound(ctx, `http://site.example:${port}/a`, options);
    expect(finalUrl).toBe(`http://site.example:${port}/a`);
    expect(attempts).toEqual([`127.0.0.1:${port}`]);
    expect(asked).toEqual(["site.example"]);

    const headers: string[] = JSON.parse(Buffer.from(bytes).toString());
    const names = headers.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
    expect(names.toSorted()).toEqual(["accept", "connection", "host", "user-agent"]);
    expect(headers[headers.findIndex((name) => name.toLowerCase() === "host") + 1]).toBe(`site.example:${port}`);
  });

  it("are what a call without an injected fetch uses, and an injected one is used for every hop", async () => {
    const { port } = await serve((_, response) => response.end("over a socket"));
    const { lookup } = scriptedLookup(toLoopback);
    const outbound = { allowPrivate: true, lookup };
    const read = async (callOptions: CallOptions) => {
      const ctx = createContext({ ...callOptions, outbound }, { timeoutMs: 10_000 });
      const { bytes } = await fetchOutbound(ctx, `http://site.example:${port}/`, options);
      return Buffer.from(bytes).toString();
    };
    expect(await read({})).toBe("over a socket");
    expect(await read({ fetch: async () => new Response("injected") })).toBe("injected");
    expect(attempts).toHaveLength(1);
  });

  it("hold for a host's fetch too that wraps the platform's own", async () => {
    const { port } = await serve((_, response) => response.end("over a socket"));
    const seen: string[] = [];
    const logged: typeof globalThis.fetch = (input, init) => {
      seen.push(String(input));
      return globalThis.fetch(input, init);
    };
    // The name exists only for the guard: whoever looks it up again finds nothing.
    const { lookup } = scriptedLookup({ "rebind.invalid": ["127.0.0.1"] });
    const ctx = createContext({ fetch: logged, outbound: { allowPrivate: true, lookup } }, { timeoutMs: 10_000 });
    const { bytes } = await fetchOutbound(ctx, `http://rebind.invalid:${port}/`, options);
    expect(Buffer.from(bytes).toString()).toBe("over a socket");
    expect(attempts).toEqual([`127.0.0.1:${port}`]);
    expect(seen).toEqual([`http://rebind.invalid:${port}/`]);
  });

  it("never go where a second answer points", async () => {
    const { port } = await serve((_, response) => response.end("first"));
    const { ctx, asked } = pinned({ "rebind.example": [["127.0.0.1"], ["::1"]] });
    const { bytes } = await fetchOutbound(ctx, `http://rebind.example:${port}/`, options);
    expect(Buffer.from(bytes).toString()).toBe("first");
    expect(attempts).toEqual([`127.0.0.1:${port}`]);
    expect(asked).toHaveLength(1);
  });

  it("are opened for no private answer, on the first hop or a later one", async () => {
    const { port } = await serve((_, response) => {
      response.writeHead(302, { location: "http://rebind.example/" }).end();
    });
    const rules = { allowPrivate: false, allowHosts: [`site.example:${port}`] };
    const { ctx, asked } = pinned({ ...toLoopback, "rebind.example": ["127.0.0.1"] }, rules);
    await expect(fetchOutbound(ctx, "http://rebind.example/", options)).rejects.toMatchObject({
      code: "URL_NOT_ALLOWED",
    });
    expect(attempts).toEqual([]);
    await expect(fetchOutbound(ctx, `http://site.example:${port}/`, options)).rejects.toMatchObject({
      code: "URL_NOT_ALLOWED",
    });
    expect(attempts).toEqual([`127.0.0.1:${port}`]);
    expect(asked).toEqual(["rebind.example", "site.example", "rebind.example"]);
  });

  it("try the other judged addresses when the first one refuses", async () => {
    const { port } = await serve((_, response) => response.end("reached"));
    const { ctx } = pinned({ "site.example": ["::1", "127.0.0.1"] });
    const { bytes } = await fetchOutbound(ctx, `http://site.example:${port}/`, options);
    expect(Buffer.from(bytes).toString()).toBe("reached");
    expect(attempts).toEqual([`::1:${port}`, `127.0.0.1:${port}`]);
  });

  it("give the name in the TLS greeting and want a certificate for it", async () => {
    const names: string[] = [];
    const server = createTlsServer({
      SNICallback(name, done) {
        names.push(name);
        done(new Error("no certificate"));
      },
    });
    server.on("tlsClientError", () => {});
    const { port } = await listen(server);
    await expect(
      fetchOutbound(pinned(toLoopback).ctx, `https://site.example:${port}/`, { ...options, httpsOnly: true }),
    ).rejects.toMatchObject({ code: "UPSTREAM_ERROR", message: "url: could not be fetched" });
    expect(names).toEqual(["site.example"]);
  });

  it("SSRF-6 take no proxy from the environment", async () => {
    const proxied: string[] = [];
    const proxy = await serve((request, response) => {
      proxied.push(request.url ?? "");
      response.end("proxy");
    });
    for (const name of ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"])
      vi.stubEnv(name, `http://127.0.0.1:${proxy.port}`);
    vi.stubEnv("NODE_USE_ENV_PROXY", "1");
    const { port } = await serve((_, response) => response.end("direct"));
    const { bytes } = await fetchOutbound(pinned(toLoopback).ctx, `http://site.example:${port}/`, options);
    expect(Buffer.from(bytes).toString()).toBe("direct");
    expect(proxied).toEqual([]);
  });

  it("leave no connection behind, after an answer, a redirect or an error", async () => {
    const { port, sockets } = await serve((request, response) => {
      if (request.url === "/redirect") response.writeHead(302, { location: "/answer" });
      if (request.url === "/error") response.writeHead(500);
      response.end("x".repeat(1000));
    });
    for (const path of ["answer", "redirect", "error"])
      await fetchOutbound(pinned(toLoopback).ctx, `http://site.example:${port}/${path}`, options).catch(() => {});
    expect(attempts).toHaveLength(4);
    await vi.waitFor(() => expect(sockets.size).toBe(0));
  });
});

describe("SSRF-9 content codings", () => {
  const text = "All happy families are alike; ".repeat(100);
  const body = Buffer.from(text);

  it.each([
    ["identity", body],
    ["gzip", gzipSync(body)],
    ["X-GZIP", gzipSync(body)],
    ["deflate", deflateSync(body)],
    ["br", brotliCompressSync(body)],
    ["deflate, br , gzip", gzipSync(brotliCompressSync(deflateSync(body)))],
  ])("takes %s off", async (coding, encoded) => {
    const { port } = await serve((_, response) => {
      response.writeHead(200, { "content-encoding": coding }).end(encoded);
    });
    const { bytes } = await fetchOutbound(pinned(toLoopback).ctx, `http://site.example:${port}/`, options);
    expect(Buffer.from(bytes).toString()).toBe(text);
  });

  it.each([
    ["a fourth coding", "gzip, gzip, gzip, gzip", gzipSync(gzipSync(gzipSync(gzipSync(body))))],
    ["an unknown coding", "compress", body],
    ["a coding that names a property", "__proto__", body],
    ["a body that is not what it says", "gzip", body],
    ["a body that is cut off", "gzip", gzipSync(body).subarray(0, 40)],
  ])("refuses %s, and the connection is destroyed", async (_, coding, encoded) => {
    const { port, sockets } = await serve((_request, response) => {
      response.writeHead(200, { "content-encoding": coding }).end(encoded);
    });
    await expect(fetchOutbound(pinned(toLoopback).ctx, `http://site.example:${port}/`, options)).rejects.toMatchObject({
      code: "UPSTREAM_ERROR",
      message: "url: could not be fetched",
    });
    await vi.waitFor(() => expect(sockets.size).toBe(0));
  });
});

describe("SSRF-7 hostile bodies", () => {
  const cap = 32 * MB;
  const zeros = Buffer.alloc(16 * MB);
  const gzippedZeros = gzipSync(zeros); // a thousand to one
  const gigabyteBomb = Buffer.concat(Array(64).fill(gzippedZeros));
  /** A gzip member of 64 kB that holds nothing: all of it is the header's extra field (RFC 1952, 2.3.1.1). */
  const emptyMember = Buffer.concat([
    Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 3, 0xff, 0xff]),
    Buffer.alloc(0xffff),
    Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
  ]);
  const bombs: [name: string, coding: string, encoded: Buffer][] = [
    ["a gzip bomb of a gigabyte", "gzip", gigabyteBomb],
    [
      "a brotli bomb",
      "br",
      brotliCompressSync(Buffer.alloc(3 * zeros.length), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
    ],
    ["a bomb inside a bomb", "gzip, gzip", gzipSync(gigabyteBomb)],
    [
      "a bomb that is large only between two codings",
      "gzip, gzip",
      gzipSync(Buffer.concat(Array(1024).fill(emptyMember))),
    ],
  ];

  it.each(bombs)("%s ends at the limit, in less than three times its memory", async (_, coding, encoded) => {
    const { port, sockets } = await serve((_request, response) => {
      response.writeHead(200, { "content-encoding": coding }).end(encoded);
    });
    const growth = await peakMemoryGrowth(() =>
      expect(
        fetchOutbound(pinned(toLoopback).ctx, `http://site.example:${port}/`, { maxBytes: cap }),
      ).rejects.toMatchObject({ code: "RESULT_TOO_LARGE" }),
    );
    expect(growth).toBeLessThan(3 * cap);
    await vi.waitFor(() => expect(sockets.size).toBe(0));
  });

  it("an endless plain body ends at the limit, and its connection is destroyed", async () => {
    let sent = 0;
    const { port, sockets } = await serve((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(zeros.subarray(0, MB))) sent += MB;
        sent += MB;
      };
      response.on("drain", more);
      more();
    });
    const growth = await peakMemoryGrowth(() =>
      expect(
        fetchOutbound(pinned(toLoopback).ctx, `http://site.example:${port}/`, { maxBytes: cap }),
      ).rejects.toMatchObject({ code: "RESULT_TOO_LARGE" }),
    );
    expect(growth).toBeLessThan(3 * cap);
    await vi.waitFor(() => expect(sockets.size).toBe(0));
    expect(sent).toBeLessThan(2 * cap);
  });

  it("a body that says it has ten gigabytes is not read", async () => {
    const { port, sockets } = await serve((_, response) => {
      response.writeHead(200, { "content-length": 10 * 1024 * MB }).write("x");
    });
    await expect(fetchOutbound(pinned(toLoopback).ctx, `http://site.example:${port}/`, options)).rejects.toMatchObject({
      code: "RESULT_TOO_LARGE",
    });
    await vi.waitFor(() => expect(sockets.size).toBe(0));
  });

  it.each([
    ["more than", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n", 100_000],
    ["less than", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n", 5],
  ])("a body with %s it says is bounded", async (kind, head, length) => {
    const { port } = await listen(
      net.createServer((socket) => {
        socket.once("data", () => socket.end(head + "x".repeat(length)));
      }),
    );
    const fetching = fetchOutbound(pinned(toLoopback).ctx, `http://site.example:${port}/`, options);
    if (kind === "less than") await expect(fetching).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
    else
      await expect(
        fetching.then(
          ({ bytes }) => bytes.length,
          ({ code }) => code,
        ),
      ).resolves.toBeOneOf([10, "UPSTREAM_ERROR"]);
  });

  it("headers without an end are bounded", async () => {
    const { port, sockets } = await listen(
      net.createServer((socket) => {
        const more = () => {
          while (socket.writable && socket.write(`x-filler: ${"y".repeat(1000)}\r\n`));
        };
        socket.once("data", () => {
          socket.write("HTTP/1.1 200 OK\r\n");
          socket.on("drain", more);
          more();
        });
      }),
    );
    await expect(fetchOutbound(pinned(toLoopback).ctx, `http://site.example:${port}/`, options)).rejects.toMatchObject({
      code: "UPSTREAM_ERROR",
    });
    await vi.waitFor(() => expect(sockets.size).toBe(0));
  });
});

describe("SSRF-8 SSRF-12 silent and failing servers", () => {
  const failure = { code: "UPSTREAM_ERROR", message: "url: could not be fetched" };

  it("that never answer, drip headers, close or refuse are told apart by nobody", async () => {
    const silentServer = await listen(net.createServer((socket) => socket.resume()));
    const dripping = await listen(
      net.createServer((socket) => {
        socket.write("HTTP/1.1 200 OK\r\n");
        socket.resume();
        const timer = setInterval(() => socket.write("x-drip: 1\r\n"), 200);
        socket.on("close", () => clearInterval(timer));
      }),
    );
    const informing = await listen(
      net.createServer((socket) => {
        socket.resume();
        const timer = setInterval(() => socket.write("HTTP/1.1 103 Early Hints\r\n\r\n"), 200);
        socket.on("close", () => clearInterval(timer));
      }),
    );
    const closing = await listen(net.createServer((socket) => socket.destroy()));
    const garbage = await listen(net.createServer((socket) => socket.resume().end("220 smtp.example ESMTP\r\n")));
    const refusing = await listen(net.createServer());
    await new Promise((resolve) => refusing.server.close(resolve));

    const all = [silentServer, dripping, informing, closing, garbage, refusing];
    const outcomes = await Promise.all(
      all.map(({ port }) =>
        fetchOutbound(pinned(toLoopback).ctx, `http://site.example:${port}/`, options).catch(({ code, message }) => ({
          code,
          message,
        })),
      ),
    );
    expect(outcomes).toEqual(all.map(() => failure));
    await vi.waitFor(() => expect(all.map(({ sockets }) => sockets.size)).toEqual(all.map(() => 0)));
  });

  it("a drip of body bytes ends with the call, and its connection is destroyed", async () => {
    const leave = new AbortController();
    const { port, sockets } = await serve((_, response) => {
      let drops = 0;
      const timer = setInterval(() => {
        response.write("x");
        if (++drops === 10) leave.abort(new DOMException("late", "TimeoutError"));
      }, 5);
      response.on("close", () => clearInterval(timer));
    });
    const ctx = outboundContext({ ...pinned(toLoopback).ctx, signal: leave.signal });
    await expect(fetchOutbound(ctx, `http://site.example:${port}/`, options)).rejects.toMatchObject({
      code: "UPSTREAM_TIMEOUT",
    });
    await vi.waitFor(() => expect(sockets.size).toBe(0));
  });
});

/** How far resident memory rose above where it stood, at its highest while `run` ran; libraries are loaded before. */
async function peakMemoryGrowth(run: () => Promise<unknown>): Promise<number> {
  const small = await serve((_, response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("x")),
  );
  await fetchOutbound(pinned(toLoopback).ctx, `http://site.example:${small.port}/`, options);
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 2);
  try {
    await run();
  } finally {
    clearInterval(timer);
  }
  return Math.max(peak, process.memoryUsage.rss()) - before;
}
