/** A local EVM node, in memory: anvil. It ends with this process, however that ends. */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import type { Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Ends the node when standard input closes, which the system does when our process is gone. */
const RUNNER = `
const { spawn } = require("node:child_process");
const [binary, ...args] = process.argv.slice(1);
const node = spawn(binary, args, { stdio: ["ignore", "inherit", "inherit"] });
const stop = () => node.kill("SIGKILL");
node.on("error", () => process.exit(1)).on("exit", (code) => process.exit(code ?? 0));
process.stdin.on("end", stop).on("error", stop).resume();
process.on("SIGTERM", stop).on("SIGINT", stop);
`;

export const INSTALL = "npm install --save-dev @foundry-rs/anvil@1.7 @x402/core@2 @x402/evm@2 viem@2";

/** The binary for this machine, beside us or in the project that uses us. Throws an error that names the command. */
function binary(): string {
  const arch = process.arch === "x64" ? "amd64" : process.arch;
  const executable = process.platform === "win32" ? "anvil.exe" : "anvil";
  for (const from of [import.meta.url, join(process.cwd(), "package.json")])
    try {
      const anvil = createRequire(createRequire(from).resolve("@foundry-rs/anvil/package.json"));
      return anvil.resolve(`@foundry-rs/anvil-${process.platform}-${arch}/bin/${executable}`);
    } catch {
      // Looked for in the next place.
    }
  throw new Error(`A local chain needs packages that are not installed: ${INSTALL}`);
}

/** Starts a node on a free port of this machine. */
export async function startAnvil(chainId: number): Promise<{ rpcUrl: string; stop(): Promise<void> }> {
  const args = ["--host", "127.0.0.1", "--port", "0", "--chain-id", String(chainId)];
  const child = spawn(process.execPath, ["-e", RUNNER, binary(), ...args], {
    stdio: ["pipe", "pipe", "pipe"],
    // A Ctrl-C of the terminal ends our own process first.
    detached: true,
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-1000);
  });
  const rpcUrl = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [, address] = /^Listening on (\S+)/.exec(line) ?? [];
      if (address) resolve(`http://${address}`);
    });
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`The local chain did not start. ${errors.trim()}`)));
  });
  // A chain that somebody forgot to stop keeps no process alive.
  child.unref();
  for (const stream of child.stdio) (stream as Socket | null)?.unref();
  return {
    rpcUrl,
    async stop() {
      child.ref();
      child.stdin.end();
      await ended;
    },
  };
}
