import { execFileSync } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, startProgram, type TestServer } from "./server.js";

/** A private Redis without persistence; undefined where `redis-server` is not installed. */
export async function startRedis(): Promise<TestServer | undefined> {
  if (!isInstalled("redis-server")) return undefined;
  const dir = await mkdtemp(join(tmpdir(), "coinslot-redis-"));
  const port = await freePort();
  const settings = ["--bind", "127.0.0.1", "--port", String(port), "--dir", dir, "--save", "", "--appendonly", "no"];
  const command = ["redis-server", ...settings];
  const stop = await startProgram({ command, ready: "Ready to accept connections", dir });
  return { url: `redis://127.0.0.1:${port}`, stop };
}

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
