/** What a service says of itself names the addresses that its callers use, whatever stands in front: a stage, a proxy, a path. */
import { afterAll, describe, expect, it } from "vitest";
import { lambda } from "../../src/adapters/lambda/index.js";
import { serve } from "../../src/adapters/node/index.js";
import { convertUnit } from "../../src/capabilities/convert/index.js";
import { createHandler } from "../../src/index.js";
import { silent } from "../../src/lib/logger.js";
import { FACILITATOR_URL } from "../support/facilitator.js";
import { restEvent } from "../support/lambda-events.js";
import { TREASURY } from "../support/wallets.js";

interface Told {
  status: number;
  link: string;
  text: string;
}
interface Way {
  name: string;
  /** What callers write before a path. */
  base: string;
  ask(path: string, body?: object): Promise<Told>;
}

const open = (baseUrl?: string) =>
  createHandler({
    capabilities: [convertUnit],
    payment: { treasury: { "eip155:8453": TREASURY }, facilitator: { url: FACILITATOR_URL } },
    logger: silent,
    ...(baseUrl ? { brand: { baseUrl } } : {}),
  });

const onLambda = lambda(open());
const server = await serve(open(), { port: 0, trustProxyHops: 1 });
afterAll(() => server.close());
const posted = (body: object | undefined) =>
  body ? { method: "POST", body: JSON.stringify(body) } : { method: "GET" };
const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const read = async (response: Response): Promise<Told> => ({
  status: response.status,
  link: response.headers.get("link") ?? "",
  text: await response.text(),
});

const WAYS: Way[] = [
  {
    name: "the stage of a REST API",
    base: "https://abc123.execute-api.us-east-1.amazonaws.com/prod",
    async ask(target, body) {
      const result = await onLambda(restEvent({ target, headers: HEADERS, ...posted(body) }));
      return { status: result.statusCode, link: result.headers?.link ?? "", text: result.body };
    },
  },
  {
    name: "a proxy that cuts a prefix off and says so",
    base: "https://shop.example/paid",
    ask: async (path, body) => {
      const forwarded = {
        "x-forwarded-host": "shop.example",
        "x-forwarded-proto": "https",
        "x-forwarded-prefix": "/paid",
      };
      return read(await fetch(server.url + path, { ...posted(body), headers: { ...HEADERS, ...forwarded } }));
    },
  },
  {
    name: "a proxy of which brand.baseUrl says so",
    base: "https://shop.example/paid",
    ask: async (path, body) =>
      read(
        await open("https://shop.example/paid")(
          new Request(`http://10.0.0.7:3000${path}`, { ...posted(body), headers: HEADERS }),
        ),
      ),
  },
];

const CALL = "/api/convert/unit";
const DOCUMENTS = [
  "/api/openapi.json",
  "/openapi.json",
  "/llms.txt",
  "/llms-full.txt",
  "/.well-known/x402",
  "/.well-known/api-catalog",
];

describe.each(WAYS)("behind $name", ({ base, ask }) => {
  const prefix = new URL(base).pathname;

  it.each(DOCUMENTS)("%s names addresses that work, and no others", async (path) => {
    const { text } = await ask(path);
    const origin = new URL(base).origin;
    const named = [...text.matchAll(/https?:\/\/[^\s"'`<>)\]]+/g)].map(([url]) => url.replace(/[.,:]+$/, ""));
    const own = named.filter((url) => [origin, "http://10.0.0.7:3000", server.url].includes(new URL(url).origin));
    expect(own).not.toEqual([]);
    for (const url of own) {
      expect(url === base || url.startsWith(`${base}/`), url).toBe(true);
      const { pathname, search } = new URL(url);
      const asked = pathname.slice(prefix.length) + search;
      if (url !== base && url !== `${base}/api`) expect((await ask(asked)).status, url).not.toBe(404);
    }
  });

  it("OpenAPI's server and paths make the address of a call, and its guidance the ways to find one", async () => {
    const document = JSON.parse((await ask("/api/openapi.json")).text);
    expect(document.servers).toEqual([{ url: base }]);
    expect(Object.keys(document.paths)).toContain(CALL);
    expect(document.info["x-guidance"]).toContain(`GET ${prefix}/api/search/endpoints`);
  });

  it("the directory, the search and the tool that describes name the path that callers write", async () => {
    const directory = JSON.parse((await ask("/api/directory")).text);
    const found = JSON.parse((await ask("/api/search/endpoints?q=convert%20a%20unit")).text);
    const call = { name: "describe", arguments: { id: "convert.unit" } };
    const mcp = JSON.parse((await ask("/api/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params: call })).text);
    const paths = [directory.endpoints[0].path, found.results[0].path, mcp.result.structuredContent.path];
    expect(paths).toEqual(Array(3).fill(prefix + CALL));
  });

  it("the page, the links of every answer and the quote do, too", async () => {
    expect((await ask("/api/docs")).text).toContain(`${prefix}/api/docs/app.js`);
    const { link, text } = await ask(`${CALL}?value=1&from=kg&to=lb`);
    expect(link).toContain(`<${prefix}/api/openapi.json>`);
    expect(JSON.parse(text).resource).toBe(`${base}${CALL}?value=1&from=kg&to=lb`);
  });
});
