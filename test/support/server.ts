import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";

export interface TestServer {
  url: string;
  /** Returns when the server has ended; it ends by itself when this process does, however that comes about. */
  stop(): Promise<void>;
}

export interface Program {
  command: string[];
  /** What it prints once it serves. */
  ready: string;
  /** Its folder, removed after its end. */
  dir: string;
  user?: { uid: number; gid: number } | undefined;
}

// The shell stays beside the server and ends it when its own input closes, which also happens when the tests are killed.
const GUARDIAN = `
exec 3<&0
dir=$1; shift
"$@" & server=$!
(cat <&3 >/dev/null; kill $server) &
wait $server
rm -rf "$dir"`;

/** Starts a program and waits until it serves; rejects with what it printed when it ends before that. */
export async function startProgram({ command, ready, dir, user }: Program): Promise<() => Promise<void>> {
  const child = spawn("sh", ["-c", GUARDIAN, "sh", dir, ...command], { ...user, cwd: "/" });
  await printed(child, ready);
  return async () => {
    if (child.exitCode !== null) return;
    const exited = once(child, "exit");
    child.stdin.end();
    await exited;
  };
}

function printed(child: ChildProcess, ready: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = "";
    const read = (chunk: Buffer) => {
      output += chunk;
      if (output.includes(ready)) resolve();
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`The server ended before it was ready: ${output}`)));
  });
}

/** A port of the loopback address that nobody listened on a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port was given.");
  server.close();
  await once(server, "close");
  return address.port;
}

/** Says on the terminal, past any reporter, that tests could not run here. */
export function announceSkip(what: string, why: string): void {
  process.stderr.write(`\nSKIPPED: ${what}: ${why}\n`);
}
