/**
 * Every snippet of the README and of docs/ runs as pasted, against the built package. A snippet that cannot run says why on the line
 * before it, `<!-- not run: the reason -->`, which few may. What `process.env` a snippet may read is in `settings`.
 */
import { type ChildProcess, execFile, fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { transformSync } from "esbuild";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startChain } from "../examples/local-chain/chain.js";
import { startFacilitator } from "../examples/local-chain/facilitator.js";
import { startRedis } from "./support/redis.js";
import { pathFromRoot } from "./support/render-indexes.js";
import { openPostgres } from "./support/run-postgres.js";
import { announceSkip } from "./support/server.js";
import {
  documentPages,
  fileOf,
  missingFrom,
  openHost,
  readProtocol,
  readSnippets,
  type Snippet,
  snippetsOf,
} from "./support/snippets.js";
import { TREASURY } from "./support/wallets.js";

/** Longer than this no snippet takes to end or to listen. */
const PATIENCE_MS = 25_000;
/** What the README's first server listens on, and all its callers ask. */
const SHOP = "localhost:3000";
const UNIT = "/api/convert/unit?value=1&from=kg&to=lb";

const all = documentPages().flatMap(snippetsOf);
/** Those of frameworks are run by test/runtimes, which installs these. */
const snippets = all.filter(({ elsewhere }) => elsewhere === undefined);
const isProgram = ({ language }: Snippet) => language === "js" || language === "ts";
const isServer = ({ code }: Snippet) => code.includes("listen(3000)");
const run = promisify(execFile);

const { place, project, remove } = openHost();

const stops: (() => Promise<unknown>)[] = [];
const children = new Set<ChildProcess>();
/** The environment that snippets read. A name without a value: its server is not installed here. */
const settings: Record<string, string | undefined> = {
  TREASURY_EVM: TREASURY,
  WALLET_KEY: generatePrivateKey(),
  CLAIM_KEY: generatePrivateKey(),
  DATABASE_URL: undefined,
  REDIS_URL: undefined,
};
/** Who answers for what is on the internet. */
const standIns: Record<string, string> = {};
let chain: Awaited<ReturnType<typeof startChain>>;

beforeAll(async () => {
  chain = await startChain({ chainId: 84532 });
  stops.push(chain.stop);
  const facilitator = await startFacilitator({ chain });
  stops.push(facilitator.stop);
  await chain.mint(privateKeyToAccount(settings.WALLET_KEY as `0x${string}`).address, 1_000_000n);
  for (const address of ["https://x402.org/facilitator", "https://facilitator.example"])
    standIns[address] = facilitator.url;

  const wanted = snippets.map(({ code }) => code).join("\n");
  const [postgres, redis] = await Promise.all([
    wanted.includes("DATABASE_URL") ? openPostgres() : undefined,
    wanted.includes("REDIS_URL") ? startRedis() : undefined,
  ]);
  for (const server of [postgres, redis]) if (server) stops.push(server.stop);
  Object.assign(settings, { DATABASE_URL: postgres?.url, REDIS_URL: redis?.url });

  const shop = await start(snippets.find(isServer));
  children.delete(shop.child);
  stops.push(async () => shop.child.kill("SIGKILL"));
  standIns[`http://${SHOP}`] = `http://127.0.0.1:${shop.port}`;
  writeFileSync(join(place, ".curlrc"), `silent\nshow-error\nconnect-to = "${SHOP}:127.0.0.1:${shop.port}"\n`);
});
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
});
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
  remove();
});

const settingsReadBy = (snippet: Snippet) =>
  isProgram(snippet) ? [...snippet.code.matchAll(/process\.env\.(\w+)/g)].map(([, name = ""]) => name) : [];

/** Writes a snippet into the project, as JavaScript too where it is TypeScript; the path of what can be run. */
function paste(snippet: Snippet): string {
  const { language, code } = snippet;
  const file = join(project, `${fileOf(snippet)}.${language}`);
  writeFileSync(file, code);
  if (language === "js") return file;
  const runnable = join(project, `${fileOf(snippet)}.mjs`);
  writeFileSync(runnable, transformSync(code, { loader: "ts" }).code);
  return runnable;
}

/** Starts a program and waits until it listens or has ended. Rejects with what it printed when it fails or hangs. */
async function start(snippet: Snippet | undefined) {
  if (!snippet) throw new Error("The README has no server that listens on port 3000.");
  const { PATH } = process.env;
  const env = { PATH, HOME: place, ...settings, STAND_INS: JSON.stringify(standIns) };
  const child = fork(pathFromRoot("test/support/pasted.mjs"), [paste(snippet)], { cwd: project, env, silent: true });
  // What serves over standard input ends with it.
  child.stdin?.end();
  children.add(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text) => (output += text));
  let status: number | undefined;
  const port = await new Promise<number | undefined>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`The snippet of ${snippet.page}:${snippet.line} ${why}\n${output}`));
    const patience = setTimeout(() => fail("neither ended nor listened."), PATIENCE_MS);
    child.on("message", (message: { port?: number; status?: number }) => {
      status ??= message.status;
      if (message.port !== undefined) resolve(message.port);
    });
    child.once("close", (code) => (code === 0 ? resolve(undefined) : fail(`ended with ${code}:`)));
    child.once("close", () => clearTimeout(patience));
    child.once("message", () => clearTimeout(patience));
  });
  return { child, port, status, output: () => output };
}

/** Runs a line of shell, which curl's settings lead to this machine. */
const shell = (command: string, options: string[] = []) => {
  const { PATH } = process.env;
  const script = `curl() { command curl ${options.join(" ")} "$@"; }\n${command}`;
  return run("sh", ["-ec", script], { cwd: project, env: { PATH, HOME: place } });
};

const runs: Record<string, (snippet: Snippet) => Promise<void>> = {
  async js(snippet) {
    const { port, status, output } = await start(snippet);
    if (status !== undefined) expect(status, output()).toBeLessThan(500);
    if (port === undefined) return;
    // A trial writes into the store that the server was given.
    const response = await fetch(`http://127.0.0.1:${port}${UNIT}&trial=1`);
    expect(response.status, `${await response.text()}\n${output()}`).toBeLessThan(500);
  },
  ts: (snippet) => runs.js?.(snippet) ?? Promise.resolve(),
  async sh({ code }) {
    await shell(code, ["--fail-with-body"]);
  },
  async console({ code }) {
    for (const { command, printed } of readProtocol(code)) {
      const { stdout } = await shell(command);
      const missing = missingFrom(stdout, printed);
      if (missing !== undefined)
        throw new Error(`${command} did not print "${missing}", but\n${stdout.slice(0, 2000)}`);
    }
  },
  async json({ code }) {
    JSON.parse(code);
  },
};

describe("every snippet of the documentation runs as pasted", () => {
  for (const snippet of snippets.filter(({ notRun }) => notRun === undefined)) {
    const { language, code, page, line, heading } = snippet;
    it(`${page}:${line}, ${language} under "${heading}": ${code.split("\n")[0]}`, async ({ skip }) => {
      const known = Object.keys(runs).join(", ");
      if (!runs[language])
        throw new Error(`Here run ${known}, not "${language}": write one of them, or <!-- not run: why --> before it.`);
      for (const name of settingsReadBy(snippet)) {
        if (!(name in settings)) throw new Error(`It reads ${name}, which test/readme.test.ts has no setting for.`);
        if (settings[name] !== undefined) continue;
        announceSkip(`the snippet of ${page}:${line}`, `there is no server for ${name} here`);
        skip();
      }
      await runs[language](snippet);
    });
  }

  it("the buyer's snippet really pays", async () => {
    const before = await chain.balanceOf(TREASURY);
    const { output } = await start(snippets.find(({ code }) => code.includes("wrapFetchWithPayment(")));
    expect(output()).toContain("caller: 'paid'");
    expect((await chain.balanceOf(TREASURY)) - before).toBe(1000n);
  });

  it("what test/runtimes runs is an app that it knows", async () => {
    const { FRAMEWORKS } = await import("./runtimes/frameworks.mjs");
    const apps = new Set(FRAMEWORKS.map(({ app }: { app: string }) => app));
    const marked = all.flatMap(({ elsewhere }) => (elsewhere === undefined ? [] : [elsewhere.split("/")[0]]));
    expect(new Set(marked)).toEqual(apps);
  });

  it("few are not run, and each says why", () => {
    const marked = snippets.filter(({ notRun }) => notRun !== undefined);
    for (const { page, line, notRun } of marked)
      expect(notRun?.length, `the reason of ${page}:${line}`).toBeGreaterThan(10);
    expect(marked.length).toBeLessThanOrEqual(all.length / 4);
  });
});

describe("the reader of snippets", () => {
  it("finds each with its line, heading and mark, and an open fence", () => {
    expect(readSnippets("# A\n```js\n1\n2\n```\n## B\n<!-- not run: because -->\n```sh\nx\n```\n", "a.md")).toEqual([
      { page: "a.md", language: "js", code: "1\n2", line: 2, heading: "A" },
      { page: "a.md", language: "sh", code: "x", line: 8, heading: "B", notRun: "because" },
    ]);
    expect(() => readSnippets("\n```js\n1", "a.md")).toThrow("line 2");
  });

  it("compares what a command printed in its order, with … for anything", () => {
    expect(missingFrom("HTTP/1.1 402\nX: abc\n\n{}", "http/1.1 402\nX: a…\n{…}")).toBeUndefined();
    expect(missingFrom("b a", "a\nb")).toBe("b");
    expect(readProtocol("$ one\n1\n2\n$ two")).toEqual([
      { command: "one", printed: "1\n2" },
      { command: "two", printed: "" },
    ]);
  });
});
