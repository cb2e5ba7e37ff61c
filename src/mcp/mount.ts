/** The catalogue over streamable HTTP, at `<basePath>/mcp`: without sessions, so any instance answers any request. */
import { CapabilityError } from "../errors.js";
import type { Host } from "../host/host.js";
import type { Service, Visit } from "../host/routes.js";
import { BodyTooLargeError, readLimited } from "../lib/read-limited.js";
import { nestingOf } from "../payment/x402/wire.js";
import { loadLibrary } from "./library.js";
import { unknownTool } from "./tools.js";

const MAX_DEPTH = 64;

/** Throws a TypeError for tools that there are not. */
export function mcpService(host: Host): Service {
  const { mcp } = host.options;
  const unknown = mcp && unknownTool(host, mcp.tools);
  if (unknown) throw new TypeError(`mcp.tools: there is no group or capability "${unknown}" here.`);
  return { kind: "service", methods: ["POST"], answer: (request, visit) => serve(host, request, visit) };
}

async function serve(host: Host, request: Request, { ask, origin }: Visit): Promise<Response> {
  const [{ createServer }, { library, Transport }] = await Promise.all([import("./server.js"), loadLibrary()]);
  const parsedBody = await readMessage(request, host.maxBodyBytes);
  const query = new URL(request.url).searchParams;
  const asked = query.get("tools");
  const server = createServer(
    library,
    { catalogue: host, ask, origin, version1: wantsVersion1(host, request, query) },
    { ...host.options.mcp, ...(asked === null ? {} : { tools: asked === "all" ? "all" : asked.split(",") }) },
  );
  const transport = new Transport({ enableJsonResponse: !wantsProgress(parsedBody) });
  await server.connect(transport);
  const response = await transport.handleRequest(request, { parsedBody });
  // A stream goes on after this; it ends with its request.
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) await server.close();
  return response;
}

/** As everywhere here: a query, a header, or the host's default. */
const wantsVersion1 = (host: Host, { headers }: Request, query: URLSearchParams): boolean => {
  const asked = headers.get("x-402-version") ?? query.get("x402Version");
  return asked === null ? host.till.v1Body : asked === "1";
};

/** Only a stream can carry what comes before the answer. */
const wantsProgress = (message: unknown): boolean =>
  (message as { params?: { _meta?: { progressToken?: unknown } } }).params?._meta?.progressToken !== undefined;

async function readMessage(request: Request, maxBytes: number): Promise<unknown> {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await readLimited(request.body, maxBytes));
  } catch (error) {
    if (error instanceof BodyTooLargeError)
      throw new CapabilityError("PAYLOAD_TOO_LARGE", `The body is larger than ${maxBytes} bytes.`);
    throw new CapabilityError("INVALID_INPUT", "The body is not UTF-8.");
  }
  const message = parse(text);
  // The protocol has no batches since 2025-06-18, and one of a thousand calls would be one request here.
  if (typeof message !== "object" || message === null || Array.isArray(message))
    throw new CapabilityError("INVALID_INPUT", "The body must be one JSON-RPC message.");
  return message;
}

function parse(text: string): unknown {
  if (nestingOf(text) <= MAX_DEPTH) {
    try {
      return JSON.parse(text);
    } catch {
      // Said below.
    }
  }
  throw new CapabilityError("INVALID_INPUT", `The body is not JSON of at most ${MAX_DEPTH} levels.`);
}
