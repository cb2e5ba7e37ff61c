import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { startPostgres } from "../support/postgres.js";
import { startRedis } from "../support/redis.js";
import { announceSkip } from "../support/server.js";
import { quoteOf, TREASURY } from "../support/wallets.js";

const SCRIPT = fileURLToPath(new URL("../../examples/local-chain/start.js", import.meta.url));
const READY = "Ctrl-C stops everything.";
// A build and other tests may be running beside it.
const TIMEOUT_MS = 90_000;

const children = new Set<ChildProcess>();
const folders: string[] = [];
afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true, maxRetries: 10 });
});

/** What `npm start` runs after its build, until it is ready or has ended. */
async function start(settings: Record<string, string> = {}) {
  const { TREASURY_EVM, TREASURY_SVM, FACILITATOR_URL, REDIS_URL, DATABASE_URL, ...env } = process.env;
  // Its own: the folder of wallets' state is one process's alone.
  const XDG_CACHE_HOME = await mkdtemp(join(tmpdir(), "coinslot-start-"));
  folders.push(XDG_CACHE_HOME);
  const child = spawn(process.execPath, [SCRIPT], { env: { ...env, XDG_CACHE_HOME, PORT: "0", ...settings } });
  children.add(child);
  const exited = once(child, "close").then(([code]) => code as number | null);
  let output = "";
  const ready = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        if (output.includes(READY)) resolve();
      });
  });
  await Promise.race([ready, exited]);
  return { child, exited, output, urlOf: (name: string) => new RegExp(`${name} +(http\\S+)`).exec(output)?.[1] ?? "" };
}

/** Resolves once nothing answers at a URL. */
async function gone(url: string): Promise<void> {
  const answers = () =>
    fetch(url, { method: "POST", body: "{}" }).then(
      () => true,
      () => false,
    );
  while (await answers()) await new Promise((resolve) => setTimeout(resolve, 50));
}

it("shows a trial and a settled payment, offers commands that work, and stops cleanly", {
  timeout: TIMEOUT_MS,
}, async () => {
  const { child, exited, output, urlOf } = await start();
  expect(output).toMatch(/X-SVC-Trial: 1\n +200 OK/);
  expect(output).toMatch(/402 Payment Required\n +price +0\.001000 USDC\n +network +eip155:8453/);
  expect(output).toMatch(/transaction +0x[0-9a-f]{64}\n/);
  expect(output).toMatch(/buyer +10\.000000 +→ +9\.999000\n +treasury +0\.000000 +→ +0\.001000/);
  expect(output).toMatch(/This is my shift number 1\.\n(?:.*\n)+ +150 lb are 68\.0388555 kg\./);
  expect(output).toMatch(/I was called back: schedule\.fired, about shift 1, and the signature is right\./);
  expect(output).toContain("Another wallet asks for what the agent keeps: 404, and pays nothing for it.");
  expect(output, "colours only on a terminal").not.toContain("\u001b");

  const commands = [...output.matchAll(/curl (?:-i )?(?:-H '([\w-]+): (\d)' )?'(http\S+)'/g)];
  const statuses = await Promise.all(
    commands.map(async ([, header, value, url]) => {
      const response = await fetch(String(url), header ? { headers: { [header]: String(value) } } : {});
      return response.status;
    }),
  );
  expect(statuses).toEqual([200, 402, 200, 200, 200]);

  const [, exported, key, paying] = /(export BUYER_KEY=(\S+))\n +(BASE_URL=\S+ node \S+)/.exec(output) ?? [];
  expect(key).toMatch(/^0x[0-9a-f]{64}$/);
  const { stdout } = await promisify(execFile)("sh", ["-ec", `${exported}\n${paying}`]);
  expect(stdout).toMatch(/Quote: 0\.001 USDC .*\nReceipt: transaction 0x[0-9a-f]{64} /);

  child.kill("SIGINT");
  expect(await exited).toBe(0);
  await gone(urlOf("chain"));
});

describe.each([
  { name: "DATABASE_URL", startServer: startPostgres, says: "in Postgres" },
  { name: "REDIS_URL", startServer: startRedis, says: "in Redis" },
])("with $name set", ({ name, startServer, says }) => {
  it("keeps its state there: a trial that was used stays used after a restart", { timeout: TIMEOUT_MS }, async ({
    skip,
  }) => {
    const server = await startServer();
    if (!server) {
      announceSkip(`npm start with ${name}`, "its server is not installed here");
      return skip();
    }
    try {
      for (const [index, status] of [200, 402].entries()) {
        const settings = {
          [name]: server.url,
          TREASURY_EVM: TREASURY,
          FACILITATOR_URL: "https://facilitator.invalid/",
        };
        const { child, exited, output, urlOf } = await start(settings);
        expect(output).toContain(says);
        const trial = await fetch(`${urlOf("server")}/api/convert/unit?value=1&from=kg&to=lb&trial=1`);
        expect(trial.status, `start ${index + 1}`).toBe(status);
        child.kill("SIGINT");
        expect(await exited).toBe(0);
      }
    } finally {
      await server.stop();
    }
  });
});

it("leaves no chain behind when it is killed", { timeout: TIMEOUT_MS }, async () => {
  const { child, exited, urlOf } = await start();
  expect((await fetch(urlOf("chain"), { method: "POST", body: "{}" })).status).toBe(200);
  child.kill("SIGKILL");
  await exited;
  await gone(urlOf("chain"));
});

it("serves for real where it is told who is paid, and through whom", { timeout: TIMEOUT_MS }, async () => {
  const { child, exited, output, urlOf } = await start({
    TREASURY_EVM: TREASURY,
    FACILITATOR_URL: "https://facilitator.invalid/",
  });
  expect(output).toContain("no local chain is started");
  expect(urlOf("chain")).toBe("");
  const response = await fetch(`${urlOf("server")}/api/convert/unit?value=1&from=kg&to=lb`);
  expect(response.status).toBe(402);
  expect(quoteOf(response).accepts).toMatchObject([{ network: "eip155:8453", payTo: TREASURY }]);
  child.kill("SIGTERM");
  expect(await exited).toBe(0);
});

it.each<{ settings: Record<string, string>; says: string }>([
  { settings: { TREASURY_EVM: TREASURY }, says: "FACILITATOR_URL is missing" },
  { settings: { FACILITATOR_URL: "https://facilitator.invalid" }, says: "TREASURY_EVM or TREASURY_SVM is missing" },
  { settings: { TREASURY_EVM: TREASURY, FACILITATOR_URL: "facilitator" }, says: "FACILITATOR_URL is not a URL" },
  {
    settings: { TREASURY_EVM: "0x12", FACILITATOR_URL: "https://facilitator.invalid" },
    says: 'payment.treasury["eip155:8453"] must be an address',
  },
  {
    settings: { REDIS_URL: "redis://127.0.0.1:1", DATABASE_URL: "postgres://127.0.0.1:1" },
    says: "REDIS_URL and DATABASE_URL are both set",
  },
  { settings: { DATABASE_URL: "postgres://127.0.0.1:1/none" }, says: "DATABASE_URL: " },
  { settings: { REDIS_URL: "redis://127.0.0.1:1" }, says: "REDIS_URL: " },
  { settings: { PORT: "http" }, says: 'PORT must be a number from 0 to 65535, not "http"' },
])("does not start, and says: $says", { timeout: TIMEOUT_MS }, async ({ settings, says }) => {
  const { exited, output } = await start(settings);
  expect(await exited).toBe(1);
  expect(output).toContain(says);
  expect(output, "no stack trace").not.toMatch(/\n +at /);
});

it("says when the port is taken, and stops the chain that it had started", { timeout: TIMEOUT_MS }, async () => {
  const neighbour = createServer().listen(0, "127.0.0.1");
  await once(neighbour, "listening");
  const port = String((neighbour.address() as AddressInfo).port);
  const { exited, output } = await start({ PORT: port });
  expect(await exited).toBe(1);
  expect(output).toContain(`Port ${port} is taken. Choose another one: PORT=8403 npm start`);
  neighbour.close();
});
