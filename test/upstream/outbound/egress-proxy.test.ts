/** The browser's way out, asked directly: what it connects to, and what it refuses. */
import { once } from "node:events";
import { request } from "node:http";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { OutboundOptions } from "../../../src/capability/outbound-options.js";
import { type EgressOptions, openEgressProxy } from "../../../src/upstream/outbound/egress-proxy.js";
import { type Script, scriptedLookup } from "../../support/outbound.js";

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function listen(onSocket: (socket: Socket) => void) {
  let came = 0;
  const server: Server = createServer((socket) => {
    came++;
    socket.on("error", () => {});
    ends.push(() => socket.destroy());
    onSocket(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(() => server.close());
  return { port: (server.address() as AddressInfo).port, came: () => came };
}

async function open(script: Script, outbound: Partial<OutboundOptions> = {}, options: Partial<EgressOptions> = {}) {
  const { lookup, asked } = scriptedLookup(script);
  const proxy = await openEgressProxy(
    { outbound: { lookup, ...outbound } },
    { maxBytes: 1e6, maxTunnels: 10, ...options },
  );
  ends.push(() => proxy.close());
  return { proxy, asked, port: Number(new URL(proxy.url).port) };
}

/** Asks for a tunnel; the status, and the socket where it was opened. */
async function tunnel(port: number, authority: string) {
  const asking = request({ host: "127.0.0.1", port, method: "CONNECT", path: authority });
  asking.end();
  const [response, socket] = await once(asking, "connect");
  socket.on("error", () => {});
  return { status: response.statusCode as number, socket: socket as Socket };
}

describe("BRW-2 SSRF-2 the proxy", () => {
  it("tunnels to the judged address of a name", async () => {
    const echo = await listen((socket) => socket.pipe(socket));
    const { port, asked } = await open(
      { "site.example": ["127.0.0.1"] },
      { allowHosts: [`site.example:${echo.port}`] },
    );
    const { status, socket } = await tunnel(port, `site.example:${echo.port}`);
    expect(status).toBe(200);
    socket.write("hello");
    expect(String((await once(socket, "data"))[0])).toBe("hello");
    expect(asked).toEqual(["site.example"]);
  });

  it.each([
    ["a loopback address", "127.0.0.1:443"],
    ["a loopback address in IPv6", "[::1]:443"],
    ["an address in another spelling", "2130706433:443"],
    ["a metadata service", "169.254.169.254:443"],
    ["itself", "localhost:443"],
    ["a name with a private answer", "private.example:443"],
    ["a name with one private answer of two", "both.example:443"],
    ["a name without an answer", "nowhere.example:443"],
    ["another port", "site.example:22"],
    ["a name with a user", "user@site.example:443"],
    ["nothing", "/"],
  ])("refuses %s", async (_, authority) => {
    const { port } = await open({
      "private.example": ["10.0.0.1"],
      "both.example": ["93.184.215.14", "127.0.0.1"],
      "site.example": ["93.184.215.14"],
    });
    expect((await tunnel(port, authority)).status).toBe(403);
  });

  it("judges a name anew at every connection", async () => {
    const echo = await listen((socket) => socket.end("reached"));
    const names = { "rebind.example": [["127.0.0.1"], ["10.0.0.1"]] };
    const { proxy, port } = await open(names, { allowPrivate: true });
    expect((await tunnel(port, `rebind.example:${echo.port}`)).status).toBe(200);
    expect(proxy.refusalOf("rebind.example")).toBeUndefined();
    const strict = await open({ "rebind.example": [["93.184.215.14"], ["127.0.0.1"]] });
    await tunnel(strict.port, "rebind.example:443");
    expect((await tunnel(strict.port, "rebind.example:443")).status).toBe(403);
    expect(strict.proxy.refusalOf("rebind.example")).toMatchObject({ code: "URL_NOT_ALLOWED" });
    expect(echo.came()).toBe(1);
  });

  it("answers nothing to a request in the clear, and says why it did not", async () => {
    const { proxy, port } = await open({});
    const asking = request({ host: "127.0.0.1", port, path: "http://site.example/" });
    asking.end();
    await expect(once(asking, "response")).rejects.toThrow();
    expect(proxy.refusalOf("site.example")).toMatchObject({ message: "url: must be an https URL" });
  });

  it("SSRF-6 leads to no name of the service itself", async () => {
    const { port } = await open({ "shop.example": ["93.184.215.14"] }, { denyHosts: ["shop.example"] });
    expect((await tunnel(port, "shop.example:443")).status).toBe(403);
  });
});

describe("what a page may take", () => {
  const site = (port: number) => ({ allowHosts: [`site.example:${port}`] });
  const names = { "site.example": ["127.0.0.1"] };

  it("is bounded in bytes, and all tunnels end then", async () => {
    const pouring = await listen((socket) => {
      const more = () => {
        while (socket.write(Buffer.alloc(65_536)));
      };
      socket.on("drain", more);
      more();
    });
    const { port } = await open(names, site(pouring.port), { maxBytes: 300_000 });
    const { socket } = await tunnel(port, `site.example:${pouring.port}`);
    let received = 0;
    socket.on("data", ({ length }: Buffer) => {
      received += length;
    });
    await once(socket, "close");
    expect(received).toBeLessThan(600_000);
  });

  it("is bounded in connections", async () => {
    const quiet = await listen(() => {});
    const { port } = await open(names, site(quiet.port), { maxTunnels: 2 });
    const statuses: number[] = [];
    for (let i = 0; i < 3; i++) statuses.push((await tunnel(port, `site.example:${quiet.port}`)).status);
    expect(statuses).toEqual([200, 200, 403]);
    expect(quiet.came()).toBe(2);
  });

  it("is bounded in bytes that it sends, and says so", async () => {
    let came = 0;
    const sink = await listen((socket) => {
      socket.on("data", ({ length }: Buffer) => {
        came += length;
      });
    });
    const { proxy, port } = await open(names, site(sink.port), { maxSentBytes: 300_000 });
    const sockets = [];
    for (let i = 0; i < 3; i++) sockets.push((await tunnel(port, `site.example:${sink.port}`)).socket);
    const closed = sockets.map((socket) => new Promise((resolve) => socket.once("close", resolve)));
    for (const socket of sockets) socket.write(Buffer.alloc(200_000));
    await Promise.all(closed);
    expect(came).toBeLessThan(500_000);
    expect(proxy.broken.reason).toMatchObject({
      code: "UPSTREAM_ERROR",
      message: expect.stringContaining("sent more"),
    });
  });

  it("is bounded in connections at once", async () => {
    const quiet = await listen(() => {});
    const { port } = await open(names, site(quiet.port), { maxOpen: 2 });
    const [first] = [await tunnel(port, `site.example:${quiet.port}`)];
    expect((await tunnel(port, `site.example:${quiet.port}`)).status).toBe(200);
    expect((await tunnel(port, `site.example:${quiet.port}`)).status).toBe(403);
    first.socket.destroy();
    let status = 403;
    for (let i = 0; i < 100 && status === 403; i++) ({ status } = await tunnel(port, `site.example:${quiet.port}`));
    expect(status).toBe(200);
  });

  it("ends with the call, whatever is under way", async () => {
    const quiet = await listen(() => {});
    const { proxy, port } = await open(names, site(quiet.port));
    const { socket } = await tunnel(port, `site.example:${quiet.port}`);
    proxy.close();
    await once(socket, "close");
    const late = connect(port, "127.0.0.1");
    await expect(once(late, "connect")).rejects.toThrow();
  });
});
