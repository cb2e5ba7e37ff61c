/** A stand-in for the whole internet: a server on loopback that answers as recorded, but for the answers that are changed. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { RecordedExchange } from "../support/recordings.js";
import { type Served, serving } from "./recorded-runs.js";
import { PAGE, type Sent } from "./ways.js";

/** The answers of one run. */
export interface World {
  answers: readonly RecordedExchange[];
  /** What is sent instead of one of them. */
  instead?: Map<RecordedExchange, Sent>;
}

export interface Internet {
  /** A fetch for one run, and what it was served. */
  open(world: World): { fetch: typeof globalThis.fetch; served: Served[]; close(): void };
  close(): Promise<void>;
}

export async function startInternet(): Promise<Internet> {
  const worlds = new Map<string, (request: Request) => Promise<Sent>>();
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing, worlds));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  let count = 0;
  return {
    open({ answers, instead = new Map() }) {
      const id = String(++count);
      const { fetch: recorded, served } = serving(answers);
      worlds.set(id, async (request) => {
        if (request.url.startsWith("https://consent.example/")) return { contentType: "text/html", body: PAGE };
        const body = request.method === "GET" ? undefined : await request.text();
        const before = served.length;
        const response = await recorded(request.url, {
          method: request.method,
          ...(body === undefined ? {} : { body }),
        });
        const exchange = served[before]?.exchange;
        const changed = exchange && instead.get(exchange);
        const contentType = response.headers.get("content-type") ?? "";
        const plain = { status: response.status, contentType, headers: headersOf(response) };
        return changed ? { ...plain, ...changed } : { ...plain, body: new Uint8Array(await response.arrayBuffer()) };
      });
      return {
        served,
        close: () => void worlds.delete(id),
        fetch: (input, init) => {
          const headers = new Headers(init?.headers);
          headers.set("x-world", id);
          headers.set("x-address", encodeURI(input instanceof Request ? input.url : String(input)));
          return fetch(`http://127.0.0.1:${port}/`, { ...init, headers });
        },
      };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Headers of a recording, such as where a redirect leads. */
const headersOf = (response: Response) =>
  Object.fromEntries([...response.headers].filter(([name]) => name !== "content-type" && name !== "x-recorded"));

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  worlds: Map<string, (request: Request) => Promise<Sent>>,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { method = "GET", headers } = incoming;
  const address = decodeURI(String(headers["x-address"]));
  const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
  const world = worlds.get(String(headers["x-world"]));
  if (!world) return void outgoing.writeHead(599).end();
  const sent = await world(new Request(address, { method, ...body }));
  outgoing.writeHead(sent.status ?? 200, { ...sent.headers, "content-type": sent.contentType ?? "" });
  outgoing.end(sent.status === 204 || sent.status === 304 ? undefined : sent.body);
}
