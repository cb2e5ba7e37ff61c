/** A new project of each kind type-checks against the built package, starts, and asks 402 for what it sells. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { afterAll, describe, expect, it } from "vitest";
import { FRAMEWORKS, NETWORKS, STORES } from "../../src/cli/project/files.js";
import { coinslot } from "../support/cli.js";
import { pathFromRoot } from "../support/render-indexes.js";
import { freePort } from "../support/server.js";
import { TREASURY } from "../support/wallets.js";

const parent = mkdtempSync(join(tmpdir(), "coinslot-init-"));
const running: ChildProcess[] = [];
afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
  rmSync(parent, { recursive: true, force: true });
});

/** Made by the command; its packages are those of this checkout, and this package its build. */
async function made(name: string, ...options: string[]): Promise<string> {
  const folder = join(parent, name);
  const { code, err } = await coinslot(["init", folder, ...options]);
  expect(err).toContain(`Made ${folder}`);
  expect(code).toBe(0);
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  for (const needed of Object.keys({ ...dependencies, ...devDependencies })) {
    const target = needed === "coinslot" ? pathFromRoot(".") : pathFromRoot(`node_modules/${needed}`);
    expect(existsSync(target), needed).toBe(true);
    const link = join(folder, "node_modules", needed);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(target, link);
  }
  return folder;
}

/** Compiles as `npm run build` does; resolves to what the compiler complains of. */
function compile(folder: string): string[] {
  const { config } = ts.readConfigFile(join(folder, "tsconfig.json"), ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const program = ts.createProgram(fileNames, {
    ...options,
    typeRoots: [pathFromRoot("node_modules/@types")],
    types: ["node"],
  });
  const { diagnostics } = program.emit();
  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(({ messageText }) =>
    ts.flattenDiagnosticMessageText(messageText, "\n"),
  );
}

const env = { TREASURY_EVM: TREASURY, FACILITATOR_URL: "http://127.0.0.1:9" };

/** Runs what `npm start` runs after the compiler. */
async function started(folder: string, port: number, settings: Record<string, string> = env): Promise<string> {
  const { scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const [, ...command] = /^tsc && node (.+)$/.exec(scripts.start) ?? [];
  const child = spawn(process.execPath, command.join("").split(" "), {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port), ...settings },
  });
  running.push(child);
  return new Promise((resolve, reject) => {
    let text = "";
    const read = (chunk: Buffer) => {
      text += chunk;
      if (text.includes(`http://127.0.0.1:${port}`)) resolve(`http://127.0.0.1:${port}`);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", () => reject(new Error(`ended: ${text}`)));
  });
}

describe("init", () => {
  it.each(Object.keys(FRAMEWORKS))("with %s starts without a file of settings", async (framework) => {
    const folder = await made(framework, "--framework", framework, "--store", "memory", "--network", "base");
    expect(compile(folder)).toEqual([]);
    const url = await started(folder, await freePort());
    expect((await fetch(`${url}/api/convert/unit`)).status).toBe(402);
    expect((await fetch(`${url}/api/convert/unit?value=1&from=kg&to=lb&trial=1`)).status).toBe(200);
  });

  it("reads the file of settings where there is one, and what the environment has wins", async () => {
    const folder = await made("with-file", "--framework", "node", "--network", "base");
    expect(compile(folder)).toEqual([]);
    const port = await freePort();
    const file = { TREASURY_EVM: "0x0000000000000000000000000000000000000001", FACILITATOR_URL: env.FACILITATOR_URL };
    const lines = Object.entries({ ...file, PORT: "1" }).map(([name, value]) => `${name}=${value}`);
    writeFileSync(join(folder, ".env"), lines.join("\n"));
    const payTo = async (url: string) => {
      const { accepts } = (await (await fetch(`${url}/api/convert/unit`)).json()) as { accepts: { payTo: string }[] };
      return accepts[0]?.payTo;
    };
    expect(await payTo(await started(folder, port, {}))).toBe(file.TREASURY_EVM);
    expect(await payTo(await started(folder, await freePort(), env))).toBe(TREASURY);
  });

  it("with lambda", async () => {
    const folder = await made("lambda-function", "--framework", "lambda", "--network", "base-sepolia");
    expect(compile(folder)).toEqual([]);
    Object.assign(process.env, env);
    const { handler } = await import(pathToFileURL(join(folder, "dist/server.js")).href);
    for (const name of Object.keys(env)) delete process.env[name];
    const http = {
      method: "GET",
      path: "/api/convert/unit",
      sourceIp: "192.0.2.1",
      protocol: "HTTP/1.1",
      userAgent: "",
    };
    const event = { version: "2.0", rawPath: http.path, rawQueryString: "", headers: { host: "a.test" } };
    const requestContext = { http, stage: "$default", domainName: "a.test", timeEpoch: 0 };
    expect(await handler({ ...event, requestContext, isBase64Encoded: false })).toMatchObject({ statusCode: 402 });
  });

  it.each(Object.keys(STORES).flatMap((store) => Object.keys(NETWORKS).map((network) => [store, network] as const)))(
    "keeps state in %s and is paid on %s",
    async (store, network) => {
      expect(compile(await made(`${store}-${network}`, "--store", store, "--network", network))).toEqual([]);
    },
  );

  it("says what is not set, instead of selling for nobody", async () => {
    const folder = await made("unset");
    expect(compile(folder)).toEqual([]);
    const message = await import(pathToFileURL(join(folder, "dist/shop.js")).href).catch(({ message }) => message);
    expect(message).toBe("TREASURY_EVM is not set: see .env.example.");
  });

  it("writes over nothing, and knows what there is to choose", async () => {
    const folder = await made("full");
    expect(await coinslot(["init", folder])).toMatchObject({ code: 2, err: expect.stringContaining("is not empty") });
    const wrong = await coinslot(["init", join(parent, "new"), "--framework", "expres"]);
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining("Did you mean express?") });
  });
});
