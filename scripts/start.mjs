/**
 * `npm start`: looks whether the port is free, brings what is missing, builds what is not built, and runs the local chain.
 * After `npm ci --omit=dev` it installs the packages that this needs alone, a quarter of all that development needs.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { assertFree, readPort, takenPort } from "../examples/local-chain/port.js";
import { LOCAL_CHAIN, missingOf } from "./local-chain-packages.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
try {
  await assertFree(readPort(process.env.PORT));
} catch (error) {
  console.error(takenPort(error) ?? `Cannot start: ${error.message}`);
  process.exit(1);
}

const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const missing = missingOf(LOCAL_CHAIN, createRequire(import.meta.url));
if (missing.length > 0) {
  console.log(`Installing ${missing.length} packages that the local chain needs, into node_modules alone …`);
  const specs = missing.map((name) => `${name}@${devDependencies[name]}`);
  // As if they were no development dependencies, which this install leaves out.
  const args = ["install", "--no-save", "--save-prod", "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", [...args, ...specs], { stdio: "inherit", shell: process.platform === "win32" });
}

const { isFresh, quickBuild } = await import("./quick-build.mjs");
if (!isFresh()) {
  console.log("Building, without declarations …");
  await quickBuild();
}
await import("../examples/local-chain/start.js");
