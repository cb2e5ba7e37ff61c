/** The tools of a catalogue as a server, in both eras of the protocol. */
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import type { McpOptions } from "../host/options.js";
import { askLater, askNow } from "./ask-person.js";
import { EXTENSION, isAccepted } from "./call.js";
import { asFields } from "./era.js";
import { assertTask, LEGACY_TASKS, legacyTaskFor, serveLegacyTasks, withTaskSupport } from "./legacy-tasks.js";
import type { Library, StatelessLibrary } from "./library.js";
import * as stateless from "./stateless-tasks.js";
import { TASKS } from "./tasks.js";
import { createToolbox, type Served } from "./toolbox.js";

/** Lists change with prices and with what is available, and are the same for everybody who asks at the same address. */
const CACHE = { ttlMs: 60_000, cacheScope: "public" } as const;

/** A server of the versions up to 2025-11-25, for any transport. Throws INVALID_INPUT for unknown tools. */
export function createServer(library: Library, served: Served, options: McpOptions = {}): Server {
  const toolbox = createToolbox(served, options);
  const { tasks } = toolbox;
  const server = new library.Server(toolbox.info, {
    capabilities: { tools: {}, ...(tasks ? { tasks: LEGACY_TASKS } : {}) },
    instructions: toolbox.instructions,
  });
  server.setRequestHandler(library.ListToolsRequestSchema, () => ({ tools: withTaskSupport(toolbox) }));
  server.setRequestHandler(library.CallToolRequestSchema, async ({ params }, { signal, sendNotification }) => {
    const { name, arguments: args = {}, _meta: meta = {} } = params;
    if (params.task) assertTask(library, toolbox, name);
    const task = params.task ? "demanded" : undefined;
    const asking = async () => ({ ask: askNow(server, signal) });
    const result = await toolbox.call({ name, args, meta, signal, task, asking, notify: sendNotification });
    if (result && task) return legacyTaskFor(library, result);
    if (result) return result as CallToolResult;
    throw new library.McpError(library.ErrorCode.InvalidParams, `Unknown tool "${name}".`);
  });
  if (tasks) serveLegacyTasks(server, library, served.catalogue, tasks);
  return server;
}

/**
 * Answers a request of 2026-07-28, a version without handshakes and sessions: each request says in which version it
 * speaks and what its client can do. `view` tells apart what has lists of its own, as the metadata of its version. Throws
 * INVALID_INPUT for unknown tools.
 */
export function answerStateless(
  library: StatelessLibrary,
  { request, message, view }: { request: Request; message: object; view: string },
  served: Served,
  options: McpOptions = {},
): Promise<Response> {
  const { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } = library;
  const toolbox = createToolbox(served, options);
  const { tasks } = toolbox;
  const extensions = { ...(options.x402Extension ? { [EXTENSION]: {} } : {}), ...(tasks ? { [TASKS]: {} } : {}) };
  const info = { ...toolbox.info, version: `${toolbox.info.version}+${view}` };
  const serve = () => {
    const server = new Server(info, {
      capabilities: { tools: {}, ...(Object.keys(extensions).length > 0 ? { extensions } : {}) },
      instructions: toolbox.instructions,
      cacheHints: { "tools/list": CACHE, "server/discover": CACHE },
    });
    server.setRequestHandler("tools/list", () => ({ tools: toolbox.tools() as Tool[] }));
    server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
      const client = stateless.capabilitiesOf(mcpReq.envelope);
      const result = await toolbox.call({
        name: params.name,
        args: params.arguments ?? {},
        meta: mcpReq._meta ?? {},
        signal: mcpReq.signal,
        readsQuotes: options.x402Extension === true && EXTENSION in asFields(client.extensions),
        isProtocolError: (error) => error instanceof ProtocolError,
        asking: () => askLater(library, served, { ...params, mcpReq }),
        task: tasks && stateless.readsTasks(mcpReq.envelope) ? "read" : undefined,
        notify: mcpReq.notify,
      });
      if (result && isAccepted(result)) return stateless.createdTask(result.job) as unknown as CallToolResult;
      // Types of results are open in the protocol, and closed in the library's types.
      if (result) return result as CallToolResult;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool "${params.name}".`);
    });
    if (tasks) stateless.serveTasks(server, library, served.catalogue, tasks);
    return server;
  };
  return createMcpHandler(serve, { legacy: "reject" }).fetch(request, { parsedBody: message });
}
