/** What readers of the field find at the address of a real server. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { validate as validateForMpp } from "mppx/discovery";
import openapiTS, { astToString } from "openapi-typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, serve } from "../../src/adapters/node/index.js";
import { capabilities } from "../../src/capabilities/index.js";
import { createHandler } from "../../src/handler/handler.js";
import type { HandlerOptions } from "../../src/host/options.js";
import { silent } from "../../src/lib/logger.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { awayPool } from "../support/away-pool.js";
import { bodyOf } from "../support/body.js";
import { FACILITATOR_URL, fakeFacilitator } from "../support/facilitator.js";
import { NETWORK } from "../support/shop.js";
import { TREASURY } from "../support/wallets.js";

const treasury = { [NETWORK]: TREASURY };
const brand = { name: "Acme", slug: "acme", contact: { email: "help@acme.example" } };

const hostOf = (more: Partial<HandlerOptions> = {}) =>
  createHandler({
    capabilities,
    payment: { treasury, facilitator: { url: FACILITATOR_URL }, rpc: false },
    secrets: Object.fromEntries(capabilities.flatMap(({ requires }) => requires).map((name) => [name, "set"])),
    wallets: { db: awayPool },
    store: createMemoryStore(),
    fetch: fakeFacilitator().fetch,
    logger: silent,
    brand,
    ...more,
  });

const run = promisify(execFile);
const { FORCE_COLOR: _, ...environment } = process.env;
const program = (file: string, ...args: string[]) =>
  run(process.execPath, [`node_modules/${file}`, ...args], {
    maxBuffer: 64 * 1024 * 1024,
    // Programs colour what they print where CI is set: the texts looked for here are plain.
    env: {
      ...environment,
      NO_COLOR: "1",
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
    },
  });
const agentcash = async (...args: string[]) => {
  const { stdout } = await program("@agentcash/discovery/bin/discovery.js", ...args, "--json");
  return JSON.parse(stdout) as { ok?: boolean; resources?: object[]; warnings: { code: string; severity: string }[] };
};

let server: RunningServer;
let folder: string;
beforeAll(async () => {
  server = await serve(hostOf(), { port: 0 });
  folder = await mkdtemp(join(tmpdir(), "coinslot-found-"));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});
const read = (path: string, init: RequestInit = {}) => fetch(server.url + path, init);
const textOf = async (path: string) => (await read(path)).text();

describe("the readers of the field", () => {
  test("@agentcash/discovery discover finds every endpoint, and only thinks that they are many", async () => {
    const { ok, resources, warnings } = await agentcash("discover", server.url);
    expect(ok).toBe(true);
    expect(resources?.length).toBeGreaterThan(capabilities.length);
    expect(warnings.map(({ severity, code }) => `${severity} ${code}`)).toEqual(["warn L2_ROUTE_COUNT_HIGH"]);
  });

  test.each(["/api/convert/unit", "/api/batch/run", "/api/barcode/generate", "/api/directory"])(
    "@agentcash/discovery check has nothing to say of %s",
    async (path) => {
      expect((await agentcash("check", server.url + path)).warnings).toEqual([]);
    },
  );

  test("mppx finds the offers of the Machine Payments Protocol, and a validator of it has nothing to say", async () => {
    const document = JSON.parse(await textOf("/openapi.json"));
    expect(validateForMpp(document).filter(({ severity }) => severity === "error")).toEqual([]);
    const info = document.paths["/api/convert/unit"].get["x-payment-info"];
    const evm = { method: "evm", intent: "charge", currency: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" };
    expect(info).toMatchObject({ protocols: [{ x402: {} }, { mpp: evm }], offers: [{ ...evm, amount: "1000" }] });
    expect(document["x-service-info"]).toEqual({
      categories: expect.arrayContaining(["data", "compute", "storage"]),
      docs: {
        homepage: expect.stringMatching(/\/api\/docs$/),
        apiReference: expect.stringMatching(/\/api\/openapi\.json$/),
        llms: expect.stringMatching(/\/api\/llms\.txt$/),
      },
    });
    expect(document["x-service-info"].categories.length).toBeLessThanOrEqual(5);
    const free = hostOf({ payment: { treasury, facilitator: { url: FACILITATOR_URL }, rpc: false, mpp: false } });
    expect(JSON.stringify(free.openapi())).not.toContain('"mpp"');
    for (const endpoint of ["GET:/api/convert/unit", "POST:/api/barcode/generate"]) {
      const { stdout } = await program("mppx/dist/bin.js", "validate", server.url, "--endpoint", endpoint);
      expect(stdout).toContain("✓ Malformed credential returns 402");
      expect(stdout).toContain("✓ Error response includes fresh challenge");
      expect(stdout).not.toContain("✗");
    }
  });

  test("redocly lints the document without errors", async () => {
    const file = join(folder, "openapi.json");
    await writeFile(file, await textOf("/openapi.json"));
    const { stdout } = await program("@redocly/cli/bin/cli.js", "lint", file, "--format=json");
    const { totals } = JSON.parse(stdout.slice(stdout.indexOf("{")));
    expect(totals.errors).toBe(0);
  });

  test("spectral finds no error in the document, whatever can be sold", async () => {
    const [file, rules] = [join(folder, "all.json"), join(folder, "rules.json")];
    await writeFile(file, JSON.stringify(hostOf({ accounts: { keys: true } }).openapi({ all: true })));
    await writeFile(rules, JSON.stringify({ extends: ["spectral:oas"] }));
    const flags = ["lint", file, "--ruleset", rules, "--format", "json", "--fail-severity", "error", "--quiet"];
    const found = await program("@stoplight/spectral-cli/dist/index.js", ...flags).catch((failed) => failed);
    const errors = JSON.parse(found.stdout).filter(({ severity }: { severity: number }) => severity === 0);
    expect(errors).toEqual([]);
  });

  test("every list in the document has items, and every name that is required a property", () => {
    const wrong: string[] = [];
    const look = (schema: unknown, at: string): void => {
      if (typeof schema !== "object" || schema === null) return;
      const { type, items, required, properties = {} } = schema as Record<string, unknown>;
      if ([type].flat().includes("array") && (typeof items !== "object" || items === null))
        wrong.push(`${at} has no items`);
      if (Array.isArray(required))
        for (const name of required) if (!Object.hasOwn(properties as object, name)) wrong.push(`${at} lacks ${name}`);
      for (const [name, inner] of Object.entries(schema)) look(inner, `${at}/${name}`);
    };
    look(hostOf().openapi({ all: true }), "");
    expect(wrong).toEqual([]);
  });

  test("openapi-typescript makes types that compile", async () => {
    const types = astToString(await openapiTS(await textOf("/openapi.json")));
    const use = `import type { operations } from "./api.js";
      export const query: operations["convertUnit"]["parameters"]["query"] = { value: 1, from: "kg", to: "lb" };
      // @ts-expect-error: "to" is missing
      export const wrong: operations["convertUnit"]["parameters"]["query"] = { value: 1, from: "kg" };`;
    await writeFile(join(folder, "api.ts"), types);
    await writeFile(join(folder, "use.ts"), use);
    const flags = ["--noEmit", "--strict", "--module", "nodenext", "--lib", "es2022", "--typeRoots", folder];
    const compiled = await program("typescript/bin/tsc", ...flags, join(folder, "use.ts")).catch((error) => error);
    expect(compiled.stdout).toBe("");
  });
});

describe("the OpenAPI document", () => {
  test("is the same at the root and below the base path, under the address that it was asked at", async () => {
    const atRoot = await textOf("/openapi.json");
    expect(await textOf("/api/openapi.json")).toBe(atRoot);
    expect(JSON.parse(atRoot)).toMatchObject({
      servers: [{ url: server.url }],
      info: { title: "Acme", contact: brand.contact },
    });
    const otherwise = await hostOf()(new Request("https://other.example/openapi.json"), { prefix: "/prod" });
    expect(await otherwise.json()).toMatchObject({ servers: [{ url: "https://other.example/prod" }] });
  });

  test("says of every operation which credentials it needs: none", async () => {
    const { paths } = JSON.parse(await textOf("/openapi.json"));
    const operations = Object.values<Record<string, { security?: unknown }>>(paths).flatMap(Object.values);
    for (const { security } of operations) expect(security).toEqual([]);
  });

  test("says where a wallet that signs in need not pay, and that everybody else may pay there", async () => {
    const signIn = createHandler({
      capabilities,
      payment: { treasury: { [NETWORK]: TREASURY }, facilitator: { url: FACILITATOR_URL }, rpc: false },
      wallets: { db: awayPool },
      brand: { ...brand, baseUrl: server.url },
      store: createMemoryStore(),
      logger: silent,
      fetch: fakeFacilitator().fetch,
    });
    const { paths, components } = signIn.openapi();
    const open = Object.entries(paths).filter(([, methods]) => Object.values(methods)[0]?.security.length);
    const free = capabilities.filter(({ wallet }) => wallet?.signIn);
    expect(open.map(([path]) => path).sort()).toEqual(free.map(({ path }) => path).sort());
    for (const [, methods] of open) expect(Object.values(methods)[0]?.security).toEqual([{ siwx: [] }, {}]);
    expect(components.securitySchemes).toMatchObject({
      siwx: { in: "header", name: "SIGN-IN-WITH-X", "x-agentcash-auth-kind": "siwx" },
    });
    const running = await serve(signIn, { port: 0 });
    try {
      // What costs something without a signature is paid for, in the eyes of readers, and needs no key of anybody's.
      for (const path of ["/api/store/usage", "/api/schedule/cancel", "/api/store/kv-put"]) {
        const checked = await agentcash("check", running.url + path);
        expect([path, checked.warnings]).toEqual([path, []]);
        expect(JSON.stringify(checked)).toContain('"authMode":"paid"');
        expect(JSON.stringify(checked)).not.toContain("apiKey");
      }
      const file = join(folder, "signed-in.json");
      await writeFile(file, JSON.stringify(signIn.openapi()));
      const { stdout } = await program("@redocly/cli/bin/cli.js", "lint", file, "--format=json");
      expect(JSON.parse(stdout.slice(stdout.indexOf("{"))).totals.errors).toBe(0);
    } finally {
      await running.close();
    }
  });

  test("comes in groups", async () => {
    const document = JSON.parse(await textOf("/api/openapi.json?group=convert"));
    expect(Object.keys(document.paths)).toEqual(
      capabilities.filter(({ group }) => group === "convert").map(({ path }) => path),
    );
    expect(document.tags).toEqual([{ name: "convert" }]);
    expect((await textOf("/api/openapi.json?group=convert")).length).toBeLessThan(
      (await textOf("/openapi.json")).length / 10,
    );
    const unknown = await read("/openapi.json?group=__proto__");
    expect(unknown.status).toBe(400);
    expect(await unknown.json()).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: "group" }] });
  });
});

describe("texts for language models", () => {
  test("llms.txt has a line for every endpoint, by group, with its address and price", async () => {
    const response = await read("/llms.txt");
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    const text = await response.text();
    expect(text).toMatch(/^# Acme\n\n> .+\n\nFind an endpoint with GET \/api\/search\/endpoints/);
    expect(text.match(/^- \[[a-z0-9-]+\.[a-z0-9-]+\]\(/gm)).toHaveLength(capabilities.length);
    expect(text).toContain(`- [convert.unit](${server.url}/api/convert/unit): GET, 0.001 USD. `);
    expect(text.match(/^## /gm)).toHaveLength(1 + new Set(capabilities.map(({ group }) => group)).size);
  });

  test("llms-full.txt tells the parameters, and an example of each that works", async () => {
    const text = await textOf("/api/llms-full.txt");
    expect(text.match(/^### /gm)).toHaveLength(capabilities.length);
    const [, section = ""] = text.split("### convert.unit\n");
    expect(section).toContain("- `from` (string; required");
    const [, example = ""] = /Example: `GET ([^`]+)`/.exec(section) ?? [];
    expect((await fetch(`${example}&trial=1`)).status).toBe(200);
  });

  test("a host's own words begin no heading", async () => {
    const handle = hostOf({ brand: { ...brand, name: "A\n\n## Free money", description: "b\n# c" } });
    const text = await (await handle(new Request("https://acme.example/llms.txt"))).text();
    expect(text.startsWith("# A ## Free money\n\n> b # c\n")).toBe(true);
  });
});

describe("well-known places", () => {
  test("/.well-known/x402 lists what is sold", async () => {
    const list = JSON.parse(await textOf("/.well-known/x402"));
    expect(list.version).toBe(1);
    expect(list.resources).toHaveLength(capabilities.length);
    const [first] = list.resources;
    expect((await fetch(first, { method: "POST" })).status).toBe(402);
    const free = hostOf({ payment: false });
    const nothing = await bodyOf(await free(new Request("https://acme.example/.well-known/x402")));
    expect(nothing).toEqual({ version: 1, resources: [] });
  });

  test("/.well-known/api-catalog is a link set whose links lead somewhere (RFC 9727)", async () => {
    const response = await read("/.well-known/api-catalog");
    expect(response.headers.get("content-type")).toContain("application/linkset+json");
    const { linkset } = (await response.json()) as { linkset: Record<string, { href: string; type: string }[]>[] };
    expect(linkset).toHaveLength(1);
    const [{ anchor, ...relations } = {}] = linkset;
    expect(anchor).toBe(`${server.url}/api`);
    for (const { href, type } of Object.values(relations).flat()) {
      const found = await fetch(href);
      expect(found.status, href).toBe(200);
      expect(found.headers.get("content-type")?.split(";")[0], href).toBe(type);
    }
  });

  test("every answer links to the catalogue and the description (RFC 8288)", async () => {
    for (const path of ["/api/convert/unit", "/api/directory", "/nowhere", "/api/convert/unit?value=x"]) {
      const link = (await read(path)).headers.get("link") ?? "";
      expect(link).toMatch(/^<\/api\/\.well-known\/api-catalog>; rel="api-catalog", <\/api\/openapi\.json>; rel=/);
      for (const [, target = "", type] of link.matchAll(/<([^>]+)>; rel="[\w-]+"(?:; type="([^"]+)")?/g)) {
        const found = await read(target);
        expect(found.status).toBe(200);
        if (type) expect(found.headers.get("content-type")?.split(";")[0], target).toBe(type);
      }
    }
    const behind = await hostOf()(new Request("https://acme.example/api/directory"), { prefix: "/prod" });
    expect(behind.headers.get("link")).toContain("</prod/api/openapi.json>");
  });
});

describe("a document", () => {
  test("is not sent again to whom it is known", async () => {
    // Weak, because the answer to a browser is compressed.
    const etag = (await read("/llms.txt")).headers.get("etag") ?? "";
    expect(etag).toMatch(/^W\/"/);
    expect((await read("/llms.txt", { headers: { "if-none-match": `"old", ${etag}` } })).status).toBe(304);
    expect((await read("/llms.txt", { headers: { "if-none-match": '"old"' } })).status).toBe(200);
    expect((await read("/llms.txt", { headers: { "if-none-match": "*" } })).status).toBe(304);
  });

  test("is the icon of the brand, or the way to it", async () => {
    const icon = await read("/favicon.ico");
    expect(icon.headers.get("content-type")).toBe("image/svg+xml");
    expect(await icon.text()).toContain(">A</text>");
    const iconUrl = "https://acme.example/icon.png";
    const own = await hostOf({ brand: { ...brand, iconUrl } })(new Request("https://acme.example/favicon.ico"));
    expect([own.status, own.headers.get("location")]).toEqual([302, iconUrl]);
    const known = new Request("https://acme.example/favicon.ico", { headers: { "if-none-match": "*" } });
    expect((await hostOf({ brand: { ...brand, iconUrl } })(known)).status).toBe(302);
    const hostile = hostOf({ brand: { ...brand, name: "<script>" } });
    const drawn = await (await hostile(new Request("https://acme.example/favicon.svg"))).text();
    expect(drawn).not.toContain("<<");
  });

  test("stands once where the base path is the root", async () => {
    const handle = hostOf({ basePath: "/" });
    expect(handle.rootPaths).toEqual([]);
    expect((await handle(new Request("https://acme.example/openapi.json"))).status).toBe(200);
    expect(handle.owns("/openapi.json")).toBe(true);
  });
});
