/** Every example is run: its app as another app would mount it, and its file as a reader would start it. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createApp as createExpressApp } from "../examples/express/app.js";
import { createApp as createHonoApp } from "../examples/hono/app.js";
import { describeParcel, tryToConvert } from "../examples/in-process/app.js";
import { startChain } from "../examples/local-chain/chain.js";
import { startFacilitator } from "../examples/local-chain/facilitator.js";
import { buy } from "../examples/paying-client/app.js";
import { createService } from "../examples/subset/app.js";
import { functionUrlEvent } from "./support/lambda-events.js";
import { pathFromRoot } from "./support/render-indexes.js";
import { listen, type Reply } from "./support/transports.js";
import { quoteOf, TREASURY } from "./support/wallets.js";

const UNIT = "/api/convert/unit?value=1&from=kg&to=lb";
const POUNDS = { items: [{ result: 2.2046226218487757 }] };
// Nobody is asked for these: quotes come from the configuration, trials are free.
const payment = { treasury: { "eip155:84532": TREASURY }, facilitator: { url: "http://127.0.0.1:9" } };

const jsonOf = (reply: Reply) => JSON.parse(reply.body.toString("utf8"));

describe("express", () => {
  const open = () => listen(createExpressApp(payment));

  it("sells below /api", async () => {
    const server = await open();
    const quote = await server.send({ method: "GET", target: UNIT });
    const trial = await server.send({ method: "GET", target: UNIT, headers: { "x-svc-trial": "1" } });
    await server.close();
    expect(quote.status).toBe(402);
    expect(jsonOf(quote).accepts).toMatchObject([{ payTo: TREASURY, amount: "1000" }]);
    expect(trial.status).toBe(200);
    expect(jsonOf(trial).data).toMatchObject(POUNDS);
  });

  it("keeps its own routes before and behind", async () => {
    const server = await open();
    const page = await server.send({ method: "GET", target: "/" });
    const missing = await server.send({ method: "GET", target: "/nowhere" });
    await server.close();
    expect(page.body.toString()).toContain("Our own page");
    expect([missing.status, missing.body.toString()]).toEqual([404, "No such page."]);
  });
});

describe("hono", () => {
  it("sells below /api and keeps its own routes", async () => {
    const app = createHonoApp(payment);
    expect((await app.request(UNIT)).status).toBe(402);
    const trial = await app.request(UNIT, { headers: { "x-svc-trial": "1" } });
    expect(await trial.json()).toMatchObject({ data: POUNDS });
    expect(await (await app.request("/")).text()).toContain("Our own page");
  });
});

describe("lambda", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.resetModules();
  });
  const load = () => import("../examples/lambda/handler.js");

  it("answers the events of a function URL", async () => {
    vi.stubEnv("TREASURY_EVM", TREASURY);
    const { handler } = await load();
    const quote = await handler(functionUrlEvent({ method: "GET", target: UNIT }));
    expect(quote).toMatchObject({ statusCode: 402, isBase64Encoded: false });
    expect(JSON.parse(quote.body)).toMatchObject({ accepts: [{ payTo: TREASURY }] });
    const trial = await handler(functionUrlEvent({ method: "GET", target: UNIT, headers: { "x-svc-trial": "1" } }));
    expect(JSON.parse(trial.body)).toMatchObject({ data: POUNDS });
  });

  it("does not start where nobody would be paid", async () => {
    vi.stubEnv("TREASURY_EVM", undefined);
    await expect(load()).rejects.toThrow(/TREASURY_EVM/);
  });
});

describe("in-process", () => {
  it("composes capabilities as functions", async () => {
    const parcel = { kilograms: 2.5, shippedOn: "2026-12-23", workingDays: 3, country: "DE" };
    expect(await describeParcel(parcel)).toEqual({ pounds: 5.511556554621939, arrivesOn: "2026-12-29" });
  });

  it("tells failures by their code", async () => {
    expect(await tryToConvert(1, "kg", "g")).toBe(1000);
    expect(await tryToConvert(1, "kg", "km")).toMatch(/^INCOMPATIBLE_UNITS: /);
  });
});

describe("subset", () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  afterEach(() => void log.mockClear());
  const ask = (path: string, headers: Record<string, string> = {}) =>
    createService(payment)(new Request(`https://acme.example${path}`, { headers }));
  const amountOf = async (path: string) => quoteOf(await ask(path)).accepts[0]?.amount;

  it("quotes its own price where it has one, and a quarter more elsewhere", async () => {
    expect(await amountOf("/v1/convert/unit")).toBe("5000");
    expect(await amountOf("/v1/calendar/holidays")).toBe("1250");
  });

  it("gives trials under its own name", async () => {
    const path = UNIT.replace("/api", "/v1");
    const trial = await ask(path, { "x-acme-trial": "1" });
    expect(await trial.json()).toMatchObject({ data: POUNDS, meta: { trial: { remaining: 2 } } });
    expect(trial.headers.get("access-control-expose-headers")).toContain("X-ACME-Trial-Remaining");
    expect((await ask(path, { "x-svc-trial": "1" })).status).toBe(402);
    expect(log.mock.calls).toEqual([["convert.unit: trial, 0 USD"], ["convert.unit: challenged, 0 USD"]]);
  });

  it("serves nothing that it has not mounted", async () => {
    expect((await ask("/v1/chinese/pinyin")).status).toBe(404);
    expect((await ask("/api/convert/unit")).status).toBe(404);
    const directory = (await (await ask("/v1/directory")).json()) as { endpoints: { id: string }[] };
    expect(new Set(directory.endpoints.map(({ id }) => id.split(".")[0]))).toEqual(new Set(["convert", "calendar"]));
  });
});

describe("paying-client", () => {
  let chain: Awaited<ReturnType<typeof startChain>>;
  let facilitator: Awaited<ReturnType<typeof startFacilitator>>;
  let service: Awaited<ReturnType<typeof listen>>;

  beforeAll(async () => {
    chain = await startChain({ chainId: 84532 });
    facilitator = await startFacilitator({ chain });
    const facilitatorOptions = { url: facilitator.url };
    service = await listen(
      createExpressApp({ treasury: { [chain.network]: TREASURY }, facilitator: facilitatorOptions }),
    );
  });
  afterAll(async () => {
    await service?.close();
    await facilitator?.stop();
    await chain?.stop();
  });

  it("pays what is asked, and shows quote and receipt", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    const buyer = privateKeyToAccount(generatePrivateKey());
    await chain.mint(buyer.address, 1_000_000n);
    const paidBefore = await chain.balanceOf(TREASURY);

    const { body, receipt } = await buy(`http://127.0.0.1:${service.port}${UNIT}`, buyer);

    expect(body).toMatchObject({ data: POUNDS, meta: { caller: "paid", costUsd: "0.001" } });
    expect(receipt).toMatchObject({ success: true, network: chain.network, payer: buyer.address });
    expect((await chain.balanceOf(TREASURY)) - paidBefore).toBe(1000n);
    expect(await chain.balanceOf(buyer.address)).toBe(999_000n);
    const printed = log.mock.calls.flat().join("\n");
    log.mockRestore();
    expect(printed).toContain(`Quote: 0.001 USDC on ${chain.network} to ${TREASURY}`);
    expect(printed).toContain(`Receipt: transaction ${receipt?.transaction}`);
  });

  it("as a program, buys with the key that it is given", async () => {
    const key = generatePrivateKey();
    await chain.mint(privateKeyToAccount(key).address, 1000n);
    const { stdout } = await run("paying-client/app.js", {
      WALLET_KEY: key,
      BASE_URL: `http://127.0.0.1:${service.port}`,
    });
    expect(stdout).toMatch(/^Quote: 0\.001 USDC .*\nReceipt: transaction 0x[0-9a-f]{64} /);
    expect(stdout).toContain('"result": 2.2046226218487757');
  });
});

const program = (file: string) => pathFromRoot(`examples/${file}`);

function run(file: string, env: Record<string, string>) {
  const { PATH } = process.env;
  return promisify(execFile)(process.execPath, [program(file)], { env: { PATH, ...env } });
}

async function firstLine(child: ChildProcess): Promise<string> {
  let output = "";
  for await (const chunk of child.stdout ?? []) {
    output += chunk;
    if (output.includes("\n")) break;
  }
  return output.split("\n")[0] ?? "";
}

describe("started as programs", () => {
  it.each(["express/app.js", "hono/app.js", "subset/app.js"])("%s serves and says where", async (file) => {
    const env = { PATH: process.env.PATH, TREASURY_EVM: TREASURY, PORT: "0" };
    const child = spawn(process.execPath, [program(file)], { env, stdio: ["ignore", "pipe", "inherit"] });
    try {
      const [, url] = /^Listening on (http:\S+)$/.exec(await firstLine(child)) ?? [];
      const basePath = file.startsWith("subset") ? "/v1" : "/api";
      const response = await fetch(`${url}${basePath}/convert/unit`);
      expect(response.status).toBe(402);
      expect(quoteOf(response).accepts).toMatchObject([{ network: "eip155:84532", payTo: TREASURY }]);
    } finally {
      const ended = once(child, "exit");
      child.kill();
      await ended;
    }
  });

  it.each([
    ["express/app.js", "TREASURY_EVM"],
    ["hono/app.js", "TREASURY_EVM"],
    ["subset/app.js", "TREASURY_EVM"],
    ["lambda/handler.js", "TREASURY_EVM"],
    ["workers/worker.js", "TREASURY_EVM"],
    ["paying-client/app.js", "WALLET_KEY"],
  ])("%s says that %s is missing", async (file, name) => {
    await expect(run(file, {})).rejects.toThrow(new RegExp(`Error: Set .*${name}`));
  });

  it("in-process/app.js prints what it found", async () => {
    const { stdout } = await run("in-process/app.js", {});
    expect(stdout).toContain("arrivesOn: '2026-12-29'");
    expect(stdout).toContain("0.001 USD where it is sold: GET /api/convert/unit");
  });
});

describe("all of them", () => {
  const folders = readdirSync(pathFromRoot("examples"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

  it.each(folders)("%s is in the table of examples/README.md", (name) => {
    expect(readFileSync(program("README.md"), "utf8")).toContain(`](${name}/`);
  });

  const programs = folders
    .filter((name) => name !== "local-chain")
    .flatMap((name) => readdirSync(program(name)).map((file) => `${name}/${file}`))
    .filter((file) => file.endsWith(".js"));

  it.each(programs)("%s fits one screen", (file) => {
    const lines = readFileSync(program(file), "utf8").split("\n");
    expect(lines.length).toBeGreaterThan(10);
    // An agent's two halves.
    expect(lines.length).toBeLessThanOrEqual(file === "agent/app.js" ? 82 : 41);
  });
});
