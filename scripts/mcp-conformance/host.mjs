/** A host whose tools are those that the official suite calls by name, each the capability of ours that comes nearest. */
import { setTimeout as wait } from "node:timers/promises";
import { binary, CapabilityError, createHandler, defineCapability, one } from "coinslot";
import { serve } from "coinslot/node";
import { z } from "zod";

/** One red pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/** A header of WAV without a sound. */
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

const tool = (name, output, run) =>
  defineCapability({
    id: `test.${name}`,
    summary: `A tool that the conformance suite calls: ${name}.`,
    price: "0.001",
    source: { provider: "built-in", url: "", license: "MIT" },
    input: () => z.strictObject({}),
    output,
    example: {},
    run,
  });

const said = one(() => z.object({ text: z.string() }));
const say = (text) => ({ item: { text } });

const CAPABILITIES = [
  tool("simple-text", said, () => say("This is a simple text response for testing.")),
  tool("image-content", binary("image/png"), () => ({ contentType: "image/png", body: Buffer.from(PNG, "base64") })),
  tool("audio-content", binary("audio/wav"), () => ({ contentType: "audio/wav", body: Buffer.from(WAV, "base64") })),
  tool("embedded-resource", binary("text/plain"), () => ({ contentType: "text/plain", body: "An embedded resource." })),
  // Nothing that a capability logs goes to the caller.
  tool("logging-tool", said, () => say("This tool logs nothing to its caller.")),
  tool("error-handling", said, () => {
    throw new CapabilityError("UPSTREAM_ERROR", "This tool intentionally returns an error for testing.");
  }),
  // Progress is told after one second, two and five, and the suite wants three.
  tool("tool-with-progress", said, async () => {
    await wait(5500);
    return say("done");
  }),
];

/** Serves it on this machine, and resolves to the address of its endpoint for models. */
export async function startHost() {
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const handle = createHandler({ capabilities: CAPABILITIES, payment: false, logger });
  const server = await serve(handle, { port: 0 });
  const close = async () => {
    await server.close();
    await handle.close();
  };
  return { url: `${server.url}${handle.basePath}/mcp`, close };
}
