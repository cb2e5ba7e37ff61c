import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, startProgram, stopProgram } from "./server.js";

export interface TestServer {
  url: string;
  stop(): Promise<void>;
}

/** A private Redis without persistence; undefined where `redis-server` is not installed. */
export async function startRedis(): Promise<TestServer | undefined> {
  if (!isInstalled("redis-server")) return undefined;
  const dir = await mkdtemp(join(tmpdir(), "coinslot-redis-"));
  const port = await freePort();
  const settings = ["--bind", "127.0.0.1", "--port", String(port), "--dir", dir, "--save", "", "--appendonly", "no"];
  const server = await startProgram(["redis-server", ...settings], { ready: "Ready to accept connections" });
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      await stopProgram(server, "SIGTERM");
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
