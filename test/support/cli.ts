/** Runs the command: as built, in a process of its own, or its source in this process. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { vi } from "vitest";
import { main } from "../../src/cli/main.js";

export const CLI = fileURLToPath(new URL("../../dist/cli/index.js", import.meta.url));

export interface Ran {
  code: number | null;
  out: string;
  err: string;
  bytes: Buffer;
}

interface Options {
  env?: Record<string, string>;
  stdin?: string;
}

/** The environment is the test's alone, so that nobody's own keys and treasuries count. */
const envOf = ({ PATH = "", HOME = "" }: NodeJS.ProcessEnv, own: Record<string, string>) => ({ PATH, HOME, ...own });

function startCoinslot(args: readonly string[], { env = {}, stdin }: Options = {}): ChildProcess {
  const child = spawn(process.execPath, [CLI, ...args], { env: envOf(process.env, env), stdio: "pipe" });
  child.stdin?.end(stdin);
  return child;
}

/** Resolves when it has ended, with whatever code. */
export function coinslot(args: readonly string[], options: Options = {}): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = startCoinslot(args, options);
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => err.push(chunk));
    child.once("error", reject);
    child.once("close", (code) => {
      const bytes = Buffer.concat(out);
      resolve({ code, bytes, out: bytes.toString(), err: Buffer.concat(err).toString() });
    });
  });
}

/** What a command line that starts nothing prints, and its exit code, without a process for it. */
export async function coinslotHere(args: readonly string[]): Promise<Omit<Ran, "bytes">> {
  const printed = { out: "", err: "" };
  const keep = (kind: "out" | "err") => (chunk: string | Uint8Array) => {
    printed[kind] += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, "write").mockImplementation(keep("out")),
    vi.spyOn(process.stderr, "write").mockImplementation(keep("err")),
  ];
  try {
    return { code: await main(args, envOf(process.env, {})), ...printed };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** `coinslot serve`, or another command that serves, on a free port; `stop` asks it to end as an orchestrator does, and tells its exit code. */
export async function startServe(args: readonly string[], env: Record<string, string>, command = "serve") {
  const child = startCoinslot([command, "--port", "0", ...args], { env });
  const url = await new Promise<string>((resolve, reject) => {
    let text = "";
    const read = (chunk: Buffer) => {
      text += chunk;
      const [, found] = /serving +(http:\S+)/.exec(text) ?? [];
      if (found) resolve(found);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("exit", () => reject(new Error(`${command} ended: ${text}`)));
  });
  return {
    url,
    async stop(): Promise<number | null> {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      const [code] = (await ended) as [number | null];
      return code;
    },
  };
}
