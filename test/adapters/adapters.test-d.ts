import type { RequestHandler } from "express";
import express5 from "express";
import makeFastify, { type FastifyPluginAsync } from "fastify";
import { Hono } from "hono";
import { expectTypeOf, test } from "vitest";
import { express } from "../../src/adapters/express.js";
import { fastify } from "../../src/adapters/fastify.js";
import { hono } from "../../src/adapters/hono.js";
import { lambda, scheduled } from "../../src/adapters/lambda/index.js";
import { type NextRouteHandler, next } from "../../src/adapters/next.js";
import { node, type RunningServer, serve } from "../../src/adapters/node/index.js";
import { convertUnit } from "../../src/capabilities/convert/unit.js";
import { createHandler } from "../../src/index.js";

const handle = createHandler({ capabilities: [convertUnit], payment: false });

test("an Express app of either kind takes the middleware", () => {
  expectTypeOf(express(handle)).toExtend<RequestHandler>();
  express5().use(express(handle, { root: true, trustProxyHops: 1 }));
  // @ts-expect-error: a number of proxies.
  express(handle, { trustProxyHops: true });
});

test("a Hono app and its sub-apps take the middleware", () => {
  new Hono().use(hono(handle));
  new Hono<{ Variables: { user: string } }>().use("/api/*", hono(handle));
  // @ts-expect-error: a function that answers requests.
  hono({});
});

test("Fastify takes the plugin", () => {
  expectTypeOf(fastify(handle)).toExtend<FastifyPluginAsync>();
  makeFastify().register(fastify(handle, { root: true }), { prefix: "/shop" });
});

test("a route of Next has a function for each method", () => {
  const { GET, POST, OPTIONS } = next(handle);
  expectTypeOf(GET).toEqualTypeOf<NextRouteHandler>();
  expectTypeOf(POST).parameter(0).toExtend<Request>();
  expectTypeOf(OPTIONS).returns.resolves.toEqualTypeOf<Response>();
});

test("Lambda calls the handler with an event, and the scheduled one by the clock", () => {
  expectTypeOf(lambda(handle)).toBeFunction();
  expectTypeOf(lambda(handle)).returns.resolves.toHaveProperty("statusCode");
  expectTypeOf(scheduled(handle)).returns.resolves.not.toBeAny();
  // @ts-expect-error: only a handler of ours has rounds.
  scheduled(async () => new Response());
});

test("Node's server takes the listener, or is opened by serve", () => {
  expectTypeOf(node(handle)).toBeFunction();
  expectTypeOf(serve(handle, { port: 8402 })).resolves.toEqualTypeOf<RunningServer>();
  expectTypeOf<RunningServer["url"]>().toBeString();
  expectTypeOf(node).toBeCallableWith(async () => new Response("any handler of requests"));
});
