/** One way each by which a request can reach a handler. Every one takes the same raw request and gives the same reply. */
import { createServer, request as httpRequest, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import express5 from "express";
import express4 from "express4";
import createFastify from "fastify";
import { Hono } from "hono";
import { express } from "../../src/adapters/express.js";
import { fastify } from "../../src/adapters/fastify.js";
import { hono } from "../../src/adapters/hono.js";
import { type LambdaResult, lambda } from "../../src/adapters/lambda/index.js";
import { serve } from "../../src/adapters/node/index.js";
import type { MountableHandler } from "../../src/adapters/shared/mount.js";
import { albEvent, functionUrlEvent, httpApiEvent, type RawRequest, restEvent, SOURCE_IP } from "./lambda-events.js";

export interface Reply {
  status: number;
  /** Of the status line; where there is none, what stands for it in the platform's own terms. */
  reason?: string | undefined;
  headers: Headers;
  body: Buffer;
}

export interface Transport {
  send(request: RawRequest): Promise<Reply>;
  close?(): Promise<void>;
  /** For transports over a socket. */
  port?: number;
}

export interface TransportKind {
  name: string;
  /** Where the handler hangs. */
  basePath: string;
  /** What stands before the path for callers: a stage. */
  prefix?: string;
  /** Whether an unknown path below the base path is the app's to answer. */
  passesOn?: boolean;
  /** The address that a call without any forwarding comes from. */
  address: string;
  /** Repeated query names do not survive a load balancer with single values. */
  singleValues?: boolean;
  open(handle: MountableHandler): Promise<Transport>;
}

const MAX_HEADER_SIZE = 64 * 1024;
export const LOOPBACK = "127.0.0.1";

/** Sends a target exactly as written: fetch would tidy it up first. */
export function sendRaw(port: number, { method, target, headers = {}, body }: RawRequest): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const options = {
      host: LOOPBACK,
      port,
      method,
      path: target,
      headers,
      agent: false,
      maxHeaderSize: MAX_HEADER_SIZE,
    };
    const req = httpRequest(options, (res) => read(res).then(resolve, reject));
    req.on("error", reject);
    req.end(body);
  });
}

async function read(res: IncomingMessage): Promise<Reply> {
  const chunks: Buffer[] = [];
  for await (const chunk of res) chunks.push(chunk);
  const headers = new Headers();
  for (const [name, values] of Object.entries(res.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  return { status: res.statusCode ?? 0, reason: res.statusMessage, headers, body: Buffer.concat(chunks) };
}

export async function listen(listener: RequestListener): Promise<Required<Transport>> {
  const server = createServer({ maxHeaderSize: MAX_HEADER_SIZE }, listener);
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    send: (request) => sendRaw(port, request),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** An app with routes of its own around the mounted handler. */
function expressApp(framework: typeof express5, handle: MountableHandler, options: { json: boolean; at?: string }) {
  const app = framework();
  if (options.json)
    app.use(
      framework.json({ limit: "1mb" }),
      framework.urlencoded({ extended: true }),
      framework.raw(),
      framework.text(),
    );
  app.get("/hello", (_req, res) => void res.send("the host's own"));
  if (options.at) app.use(options.at, express(handle));
  else app.use(express(handle));
  app.get("/later", (_req, res) => void res.send("the host's later route"));
  return app;
}

function honoApp(handle: MountableHandler): RequestListener {
  const app = new Hono();
  app.get("/hello", (c) => c.text("the host's own"));
  app.use(hono(handle));
  app.get("/later", (c) => c.text("the host's later route"));
  return getRequestListener(app.fetch);
}

function fromLambda(result: LambdaResult): Reply {
  const headers = new Headers(result.headers);
  for (const [name, values] of Object.entries(result.multiValueHeaders ?? {}))
    for (const value of values) headers.append(name, value);
  for (const cookie of result.cookies ?? []) headers.append("set-cookie", cookie);
  const body = Buffer.from(result.body, result.isBase64Encoded ? "base64" : "utf8");
  return { status: result.statusCode, reason: result.statusDescription?.slice(4), headers, body };
}

function lambdaKind(
  name: string,
  toEvent: (request: RawRequest) => unknown,
  more: Pick<TransportKind, "prefix" | "singleValues"> = {},
): TransportKind {
  return {
    name,
    basePath: "/api",
    address: SOURCE_IP,
    ...more,
    open: async (handle) => {
      const run = lambda(handle);
      const context = { getRemainingTimeInMillis: () => 10_000 };
      return { send: async (request) => fromLambda(await run(toEvent(request), context)) };
    },
  };
}

const expressKinds = [
  { name: "Express 4", framework: express4 },
  { name: "Express 5", framework: express5 },
].flatMap(({ name, framework }) => [
  { name, framework, json: false, basePath: "/api" },
  { name: `${name} after body parsers`, framework, json: true, basePath: "/api" },
  { name: `${name} below /shop`, framework, json: false, basePath: "/shop/api", at: "/shop" },
  { name: `${name} below /shop, after body parsers`, framework, json: true, basePath: "/shop/api", at: "/shop" },
]);

export const TRANSPORTS: TransportKind[] = [
  {
    name: "plain Request",
    basePath: "/api",
    address: LOOPBACK,
    open: async (handle) => ({
      async send({ method, target, headers = {}, body }) {
        const request = new Request(`http://localhost${target}`, { method, headers, body: body ?? null });
        const {
          status,
          headers: sent,
          ...response
        } = await handle(request, { clientAddress: LOOPBACK }).then(async (answer) => ({
          status: answer.status,
          headers: answer.headers,
          bytes: await answer.arrayBuffer(),
        }));
        return { status, headers: sent, body: Buffer.from(response.bytes) };
      },
    }),
  },
  {
    name: "node",
    basePath: "/api",
    address: LOOPBACK,
    open: async (handle) => {
      const server = await serve(handle, { port: 0 });
      const port = Number(new URL(server.url).port);
      return { port, send: (request) => sendRaw(port, request), close: server.close };
    },
  },
  ...expressKinds.map(({ name, framework, json, basePath, at }) => ({
    name,
    basePath,
    address: LOOPBACK,
    passesOn: true,
    open: (handle: MountableHandler) => listen(expressApp(framework, handle, { json, ...(at ? { at } : {}) })),
  })),
  {
    name: "Fastify",
    basePath: "/api",
    address: LOOPBACK,
    open: async (handle) => {
      const app = createFastify({ http: { maxHeaderSize: MAX_HEADER_SIZE } });
      app.get("/hello", () => "the host's own");
      app.register(fastify(handle));
      app.get("/later", () => "the host's later route");
      const port = Number(new URL(await app.listen({ port: 0, host: LOOPBACK })).port);
      return { port, send: (request) => sendRaw(port, request), close: () => app.close() };
    },
  },
  { name: "Hono", basePath: "/api", address: LOOPBACK, passesOn: true, open: (handle) => listen(honoApp(handle)) },
  lambdaKind("Lambda, REST API", restEvent, { prefix: "/prod" }),
  lambdaKind("Lambda, HTTP API", (request) => httpApiEvent(request)),
  lambdaKind("Lambda, HTTP API with a stage", (request) => httpApiEvent(request, "prod"), { prefix: "/prod" }),
  lambdaKind("Lambda, function URL", functionUrlEvent),
  lambdaKind("Lambda, ALB", (request) => albEvent(request, { multiValue: false }), { singleValues: true }),
  lambdaKind("Lambda, ALB with multi-value headers", (request) => albEvent(request, { multiValue: true })),
];
