/**
 * The parts of `@modelcontextprotocol/sdk`, an optional package, that are used. Over HTTP it is loaded with the first
 * request of a model.
 */
import type * as server from "@modelcontextprotocol/sdk/server/index.js";
import type * as types from "@modelcontextprotocol/sdk/types.js";
import { without } from "../errors.js";
import { lazy } from "../lib/lazy.js";

export type Library = Pick<typeof server, "Server"> &
  Pick<typeof types, "CallToolRequestSchema" | "ErrorCode" | "ListToolsRequestSchema" | "McpError">;

const missing = without("@modelcontextprotocol/sdk");

export const loadLibrary = lazy(async () => {
  const [{ Server }, types, { WebStandardStreamableHTTPServerTransport: Transport }] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/index.js").catch(missing),
    import("@modelcontextprotocol/sdk/types.js").catch(missing),
    import("@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js").catch(missing),
  ]);
  return { library: { Server, ...types }, Transport };
});
