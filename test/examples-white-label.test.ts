/** A product under another name: nothing that a caller or an upstream sees tells whose library it is made with. */
import { generateKeyPairSync } from "node:crypto";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { beforeAll, describe, expect, it } from "vitest";
import { createService } from "../examples/white-label/app.js";
import type { Handler } from "../src/handler/handler.js";
import { FACILITATOR_URL, fakeFacilitator } from "./support/facilitator.js";
import { NETWORK } from "./support/shop.js";
import { quoteOf, sign, TREASURY, toHeader } from "./support/wallets.js";

const OURS = /coinslot/i;
const key = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
const facilitator = fakeFacilitator();
/** What left this process, headers included. */
const sent: string[] = [];
const handle = createService({
  payment: { treasury: { [NETWORK]: TREASURY }, facilitator: { url: FACILITATOR_URL } },
  signing: { key },
  logger: { debug() {}, info() {}, warn() {}, error() {} },
  async fetch(input: string | URL | Request, init?: RequestInit) {
    const request = new Request(input, init);
    sent.push(`${request.method} ${request.url}\n${[...request.headers].join("\n")}\n${await request.clone().text()}`);
    if (request.url.startsWith(FACILITATOR_URL)) return facilitator.fetch(input, init);
    return new Response("no", { status: 404 });
  },
}) as unknown as Handler;

const ask = (path: string, init?: RequestInit) =>
  handle(new Request(`https://acme.example${path}`, init), { clientAddress: "203.0.113.7" });
const UNIT = "/v1/convert/unit?value=1&from=kg&to=lb";
/** All that a caller can see of an answer. */
const everything = async (response: Response) => `${[...response.headers].join("\n")}\n${await response.text()}`;

describe("the white label", () => {
  beforeAll(() => expect(handle.directory().total).toBe(40));

  it("has its own prices, treasury and header names", async () => {
    const quote = quoteOf(await ask(UNIT));
    expect(quote.accepts).toMatchObject([{ amount: "5000", payTo: TREASURY }]);
    const trial = await ask("/v1/calendar/holidays?country=DE&year=2026", { headers: { "x-acme-trial": "1" } });
    expect([trial.status, trial.headers.has("access-control-expose-headers")]).toEqual([200, true]);
    const priced: object = handle.openapi().paths["/v1/convert/unit"]?.get ?? {};
    expect(Object.keys(priced).filter((name) => name.startsWith("x-acme-")).length).toBeGreaterThan(0);
  });

  it("names nobody else in any document, quote, answer or error", async () => {
    const paths = [
      "/",
      "/v1",
      "/v1/docs",
      "/v1/openapi.json",
      "/openapi.json",
      "/v1/directory",
      "/v1/search/endpoints?q=unit",
    ];
    const known = [
      "/llms.txt",
      "/llms-full.txt",
      "/.well-known/x402",
      "/.well-known/api-catalog",
      "/.well-known/jwks.json",
    ];
    const answers = [
      UNIT,
      `${UNIT}&x402Version=1`,
      `${UNIT}&sign=1`,
      "/v1/nowhere",
      "/v1/convert/unit?value=x",
      "/favicon.ico",
    ];
    for (const path of [...paths, ...known, ...answers])
      expect(await everything(await ask(path)), path).not.toMatch(OURS);
    for (const { path, method } of handle.directory().endpoints)
      expect(await everything(await ask(path, { method })), path).not.toMatch(OURS);
    expect(await everything(await ask(UNIT, { method: "OPTIONS" }))).not.toMatch(OURS);
    expect(await everything(await ask(UNIT, { headers: { "payment-signature": "nonsense" } }))).not.toMatch(OURS);
  });

  it("sells under its name, also to the facilitator", async () => {
    const quote = quoteOf(await ask(UNIT));
    const payment = {
      ...(await sign(quote.accepts[0] as never, { now: Math.floor(Date.now() / 1000) })),
      resource: quote.resource,
    };
    const paid = await ask(UNIT, { headers: { "payment-signature": toHeader(payment) } });
    expect(paid.status).toBe(200);
    expect(await everything(paid)).not.toMatch(OURS);
    expect(sent.filter((text) => text.includes(FACILITATOR_URL)).join()).toContain("Acme Data");
  });

  it("asks upstreams under its name", async () => {
    for (const { id, group } of handle.directory().endpoints) {
      const capability = handle.catalogue.byId.get(id);
      if (!capability || group === "barcode") continue;
      await ask(`/v1/${id.replace(".", "/")}?trial=1`, {
        method: capability.method,
        headers: { "x-forwarded-for": id },
        ...(capability.method === "POST" ? { body: JSON.stringify(capability.example) } : {}),
      });
      await handle.call(id, capability.example).catch(() => {});
    }
    const upstreams = sent.filter((text) => !text.includes(FACILITATOR_URL));
    expect(upstreams.length).toBeGreaterThan(20);
    expect(upstreams.filter((text) => OURS.test(text))).toEqual([]);
    expect(upstreams.filter((text) => /user-agent,.*Acme-?Data/i.test(text)).length).toBeGreaterThan(0);
  });

  it("serves models under its name", async () => {
    const seen: string[] = [];
    const client = new Client({ name: "test", version: "1" });
    const transport = new StreamableHTTPClientTransport(new URL("https://acme.example/v1/mcp"), {
      fetch: async (input, init) => {
        const response = await handle(new Request(input, init), { clientAddress: "203.0.113.8" });
        seen.push(await everything(response.clone()));
        return response;
      },
    });
    await client.connect(transport as Parameters<Client["connect"]>[0]);
    expect(client.getServerVersion()).toMatchObject({ name: "acme", title: "Acme Data" });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("convert_unit");
    await client.callTool({ name: "convert_unit", arguments: { value: 1, from: "kg", to: "lb" } });
    await client.close();
    expect(seen.join("\n")).not.toMatch(OURS);
  });
});
