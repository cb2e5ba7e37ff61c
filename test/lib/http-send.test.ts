/** Requests to facilitators and nodes: over undici as over fetch, and past neither what a host set up. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Agent, type Dispatcher, EnvHttpProxyAgent, getGlobalDispatcher, setGlobalDispatcher } from "undici";
import { afterEach, describe, expect, it, vi } from "vitest";
import { within } from "../../src/lib/abort.js";
import { createSend, type Outgoing } from "../../src/lib/http/http-send.js";

const closers: (() => void)[] = [];
afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  for (const close of closers.splice(0)) close();
});

interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage["headers"];
  body: string;
}

async function serve(answer: (res: ServerResponse, seen: Seen) => void) {
  const seen: Seen[] = [];
  let connections = 0;
  const server = createServer(async (req, res) => {
    let body = "";
    for await (const chunk of req) body += chunk;
    const one = { method: req.method, url: req.url, headers: req.headers, body };
    seen.push(one);
    answer(res, one);
  });
  server.on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, seen, connections: () => connections };
}

const request = (more: Partial<Outgoing> = {}): Outgoing => ({
  ...{ headers: { accept: "application/json" }, signal: new AbortController().signal, maxBytes: 1000 },
  ...more,
});
const causeOf = (error: unknown) => (error as { cause?: { code?: string } }).cause?.code;

describe.each([
  ["undici", undefined],
  ["the host's fetch", (...args: Parameters<typeof fetch>) => fetch(...args)],
] as const)("over %s", (_, own) => {
  const send = createSend(own);

  it("a POST arrives as it was made, and its answer comes back whole", async () => {
    const { url, seen } = await serve((res) => res.writeHead(503, { "retry-after": "7" }).end("später"));
    const headers = { "content-type": "application/json", authorization: "Bearer x" };
    const answer = await send(`${url}/a/verify?b=1`, request({ headers, body: '{"ü":1}' }));
    expect(answer).toMatchObject({ status: 503, retryAfter: 7, text: "später" });
    expect([answer.header("retry-after"), answer.header("x-other")]).toEqual(["7", undefined]);
    expect(seen).toMatchObject([{ method: "POST", url: "/a/verify?b=1", body: '{"ü":1}', headers }]);
    expect(seen[0]?.headers["content-length"]).toBe("8");
  });

  it("a redirect is an answer, and nobody is asked twice", async () => {
    const { url, seen } = await serve((res) => res.writeHead(307, { location: "/elsewhere" }).end());
    expect(await send(url, request({ body: "{}" }))).toMatchObject({ status: 307 });
    expect(seen.length).toBe(1);
  });

  it("a larger answer than is wanted ends the request", async () => {
    const { url } = await serve((res) => res.end("x".repeat(5000)));
    await expect(send(url, request())).rejects.toMatchObject({ name: "BodyTooLargeError" });
  });

  it("a refused connection, a reset one and a name that nobody has are told by their code", async () => {
    const closed = await serve((res) => res.end());
    closers.pop()?.();
    const refused = await send(closed.url, request()).catch((error: unknown) => error);
    expect([refused, causeOf(refused)]).toEqual([expect.any(TypeError), "ECONNREFUSED"]);
    const { url } = await serve((res) => res.destroy());
    const reset = await send(url, request({ body: "{}" })).catch((error: unknown) => error);
    expect([reset, causeOf(reset)]).toEqual([expect.any(TypeError), "UND_ERR_SOCKET"]);
    await expect(send("http://nobody.invalid/", request())).rejects.toThrow(TypeError);
  });

  it("the signal ends it before the headers and within the body, and before it began", async () => {
    const { url } = await serve((res, { url: path }) => path === "/body" && void res.write("{"));
    for (const path of ["/silent", "/body"])
      await expect(
        within(50, (signal) => send(url + path, request({ signal }))),
        path,
      ).rejects.toMatchObject({ name: "TimeoutError" });
    await expect(send(url, request({ signal: AbortSignal.abort(new Error("left")) }))).rejects.toThrow("left");
  });

  it("many at once keep their connections for the next", async () => {
    const { url, connections } = await serve((res) => res.end("{}"));
    for (let round = 0; round < 5; round++)
      await Promise.all(Array.from({ length: 4 }, () => send(url, request({ body: "{}" }))));
    expect(connections()).toBeLessThan(10);
  });
});

describe("what a host set up is used:", () => {
  const send = createSend();

  it("a replaced fetch", async () => {
    const replaced = vi.fn(async () => new Response("by the host"));
    vi.stubGlobal("fetch", replaced);
    expect(await send("http://127.0.0.1:1/", request())).toMatchObject({ text: "by the host" });
    expect(replaced).toHaveBeenCalledTimes(1);
  });

  describe("a dispatcher of its own", () => {
    const before = getGlobalDispatcher();
    afterEach(() => setGlobalDispatcher(before));

    /** Whether a request goes over Node's fetch, which obeys the dispatcher and says how it fetches. */
    async function goesOverFetch(dispatcher: Dispatcher): Promise<boolean> {
      const { url, seen } = await serve((res) => res.end("{}"));
      setGlobalDispatcher(dispatcher);
      await send(url, request());
      return seen[0]?.headers["sec-fetch-mode"] !== undefined;
    }

    it.each<[string, () => Dispatcher]>([
      ["with options", () => new Agent({ connect: { timeout: 5000 } })],
      ["composed", () => new Agent().compose((dispatch) => (options, handler) => dispatch(options, handler))],
      ["of another kind", () => new EnvHttpProxyAgent()],
    ])("%s", async (_, make) => {
      expect(await goesOverFetch(make())).toBe(true);
    });

    it("but not a plain one, as Node makes it", async () => {
      expect(await goesOverFetch(new Agent())).toBe(false);
    });
  });

  it("a proxy of the environment", async () => {
    const { url, seen } = await serve((res) => res.end("{}"));
    vi.stubEnv("NODE_USE_ENV_PROXY", "1");
    await send(url, request());
    expect(seen[0]?.headers["sec-fetch-mode"]).toBe("cors");
  });
});
