/** A gateway's file: what it may say, and the command that sells it. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readGateway } from "../../src/gateway/file.js";
import { createHandler } from "../../src/handler/handler.js";
import { startOrigin } from "../support/origin.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gateway-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const write = async (name: string, text: string) => {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
};

describe("a gateway's file", () => {
  it("names origins, documents, prices and keys, in YAML, and the host's options", async () => {
    const origin = await startOrigin();
    await write("key.txt", "key-from-a-file\n");
    await write(
      "api.yaml",
      "openapi: 3.1.0\ninfo: { title: Words }\npaths:\n  /words/{word}:\n    get:\n      operationId: word\n      parameters: [{ name: word, in: path, required: true, schema: { type: string } }]\n",
    );
    const file = await write(
      "gateway.yaml",
      [
        "origins:",
        "  - origin: $" + "{WORDS_URL}/v1",
        "    group: words",
        "    openapi: ./api.yaml",
        '    price: "0.001"',
        "    credentials: [{ header: x-key, value: { file: ./key.txt } }, { query: k, value: { env: QUERY_KEY } }]",
        "  - origin: $" + "{WORDS_URL}",
        "    group: plain",
        "    routes: [{ path: /hello, price: '0.002', name: hello }]",
        "host: { trial: false }",
      ].join("\n"),
    );
    const { capabilities, host, origins } = await readGateway(file, { env: { WORDS_URL: origin.url } });
    expect(capabilities.map(({ id }) => id)).toEqual(["words.word", "plain.hello"]);
    expect([host, origins.map(({ secrets }) => secrets)]).toEqual([{ trial: false }, [["QUERY_KEY"], []]]);
    const handle = createHandler({ ...host, capabilities, payment: false, secrets: { QUERY_KEY: "query-key" } });
    const response = await handle(new Request("http://shop.test/api/words/word?word=hi"));
    expect(response.status).toBe(200);
    await handle.close();
    expect(origin.asked).toMatchObject([{ url: "/v1/words/hi?k=query-key", headers: { "x-key": "key-from-a-file" } }]);
  });

  it("reads a document from an address, within its bounds", async () => {
    const origin = await startOrigin();
    const file = await write(
      "by-url.json",
      JSON.stringify({ origin: origin.url, group: "a", openapi: `${origin.url}/openapi.json`, price: "0.1" }),
    );
    origin.answer = (_, response) =>
      response.end(JSON.stringify({ openapi: "3.0.0", paths: { "/x": { get: { operationId: "x" } } } }));
    expect((await readGateway(file)).capabilities.map(({ id }) => id)).toEqual(["a.x"]);
    origin.answer = (_, response) => response.end(`"${"x".repeat(6_000_000)}"`);
    await expect(readGateway(file)).rejects.toThrow("cannot be read");
    origin.answer = (_, response) => response.writeHead(302, { location: "http://169.254.169.254/" }).end();
    await expect(readGateway(file)).rejects.toThrow("cannot be read");
  });

  it.each([
    ["nothing", "", "must have an object"],
    ["no object", "[1]", "must have an object"],
    ["broken YAML", "a: [", "cannot be read"],
    ["no origin", '{"group":"a","price":"1","routes":[{"path":"/x"}]}', "origin is missing"],
    ["an unset name", '{"origin":"$' + '{NOT_SET}","group":"a"}', "NOT_SET, which is not set"],
    [
      "a lost key file",
      '{"origin":"http://a.example","group":"a","credentials":{"header":"k","value":{"file":"none"}}}',
      "none cannot be read",
    ],
    ["both forms", '{"origins":[],"group":"a"}', "beside origins only host is allowed"],
    [
      "a bomb of aliases",
      `a: &a [x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\nd: [*c, *c, *c, *c]\n`,
      "cannot be read",
    ],
    [
      "a price that is a number",
      '{"origin":"http://a.example","group":"a","price":1,"routes":[{"path":"/x"}]}',
      "price must be US dollars",
    ],
  ])("with %s is refused, with its fault", async (name, text, told) => {
    const file = await write(`${name.replaceAll(" ", "-")}.yaml`, text);
    await expect(readGateway(file, { env: {} })).rejects.toThrow(told);
    await expect(readGateway(file, { env: {} })).rejects.toBeInstanceOf(TypeError);
  });

  it("shows no secret in its faults", async () => {
    const file = await write(
      "secret.json",
      '{"origin":"https://me:hunter22@a.example","group":"a","credentials":{"header":"k","value":{"text":"hunter22","x":1}},"price":"1"}',
    );
    const error = await readGateway(file, { env: {} }).catch((thrown: Error) => thrown);
    expect(String(error)).not.toContain("hunter22");
  });
});
