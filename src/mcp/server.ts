/** The MCP server of a catalogue: lists tools and runs calls, independent of the transport. */
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { AnyCapability } from "../capability/types.js";
import { listed } from "../discovery/availability.js";
import { toolName } from "../discovery/export-name.js";
import { searchOf } from "../discovery/search.js";
import { CapabilityError, invalid, toCapabilityError } from "../errors.js";
import type { Catalogue } from "../host/catalogue.js";
import type { McpOptions } from "../host/options.js";
import { packageVersion } from "../lib/packages/installed.js";
import { type Ask, callTool } from "./call.js";
import type { Library } from "./library.js";
import { BUILT_IN, builtInTools, describeTool, descriptionOf, plainTools } from "./tools.js";

export interface Served {
  catalogue: Catalogue;
  ask: Ask;
  /** The handler's public origin. */
  origin: string;
  version1?: boolean;
  /** Whether the client sent a key of an account, which then pays instead of a trial that nobody asked for. */
  hasKey?: boolean;
}

type Args = Record<string, unknown>;

/** Throws INVALID_INPUT for unknown tools. */
export function createServer(library: Library, served: Served, options: McpOptions = {}): Server {
  const { catalogue } = served;
  const plain = plainTools(catalogue, options.tools);
  const byTool = new Map(plain.map((capability) => [toolName(capability.id), capability]));
  const server = new library.Server(
    { name: catalogue.brand.slug, title: catalogue.brand.name, version: packageVersion() ?? "0" },
    { capabilities: { tools: {} }, instructions: options.instructions ?? instructions(catalogue) },
  );
  const search = (query: string, limit?: number) => searchOf(catalogue)(query, limit, catalogue);

  const run = (capability: AnyCapability, input: Args, meta: Args, signal: AbortSignal) =>
    callTool(catalogue, served.ask, {
      capability,
      input,
      meta,
      signal,
      origin: served.origin,
      version1: served.version1 ?? false,
      trial: options.trial !== "asked" && !served.hasKey,
    });

  server.setRequestHandler(library.ListToolsRequestSchema, () => ({
    tools: [...builtInTools(catalogue), ...plain.map((capability) => describeTool(catalogue, capability))],
  }));

  server.setRequestHandler(library.CallToolRequestSchema, async ({ params }, { signal, sendNotification }) => {
    const { name, arguments: args = {}, _meta: meta = {} } = params;
    const stop = reportProgress(meta.progressToken, (progress) =>
      sendNotification({ method: "notifications/progress", params: progress }),
    );
    try {
      const capability = byTool.get(name);
      if (capability) return await run(capability, args, meta, signal);
      if (name === BUILT_IN.SEARCH) return answer({ ...(await search(asText(args, "query"), limitOf(args))) });
      if (name === BUILT_IN.DESCRIBE) return answer(descriptionOf(catalogue, await find(args)));
      if (name === BUILT_IN.CALL) return await run(await find(args), inputOf(args), meta, signal);
    } catch (error) {
      return refusal(error);
    } finally {
      stop();
    }
    throw new library.McpError(library.ErrorCode.InvalidParams, `Unknown tool "${name}".`);
  });

  async function find(args: Args): Promise<AnyCapability> {
    const id = asText(args, "id");
    const known = catalogue.byId.get(id) ?? catalogue.capabilities.find((capability) => toolName(capability.id) === id);
    if (known) return known;
    const { results } = await search(id.replace(/[._-]/g, " ").trim() || id, 3);
    const like = results.map((result) => result.id).join(", ");
    throw new CapabilityError("NOT_FOUND", `Unknown capability "${id}".${like ? ` Near it: ${like}.` : ""}`);
  }
  return server;
}

function asText(args: Args, name: string): string {
  const parsed = z.string().min(1).max(500).safeParse(args[name]);
  if (parsed.success) return parsed.data;
  throw invalid(name, "must be a text of 1 to 500 characters");
}

/** The search itself reports an invalid number. */
const limitOf = ({ limit }: Args): number | undefined => (limit === undefined ? undefined : Number(limit));

function inputOf({ input = {} }: Args): Args {
  const parsed = z.record(z.string(), z.unknown()).safeParse(input);
  if (parsed.success) return parsed.data;
  throw invalid("input", "must be an object, as shown by describe");
}

const answer = (value: Record<string, unknown>): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(value) }],
  structuredContent: value,
});

/** Errors that a model can correct are results; only others are protocol errors. */
function refusal(thrown: unknown): CallToolResult {
  const { code, message } = toCapabilityError(thrown);
  return { isError: true, content: [{ type: "text", text: `${code}: ${message}` }] };
}

const PROGRESS_EVERY_MS = 5000;

/** Sends progress to a client that asked for it; the returned function ends it. */
function reportProgress(
  progressToken: string | number | undefined,
  send: (progress: { progressToken: string | number; progress: number; message: string }) => Promise<void>,
): () => void {
  if (progressToken === undefined) return () => {};
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += PROGRESS_EVERY_MS / 1000;
    send({ progressToken, progress: seconds, message: `At work for ${seconds} seconds` }).catch(() => {});
  }, PROGRESS_EVERY_MS);
  return () => clearInterval(timer);
}

function instructions(catalogue: Catalogue): string {
  const { brand, paid, trialsPerHour } = catalogue;
  const capabilities = listed(catalogue);
  const groups = [...new Set(capabilities.map(({ group }) => group))].join(", ");
  const trial = trialsPerHour > 0 ? " A call without payment uses the free trial if one is left." : "";
  return [
    `${brand.name}${brand.description ? `: ${brand.description}` : ""} has ${capabilities.length} capabilities: ${groups}.`,
    "Find one with search_capabilities, read its input with describe, run it with call_capability.",
    paid
      ? `Prices are in the descriptions, paid by x402: an unpaid call answers with a quote, and is paid in _meta["x402/payment"].${trial}`
      : "",
  ]
    .filter(Boolean)
    .join("\n");
}
