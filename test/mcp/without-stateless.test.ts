/** A host that has not installed the library of MCP 2026-07-28. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, it, onTestFinished, vi } from "vitest";
import { convertUnit } from "../../src/capabilities/convert/index.js";
import { createHandler } from "../../src/handler/handler.js";

vi.mock("../../src/lib/packages/installed.js", async (original) => {
  const real = await original<typeof import("../../src/lib/packages/installed.js")>();
  return { ...real, isInstalled: (name: string) => name !== "@modelcontextprotocol/server" && real.isInstalled(name) };
});

it("answers clients of 2026-07-28 in the era before, which they fall back to", async () => {
  const handle = createHandler({ capabilities: [convertUnit], payment: false });
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  const transport = new StreamableHTTPClientTransport(new URL("http://shop.test/api/mcp"), {
    fetch: (input, init) => handle(new Request(input, init)),
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  expect(client.getNegotiatedProtocolVersion()).toBe("2025-11-25");
  const { structuredContent } = await client.callTool({
    name: "convert_unit",
    arguments: { value: 1, from: "kg", to: "lb" },
  });
  expect(structuredContent).toMatchObject({ data: { ok: true } });
});
