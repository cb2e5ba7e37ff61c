/**
 * The parts of `@modelcontextprotocol/sdk` and of `@modelcontextprotocol/server`, optional packages, that are used. Over
 * HTTP each is loaded with the first request of a model in its era.
 */
import type * as server from "@modelcontextprotocol/sdk/server/index.js";
import type * as types from "@modelcontextprotocol/sdk/types.js";
import type * as stateless from "@modelcontextprotocol/server";
import { missingPackage, without } from "../errors.js";
import { lazy } from "../lib/lazy.js";
import { isInstalled } from "../lib/packages/installed.js";

export type Library = Pick<typeof server, "Server"> &
  Pick<
    typeof types,
    | "CallToolRequestSchema"
    | "CancelTaskRequestSchema"
    | "ErrorCode"
    | "GetTaskPayloadRequestSchema"
    | "GetTaskRequestSchema"
    | "ListToolsRequestSchema"
    | "McpError"
  >;

const missing = without("@modelcontextprotocol/sdk");

export const loadLibrary = lazy(async () => {
  const [{ Server }, types, { WebStandardStreamableHTTPServerTransport: Transport }] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/index.js").catch(missing),
    import("@modelcontextprotocol/sdk/types.js").catch(missing),
    import("@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js").catch(missing),
  ]);
  return { library: { Server, ...types }, Transport };
});

export type StatelessLibrary = Pick<
  typeof stateless,
  "createMcpHandler" | "MissingRequiredClientCapabilityError" | "ProtocolError" | "ProtocolErrorCode" | "Server"
>;

/** Undefined where it is not installed: clients of its era then speak the one before. */
export const loadStateless = lazy(async (): Promise<StatelessLibrary | undefined> => {
  if (!isInstalled("@modelcontextprotocol/server")) return undefined;
  return import("@modelcontextprotocol/server").catch((error: unknown) => {
    if (missingPackage(error)) return undefined;
    throw error;
  });
});
