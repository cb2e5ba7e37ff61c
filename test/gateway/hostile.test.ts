/** Origins and callers that mean harm: neither gets beyond the request that a route stands for. */
import { createServer } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { proxied } from "../../src/gateway/proxied.js";
import { createHandler } from "../../src/handler/handler.js";
import type { Logger } from "../../src/lib/logger.js";
import { bodyOf } from "../support/body.js";
import { FACILITATOR_URL } from "../support/facilitator.js";
import { openGateway, sendJson } from "../support/origin.js";
import { NETWORK } from "../support/shop.js";
import { TREASURY } from "../support/wallets.js";

const ROUTE = { path: "/items/{id}", name: "item", price: "0.001" };
const PATH = "/origin/item?id=7";
/** Twenty megabytes of nothing. */
const BOMB = gzipSync(Buffer.alloc(20_000_000));

/** What a buyer gets of an origin that answers so, and whether it paid. */
async function sold(
  answer: Parameters<typeof openGateway>[1] extends { answer?: infer A } | undefined ? A : never,
  timeoutMs = 20_000,
) {
  const { origin, shop } = await openGateway(
    { maxBytes: 10_000, routes: [{ ...ROUTE, timeoutMs }] },
    { trial: false, answer },
  );
  const payment = await shop.payFor(PATH);
  const response = await shop.pay(PATH, payment);
  const { code } = response.status === 200 ? { code: undefined } : await bodyOf(response);
  return { status: response.status, code, settled: shop.facilitator.settled.length, asked: origin.asked.length };
}

describe("a hostile origin", () => {
  it.each<[string, string, Parameters<typeof sold>[0]]>([
    ["never answers", "UPSTREAM_TIMEOUT", () => {}],
    [
      "answers without an end",
      "UPSTREAM_ERROR",
      (_, response) => {
        const more = () => void (response.destroyed || response.write("x".repeat(4096), more));
        more();
      },
    ],
    ["stops in the middle", "UPSTREAM_TIMEOUT", (_, response) => void response.write('{"a":')],
    [
      "dies midway",
      "UPSTREAM_ERROR",
      (_, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
        response.write('{"a":', () => response.destroy());
      },
    ],
    [
      "tells a length that it does not send",
      "UPSTREAM_ERROR",
      (_, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "999999999" }).write("{");
      },
    ],
    [
      "sends a bomb",
      "UPSTREAM_ERROR",
      (_, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
        response.end(BOMB);
      },
    ],
    [
      "sends broken gzip",
      "UPSTREAM_ERROR",
      (_, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end("not gzip");
      },
    ],
    [
      "redirects to the metadata of a cloud",
      "UPSTREAM_ERROR",
      (_, response) => {
        response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data/" }).end();
      },
    ],
    [
      "redirects to another port of its machine",
      "UPSTREAM_ERROR",
      (_, response) => {
        response.writeHead(307, { location: "http://127.0.0.1:1/" }).end();
      },
    ],
    [
      "redirects to itself for ever",
      "UPSTREAM_ERROR",
      (request, response) => {
        response.writeHead(302, { location: request.url ?? "" }).end();
      },
    ],
    [
      "redirects with a user",
      "UPSTREAM_ERROR",
      (request, response) => {
        response.writeHead(302, { location: `http://me:it@${request.headers.host}/` }).end();
      },
    ],
    [
      "sends broken JSON",
      "UPSTREAM_SCHEMA",
      (_, response) => response.writeHead(200, { "content-type": "application/json" }).end('{"a":1'),
    ],
    [
      "sends JSON that is no UTF-8",
      "UPSTREAM_SCHEMA",
      (_, response) => response.writeHead(200, { "content-type": "application/json" }).end(Buffer.from([34, 0xff, 34])),
    ],
    [
      "sends JSON that is nested without end",
      "UPSTREAM_SCHEMA",
      (_, response) => {
        response.writeHead(200, { "content-type": "application/json" }).end("[".repeat(4000) + "]".repeat(4000));
      },
    ],
    [
      "sends a coding that nobody asked for",
      "UPSTREAM_ERROR",
      (_, response) => {
        response.writeHead(200, { "content-type": "text/plain", "content-encoding": "zstd" }).end("bytes");
      },
    ],
    ["cuts the connection", "UPSTREAM_ERROR", (request) => request.socket.destroy()],
  ])("GW-1 that %s costs its buyer nothing: %s", async (_, code, answer) => {
    const timeoutMs = code === "UPSTREAM_TIMEOUT" ? 300 : 20_000;
    expect(await sold(answer, timeoutMs)).toMatchObject({ status: 502, code, settled: 0 });
  });

  it("that injects headers, or speaks no HTTP, is refused", async () => {
    const texts = [
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nX: a\r\n b\r\nContent-Length: 2\r\nContent-Length: 20\r\n\r\nok",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nok\r\n",
      "hello\r\n\r\n",
    ];
    const server = createServer((socket) =>
      socket.on("error", () => {}).once("data", () => socket.end(texts.shift() ?? "")),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const handle = createHandler({
      capabilities: proxied({
        origin: `http://127.0.0.1:${port}`,
        group: "origin",
        routes: [{ ...ROUTE, timeoutMs: 800 }],
      }),
      payment: false,
      secrets: {},
    });
    onTestFinished(() => handle.close());
    for (let n = 0; n < 3; n++) {
      const response = await handle(new Request(`http://shop.test/api${PATH}`));
      expect([response.status, (await bodyOf(response)).code]).toEqual([502, "UPSTREAM_ERROR"]);
    }
  });

  it("GW-5 may redirect a GET within itself, below its address and with the host's key, unless the host forbids it", async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: names a setting.
    const credentials = { header: "x-key", value: "${KEY}" };
    const { origin, shop } = await openGateway(
      { base: "/v1", credentials, routes: [ROUTE] },
      { payment: false, secrets: { KEY: "key-of-the-host" } },
    );
    origin.answer = (request, response) =>
      request.url === "/v1/items/7"
        ? response.writeHead(301, { location: "/v1/items/7/" }).end()
        : sendJson(response, { ok: true });
    expect((await shop.get(PATH)).status).toBe(200);
    expect(origin.asked.map(({ url, headers }) => [url, headers["x-key"]])).toEqual([
      ["/v1/items/7", "key-of-the-host"],
      ["/v1/items/7/", "key-of-the-host"],
    ]);
    origin.answer = (request, response) =>
      request.url === "/v1/items/7"
        ? response.writeHead(301, { location: "/admin" }).end()
        : sendJson(response, { ok: true });
    expect((await shop.get(PATH)).status).toBe(502);
    expect(origin.asked.length).toBe(3);
    const strict = await openGateway({ redirects: false, routes: [ROUTE] }, { payment: false });
    strict.origin.answer = (_, response) => response.writeHead(301, { location: "/items/8" }).end();
    expect((await strict.shop.get(PATH)).status).toBe(502);
    expect(strict.origin.asked.length).toBe(1);
  });

  it("GW-4 that shows the host's credentials sells nothing, whatever form it shows them in", async () => {
    const lines: unknown[][] = [];
    const log = (...line: unknown[]) => void lines.push(line);
    const logger: Logger = { debug: log, info: log, warn: log, error: log };
    const KEY = "a+key/of the=host";
    const payment = {
      treasury: { [NETWORK]: TREASURY },
      facilitator: { url: FACILITATOR_URL },
      maxFailures: { runs: 1000, usd: "1000" },
    };
    const { origin, shop } = await openGateway(
      {
        credentials: [
          { header: "authorization", value: { text: `Bearer ${KEY}` } },
          { query: "k", value: { env: "QUERY_KEY" } },
        ],
        routes: [ROUTE],
      },
      { secrets: { QUERY_KEY: "another-key" }, trial: false, logger, payment },
    );
    const echoes = [
      (url: string) => JSON.stringify({ url }),
      () => JSON.stringify({ headers: { authorization: `Bearer ${KEY}` } }),
      () => `token=${encodeURIComponent(KEY)}`,
      () => `token=${encodeURIComponent(KEY).toLowerCase()}`,
      // As PHP, Gson and templates write it.
      () => `{"authorization":"Bearer ${KEY.replaceAll("/", "\\/").replaceAll("=", "\\u003d")}"}`,
      () => `<pre>${KEY.replaceAll("+", "&#43;").replaceAll("/", "&#x2F;")}</pre>`,
      () => JSON.stringify({ url: `/?next=${encodeURIComponent(encodeURIComponent(KEY))}` }),
      ...["", "1", "12"].map((before) => () => Buffer.from(`${before}${KEY}!`).toString("base64url")),
      () => Buffer.from(KEY).toString("hex").toUpperCase(),
      () => `${"&amp;".repeat(2000)}${KEY.replaceAll("/", "%2f")}`,
    ];
    for (const [n, echo] of echoes.entries()) {
      origin.answer = (request, response) =>
        response.writeHead(200, { "content-type": "text/plain", "x-echo": KEY }).end(echo(request.url ?? ""));
      const response = await shop.pay(PATH, await shop.payFor(PATH));
      const told = `${await response.text()} ${JSON.stringify([...response.headers])}`;
      expect([response.status, n]).toEqual([502, n]);
      expect(told).not.toMatch(/another-key|of the=host|of%20the/);
      // A refusal that shows them is told without its words.
      origin.answer = (request, answer) => sendJson(answer, { message: echo(request.url ?? "") }, 422);
      const refused = await shop.pay(PATH, await shop.payFor(PATH));
      expect(await refused.text()).not.toMatch(/another-key|of the=host|of%20the/);
    }
    origin.answer = (_, response) =>
      response.writeHead(200, { "content-disposition": 'attachment; filename="another-key"' }).end("a file");
    expect((await shop.pay(PATH, await shop.payFor(PATH))).status).toBe(502);
    origin.answer = (_, response) => sendJson(response, { detail: `nothing at ${origin.url}` }, 404);
    const lost = await bodyOf(await shop.pay(PATH, await shop.payFor(PATH)));
    expect(lost.detail).toBe("The source of this endpoint answered with status 404.");
    await origin.close();
    expect((await shop.pay(PATH, await shop.payFor(PATH))).status).toBe(502);
    expect(
      JSON.stringify(lines, (_, value) => (value instanceof Error ? [value.message, value.cause] : value)),
    ).not.toMatch(/another-key|of the=host/);
    expect(shop.facilitator.settled).toEqual([]);
  });
});

describe("a hostile caller", () => {
  const FIELDS = {
    path: "/items/{id}",
    name: "item",
    price: "0.001",
    input: {
      properties: {
        id: { type: "string" },
        q: { type: "string" },
        tags: { type: "array", items: { type: "string" } },
        "x-mode": { type: "string", in: "header" },
      },
    },
  };

  it.each([
    "..",
    ".",
    "...",
    "../admin",
    "..%2fadmin",
    "%2e%2e%2fadmin",
    "..\\admin",
    "a/b",
    "a%2Fb",
    "%252e%252e%252f",
    "a%00b",
    "a\0b",
    "a\nb",
    "..;/admin",
    "..;",
    "",
    "a%5cb",
  ])("GW-3 cannot leave its place in the path by %j: it is refused before a price is named", async (id) => {
    const { origin, shop } = await openGateway({ routes: [FIELDS] });
    const response = await shop.get(`/origin/item?${new URLSearchParams({ id })}`);
    expect([response.status, (await bodyOf(response)).code]).toEqual([400, "INVALID_INPUT"]);
    expect(origin.asked).toEqual([]);
  });

  it.each(["a?admin=1", "a#b", "a&b=c", "a;b", "a:b@c", "日本", "%41", "a b", "~a", "http:", "{id}", "a%zz"])(
    "sends %j as one part of the path",
    async (id) => {
      const { origin, shop } = await openGateway({ routes: [FIELDS] }, { payment: false });
      expect((await shop.get(`/origin/item?${new URLSearchParams({ id })}`)).status).toBe(200);
      const url = origin.asked[0]?.url ?? "";
      expect(url).toMatch(/^\/items\/[^/?#]+$/);
      expect(decodeURIComponent(url.slice("/items/".length))).toBe(id);
    },
  );

  it("GW-3 puts nothing more into the query, the headers or the body than the route declares", async () => {
    const { origin, shop } = await openGateway({ routes: [FIELDS] }, { payment: false });
    const query = new URLSearchParams({ id: "7", q: "a&admin=1#x", tags: "a,b&c=d", "x-mode": "fast", other: "no" });
    const sent = { "x-mode": "mine", "x-other": "no", host: "evil.example", "x-http-method-override": "DELETE" };
    expect((await shop.get(`/origin/item?${query}`, sent)).status).toBe(200);
    const [asked] = origin.asked;
    expect(Object.fromEntries(new URL(asked?.url ?? "", origin.url).searchParams)).toEqual({
      q: "a&admin=1#x",
      tags: "b&c=d",
    });
    expect(new URL(asked?.url ?? "", origin.url).searchParams.getAll("tags")).toEqual(["a", "b&c=d"]);
    expect(asked?.headers).toMatchObject({ "x-mode": "fast", host: new URL(origin.url).host });
    expect(Object.keys(asked?.headers ?? {}).filter((name) => /other|override/.test(name))).toEqual([]);
    for (const text of ["a\r\nx-admin: 1", "a\nb", "é", " a", ""]) {
      const refused = await shop.get(`/origin/item?${new URLSearchParams({ id: "7", "x-mode": text })}`);
      expect(refused.status, JSON.stringify(text)).toBe(400);
    }
  });

  it("is told at once of an input that is too large, for the address or for the body", async () => {
    const text = { type: "string", maxLength: 100_000 };
    const { origin, shop } = await openGateway({
      routes: [
        { ...FIELDS, input: { properties: { q: text } } },
        {
          method: "POST",
          path: "/big",
          name: "big",
          price: "0.001",
          maxBodyBytes: 2000,
          input: { properties: { q: text } },
        },
      ],
    });
    expect((await shop.get(`/origin/item?id=1&q=${"a".repeat(9000)}`)).status).toBe(400);
    const big = await shop.handle(
      new Request("http://shop.test/api/origin/big", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ q: "a".repeat(5000) }),
      }),
    );
    expect(big.status).toBe(413);
    expect(origin.asked).toEqual([]);
  });
});
