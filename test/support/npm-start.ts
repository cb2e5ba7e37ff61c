/** What `npm start` runs after its build, as a process of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach } from "vitest";

const SCRIPT = fileURLToPath(new URL("../../examples/local-chain/start.js", import.meta.url));
const READY = "Ctrl-C stops everything.";
/** A build and other tests may be running beside it. */
export const TIMEOUT_MS = 90_000;

const children = new Set<ChildProcess>();
const folders: string[] = [];
afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true, maxRetries: 10 });
});

/** Until it is ready or has ended. */
export async function start(settings: Record<string, string> = {}) {
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
export async function gone(url: string): Promise<void> {
  const answers = () =>
    fetch(url, { method: "POST", body: "{}" }).then(
      () => true,
      () => false,
    );
  while (await answers()) await new Promise((resolve) => setTimeout(resolve, 50));
}
