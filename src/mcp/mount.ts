/** The catalogue over streamable HTTP, at `<basePath>/mcp`: without sessions, so any instance answers any request. */
import { invalid } from "../errors.js";
import { type Catalogue, seenAt } from "../host/catalogue.js";
import type { Host } from "../host/host.js";
import type { Service, Visit } from "../host/routes.js";
import { readJsonObject } from "../request/http/body.js";
import { wantsVersion1 } from "../request/version.js";
import { loadLibrary } from "./library.js";
import { rebindingRefusal } from "./rebinding.js";
import { unknownTool } from "./tools.js";

/** Throws a TypeError for unknown tools. */
export function mcpService(host: Host): Service {
  const { mcp } = host.options;
  const unknown = mcp && unknownTool(host, mcp.tools);
  if (unknown) throw new TypeError(`mcp.tools: unknown group or capability "${unknown}".`);
  return { kind: "service", methods: ["POST"], answer: (request, visit) => serve(host, request, visit) };
}

async function serve(host: Host, request: Request, { info, ask, origin, publicOrigin }: Visit): Promise<Response> {
  const refused = rebindingRefusal(request, host, info.clientAddress);
  if (refused) return refused;
  const [{ createServer }, { library, Transport }] = await Promise.all([import("./server.js"), loadLibrary()]);
  // The protocol has no batches since 2025-06-18, and a batch of a thousand calls would count as one request here.
  const parsedBody = await readJsonObject(request, { maxBytes: host.maxBodyBytes, caller: info.clientAddress });
  if (!parsedBody) throw invalid("", "The body must be one JSON-RPC message.");
  const url = new URL(request.url);
  const asked = url.searchParams.get("tools");
  const server = createServer(
    library,
    {
      catalogue: seenAt<Catalogue>(host, publicOrigin),
      ask,
      origin,
      version1: wantsVersion1({ host, request, url }),
      hasKey: host.accountKeys && /^Bearer /i.test(request.headers.get("authorization") ?? ""),
    },
    { ...host.options.mcp, ...(asked === null ? {} : { tools: asked === "all" ? "all" : asked.split(",") }) },
  );
  const transport = new Transport({ enableJsonResponse: !wantsProgress(parsedBody) });
  await server.connect(transport);
  const response = await transport.handleRequest(request, { parsedBody });
  // A stream continues and ends with its request.
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) await server.close();
  return response;
}

/** Progress notifications need a stream, because they come before the answer. */
const wantsProgress = (message: unknown): boolean =>
  (message as { params?: { _meta?: { progressToken?: unknown } } }).params?._meta?.progressToken !== undefined;
