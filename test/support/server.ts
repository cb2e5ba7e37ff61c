import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";

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

/** Starts a program and waits until it has printed `ready`; rejects with what it printed when it ends before that. */
export async function startProgram(
  command: string[],
  options: { ready: string; spawn?: SpawnOptions },
): Promise<ChildProcess> {
  const [file = "", ...args] = command;
  const child = spawn(file, args, { ...options.spawn, stdio: ["ignore", "pipe", "pipe"] });
  const killWithUs = () => child.kill("SIGKILL");
  process.once("exit", killWithUs);
  child.once("exit", () => process.off("exit", killWithUs));
  await new Promise<void>((resolve, reject) => {
    let printed = "";
    const read = (chunk: Buffer) => {
      printed += chunk;
      if (printed.includes(options.ready)) resolve();
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${file} ended with ${code}: ${printed}`)));
  });
  return child;
}

export async function stopProgram(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
}

/** Says on the terminal, past any reporter, that tests could not run here. */
export function announceSkip(what: string, why: string): void {
  process.stderr.write(`\nSKIPPED: ${what}: ${why}\n`);
}
