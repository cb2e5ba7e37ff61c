/** A host whose tools are those that the official suite calls by name, each the capability of ours that comes nearest. */
import { setTimeout as wait } from "node:timers/promises";
import { binary, CapabilityError, createHandler, defineCapability, one } from "coinslot";
import { serve } from "coinslot/node";
import { z } from "zod";

/** One red pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/** A header of WAV without a sound. */
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

const capability = (id, output, run, input = () => z.strictObject({}), example = {}) =>
  defineCapability({
    id,
    summary: `A tool that the conformance suite calls: ${id}.`,
    price: "0.001",
    source: { provider: "built-in", url: "", license: "MIT" },
    input,
    output,
    example,
    run,
  });
const tool = (name, output, run) => capability(`test.${name}`, output, run);

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

const TASKS = [
  capability(
    "slow.compute",
    said,
    async ({ seconds, label }) => {
      await wait(seconds * 1000);
      return say(`Computed ${label}`);
    },
    () =>
      z.strictObject({ seconds: z.number().describe("How long"), label: z.string().default("it").describe("A name") }),
    { seconds: 1 },
  ),
  capability("failing.job", said, () => {
    throw new CapabilityError("UPSTREAM_ERROR", "This job intentionally fails.");
  }),
  capability(
    "test.greet",
    said,
    ({ name }) => say(`Hello, ${name}!`),
    () => z.strictObject({ name: z.string().describe("Whom") }),
    { name: "you" },
  ),
];

/** Ids of ours have a group, and so have the names of tools. */
const OWN = "test_greet";
const NAME = "greet";

/** Calls under the suite's name, paid by an account whose key this connection has. */
async function renamed(request, key) {
  const body = (await request.text()).replaceAll(`"name":"${NAME}"`, `"name":"${OWN}"`);
  const headers = new Headers(request.headers);
  if (headers.get("mcp-name") === NAME) headers.set("mcp-name", OWN);
  headers.set("authorization", `Bearer ${key}`);
  return new Request(request.url, { method: request.method, headers, ...(body === "" ? {} : { body }) });
}

/** Serves it on this machine, and resolves to the address of its endpoint for models. */
export async function startHost() {
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const handle = createHandler({
    capabilities: [...CAPABILITIES, ...TASKS],
    payment: {
      treasury: { "eip155:8453": "0x209693Bc6afc0C5328bA36FaF03C514EF312287C" },
      facilitator: { url: "http://127.0.0.1:9/facilitator" },
    },
    accounts: { keys: true },
    trial: false,
    jobs: { always: ["slow.compute", "failing.job"] },
    logger,
  });
  await handle.accounts.topUp("suite", "100", { reference: "suite" });
  const { key } = await handle.accounts.createKey("suite");
  const named = async (request, info) => {
    const response = await handle(await renamed(request, key), info);
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    if (!isJson) return response;
    const text = (await response.text()).replaceAll(`"name":"${OWN}"`, `"name":"${NAME}"`);
    const headers = new Headers(response.headers);
    headers.delete("content-length");
    return new Response(text, { status: response.status, headers });
  };
  const server = await serve(Object.assign(named, handle), { port: 0 });
  const close = async () => {
    await server.close();
    await handle.close();
  };
  return { url: `${server.url}${handle.basePath}/mcp`, close };
}
