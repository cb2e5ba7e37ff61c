/**
 * The catalogue for models, over any transport of the Model Context Protocol. A mounted handler serves it over HTTP at
 * `<basePath>/mcp`.
 */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import * as types from "@modelcontextprotocol/sdk/types.js";
import type { Catalogue } from "../host/catalogue.js";
import { mcpOptions } from "../host/option-checks.js";
import type { McpOptions } from "../host/options.js";
import { wrong } from "../lib/options/check.js";
import { createServer } from "./server.js";

export type { McpOptions } from "../host/options.js";
export { askByElicitation } from "./ask.js";

const HERE = "http://localhost";

/** The part of a handler that a server needs, without a circular import of `create-host.ts`. */
export interface McpTarget {
  (request: Request): Promise<Response>;
  readonly catalogue: Catalogue;
}

/**
 * An MCP server over a handler, to be connected to a transport of `@modelcontextprotocol/sdk`. Calls are accepted,
 * quoted and paid as over HTTP; mount with `payment: false` to make them free. Throws INVALID_INPUT for unknown tools.
 *
 * @example
 * ```ts
 * const server = createMcpServer(createHandler({ capabilities, payment: false }), { tools: ["convert"] });
 * await server.connect(transport);
 * ```
 */
export function createMcpServer(handle: McpTarget, options: McpOptions = {}): Server {
  if (typeof handle !== "function" || !handle.catalogue)
    throw wrong("createMcpServer: the first argument", "a handler, as createHandler makes it", handle);
  mcpOptions("createMcpServer options", options);
  const origin = handle.catalogue.brand.baseUrl ?? HERE;
  return createServer(
    { Server, ...types },
    { catalogue: handle.catalogue, ask: (request) => handle(request), origin: new URL(origin).origin },
    options,
  );
}

/**
 * Serves a handler over standard input and output, for desktop clients that start servers themselves. Resolves when the
 * client disconnects.
 *
 * @example
 * ```ts
 * await serveStdio(createHandler({ capabilities, payment: false }));
 * ```
 */
export async function serveStdio(handle: McpTarget, options: McpOptions = {}): Promise<void> {
  const server = createMcpServer(handle, options);
  const gone = new Promise<void>((resolve) => {
    server.onclose = resolve;
    process.stdin.once("end", resolve).once("close", resolve);
  });
  await server.connect(new StdioServerTransport());
  await gone;
  await server.close();
}
