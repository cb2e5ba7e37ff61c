/** An HTTP API on loopback, as a gateway's origin: what it was asked, and how it answers. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { AnyCapability } from "../../src/capability/types.js";
import { type ProxyOptions, proxied } from "../../src/gateway/proxied.js";
import { fakeClock } from "./clock.js";
import { FACILITATOR_URL, fakeFacilitator } from "./facilitator.js";
import { openShop, type ShopOptions } from "./shop.js";

export interface Asked {
  method: string;
  /** Path and query as they arrived. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

type Answer = (request: IncomingMessage, response: ServerResponse, asked: Asked) => unknown;

/** Starts an origin; its answer may be changed. */
export async function startOrigin(answer: Answer = (_, response) => sendJson(response, { ok: true })) {
  const asked: Asked[] = [];
  const origin = { url: "", asked, answer, close: async () => {} };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "", url = "", headers } = request;
    const one = { method, url, headers, body: Buffer.concat(chunks).toString("utf8") };
    asked.push(one);
    await origin.answer(request, response, one);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  origin.close = () =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  onTestFinished(origin.close);
  return origin;
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

/** Requests to the facilitator stay in the process; all others leave it. */
const fetchBeside =
  (facilitator: ReturnType<typeof fakeFacilitator>): typeof globalThis.fetch =>
  (input, init) =>
    String(input instanceof Request ? input.url : input).startsWith(FACILITATOR_URL)
      ? facilitator.fetch(input, init)
      : globalThis.fetch(input, init);

/** A shop that sells an origin. */
export async function openGateway(
  options: Omit<ProxyOptions, "origin" | "group"> & { base?: string },
  { answer, also = [], ...shop }: ShopOptions & { answer?: Answer; also?: AnyCapability[] } = {},
) {
  const origin = await startOrigin(answer);
  const { base = "", ...rest } = options;
  const capabilities = proxied({ origin: origin.url + base, group: "origin", ...rest });
  const { facilitator = fakeFacilitator() } = shop;
  // Official buyers sign by the system's clock.
  const clock = shop.clock ?? fakeClock(new Date().toISOString());
  const open = openShop({
    clock,
    capabilities: [...capabilities, ...also],
    fetch: fetchBeside(facilitator),
    secrets: {},
    ...shop,
    facilitator,
  });
  onTestFinished(() => open.handle.close());
  return { origin, shop: open, capabilities };
}
