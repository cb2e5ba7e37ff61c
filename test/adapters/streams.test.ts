/** A streamed answer through every way in: as it is made where the platform can, and whole where it cannot. */
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { serve } from "../../src/adapters/node/index.js";
import { legacy } from "../../src/capability/output.js";
import { defineOwnCapability } from "../../src/capability/own/own.js";
import { createHandler } from "../../src/handler/handler.js";
import { readEvents } from "../support/events.js";
import { LOOPBACK, TRANSPORTS, type Transport } from "../support/transports.js";

const state = { made: 0, ended: 0 };
/** Lets the next line be told. */
let go: (() => void) | undefined;

const lines = defineOwnCapability({
  id: "test.lines",
  summary: "Tells lines, each when it may.",
  price: "0.01",
  source: { provider: "test", url: "", license: "MIT" },
  input: () =>
    z.strictObject({
      count: z.int().min(1).max(10_000).describe("How many"),
      size: z.int().min(0).max(100_000).default(0).describe("Letters in each"),
      gated: z.boolean().default(false).describe("Whether each waits"),
    }),
  output: legacy(() => z.object({ count: z.number() })),
  example: { count: 2 },
  timeoutMs: 60_000,
  async *stream({ count, size, gated }, { signal }) {
    try {
      for (let line = 1; line <= count && !signal.aborted; line++) {
        if (gated && line > 1) await new Promise<void>((resolve) => (go = resolve));
        state.made = line;
        yield { line, text: "x".repeat(size) };
      }
    } finally {
      state.ended++;
    }
    return { count };
  },
});

describe.each(TRANSPORTS)("$name", (kind) => {
  const handle = createHandler({
    capabilities: [lines],
    payment: false,
    basePath: kind.basePath,
    maxResponseBytes: 100_000_000,
  });
  let transport: Transport;
  beforeAll(async () => {
    transport = await kind.open(handle);
  });
  afterAll(async () => {
    await transport.close?.();
    await handle.close();
  });
  const target = (query: string) => `${kind.basePath}/test/lines?${query}`;
  const headers = { accept: "text/event-stream" };

  /** Starts a request whose answer is read by hand. */
  const openRaw = (query: string) =>
    new Promise<{ text: () => string; pause(): void; leave(): void }>((resolve, reject) => {
      const options = { host: LOOPBACK, port: transport.port, path: target(query), headers, agent: false };
      const sent = request(options, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (data) => (text += data));
        response.on("error", () => {});
        resolve({ text: () => text, pause: () => response.pause(), leave: () => sent.destroy() });
      });
      sent.on("error", reject).end();
    });

  it("arrives whole", async () => {
    const reply = await transport.send({ method: "GET", target: target("count=3"), headers });
    expect(reply.status).toBe(200);
    expect(reply.headers.get("content-type")).toContain("text/event-stream");
    const told = readEvents(reply.body.toString("utf8"));
    expect(told.chunks.map(({ line }) => line)).toEqual([1, 2, 3]);
    expect(told).toMatchObject({ isWhole: true, last: "meta" });
  });

  it("arrives chunk by chunk, and ends the work when its reader leaves", async () => {
    if (transport.port === undefined) return;
    const { ended } = state;
    const reader = await openRaw("count=9&gated=true");
    await vi.waitFor(() => expect(reader.text()).toContain('"line":1'));
    expect(state.made).toBe(1);
    go?.();
    await vi.waitFor(() => expect(reader.text()).toContain('"line":2'));
    expect(reader.text()).not.toContain('"line":3');
    reader.leave();
    await sleep(0);
    go?.();
    await vi.waitFor(() => expect(state.ended).toBe(ended + 1));
    expect(state.made).toBeLessThanOrEqual(3);
  });

  it("is made no faster than it is read", async () => {
    if (transport.port === undefined) return;
    const { ended } = state;
    const reader = await openRaw("count=5000&size=10000");
    reader.pause();
    let before = -1;
    await vi.waitFor(
      () => {
        const still = before === state.made;
        before = state.made;
        expect(still).toBe(true);
      },
      { interval: 200, timeout: 10_000 },
    );
    // Of 50 MB only what sockets hold was made.
    expect(state.made).toBeLessThan(2500);
    reader.leave();
    await vi.waitFor(() => expect(state.ended).toBe(ended + 1));
  });
});

it("a reader that takes a few bytes at a time does not keep a long chunk in memory", async () => {
  const handle = createHandler({ capabilities: [lines], payment: false, maxResponseBytes: 100_000_000 });
  const { ended } = state;
  const server = await serve(handle, { port: 0, writeTimeoutMs: 100 });
  const options = { port: new URL(server.url).port, path: "/api/test/lines?count=400&size=100000", host: LOOPBACK };
  let sip: NodeJS.Timeout | undefined;
  const sent = request({ ...options, headers: { accept: "text/event-stream" } }, (response) => {
    // A kilobyte every few milliseconds keeps the socket from ever being idle.
    sip = setInterval(() => response.pause().read(1000), 10);
    response.on("error", () => {});
  });
  sent.on("error", () => {}).end();
  // Sooner than the stream itself would take its reader for gone.
  await vi.waitFor(() => expect(state.ended).toBe(ended + 1), { timeout: 20_000 });
  clearInterval(sip);
  sent.destroy();
  expect(state.made).toBeLessThan(400);
  await server.close();
  await handle.close();
});
