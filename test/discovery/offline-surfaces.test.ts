/** Endpoints that ask nobody, as each surface shows and calls them: with its example, the answer is everywhere the same. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { capabilities } from "../../src/capabilities/index.js";
import { inputSchema, isBinary, type JsonSchema } from "../../src/capability/json-schema.js";
import type { AnyCapability } from "../../src/capability/types.js";
import { createClient } from "../../src/client/index.js";
import { openapi } from "../../src/discovery/openapi.js";
import { createHandler } from "../../src/handler/handler.js";
import { silent } from "../../src/lib/logger.js";
import { coinslotHere } from "../support/cli.js";
import { serviceOf } from "../support/service.js";

const offline = (capabilities as readonly AnyCapability[]).filter((capability) => capability.offline);
const each = offline.map((capability) => [capability.id, capability] as const);
const inFile = (capability: AnyCapability) => inputSchema(capability).properties?.file?.contentEncoding === "base64";
const warned: unknown[] = [];
const logger = { ...silent, warn: (...told: unknown[]) => warned.push(told) };
const handle = createHandler({ capabilities, payment: false, logger });
const ask: typeof fetch = (input, init) => handle(new Request(input, init), { clientAddress: "203.0.113.7" });

interface Answer {
  data?: { ok: boolean; items: object[] };
}

/** Of the capability itself, called in this process. */
const itemsOf = async (capability: AnyCapability, input: object = capability.example) =>
  (await capability(input)).items as object[];

describe("OpenAPI", () => {
  const document = openapi(serviceOf());

  /** Parts of a schema, with the places where they stand. */
  function parts(schema: JsonSchema, path = ""): [path: string, schema: JsonSchema][] {
    const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
    return [
      [path, schema],
      ...choices.flatMap((one) => parts(one, path)),
      ...(schema.items ? parts(schema.items, `${path}[]`) : []),
      ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => parts(one, `${path}.${name}`)),
    ];
  }

  test.each(each)("%s has words for each field, an example and the schema of its answer", (id, capability) => {
    const { get, post } = document.paths[`/api/${id.replace(".", "/")}`] ?? {};
    const operation = capability.method === "GET" ? get : post;
    expect(operation).toBeDefined();
    if (capability.method === "GET") {
      const own = operation?.parameters.filter(({ name }) => !/trial/i.test(name)) ?? [];
      expect(own.filter(({ description, schema }) => !description || !schema)).toEqual([]);
      expect(
        Object.fromEntries(own.filter(({ example }) => example !== undefined).map((one) => [one.name, one.example])),
      ).toEqual(capability.example);
    } else {
      const sent = (operation?.requestBody ?? {}) as {
        content: Record<string, { schema: JsonSchema; example: object }>;
      };
      const body = sent.content["application/json"];
      expect(body?.example).toEqual(capability.example);
      const undescribed = Object.entries(body?.schema.properties ?? {}).filter(([, { description }]) => !description);
      expect(undescribed.map(([name]) => name)).toEqual([]);
    }
    const answer = (operation?.responses["200"] ?? {}) as { content: Record<string, { schema: JsonSchema }> };
    if (isBinary(capability)) return expect(Object.keys(answer.content)).toEqual(capability.contentTypes);
    const items = answer.content["application/json"]?.schema.properties?.data?.properties?.items;
    // What may be any JSON says so.
    const open = parts(items ?? {}).filter(([, schema]) => Object.keys(schema).length === 0);
    expect(open.map(([path]) => path)).toEqual([]);
    expect(items?.items?.properties ?? items?.items?.anyOf).toBeDefined();
  });
});

describe("MCP", () => {
  const client = new Client({ name: "test", version: "1" });
  const tools = new Map<string, { inputSchema: object; description?: string | undefined }>();
  beforeAll(async () => {
    const url = new URL("http://shop.test/api/mcp?tools=all");
    await client.connect(
      new StreamableHTTPClientTransport(url, { fetch: ask as never }) as Parameters<Client["connect"]>[0],
    );
    for (const tool of (await client.listTools()).tools) tools.set(tool.name, tool);
  });
  afterAll(() => client.close());

  test.each(each)("%s is a tool, and its example an answer", async (id, capability) => {
    const name = id.replace(/[.-]/g, "_");
    expect(tools.get(name)?.description).toContain(capability.summary.slice(0, 30));
    const { properties = {} } = (tools.get(name)?.inputSchema ?? {}) as JsonSchema;
    expect(Object.keys(properties)).toEqual(
      expect.arrayContaining(Object.keys(inputSchema(capability).properties ?? {})),
    );
    const done = await client.callTool({ name, arguments: capability.example as Record<string, unknown> });
    expect(done.isError ?? false).toBe(false);
    if (isBinary(capability)) return;
    expect((done.structuredContent as Answer).data?.items).toEqual(await itemsOf(capability));
  });
});

describe("the client", () => {
  const client = createClient({ baseUrl: "http://shop.test/api", fetch: ask });

  test.each(each)("%s answers its example", async (id, capability) => {
    const { data } = await client.$call(id as never, capability.example as never);
    if (isBinary(capability)) expect(data).toMatchObject({ contentType: capability.contentTypes[0] });
    else expect((data as { items: object[] }).items).toEqual(await itemsOf(capability));
  });
});

describe("the command line", () => {
  const folder = mkdtempSync(join(tmpdir(), "coinslot-surfaces-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  /** Of one whose example writes a document. */
  const FILES: Record<string, object> = {
    "edi.edifact": { text: "UNB+UNOA:1+A+B+261123:1000+1'UNH+1+ORDERS:D:96A:UN'BGM+220+9'UNT+3+1'UNZ+1+1'" },
  };
  const words = (input: object) =>
    Object.entries(input).map(
      ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
    );

  test.each(each)("%s takes each field of its example by name", async (id, capability) => {
    const out = join(folder, id);
    const args = [
      "call",
      id,
      ...words(capability.example as object),
      ...(isBinary(capability) ? ["--out", out] : ["--json"]),
    ];
    const ran = await coinslotHere(args);
    expect([ran.code, ran.err.replace(/Saved.*\n/, "")]).toEqual([0, ""]);
    if (!isBinary(capability)) expect(JSON.parse(ran.out).items).toEqual(await itemsOf(capability));
  });

  test.each(each.filter(([, capability]) => inFile(capability)))("%s takes a file", async (id, capability) => {
    const { text, file, ...rest } = (FILES[id] ?? capability.example) as { text?: string; file?: string };
    const path = join(folder, `${id}.document`);
    const bytes = file === undefined ? Buffer.from(text ?? "") : Buffer.from(file, "base64");
    expect(bytes.length).toBeGreaterThan(0);
    writeFileSync(path, bytes);
    const out = isBinary(capability) ? ["--out", join(folder, `${id}.out`)] : ["--json"];
    const ran = await coinslotHere(["call", id, `file=@${path}`, ...words(rest), ...out]);
    expect([ran.code, ran.err.replace(/Saved.*\n/, "")]).toEqual([0, ""]);
    if (isBinary(capability)) return;
    const input = { ...rest, file: bytes.toString("base64") };
    expect(JSON.parse(ran.out).items).toEqual(await itemsOf(capability, input));
  });
});

test("a host that sells nothing is told of no usage beyond a price", () => expect(warned).toEqual([]));
