/** A brand is whole: what a branded host answers, draws, documents and logs names nobody but the brand. */
import { afterEach, expect, it, vi } from "vitest";
import { z } from "zod";
import { express } from "../src/adapters/express.js";
import { node } from "../src/adapters/node/index.js";
import { capabilities } from "../src/capabilities/index.js";
import { defineCapability } from "../src/capability/define.js";
import { one } from "../src/capability/output.js";
import { createHandler } from "../src/handler/handler.js";
import type { HandlerOptions } from "../src/host/options.js";
import { onPaper, qr } from "./capabilities/barcode/_readers.js";
import { TREASURY } from "./support/wallets.js";

const OURS = /coinslot/i;
const brand = { name: "Acme Tools", slug: "acme", baseUrl: "https://api.acme.example" };

const broken = defineCapability({
  id: "test.broken",
  summary: "Breaks.",
  price: "0.001",
  source: { provider: "test", url: "", license: "MIT" },
  input: () => z.strictObject({}),
  output: one(z.object({})),
  example: {},
  run: () => {
    throw new Error("broken");
  },
});

/** A host that names no logger: its lines go to the console. */
function open(options: Partial<HandlerOptions> = {}) {
  const lines: string[] = [];
  const write = (...parts: unknown[]) => void lines.push(parts.map((part) => String(part)).join(" "));
  vi.spyOn(console, "error").mockImplementation(write);
  vi.spyOn(console, "warn").mockImplementation(write);
  const fetch = async () => new Response("no", { status: 404 });
  const handle = createHandler({ capabilities: [...capabilities, broken], payment: false, brand, fetch, ...options });
  const ask = (path: string, init?: RequestInit) => handle(new Request(`http://127.0.0.1${path}`, init));
  return { handle, ask, lines };
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** All that a caller can see. */
const everything = async (response: Response) => `${[...response.headers].join("\n")}\n${await response.text()}`;

it("answers every endpoint's example without another name", async () => {
  const { handle, ask } = open();
  const named: string[] = [];
  for (const { id, method, available } of handle.directory().endpoints) {
    if (!available || id === "ai.screenshot") continue;
    const example = handle.catalogue.byId.get(id)?.example as Record<string, unknown>;
    const query = new URLSearchParams(
      Object.entries(example).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const path = `/api/${id.replace(".", "/")}`;
    const answer = await (method === "POST"
      ? ask(path, { method, body: JSON.stringify(example) })
      : ask(`${path}?${query}`));
    if (OURS.test(await everything(answer))) named.push(id);
  }
  await handle.close();
  expect(named).toEqual([]);
}, 120_000);

it("draws calendar codes of its own", async () => {
  const { handle, ask } = open();
  const event = { type: "calendar", title: "Lunch", start: "2026-03-01T10:00:00Z", end: "2026-03-01T11:00:00Z" };
  const body = JSON.stringify({ data: event, output: "png" });
  const answer = await ask("/api/barcode/generate", { method: "POST", body });
  expect(answer.status).toBe(200);
  expect(qr(await onPaper(Buffer.from(await answer.arrayBuffer())))).toContain("PRODID:-//Acme Tools//barcode//EN");
  await handle.close();
});

it("begins its lines on the console with its own name", async () => {
  vi.stubEnv("NODE_ENV", "production");
  const payment = { treasury: { "eip155:8453": TREASURY }, facilitator: { url: "https://facilitator.test" } };
  open({ payment });
  const { handle, ask, lines } = open();
  expect((await ask("/api/test/broken")).status).toBe(500);
  const headers = { "x-forwarded-for": "192.0.2.1", host: "a.test" };
  const req = {
    method: "GET",
    url: "/shop/api/nothing",
    headers,
    rawHeaders: [],
    socket: {},
    baseUrl: "/shop",
    once() {},
    on() {},
  };
  await express(handle)(req as never, {} as never, () => {});
  await node(Object.assign(() => Promise.reject(new Error("no")), { logger: handle.logger }))(
    { ...req, socket: {} } as never,
    { headersSent: true, destroy() {}, once() {}, on() {} } as never,
  );
  expect(lines.length).toBeGreaterThan(3);
  expect(lines.filter((line) => !line.startsWith("Acme Tools: ") || OURS.test(line))).toEqual([]);
});

it("asks upstreams by its slug where no letter of its name may stand in a header", async () => {
  const agents: (string | null)[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    agents.push(new Request(input, init).headers.get("user-agent"));
    return new Response("no", { status: 404 });
  };
  const { handle } = open({ brand: { name: "硬貨", slug: "kk" }, fetch });
  await handle.call("bio.species", { name: "Puma concolor" }).catch(() => {});
  expect(agents.length).toBeGreaterThan(0);
  expect(agents.filter((agent) => !agent?.startsWith("kk"))).toEqual([]);
});
