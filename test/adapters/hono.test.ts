import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { expect, it } from "vitest";
import { type HonoOptions, hono } from "../../src/adapters/hono.js";
import { convertUnit } from "../../src/capabilities/convert/unit.js";
import { createHandler } from "../../src/index.js";
import { createEcho, type Seen } from "../support/echo-handler.js";
import { listen } from "../support/transports.js";
import { TREASURY } from "../support/wallets.js";

const mounted = (options = {}) => new Hono().use(hono(createEcho(), options));
const seen = async (response: Response): Promise<Seen> => (await response.json()) as Seen;

it("what lies outside the base path stays the app's", async () => {
  const app = mounted()
    .get("/later", (c) => c.text("later"))
    .get("/apiary", (c) => c.text("apiary"));
  expect(await (await app.request("/later")).text()).toBe("later");
  expect(await (await app.request("/apiary")).text()).toBe("apiary");
  expect(await (await app.request("/nothing")).text()).toBe("404 Not Found");
});

it("a route of the app's below the base path is reached, or a 404 of ours where the host asks for that", async () => {
  const app = (options: HonoOptions = {}) =>
    mounted(options)
      .get("/api/mine", (c) => c.text("mine"))
      .all("/api/echo", (c) => c.text("walked around"));
  expect(await (await app().request("/api/mine")).text()).toBe("mine");
  expect(await (await app({ passThrough: false }).request("/api/mine")).json()).toMatchObject({ code: "NOT_FOUND" });
  expect((await seen(await app().request("/api/echo"))).method).toBe("GET");
  expect((await app().request("/api/echo", { method: "DELETE" })).status).toBe(405);
});

it("works as the handler of a route, and alone", async () => {
  const app = new Hono().all("/api/*", hono(createEcho()));
  expect((await app.request("/api/echo")).status).toBe(200);
  expect((await new Hono().all("*", (c) => hono(createEcho())(c) as Promise<Response>).request("/x")).status).toBe(404);
});

it("below another app the whole public path counts", async () => {
  const app = new Hono().route("/shop", new Hono().use(hono(createEcho("/shop/api"))));
  expect((await app.request("/shop/api/echo")).status).toBe(200);
});

it.each([
  ["/v1", "/v1", "*"],
  ["/v1", "/v1", "/api/*"],
  ["/v1/paid", "/v1/paid", "*"],
  ["/:tenant", "/acme", "*"],
])("in a sub-app at %s it serves what is below both, and names the whole path", async (at, mounted, pattern) => {
  const sub = new Hono().use(pattern, hono(createEcho())).get("/mine", (c) => c.text("mine"));
  const app = new Hono().route(at, sub);
  const { url, prefix } = await seen(await app.request(`${mounted}/api/echo?a=1`));
  expect([url, prefix]).toEqual(["http://localhost/api/echo?a=1", mounted]);
  expect(await (await app.request(`${mounted}/mine`)).text()).toBe("mine");
  expect((await app.request(`${mounted}/api/nothing`)).status).toBe(404);
  expect((await app.request("/elsewhere/of/it/api/echo")).status).toBe(404);
});

it("a base path that begins with the sub-app's is the whole path, and is not doubled", async () => {
  const below = (at: string, basePath: string) => new Hono().route(at, new Hono().use(hono(createEcho(basePath))));
  expect((await below("/v1", "/v1/api").request("/v1/api/echo")).status).toBe(200);
  expect((await below("/v1", "/v1/api").request("/v1/v1/api/echo")).status).toBe(404);
  expect((await below("/api", "/api").request("/api/echo")).status).toBe(200);
  expect((await below("/api", "/api").request("/api/api/echo")).status).toBe(404);
});

it("in a sub-app behind a proxy both prefixes count, and bodies come along", async () => {
  const app = new Hono().route("/v1", new Hono().use(hono(createEcho(), { trustProxyHops: 1, passThrough: false })));
  const headers = { "x-forwarded-prefix": "/shop", "x-forwarded-host": "api.example.com" };
  const reply = await seen(await app.request("/v1/api/echo", { method: "POST", body: "hi", headers }));
  expect([reply.url, reply.prefix]).toEqual(["http://api.example.com/api/echo", "/shop/v1"]);
  expect(Buffer.from(reply.body, "base64").toString()).toBe("hi");
  expect(await (await app.request("/v1/api/nothing")).json()).toMatchObject({ code: "NOT_FOUND" });
});

it("a quote in a sub-app names what its caller asked", async () => {
  const treasury = { "eip155:84532": TREASURY };
  const handle = createHandler({
    capabilities: [convertUnit],
    payment: { treasury, facilitator: { url: "https://facilitator.example" } },
  });
  const app = new Hono().route("/v1", new Hono().use(hono(handle)));
  const quote = await app.request("/v1/api/convert/unit?value=1&from=kg&to=lb");
  expect(quote.status).toBe(402);
  expect(await quote.json()).toMatchObject({
    resource: "http://localhost/v1/api/convert/unit?value=1&from=kg&to=lb",
  });
});

it.each(["json", "text", "arrayBuffer"] as const)("a body that middleware read as %s is still there", async (kind) => {
  const app = new Hono()
    .use(async (c, next) => {
      await c.req[kind]();
      await next();
    })
    .use(hono(createEcho()));
  const body = '{"a": "é"}';
  const server = await listen(getRequestListener(app.fetch));
  const reply = await server.send({ method: "POST", target: "/api/echo", body });
  await server.close();
  expect(Buffer.from(JSON.parse(reply.body.toString()).body, "base64").toString()).toBe(body);
  const direct = await seen(await app.request("/api/echo", { method: "POST", body }));
  expect(Buffer.from(direct.body, "base64").toString()).toBe(body);
});

it("a body that middleware put in another's place is the one that counts", async () => {
  const app = new Hono().use(bodyLimit({ maxSize: 1000 })).use(hono(createEcho()));
  const server = await listen(getRequestListener(app.fetch));
  const reply = await server.send({ method: "POST", target: "/api/echo", body: "streamed" });
  await server.close();
  expect(Buffer.from(JSON.parse(reply.body.toString()).body, "base64").toString()).toBe("streamed");
});

it("IN-18 TRACE is refused", async () => {
  const server = await listen(getRequestListener(mounted().fetch));
  const { status } = await server.send({ method: "TRACE", target: "/api/echo" });
  await server.close();
  expect(status).toBe(405);
});

it("D10 a client that leaves aborts the request's signal", async () => {
  const echo = createEcho();
  const server = await listen(getRequestListener(new Hono().use(hono(echo)).fetch));
  const leave = new AbortController();
  const reply = fetch(`http://127.0.0.1:${server.port}/api/wait`, { signal: leave.signal }).catch(() => "left");
  await expect.poll(() => echo.waits.started).toBe(1);
  leave.abort();
  expect(await reply).toBe("left");
  await expect.poll(() => echo.waits.aborted.length).toBe(1);
  await server.close();
});

const forged = { headers: { "x-forwarded-for": "198.51.100.1, 198.51.100.2", "cf-connecting-ip": "198.51.100.3" } };

it.each([
  ["Node", { incoming: { socket: { remoteAddress: "::ffff:192.0.2.1" } } }],
  ["Node, behind a proxy object", { server: { incoming: { socket: { remoteAddress: "192.0.2.1" } } } }],
  ["Bun", { requestIP: () => ({ address: "192.0.2.1", family: "IPv4", port: 1 }) }],
  ["Bun, as a binding", { server: { requestIP: () => ({ address: "192.0.2.1" }) } }],
  ["Deno", { remoteAddr: { hostname: "192.0.2.1", port: 1, transport: "tcp" } }],
])("TRI-13 the address comes from the connection on %s", async (_runtime, env) => {
  expect((await seen(await mounted().request("/api/echo", forged, env))).clientAddress).toBe("192.0.2.1");
});

it("TRI-11 a runtime that tells no connection gives no address", async () => {
  expect(await seen(await mounted().request("/api/echo", forged))).not.toHaveProperty("clientAddress");
});

it("a host may say where its runtime puts the address", async () => {
  const app = mounted({ clientAddress: () => "2001:DB8::7%en0" });
  expect((await seen(await app.request("/api/echo", forged))).clientAddress).toBe("2001:db8::7");
});

it("TRI-2 counts trusted proxies from the right", async () => {
  const env = { incoming: { socket: { remoteAddress: "192.0.2.1" } } };
  const app = mounted({ trustProxyHops: 1 });
  expect((await seen(await app.request("/api/echo", forged, env))).clientAddress).toBe("198.51.100.2");
});

it("the URL is the one that trusted proxies name, and the body comes along", async () => {
  const headers = { "x-forwarded-proto": "https", "x-forwarded-host": "api.example.com" };
  const request = { method: "POST", body: "hi", headers };
  const trusting = await seen(await mounted({ trustProxyHops: 1 }).request("/api/echo?a=1", request));
  expect(trusting.url).toBe("https://api.example.com/api/echo?a=1");
  expect(Buffer.from(trusting.body, "base64").toString()).toBe("hi");
  expect((await seen(await mounted().request("/api/echo?a=1", request))).url).toBe("http://localhost/api/echo?a=1");
});
