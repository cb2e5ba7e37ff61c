// Runs anvil, a local EVM node, for as long as standard input stays open. chain.js starts this file as a process of
// its own: when its parent ends, in whatever way, the system closes the pipe, and no node is left behind.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/** npm installs the binary in the one package that fits the machine; anvil's own launcher is not needed for it. */
function anvilBinary() {
  const arch = process.arch === "x64" ? "amd64" : process.arch;
  const executable = process.platform === "win32" ? "anvil.exe" : "anvil";
  // The platform packages hang below @foundry-rs/anvil, which need not be where npm hoisted us.
  const require = createRequire(fileURLToPath(import.meta.resolve("@foundry-rs/anvil/package.json")));
  try {
    return require.resolve(`@foundry-rs/anvil-${process.platform}-${arch}/bin/${executable}`);
  } catch {
    throw new Error(`@foundry-rs/anvil brings no binary for ${process.platform} on ${process.arch}.`);
  }
}

const anvil = spawn(anvilBinary(), process.argv.slice(2), { stdio: ["ignore", "inherit", "inherit"] });
anvil.on("exit", (code) => process.exit(code ?? 0));

const stop = () => anvil.kill("SIGKILL"); // It keeps nothing that would need an orderly end.
process.stdin.on("end", stop).on("error", stop).resume();
process.on("SIGTERM", stop).on("SIGINT", stop);
