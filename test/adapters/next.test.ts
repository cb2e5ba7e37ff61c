import { expect, it, vi } from "vitest";
import { type NextRequest, next } from "../../src/adapters/next.js";
import { convertUnit } from "../../src/capabilities/convert/unit.js";
import { createHandler } from "../../src/index.js";
import { silent } from "../../src/lib/logger.js";
import { createEcho, type Seen } from "../support/echo-handler.js";

/** A request as Next gives it: at the address it listens on, with what its server or a proxy says in headers. */
const asked = (path: string, init: RequestInit = {}, nextUrl = {}): NextRequest =>
  Object.assign(new Request(`http://localhost:3000${path}`, init), { nextUrl });
const seen = async (response: Promise<Response>): Promise<Seen> => (await (await response).json()) as Seen;

it("exports every method of a route, which the handler answers", async () => {
  const route = next(createEcho());
  expect(Object.keys(route).sort()).toEqual(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]);
  expect((await route.DELETE(asked("/api/echo", { method: "DELETE" }))).status).toBe(405);
  expect((await route.GET(asked("/api/nothing"))).status).toBe(404);
  const posted = await seen(route.POST(asked("/api/echo", { method: "POST", body: "é" })));
  expect(Buffer.from(posted.body, "base64").toString()).toBe("é");
  const head = await route.HEAD(asked("/api/echo", { method: "HEAD" }));
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

it("quotes name the host that was asked, not the address that Next listens on", async () => {
  const { GET } = next(createEcho());
  const headers = { host: "api.example.com", "x-forwarded-host": "forged.example" };
  expect((await seen(GET(asked("/api/echo?a=1", { headers })))).url).toBe("http://api.example.com/api/echo?a=1");
  expect((await GET(asked("/api/echo", { headers: { host: "a b" } }))).status).toBe(400);
});

it("TRI-2 the address comes from the proxies that are trusted, and from none by default", async () => {
  const headers = {
    "x-forwarded-for": "198.51.100.1, 198.51.100.2",
    "x-forwarded-proto": "https",
    "x-forwarded-host": "api.example.com",
  };
  const trusting = await seen(next(createEcho(), { trustProxyHops: 1 }).GET(asked("/api/echo", { headers })));
  expect([trusting.clientAddress, trusting.url]).toEqual(["198.51.100.2", "https://api.example.com/api/echo"]);
  const plain = await seen(next(createEcho()).GET(asked("/api/echo", { headers })));
  expect(plain).not.toHaveProperty("clientAddress");
  expect(() => next(createEcho(), { trustProxyHops: true as never })).toThrow("trustProxyHops");
});

it("the base path of the app's configuration comes in front of the path", async () => {
  const { GET } = next(createEcho(), { trustProxyHops: 1 });
  const headers = { "x-forwarded-prefix": "/shop" };
  expect((await seen(GET(asked("/api/echo", { headers }, { basePath: "/eu" })))).prefix).toBe("/shop/eu");
});

it("a folder that the base path does not name is told once, with the way out", async () => {
  const echo = Object.assign(createEcho(), { logger: { ...silent, warn: vi.fn() } });
  const { GET } = next(echo);
  await GET(asked("/api/nothing"));
  expect(echo.logger.warn).not.toHaveBeenCalled();
  for (let n = 0; n < 2; n++) expect((await GET(asked("/paid/echo"))).status).toBe(404);
  expect(echo.logger.warn.mock.calls).toEqual([
    [{ pathname: "/paid/echo", basePath: "/api" }, expect.stringContaining("app/api/[...path]/route.ts")],
  ]);
});

it("a browser's question before the call is answered with the handler's CORS headers", async () => {
  const { OPTIONS } = next(createHandler({ capabilities: [convertUnit], payment: false }));
  const headers = { origin: "https://shop.example", "access-control-request-method": "GET" };
  const answer = await OPTIONS(asked("/api/convert/unit", { method: "OPTIONS", headers }));
  expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
});

it("D10 a client that leaves aborts the request's signal", async () => {
  const echo = createEcho();
  const leave = new AbortController();
  const answer = next(echo).GET(asked("/api/wait", { signal: leave.signal }));
  await expect.poll(() => echo.waits.started).toBe(1);
  leave.abort();
  await answer;
  expect(echo.waits.aborted).toEqual(["AbortError"]);
});
