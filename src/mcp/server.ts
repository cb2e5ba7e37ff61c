/** The tools of a catalogue as a server, in both eras of the protocol. */
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import type { McpOptions } from "../host/options.js";
import { EXTENSION } from "./call.js";
import { asFields } from "./era.js";
import type { Library, StatelessLibrary } from "./library.js";
import { createToolbox, type Served } from "./toolbox.js";

const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
/** Lists change with prices and with what is available, and are the same for everybody who asks at the same address. */
const CACHE = { ttlMs: 60_000, cacheScope: "public" } as const;

/** A server of the versions up to 2025-11-25, for any transport. Throws INVALID_INPUT for unknown tools. */
export function createServer(library: Library, served: Served, options: McpOptions = {}): Server {
  const toolbox = createToolbox(served, options);
  const server = new library.Server(toolbox.info, {
    capabilities: { tools: {} },
    instructions: toolbox.instructions,
  });
  server.setRequestHandler(library.ListToolsRequestSchema, () => ({ tools: toolbox.tools() }));
  server.setRequestHandler(library.CallToolRequestSchema, async ({ params }, { signal, sendNotification }) => {
    const { name, arguments: args = {}, _meta: meta = {} } = params;
    const result = await toolbox.call({ name, args, meta, signal, notify: sendNotification });
    if (result) return result;
    throw new library.McpError(library.ErrorCode.InvalidParams, `Unknown tool "${name}".`);
  });
  return server;
}

/**
 * Answers a request of 2026-07-28, a version without handshakes and sessions: each request says in which version it
 * speaks and what its client can do. `view` tells apart what has lists of its own, as the metadata of its version. Throws
 * INVALID_INPUT for unknown tools.
 */
export function answerStateless(
  { createMcpHandler, ProtocolError, ProtocolErrorCode, Server }: StatelessLibrary,
  { request, message, view }: { request: Request; message: object; view: string },
  served: Served,
  options: McpOptions = {},
): Promise<Response> {
  const toolbox = createToolbox(served, options);
  const extensions = options.x402Extension ? { extensions: { [EXTENSION]: {} } } : {};
  const info = { ...toolbox.info, version: `${toolbox.info.version}+${view}` };
  const serve = () => {
    const server = new Server(info, {
      capabilities: { tools: {}, ...extensions },
      instructions: toolbox.instructions,
      cacheHints: { "tools/list": CACHE, "server/discover": CACHE },
    });
    server.setRequestHandler("tools/list", () => ({ tools: toolbox.tools() as Tool[] }));
    server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
      const client = asFields(asFields(mcpReq.envelope)[CAPABILITIES]);
      const result = await toolbox.call({
        name: params.name,
        args: params.arguments ?? {},
        meta: mcpReq._meta ?? {},
        signal: mcpReq.signal,
        readsQuotes: options.x402Extension === true && EXTENSION in asFields(client.extensions),
        notify: mcpReq.notify,
      });
      // Types of results are open in the protocol, and closed in the library's types.
      if (result) return result as CallToolResult;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool "${params.name}".`);
    });
    return server;
  };
  return createMcpHandler(serve, { legacy: "reject" }).fetch(request, { parsedBody: message });
}
