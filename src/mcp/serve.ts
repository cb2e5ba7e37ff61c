/**
 * The catalogue over streamable HTTP, at `<basePath>/mcp`, in both eras of the protocol: without sessions, so any instance
 * answers any request.
 */
import { createHash } from "node:crypto";
import { invalid } from "../errors.js";
import { type Catalogue, seenAt } from "../host/catalogue.js";
import type { Host } from "../host/host.js";
import type { McpOptions } from "../host/options.js";
import type { Visit } from "../host/routes.js";
import { createApprovals } from "../request/agreements/approvals.js";
import { readJsonObject } from "../request/http/body.js";
import { wantsVersion1 } from "../request/version.js";
import { assertModest, isStateless, refusalOf } from "./era.js";
import { loadLibrary, loadStateless } from "./library.js";
import { rebindingRefusal } from "./rebinding.js";
import type { Served } from "./toolbox.js";

export async function serve(host: Host, request: Request, visit: Visit): Promise<Response> {
  const refused = rebindingRefusal(request, host, visit.info.clientAddress);
  if (refused) return refused;
  let message: object | undefined;
  try {
    // The protocol has no batches since 2025-06-18, and a batch of a thousand calls would count as one request here.
    message = await readJsonObject(request, { maxBytes: host.maxBodyBytes, caller: visit.info.clientAddress });
    if (!message) throw invalid("", "The body must be one JSON-RPC message.");
    assertModest(message);
    return await answer(host, { request, message }, visit);
  } catch (error) {
    const refusal = isStateless(request.headers, message ?? {}) ? refusalOf(error, message) : undefined;
    if (refusal) return refusal;
    throw error;
  }
}

async function answer(host: Host, { request, message }: Sent, visit: Visit): Promise<Response> {
  const { ask, origin, publicOrigin } = visit;
  const url = new URL(request.url);
  const asked = url.searchParams.get("tools");
  const served: Served = {
    catalogue: seenAt<Catalogue>(host, publicOrigin),
    ask,
    origin,
    version1: wantsVersion1({ host, request, url }),
    isAlwaysJob: (capability) => host.jobs?.always.has(host.pathOf(capability)) ?? false,
    ...(host.payments.accounts?.identify ? { isKnown: async () => (await visit.account()) !== undefined } : {}),
    approvals: createApprovals(host),
    payer: ["authorization", "cookie"].map((name) => request.headers.get(name)).join("\n"),
    hasKey: host.accountKeys && /^Bearer /i.test(request.headers.get("authorization") ?? ""),
  };
  const options: McpOptions = {
    ...host.options.mcp,
    ...(asked === null ? {} : { tools: asked === "all" ? "all" : asked.split(",") }),
  };
  const stateless = isStateless(request.headers, message) ? await loadStateless() : undefined;
  if (!stateless) return answerInitialized(request, message, served, options);
  const { answerStateless } = await import("./server.js");
  const view = viewOf([publicOrigin, url.pathname, asked]);
  return answerStateless(stateless, { request, message, view }, served, options);
}

interface Sent {
  request: Request;
  message: object;
}

/**
 * Names all by which lists differ. Clients keep lists of several servers by name and version alone, and would take the
 * tools and prices of one for those of another.
 */
const viewOf = (facts: readonly (string | null)[]): string =>
  createHash("sha256").update(JSON.stringify(facts)).digest("hex").slice(0, 12);

/** Answers in the eras that begin with a handshake, each request by a server of its own. */
async function answerInitialized(
  request: Request,
  parsedBody: object,
  served: Served,
  options: McpOptions,
): Promise<Response> {
  const [{ createServer }, { library, Transport }] = await Promise.all([import("./server.js"), loadLibrary()]);
  const server = createServer(library, served, options);
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
