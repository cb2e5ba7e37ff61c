/** What is missing on an install without optional packages: told at the start, and fatal to nothing else. */
import "../support/source-threads.js";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { capabilities } from "../../src/capabilities/index.js";
import { createHandler } from "../../src/handler/handler.js";
import type { HandlerOptions } from "../../src/host/options.js";
import { bodyOf } from "../support/body.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { TREASURY } from "../support/wallets.js";

const absent = vi.hoisted(() => new Set<string>());
vi.mock("../../src/lib/packages/installed.js", async (original) => {
  const real = await original<typeof import("../../src/lib/packages/installed.js")>();
  return { ...real, isInstalled: (name: string) => !absent.has(name) && real.isInstalled(name) };
});
const DATABASE = ["@electric-sql/pglite", "@electric-sql/pglite-pgvector"];
const MCP = "@modelcontextprotocol/sdk";

interface Line {
  level: string;
  text: string;
  facts: Record<string, unknown>;
}

async function open(options: Partial<HandlerOptions> = {}) {
  const lines: Line[] = [];
  const log = (level: string) => (facts: object, text: string) =>
    void lines.push({ level, text, facts: facts as Record<string, unknown> });
  const handle = createHandler({
    capabilities,
    payment: { treasury: { "eip155:8453": TREASURY }, facilitator: { url: "https://facilitator.test" } },
    fetch: fakeFacilitator().fetch,
    secrets: {},
    logger: { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") },
    ...options,
  });
  await new Promise(setImmediate);
  const ask = (path: string, init?: RequestInit) => handle(new Request(`http://shop.test/api${path}`, init));
  const post = (path: string, body: object) =>
    ask(path, { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } });
  return { handle, lines, ask, post };
}

beforeEach(() => absent.clear());

describe("a host of wallets without the packages of their database", () => {
  beforeEach(() => void DATABASE.map((name) => absent.add(name)));

  it("answered 502 at every endpoint: only those that keep state do, and the start names the packages", async () => {
    const { lines, ask, post, handle } = await open({ wallets: {} });
    expect(lines.filter(({ level }) => level === "error")).toMatchObject([
      { text: expect.stringContaining(`npm install ${DATABASE.join(" ")}`), facts: { packages: DATABASE } },
    ]);
    expect((await ask("/convert/unit?value=1&from=kg&to=lb")).status).toBe(402);
    expect((await ask("/convert/unit?value=1&from=kg&to=lb&trial=1")).status).toBe(200);
    expect((await ask("/readyz")).status).toBe(200);
    for (const path of ["/store/kv-get", "/lock/acquire", "/queue/enqueue"]) {
      const refused = await post(path, {});
      const text = await refused.clone().text();
      expect([path, refused.status, (await bodyOf(refused)).code]).toEqual([path, 502, "PROVIDER_NOT_CONFIGURED"]);
      expect(text).not.toContain("npm install");
    }
    expect(handle.directory({ group: "lock" }).endpoints[0]).toMatchObject({ available: false, missing: DATABASE });
    await expect(handle.call("store.kv-get", { ns: "a", key: "b" }, { wallet: "w" })).rejects.toThrow(DATABASE[0]);
    expect(await handle.tick()).toBe(0);
    await handle.close();
  });

  it("needs none of them with a Postgres of its own", async () => {
    const db = { query: async () => ({ rows: [] }), connect: () => Promise.reject(new Error("down")), on: () => {} };
    const { lines, handle } = await open({ wallets: { db, runner: false } as never });
    expect(lines.filter(({ text }) => text.includes("pglite"))).toEqual([]);
    await handle.close();
  });
});

it("a host without the package of callbacks logs no failure every two seconds", async () => {
  absent.add("standardwebhooks");
  const { handle, lines } = await open({ wallets: {}, payment: false });
  expect(handle.catalogue.missing(handle.catalogue.byId.get("schedule.create") as never)).toEqual(["standardwebhooks"]);
  expect(await handle.tick()).toBe(0);
  expect(lines.filter(({ level }) => level === "error")).toEqual([]);
  await handle.close();
});

describe("the start", () => {
  it("tells how many endpoints can be sold, and the command that brings the others", async () => {
    for (const name of ["viem", "semver"]) absent.add(name);
    const { lines, handle } = await open();
    const available = handle.directory().endpoints.filter(({ available }) => available !== false).length;
    expect(available).toBeLessThan(capabilities.length - 6);
    const [told] = lines.filter(({ text }) => text.includes("can be sold here"));
    expect(told).toMatchObject({ level: "warn", facts: { endpoints: capabilities.length, sold: available } });
    expect(told?.text).toContain(`${available} of ${capabilities.length} endpoints`);
    expect(told?.text).toMatch(/npm install (?=.*\bviem\b)(?=.*\bsemver\b)/);
    expect(told?.text).toMatch(/AI_GATEWAY_API_KEY.*the option wallets|the option wallets.*AI_GATEWAY_API_KEY/);
  });

  it("warns of nothing where no package is missing: a key that is not set is a choice", async () => {
    // Those that are billed by usage want a wallet for refunds.
    const { lines } = await open({ capabilities: capabilities.filter(({ billing }) => billing !== "upto") });
    expect(lines.filter(({ level }) => level !== "info")).toEqual([]);
    expect(lines).toMatchObject([{ text: expect.stringContaining("can be sold here") }]);
  });

  it("is silent of a host that is closed at once", async () => {
    const lines: string[] = [];
    const note = (_: object, text: string) => void lines.push(text);
    const logger = { debug: note, info: note, warn: note, error: note };
    await createHandler({ capabilities, payment: false, logger }).close();
    await new Promise(setImmediate);
    expect(lines).toEqual([]);
  });
});

describe("models that ask a host without their package", () => {
  beforeEach(() => void absent.add(MCP));

  it("the start names the package and its command, and the page the package alone", async () => {
    const { lines, ask, handle } = await open();
    expect(lines.find(({ text }) => text.startsWith("mcp:"))).toMatchObject({
      level: "warn",
      text: expect.stringContaining(`npm install ${MCP}`),
    });
    const page = await (await ask("/docs")).text();
    expect(page).toContain(`"modelsNeed":"${MCP}"`);
    expect(page).not.toContain("npm install");
    await handle.close();
  });

  it("says nothing of it where the host wants none", async () => {
    const { lines, ask } = await open({ mcp: false });
    expect(lines.filter(({ text }) => text.startsWith("mcp:"))).toEqual([]);
    expect(await (await ask("/docs")).text()).not.toContain(MCP);
  });
});

it("no buyer reads a command, in no document and in no refusal", async () => {
  for (const { packages } of capabilities) for (const name of packages) absent.add(name);
  absent.add(MCP);
  const { ask, handle, lines } = await open();
  const documents = [
    "/directory",
    "/openapi.json?all=1",
    "/llms.txt",
    "/llms-full.txt",
    "/docs",
    "/search/endpoints?q=balances",
  ];
  for (const path of documents)
    expect([path, (await (await ask(path)).text()).includes("npm install")]).toEqual([path, false]);
  for (const { id, method, unmet } of capabilities) {
    if (unmet().length === 0) continue;
    const response = await ask(`/${id.replace(".", "/")}`, { method });
    const text = await response.text();
    expect([id, response.status, text.includes("npm install")]).toEqual([id, 502, false]);
  }
  expect(lines.some(({ text }) => text.includes("npm install"))).toBe(true);
  await handle.close();
});
