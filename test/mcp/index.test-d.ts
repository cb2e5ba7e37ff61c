import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { expectTypeOf, test } from "vitest";
import { convertUnit } from "../../src/capabilities/convert/unit.js";
import { createHandler } from "../../src/index.js";
import { createMcpServer, type McpOptions, serveStdio } from "../../src/mcp/index.js";

const handle = createHandler({ capabilities: [convertUnit], payment: false });

test("a handler becomes a server of the protocol's own library", () => {
  expectTypeOf(createMcpServer(handle)).toEqualTypeOf<Server>();
  expectTypeOf(createMcpServer).parameter(1).toEqualTypeOf<McpOptions | undefined>();
  createMcpServer(handle, { tools: ["convert"] });
  // @ts-expect-error a function that answers requests has no catalogue
  createMcpServer(async () => new Response());
  expectTypeOf(serveStdio(handle)).resolves.toBeVoid();
});
