/** A service by a configuration file: what it says, what is wrong with it, and what of it changes while it runs. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { readHostFile } from "../../src/cli/config/host-file.js";
import { type Reloads, startReloads } from "../../src/cli/config/reload.js";
import { hostFileOf } from "../../src/cli/config/serve-file.js";
import { createHandler } from "../../src/handler/handler.js";
import { silent } from "../../src/lib/logger.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { TREASURY } from "../support/wallets.js";

const folder = mkdtempSync(join(tmpdir(), "coinslot-config-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const named = (name: string) => `\${${name}}`;
let files = 0;
const written = (text: string) => {
  const file = join(folder, `${++files}.yaml`);
  writeFileSync(file, text);
  return file;
};

const PAYMENT = `
payment:
  treasury: { "eip155:8453": "${TREASURY}" }
  facilitator: { url: https://facilitator.test, headers: { authorization: "Bearer \${FACILITATOR_KEY}" } }
`;
const ENV = {
  FACILITATOR_KEY: "very-secret-key-of-the-facilitator",
  HOOK: "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",
};

describe("a configuration file", () => {
  it("has the options of createHandler, endpoints by group or id, and what is stopped", async () => {
    const file = written(`
brand: { name: Acme Data, slug: Acme, baseUrl: https://api.acme.example }
listen: { port: 9000, host: 0.0.0.0 }
capabilities: [convert, barcode.generate]
pricing: { markup: 1.25, overrides: { convert.unit: "0.002" } }
stopped: { barcode.generate: It is being reviewed. }
payers: { deny: ["0x0000000000000000000000000000000000000001"] }
store: { redis: redis://localhost:6379, prefix: "acme:" }
webhooks: [{ url: https://hooks.acme.example/events, secret: { env: HOOK } }]
trial: false
${PAYMENT}`);
    const { options, rules, listen, store } = await hostFileOf(file, ENV);
    expect(options.capabilities.map(({ id }) => id)).toContain("convert.unit");
    expect(options.capabilities.every(({ id, group }) => group === "convert" || id === "barcode.generate")).toBe(true);
    expect(rules).toMatchObject({
      pricing: { markup: 1.25 },
      stopped: { "barcode.generate": "It is being reviewed." },
    });
    expect([listen, store]).toEqual([
      { port: 9000, host: "0.0.0.0" },
      { redis: "redis://localhost:6379", prefix: "acme:" },
    ]);
    expect(options.webhooks?.[0]?.secret).toBe(ENV.HOOK);
    const { facilitator } = options.payment as unknown as { facilitator: { headers: () => object } };
    expect(facilitator.headers()).toEqual({ authorization: `Bearer ${ENV.FACILITATOR_KEY}` });
  });

  it("takes secrets of files, relative to itself, and keys of wallets", async () => {
    writeFileSync(join(folder, "refund.key"), `0x${"1".repeat(64)}\n`);
    const file = written(`
capabilities: [convert]
secrets: { SOME_KEY: { file: ./refund.key }, PRICE: "$\${NOT_A_NAME}" }
${PAYMENT}
  refunds: { "eip155:8453": { privateKey: { file: refund.key } } }`);
    const { options } = await hostFileOf(file, ENV);
    const { refunds } = options.payment as unknown as { refunds: Record<string, { address: string }> };
    expect(refunds["eip155:8453"]?.address).toMatch(/^0x[0-9a-fA-F]{40}$/);
    expect(options.secrets).toMatchObject({ SOME_KEY: `0x${"1".repeat(64)}`, PRICE: named("NOT_A_NAME") });
  });

  it.each([
    ["brnd: { name: A }", 'Unknown option "brnd". Did you mean "brand"?'],
    ["stoped: {}", 'Unknown option "stoped". Did you mean "stopped"?'],
    ["brand: { nmae: A }", 'Unknown option "brand.nmae". Did you mean "name"?'],
    ["pricing: { markup: 0 }", "pricing.markup must be a number above 0"],
    ["pricing: { overrides: { no.such: '1' } }", 'pricing.overrides: unknown capability "no.such"'],
    ["stopped: { ai.chat: Soon. }", 'stopped: unknown capability "ai.chat"'],
    ["capabilities: [convrt]", 'unknown group or endpoint "convrt". Did you mean "convert"?'],
    ["policy: x", "policy is an option of a program: a file cannot have it."],
    ["store: { redis: a, postgres: b }", "store.postgres must be the address of a database"],
    ["budgets: { KEY: { usdPerDay: 20 } }", "must be US dollars above 0 as text"],
    ["wallets: { db: store }", "wallets.db is store, which must be Postgres then"],
    [`brand: { name: '${named("NO_SUCH")}' }`, "brand.name names NO_SUCH, which is not set in the environment."],
    ["brand: { name: { env: 'a b' } }", "brand.name names no setting"],
    ["brand: { name: { file: ./gone.txt } }", "brand.name names a file that cannot be read"],
    ["accounts: {}\nproducts: []", "products must have 1 to 100 entries"],
    ["customer: true", "customer needs accounts.keys"],
    ["- a", "must have options by their names"],
    ["", "must have options by their names"],
  ])("with %s is refused by name", async (text, message) => {
    const more =
      text.startsWith("capabilities") || text.startsWith("-") || text === "" ? "" : "capabilities: [convert]";
    const file = written(text === "" || text.startsWith("-") ? text : `${more}\n${text}\n${PAYMENT}`);
    const fault = await hostFileOf(file, ENV).then(
      () => "nothing",
      (error: Error) => error.message,
    );
    expect(fault).toContain(message);
    expect(fault.startsWith(`${file}: `)).toBe(true);
  });

  it("without payment is that of the environment, or refused as serve refuses it", async () => {
    const file = written("capabilities: [convert]");
    await expect(hostFileOf(file, {})).rejects.toThrow("TREASURY_EVM or TREASURY_SVM is missing");
    await hostFileOf(file, { TREASURY_EVM: TREASURY, FACILITATOR_URL: "https://facilitator.test" });
  });

  it("shows no secret in an error, wherever it was put", async () => {
    const secret = 'pass"word-of-the-treasury-which-nobody-may-see-because-it-is-long';
    const places = [
      `brand: { slug: '${named("SECRET")}' }`,
      "basePath: { env: SECRET }",
      `capabilities: ['${named("SECRET")}']`,
      "pricing: { overrides: { convert.unit: { env: SECRET } } }",
      "payers: { deny: [{ env: SECRET }] }",
      "store: { postgres: { env: SECRET } }",
      "metrics: { token: { env: SECRET }, path: { env: SECRET } }",
      "stopped: { convert.unit: { env: SECRET }, no.such: { env: SECRET } }",
      "trial: { perHour: { env: SECRET } }",
      "jobs: { always: [{ env: SECRET }], maxPerPayer: { env: SECRET } }",
    ];
    for (const place of places) {
      const more = place.startsWith("capabilities") ? "" : "capabilities: [convert]";
      const file = written(`${more}\n${place}\n${PAYMENT}`);
      const error = (await hostFileOf(file, { ...ENV, SECRET: secret }).catch((thrown: Error) => thrown)) as Error;
      const shown = `${error.message} ${error.stack} ${JSON.stringify(error.cause ?? "")}`;
      expect([place, error instanceof Error, shown.includes("pass"), shown.includes("nobody-may-see")]).toEqual([
        place,
        true,
        false,
        false,
      ]);
    }
  });
});

describe("a file that changes", () => {
  const open: Reloads[] = [];
  afterEach(async () => {
    for (const one of open.splice(0)) await one.stop();
  });

  async function serving(file: string) {
    const store = createMemoryStore();
    const first = await readHostFile(file, ENV);
    const handle = createHandler({
      ...first.options,
      payment: { treasury: { "eip155:8453": TREASURY }, facilitator: { url: "https://facilitator.test" } },
      ...{ store, logger: silent, fetch: () => Promise.reject(new Error("nobody")) },
    });
    const lines: string[] = [];
    const terminal = { note: (text: string) => void lines.push(text) };
    const reloads = await startReloads({ handle, terminal, first, read: () => readHostFile(file, ENV) });
    open.push(reloads);
    const price = () => {
      const found = handle.catalogue.capabilities.find(({ id }) => id === "convert.unit");
      return found && handle.catalogue.priceOf(found);
    };
    return { handle, reloads, lines, price };
  }

  it("changes prices and stops at once, and says what takes a restart, once", async () => {
    const text = (brand: string, usd: string, stopped: string) =>
      `capabilities: [convert]\nbrand: { name: ${brand} }\npricing: { overrides: { convert.unit: "${usd}" } }\n${stopped}`;
    const file = written(text("Acme", "0.002", ""));
    const { reloads, handle, price, lines } = await serving(file);
    expect(price()).toMatchObject({ usd: "0.002" });
    writeFileSync(file, text("Other", "0.003", "stopped: { convert.unit: Later. }"));
    await reloads.reload();
    await reloads.reload();
    expect(price()).toMatchObject({ usd: "0.003" });
    const stopped = await handle(new Request("http://a.test/api/convert/unit?value=1&from=kg&to=lb"));
    expect(await stopped.json()).toMatchObject({ code: "STOPPED" });
    expect(lines.filter((line) => line.includes("restart"))).toEqual(["config: a restart is needed for: brand"]);
    await handle.close();
  });

  it("by a signal or by itself is read again, and one that is wrong changes nothing", async () => {
    const file = written('capabilities: [convert]\npricing: { overrides: { convert.unit: "0.002" } }');
    const { handle, price, lines } = await serving(file);
    writeFileSync(file, "capabilities: [convert]\npricing: { overrides: { convert.unit: free } }");
    process.emit("SIGHUP");
    await vi.waitFor(() => expect(lines).toHaveLength(1));
    expect(lines[0]).toContain("the file is wrong, so what it said before holds");
    expect(price()).toMatchObject({ usd: "0.002" });
    writeFileSync(file, 'capabilities: [convert]\npricing: { overrides: { convert.unit: "0.004" } }');
    await vi.waitFor(() => expect(price()).toMatchObject({ usd: "0.004" }), { timeout: 10_000, interval: 100 });
    await handle.close();
  });
});
