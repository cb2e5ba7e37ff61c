/** `npm test`: the tests that need no build, and beside them the build that all others are run on. Arguments go to Vitest. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const run = async (...args) => {
  const child = spawn(process.execPath, args, { stdio: "inherit" });
  process.once("exit", () => child.kill());
  const [code] = await once(child, "exit");
  return code ?? 1;
};
const codes = await Promise.all([
  run("scripts/build.mjs", "--if-changed"),
  run("node_modules/vitest/vitest.mjs", "run", ...process.argv.slice(2)),
]);
process.exitCode = codes.find((code) => code !== 0) ?? 0;
