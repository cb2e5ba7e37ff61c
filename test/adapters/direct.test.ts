/** Node's servers ask our own handler without a Request and a Response in between, and nobody can tell. */
import { connect, type Socket } from "node:net";
import express5 from "express";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { express } from "../../src/adapters/express.js";
import { node, type RunningServer, serve } from "../../src/adapters/node/index.js";
import { one } from "../../src/capability/output.js";
import { defineOwnCapability } from "../../src/capability/own/own.js";
import { createHandler } from "../../src/handler/handler.js";
import { FACILITATOR_URL } from "../support/facilitator.js";
import { LOOPBACK, listen, sendRaw } from "../support/transports.js";
import { TREASURY } from "../support/wallets.js";

const facts = {
  keywords: ["echo"],
  price: "0.001",
  source: { provider: "built-in", url: "", license: "MIT" },
  input: () => z.strictObject({ length: z.int().default(1) }),
  output: one(() => z.object({ text: z.string() })),
  example: { length: 1 },
};
const run = ({ length }: { length: number }) => ({ item: { text: "x".repeat(length) } });
const echo = defineOwnCapability({
  ...facts,
  id: "test.echo",
  summary: "A text of a length.",
  run,
});
const told = defineOwnCapability({ ...facts, id: "test.told", method: "POST", summary: "The same.", run });

const payment = { treasury: { "eip155:8453": TREASURY }, facilitator: { url: FACILITATOR_URL } };
const open = (options: Partial<Parameters<typeof createHandler>[0]> = {}) =>
  createHandler({ capabilities: [echo, told], payment, ...options });

const running: RunningServer[] = [];
afterEach(async () => {
  vi.unstubAllGlobals();
  for (const server of running.splice(0)) await server.close();
});
async function start(handle: ReturnType<typeof open>, options = {}) {
  const server = await serve(handle, { port: 0, drainMs: 1000, ...options });
  running.push(server);
  return Number(new URL(server.url).port);
}

/** No two quotes have the same one. */
const withoutKey = (text: string) => text.replaceAll(/"retryKey": *"[\w-]+"|(?:id|expires)="[^"]+"/g, "");

describe("a quote", () => {
  const target = "/api/test/echo";
  const mounts = {
    "node:http": (handle: ReturnType<typeof open>) => node(handle),
    Express: (handle: ReturnType<typeof open>) => express5().use(express(handle)),
  };

  it.each(Object.entries(mounts))("on %s needs no Request, no Response and no timer", async (_name, mount) => {
    const made: string[] = [];
    const counted = (name: string, Class: object) =>
      vi.stubGlobal(
        name,
        new Proxy(Class, {
          construct(Made, args) {
            made.push(name);
            return Reflect.construct(Made as typeof Object, args);
          },
        }),
      );
    const handle = open();
    const server = await listen(mount(handle));
    // The first one renders what the others share.
    await server.send({ method: "GET", target });
    counted("Request", Request);
    counted("Response", Response);
    const timers = vi.spyOn(globalThis, "setTimeout");
    for (const path of [target, `${target}?length=3`])
      expect((await server.send({ method: "GET", target: path })).status).toBe(402);
    expect(made).toEqual([]);
    expect(timers.mock.calls.filter(([, ms]) => ms === 60_000)).toEqual([]);
    timers.mockRestore();
    await server.close();
    await handle.close();
  });

  it("is the same as the one of a Response, letter by letter but for the retry key", async () => {
    const handle = open({ brand: { baseUrl: "https://shop.example" } });
    const port = await start(handle);
    for (const path of [target, `${target}?length=3`]) {
      const theirs = await handle(new Request(`https://shop.example${path}`));
      const ours = await sendRaw(port, { method: "GET", target: path });
      expect(withoutKey(ours.body.toString())).toBe(withoutKey(await theirs.text()));
      for (const [name, value] of theirs.headers) {
        const told = ours.headers.get(name) ?? "";
        if (name === "payment-required") expect(withoutKey(atob(told))).toBe(withoutKey(atob(value)));
        else if (name === "www-authenticate") expect(withoutKey(told)).toBe(withoutKey(value));
        else if (name !== "x-request-id") expect(told, name).toBe(value);
      }
      expect(ours.headers.get("content-length")).toBe(String(ours.body.length));
    }
    await handle.close();
  });
});

it("a handler that wraps ours is asked as it stands, even where it has taken over all that ours has", async () => {
  const inner = open({ payment: false });
  const wrapper = Object.assign(async () => new Response("not today", { status: 403 }), inner);
  const port = await start(wrapper as typeof inner);
  expect((await sendRaw(port, { method: "GET", target: "/api/test/echo" })).status).toBe(403);
  await inner.close();
});

it("reads bodies, and headers however they are written or repeated", async () => {
  const handle = open({ payment: false });
  const port = await start(handle);
  const body = Buffer.from('{"length":4}');
  const post = (headers: Record<string, string | string[]>) =>
    sendRaw(port, { method: "POST", target: "/api/test/told", headers: headers as Record<string, string>, body });
  const answer = await post({ "Content-Type": "application/json" });
  expect(JSON.parse(answer.body.toString()).data.items).toEqual([{ text: "xxxx" }]);
  expect((await post({ "CONTENT-ENCODING": "gzip" })).status).toBe(400);
  expect((await post({ "X-SVC-Trial": ["1", "2"] })).status).toBe(200); // Free calls know no trial.
  await handle.close();

  const paying = open();
  const twice = await sendRaw(await start(paying), {
    method: "GET",
    target: "/api/test/echo?length=1",
    headers: { "X-SVC-Trial": ["1", "2"] } as unknown as Record<string, string>,
  });
  expect([twice.status, JSON.parse(twice.body.toString()).issues]).toMatchObject([400, [{ path: "x-svc-trial" }]]);
  await paying.close();
});

it("ends a run whose caller has left", async () => {
  let begun: () => void = () => {};
  const running = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const left = new Promise((resolve) => {
    const waiting = defineOwnCapability({
      ...facts,
      id: "test.waits",
      summary: "Waits for ever.",
      run: (_input, ctx) =>
        new Promise<never>((_, reject) => {
          ctx.signal.addEventListener("abort", () => {
            resolve(ctx.signal.reason);
            reject(ctx.signal.reason);
          });
          begun();
        }),
    });
    void start(open({ capabilities: [waiting], payment: false })).then(async (port) => {
      const socket = connect(port, LOOPBACK);
      socket.write("GET /api/test/waits?length=1 HTTP/1.1\r\nHost: localhost\r\n\r\n");
      await running;
      socket.destroy();
    });
  });
  expect(await left).toBeDefined();
});

it("cuts off a reader that does not take a large answer", async () => {
  const handle = open({ payment: false, maxResponseBytes: 100_000_000 });
  const answer = node(handle, { writeTimeoutMs: 50 });
  let socket: Socket | undefined;
  const end = new Promise<string>((resolve) => {
    void listen((req, res) => {
      const destroy = vi.spyOn(res, "destroy");
      res.once("close", () => resolve(destroy.mock.calls.length > 0 ? "cut off" : "sent"));
      void answer(req, res);
    }).then(({ port }) => {
      socket = connect(port, LOOPBACK);
      socket.write("GET /api/test/echo?length=60000000 HTTP/1.1\r\nHost: localhost\r\n\r\n");
      socket.pause().on("error", () => {});
    });
  });
  expect(await end).toBe("cut off");
  socket?.destroy();
  await handle.close();
});
