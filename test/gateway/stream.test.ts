/** Answers of an origin that come in parts, sold as streams of this host. */
import { describe, expect, it } from "vitest";
import { openGateway, sendJson } from "../support/origin.js";
import { toHeader } from "../support/wallets.js";

const ROUTE = { path: "/tell", name: "tell", price: "0.002", stream: true };
const PATH = "/origin/tell";
const EVENTS = { accept: "text/event-stream" };

/** Chunks with pauses, so that they arrive apart. */
const inParts =
  (type: string, parts: readonly (string | Uint8Array)[], end = true) =>
  async (_: unknown, response: import("node:http").ServerResponse) => {
    response.writeHead(200, { "content-type": type });
    for (const part of parts) {
      response.write(part);
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (end) response.end();
    else response.destroy();
  };

describe("a route that streams", () => {
  it("passes events on as they are, with their names and ids, and ends as every stream", async () => {
    const { origin, shop } = await openGateway({ routes: [ROUTE] }, { trial: false });
    origin.answer = inParts("text/event-stream; charset=utf-8", [
      ': hello\r\ndata: {"n":1}\r',
      "\n\r\ndata: plain\ndata: text\n\nevent: word\nid: 7\nretry: 5\n",
      Buffer.from("data: é\n\n").subarray(0, 7),
      Buffer.from("data: é\n\n").subarray(7),
      "event: meta\ndata: {}\n\nevent: error\ndata: x\n\ndata: [DONE]\n\ndata: cut off",
    ]);
    const payment = await shop.payFor(PATH);
    const response = await shop.get(PATH, { ...EVENTS, "payment-signature": toHeader(payment) });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    const text = await response.text();
    const [told = "", end = ""] = text.split("data: [DONE]\n\n");
    expect(told).toBe(
      'data: {"n":1}\n\ndata: "plain\\ntext"\n\nevent: word\nid: 7\ndata: é\n\nevent: source-meta\ndata: {}\n\nevent: source-error\ndata: x\n\n',
    );
    expect(end).toContain('"costUsd":"0.002"');
    expect(origin.asked[0]?.headers.accept).toContain("text/event-stream");
    expect(shop.facilitator.settled.map(({ value }) => value)).toEqual([2000n]);
    // The same payment gets the same events, and the origin is not asked.
    expect(await (await shop.get(PATH, { ...EVENTS, "payment-signature": toHeader(payment) })).text()).toContain(told);
    expect(origin.asked.length).toBe(1);
  });

  it("passes lines of JSON and plain text on as events", async () => {
    const { origin, shop } = await openGateway({ routes: [ROUTE] }, { payment: false });
    origin.answer = inParts("application/x-ndjson", ['{"n":', '1}\n{"n":2}\n\n', '{"n":3}']);
    expect(await (await shop.get(PATH, EVENTS)).text()).toMatch(
      /^data: \{"n":1\}\n\ndata: \{"n":2\}\n\ndata: \{"n":3\}\n\ndata: \[DONE\]/,
    );
    origin.answer = inParts("text/plain", ["Once ", "upon"]);
    const text = await (await shop.get(PATH, EVENTS)).text();
    expect(
      text
        .match(/^data: "[^\n]*$/gm)
        ?.map((line) => JSON.parse(line.slice(6)))
        .join(""),
    ).toBe("Once upon");
  });

  it("gives callers who read no stream the whole at once, and a stream of one to an origin that gives none", async () => {
    const { origin, shop } = await openGateway(
      { routes: [{ ...ROUTE, method: "POST", streamField: "stream" }] },
      { payment: false },
    );
    const ask = (headers: object) =>
      shop.handle(
        new Request(`http://shop.test/api${PATH}`, {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: "{}",
        }),
      );
    origin.answer = inParts("text/event-stream", ['data: {"n":1}\n\nevent: a\ndata: b\n\n']);
    expect(await (await ask({})).json()).toEqual({ events: [{ n: 1 }, { event: "a", data: "b" }] });
    origin.answer = (_, response) => sendJson(response, { whole: true });
    expect(await (await ask(EVENTS)).text()).toMatch(/^data: \{"whole":true\}\n\ndata: \[DONE\]/);
    expect(origin.asked.map(({ body }) => body)).toEqual(['{"stream":false}', '{"stream":true}']);
  });

  it.each<[string, string, Parameters<typeof inParts>]>([
    ["dies before its first event", "UPSTREAM_ERROR", ["text/event-stream", ["data: cut"], false]],
    [
      "sends an event without an end",
      "UPSTREAM_ERROR",
      [
        "text/event-stream",
        [
          "data: ",
          ..."x"
            .repeat(20)
            .split("")
            .map((x) => x.repeat(100_000)),
        ],
      ],
    ],
    ["sends an error", "UPSTREAM_ERROR", ["text/event-stream", []]],
  ])("GW-1 that %s costs nothing", async (why, code, parts) => {
    const { origin, shop } = await openGateway({ routes: [ROUTE] }, { trial: false });
    origin.answer = why === "sends an error" ? (_, response) => sendJson(response, {}, 500) : inParts(...parts);
    const response = await shop.get(PATH, { ...EVENTS, "payment-signature": toHeader(await shop.payFor(PATH)) });
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([502, code]);
    expect(shop.facilitator.settled).toEqual([]);
  });

  it("GW-4 that breaks off midway, grows too large or shows the host's key ends with an error", async () => {
    const KEY = "a-key-of-the-host";
    const { origin, shop } = await openGateway(
      { maxBytes: 50_000, credentials: { header: "x-key", value: { text: KEY } }, routes: [ROUTE] },
      { payment: false },
    );
    for (const parts of [
      inParts("text/event-stream", ["data: 1\n\n", "data: 2"], false),
      inParts("text/event-stream", ["data: 1\n\n", ...Array.from({ length: 60 }, () => `: ${"x".repeat(1000)}\n`)]),
      inParts("text/event-stream", ["data: 1\n\n", `data: ${KEY}\n\n`]),
    ]) {
      origin.answer = parts;
      const text = await (await shop.get(PATH, EVENTS)).text();
      expect(text).toMatch(/^data: 1\n\nevent: error\ndata: .*"code":"UPSTREAM_ERROR"/);
      expect(text).not.toContain(KEY);
    }
  });

  it("GW-4 holds the beginning of a key back until the text goes on, wherever the network divides it", async () => {
    const KEY = "a-key-of-the-host";
    const { origin, shop } = await openGateway(
      { credentials: { header: "x-key", value: { text: KEY } }, routes: [ROUTE] },
      { payment: false },
    );
    const told = (text: string) =>
      [...text.matchAll(/^data: ("[^\n]*)$/gm)].map(([, part = '""']) => JSON.parse(part)).join("");
    for (let at = 1; at < KEY.length; at++) {
      origin.answer = inParts("text/plain", ["The key is ", KEY.slice(0, at), KEY.slice(at)]);
      const text = await (await shop.get(PATH, EVENTS)).text();
      expect([told(text), text.includes("UPSTREAM_ERROR")]).toEqual(["The key is ", true]);
    }
    origin.answer = inParts("text/plain", ["a-key-of", "-another, a-key"]);
    expect(told(await (await shop.get(PATH, EVENTS)).text())).toBe("a-key-of-another, a-key");
  });
});
