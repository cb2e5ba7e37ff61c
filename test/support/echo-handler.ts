/** A fetch handler that reports what it saw, so that a test can tell what an adapter made of a request. */
import type { CallInfo } from "../../src/host/call-info.js";

export interface Seen extends CallInfo {
  method: string;
  url: string;
  headers: Record<string, string>;
  /** The body's bytes, in base64. */
  body: string;
}

export const PNG = Uint8Array.from({ length: 256 }, (_, index) => 255 - index);
export const LONG_HEADER = "e30".repeat(1300);

const json = (value: unknown, init?: ResponseInit) => Response.json(value, init);

export function createEcho(basePath = "/api") {
  const waits = { started: 0, aborted: [] as string[] };
  const routes = new Map<string, (request: Request, info: CallInfo) => Promise<Response>>([
    ["/echo", async (request, info) => json(await see(request, info))],
    ["/json", async (request) => parse(request)],
    ["/image.png", async () => new Response(PNG, { headers: { "content-type": "image/png" } })],
    ["/pay", async () => json({ error: "payment" }, { status: 402, headers: { "payment-required": LONG_HEADER } })],
    ["/cookies", async () => withCookies()],
    ["/stream", async (request) => stream(request)],
    ["/wait", (request) => waitForAbort(request, waits)],
    ["/early", async () => json({ error: "too large" }, { status: 413 })],
    ["/fail", async () => Promise.reject(new Error("secret detail"))],
    ["/break", async () => new Response(breaking())],
  ]);

  const handle = async (request: Request, info: CallInfo = {}): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const route = pathname.startsWith(basePath) && routes.get(pathname.slice(basePath.length));
    if (!route) return json({ code: "NOT_FOUND", pathname }, { status: 404 });
    if (request.method === "OPTIONS")
      return new Response(null, { status: 204, headers: { "access-control-allow-origin": "*", allow: "GET, POST" } });
    if (request.method === "DELETE") return json({ code: "METHOD" }, { status: 405, headers: { allow: "GET, POST" } });
    const response = await route(request, info);
    return request.method === "HEAD" ? new Response(null, response) : response;
  };
  return Object.assign(handle, {
    basePath,
    owns: (pathname: string) => pathname.startsWith(basePath) && routes.has(pathname.slice(basePath.length)),
    /** How many calls to /wait began, and why each ended. */
    waits,
  });
}

async function see(request: Request, info: CallInfo): Promise<Seen> {
  const body = Buffer.from(await request.arrayBuffer()).toString("base64");
  return { method: request.method, url: request.url, headers: Object.fromEntries(request.headers), body, ...info };
}

async function parse(request: Request): Promise<Response> {
  try {
    return json({ value: await request.json() });
  } catch {
    return json({ code: "INVALID_INPUT" }, { status: 400 });
  }
}

function withCookies(): Response {
  const headers = new Headers({ "content-type": "text/plain" });
  headers.append("set-cookie", "a=1; Path=/");
  headers.append("set-cookie", "b=2, or 3");
  return new Response("cookies", { headers });
}

/** `?bytes=` of `?type=`, in pieces of 64 KiB: quotes, which JSON writes as two bytes each. */
function stream(request: Request): Response {
  const { searchParams } = new URL(request.url);
  let left = Number(searchParams.get("bytes"));
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const size = Math.min(left, 64 * 1024);
      if (size > 0) controller.enqueue(new Uint8Array(size).fill(0x22));
      left -= size;
      if (left === 0) controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": searchParams.get("type") ?? "text/plain" } });
}

function waitForAbort(request: Request, waits: { started: number; aborted: string[] }): Promise<Response> {
  waits.started++;
  return new Promise((resolve) => {
    request.signal.addEventListener("abort", () => {
      waits.aborted.push(String(request.signal.reason?.name));
      resolve(new Response("nobody reads this"));
    });
  });
}

function breaking(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(10));
      controller.error(new Error("upstream broke off"));
    },
  });
}
