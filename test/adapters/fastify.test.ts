import createFastify from "fastify";
import { expect, it } from "vitest";
import { fastify } from "../../src/adapters/fastify.js";
import { createEcho, type Seen } from "../support/echo-handler.js";

/** An app with body parsers and routes of its own. */
async function started(options = {}) {
  const app = createFastify();
  app.register(fastify(createEcho(), options));
  app.post("/orders", (request) => ({ got: request.body }));
  app.post("/api/mine", (request) => ({ mine: request.body }));
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  return { url, close: () => app.close() };
}

async function once(path: string, init: RequestInit = {}, options = {}): Promise<Response> {
  const { url, close } = await started(options);
  const response = await fetch(url + path, init);
  const copy = new Response(response.status === 204 ? null : await response.arrayBuffer(), response);
  await close();
  return copy;
}

const post = (body: string, type = "application/json"): RequestInit => ({
  method: "POST",
  headers: { "content-type": type },
  body,
});

it.each([
  ['{ "n": 1.0 }', "application/json"],
  ["a=1&a=2", "application/x-www-form-urlencoded"],
  ["bytes", "application/octet-stream"],
  ["not json", "application/json"],
])("the body %s of %s arrives as it was sent", async (body, type) => {
  const seen = (await (await once("/api/echo", post(body, type))).json()) as Seen;
  expect(Buffer.from(seen.body, "base64").toString()).toBe(body);
});

it("the app's own routes keep their parsers, also below the base path", async () => {
  expect(await (await once("/orders", post('{"a":1}'))).json()).toEqual({ got: { a: 1 } });
  expect(await (await once("/api/mine", post('{"a":1}'))).json()).toEqual({ mine: { a: 1 } });
});

it("unknown paths and methods are answered by the handler", async () => {
  expect(await (await once("/api/nothing")).json()).toEqual({ code: "NOT_FOUND", pathname: "/api/nothing" });
  expect((await once("/api/echo", { method: "DELETE" })).status).toBe(405);
  expect((await once("/api/echo", { method: "OPTIONS" })).status).toBe(204);
});

it("TRI-13 the address comes from the connection, behind proxies from those that are trusted", async () => {
  const headers = { "x-forwarded-for": "198.51.100.1", "x-forwarded-proto": "https" };
  const direct = (await (await once("/api/echo", { headers })).json()) as Seen;
  expect([direct.clientAddress, new URL(direct.url).protocol]).toEqual(["127.0.0.1", "http:"]);
  const behind = (await (await once("/api/echo", { headers }, { trustProxyHops: 1 })).json()) as Seen;
  expect([behind.clientAddress, new URL(behind.url).protocol]).toEqual(["198.51.100.1", "https:"]);
});

/** What the handler saw of a request to an app that has the plugin behind a prefix. */
async function below(
  prefix: string,
  path: string,
  { basePath = "/api", ...init }: RequestInit & { basePath?: string } = {},
) {
  const app = createFastify();
  app.register(fastify(createEcho(basePath)), { prefix });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const response = await fetch(url + path, init);
  const seen = (await response.json()) as Partial<Seen>;
  await app.close();
  return { status: response.status, ...seen, path: seen.url?.slice(url.length) };
}

it.each([
  ["/v1", "/v1"],
  ["/v1/", "/v1"],
  ["/v1/paid", "/v1/paid"],
  ["/:tenant", "/acme"],
])("registered with the prefix %s it serves what is below both, and names the whole path", async (prefix, mounted) => {
  expect(await below(prefix, `${mounted}/api/echo?a=/b/c`)).toMatchObject({
    status: 200,
    path: "/api/echo?a=/b/c",
    prefix: mounted,
  });
  const sent = await below(prefix, `${mounted}/api/echo`, post("a=1", "application/x-www-form-urlencoded"));
  expect(Buffer.from(sent.body ?? "", "base64").toString()).toBe("a=1");
  expect((await below(prefix, "/api/echo")).status).toBe(404);
});

it("a base path that begins with the prefix is the whole path", async () => {
  const whole = await below("/v1", "/v1/api/echo", { basePath: "/v1/api" });
  expect(whole).toMatchObject({ status: 200, path: "/v1/api/echo" });
  expect(whole).not.toHaveProperty("prefix");
  expect((await below("/v1", "/v1/v1/api/echo", { basePath: "/v1/api" })).status).toBe(404);
});

it("documents of the root are refused where a prefix is part of the base path", async () => {
  const app = createFastify();
  app.register(fastify(createEcho("/v1/api"), { root: true }), { prefix: "/v1" });
  await expect(app.ready()).rejects.toThrow("below the prefix /v1");
});
