/** Mounts the Model Context Protocol: its tools are judged at start, and all else is loaded by the first request. */
import type { Host } from "../host/host.js";
import type { Service } from "../host/routes.js";
import { lazy } from "../lib/lazy.js";
import { unknownTool } from "./tool-names.js";

const serving = /* @__PURE__ */ lazy(() => import("./serve.js"));

/** Throws a TypeError for unknown tools. */
export function mcpService(host: Host): Service {
  const { mcp } = host.options;
  const unknown = mcp && unknownTool(host, mcp.tools);
  if (unknown) throw new TypeError(`mcp.tools: unknown group or capability "${unknown}".`);
  return {
    kind: "service",
    methods: ["POST"],
    answer: async (request, visit) => (await serving()).serve(host, request, visit),
  };
}
