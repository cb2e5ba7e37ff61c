/** What hostile pages reach from inside the browser, over real sockets: nothing but the sites that are allowed. */
import "../../support/typescript-workers.js";
import { createSocket, type Socket as UdpSocket } from "node:dgram";
import diagnostics from "node:diagnostics_channel";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, test as anyTest, beforeAll, describe, expect } from "vitest";
import { aiScreenshot } from "../../../src/capabilities/ai/screenshot.js";
import { createHandler } from "../../../src/handler/handler.js";
import { browserStarts } from "../../support/browser.js";
import { BROWSER_ARGS, openSite, type Site } from "../../support/site.js";
import { ATTACK_PAGES, type AttackPage, type Origins } from "./attack-pages.js";

const starts = await browserStarts();
const test = anyTest.skipIf(!starts);

const LAN = Object.values(networkInterfaces())
  .flatMap((entries) => entries ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;
const PUBLIC = "93.184.215.14";

/** Somebody who listens for TCP and UDP on one port of an address, and notes who comes. */
async function listenAt(address: string) {
  const came: string[] = [];
  const tcp: Server = createServer((socket: Socket) => {
    came.push("tcp");
    socket.on("error", () => {});
    socket.destroy();
  });
  tcp.listen(0, address);
  await once(tcp, "listening");
  const { port } = tcp.address() as { port: number };
  const udp: UdpSocket = createSocket("udp4", () => came.push("udp"));
  udp.bind(port, address);
  await once(udp, "listening");
  return {
    origin: `https://${address}:${port}`,
    came,
    close() {
      tcp.close();
      udp.close();
    },
  };
}

type Listening = Awaited<ReturnType<typeof listenAt>>;
let site: Site;
let loopback: Listening;
let lan: Listening;
let origins: Origins;
/** Every address that this process, and so the proxy, tried to connect to. */
const attempts: string[] = [];
const recordSocket = (message: unknown) => {
  const { socket } = message as { socket: Socket };
  socket.on("connectionAttempt", (address: string, port: number) => attempts.push(`${address}:${port}`));
};

beforeAll(async () => {
  loopback = await listenAt("127.0.0.1");
  lan = await listenAt(LAN ?? "127.0.0.1");
  origins = { loopback: loopback.origin, lan: lan.origin };
  site = await openSite((request, response) => {
    const url = new URL(request.url ?? "/", "https://page.example");
    const page = ATTACK_PAGES.find(({ id }) => url.pathname === `/${id}`);
    if (page) {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...page.headers?.(origins) });
      response.end(page.html(origins));
    } else if (url.pathname === "/redirect") {
      response.writeHead(307, { location: url.searchParams.get("to") ?? "" }).end();
    } else if (url.pathname === "/sw.js") {
      response.writeHead(200, { "content-type": "text/javascript" }).end(`fetch("${url.searchParams.get("to")}/sw")`);
    } else response.writeHead(url.pathname === "/gone" ? 404 : 200).end();
  });
  diagnostics.subscribe("net.client.socket", recordSocket);
});
afterAll(async () => {
  diagnostics.unsubscribe("net.client.socket", recordSocket);
  loopback.close();
  lan.close();
  await site.close();
});

/** A host whose one public site is ours; `args` come last, and the last of a switch is the one that counts. */
function openHost({ allowPrivate = false, args = "" } = {}) {
  let asked = 0;
  return createHandler({
    capabilities: [aiScreenshot],
    payment: false,
    secrets: { CHROMIUM_ARGS: `${BROWSER_ARGS} ${args}` },
    outbound: {
      allowPrivate,
      allowHosts: [`page.example:${site.port}`],
      lookup: async (host) => {
        const address = host === "page.example" ? "127.0.0.1" : asked++ === 0 ? PUBLIC : "127.0.0.1";
        return [{ address, family: 4 }];
      },
    },
  });
}

type Host = ReturnType<typeof openHost>;

/** The status that a caller of this page sees. */
async function visit(host: Host, path: string): Promise<number> {
  const input = {
    url: `https://page.example:${site.port}/${path}`,
    timeoutMs: 2500,
    width: 400,
    height: 320,
    fullPage: true,
  };
  const response = await host(
    new Request("http://shop.example/api/ai/screenshot", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(input),
    }),
  );
  await response.arrayBuffer();
  return response.status;
}

async function visitAll(host: Host, pages: readonly AttackPage[]): Promise<Map<string, number>> {
  const outcomes = new Map<string, number>();
  for (let i = 0; i < pages.length; i += 3)
    await Promise.all(pages.slice(i, i + 3).map(async ({ id }) => outcomes.set(id, await visit(host, id))));
  return outcomes;
}

describe("BRW-1 BRW-2 BRW-3 BRW-5 a browser behind the judging proxy", () => {
  let outcomes = new Map<string, number>();
  let after: number;
  let reached: string[];
  const fromProxy = new Set<string>();

  beforeAll(async () => {
    if (!starts) return;
    const host = openHost();
    attempts.length = 0;
    outcomes = await visitAll(host, ATTACK_PAGES);
    after = await visit(host, "image");
    reached = [...loopback.came.splice(0), ...lan.came.splice(0)];
    for (const attempt of attempts) fromProxy.add(attempt);
    await host.close();
  }, 180_000);

  test.each(ATTACK_PAGES.map(({ id, why }) => [id, why]))("survives %s: %s", (id) => {
    expect(outcomes.get(id)).toBeOneOf([200, 502]);
  });

  test("reaches nobody but the site, by no protocol", () => {
    expect(reached).toEqual([]);
    // A name that resolves to a public address may be tried; nobody answers there in a test.
    expect([...fromProxy].filter((attempt) => !attempt.startsWith(PUBLIC))).toEqual(
      expect.arrayContaining([`127.0.0.1:${site.port}`]),
    );
    for (const attempt of fromProxy) expect(attempt).toBeOneOf([`127.0.0.1:${site.port}`, `${PUBLIC}:443`]);
  });

  test("registers no service worker", () => {
    expect(site.seen.filter((seen) => /sw\.js|registered/.test(seen))).toEqual([]);
  });

  test("serves the next call", () => expect(after).toBe(200));
});

test("these pages do reach out where private addresses are allowed", async () => {
  const host = openHost({ allowPrivate: true });
  const unheard: string[] = [];
  for (const page of ATTACK_PAGES.filter(({ reaches }) => reaches)) {
    loopback.came.length = 0;
    lan.came.length = 0;
    await visit(host, page.id);
    if (loopback.came.length + lan.came.length === 0) unheard.push(page.id);
  }
  await host.close();
  expect(unheard).toEqual([]);
}, 180_000);
