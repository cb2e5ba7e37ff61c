/** Within an app, the root of the origin is the app's own, unless it leaves it to us. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import createApp from "express";
import createFastify from "fastify";
import { Hono } from "hono";
import { afterEach, describe, expect, it } from "vitest";
import { express } from "../../src/adapters/express.js";
import { fastify } from "../../src/adapters/fastify.js";
import { hono } from "../../src/adapters/hono.js";
import { convertUnit } from "../../src/capabilities/convert/index.js";
import { createHandler } from "../../src/handler/handler.js";

const handle = createHandler({ capabilities: [convertUnit], payment: false });
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function listening(server: Server): Promise<string> {
  closing.push(() => server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

type App = (options: { root?: boolean }) => Promise<(path: string) => Promise<Response>>;

const APPS: Record<string, App> = {
  async express(options) {
    const app = createApp();
    app.get("/llms.txt", (_, res) => void res.send("the app's"));
    app.use(express(handle, options));
    app.use((_, res) => void res.status(418).end());
    const url = await listening(createServer(app));
    return (path) => fetch(url + path);
  },
  async hono(options) {
    const app = new Hono();
    app.get("/llms.txt", (c) => c.text("the app's"));
    app.use(hono(handle, options));
    app.notFound((c) => c.body(null, 418));
    return async (path) => app.request(`http://host.test${path}`);
  },
  async fastify(options) {
    const app = createFastify();
    app.setNotFoundHandler((_, reply) => void reply.code(418).send());
    await app.register(fastify(handle, options));
    await app.listen({ port: 0, host: "127.0.0.1" });
    closing.push(() => app.close());
    const { port } = app.server.address() as AddressInfo;
    return (path) => fetch(`http://127.0.0.1:${port}${path}`);
  },
};

describe.each(Object.entries(APPS))("%s", (name, open) => {
  it("leaves the root to the app's own routes", async () => {
    const get = await open({});
    expect((await get("/openapi.json")).status).toBe(418);
    expect((await get("/favicon.ico")).status).toBe(418);
    expect((await get("/api/openapi.json")).status).toBe(200);
  });

  it("answers what readers look for there, where the app leaves it the root", async () => {
    const get = await open({ root: true });
    for (const path of handle.rootPaths)
      if (path !== "/llms.txt" || name === "fastify") expect((await get(path)).status, path).toBe(200);
    expect((await get("/elsewhere")).status).toBe(418);
    if (name !== "fastify") expect(await (await get("/llms.txt")).text()).toBe("the app's");
  });
});
