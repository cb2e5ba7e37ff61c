/**
 * Serves on PORT what wrangler would upload, by its own simulator: miniflare.mjs <folder of wrangler> <folder> <options as JSON>.
 * The environment's TREASURY_EVM and FACILITATOR_URL are variables of the Worker.
 */
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [place, folder, options] = process.argv.slice(2);
const { Miniflare } = createRequire(join(place, "node_modules/wrangler/package.json"))("miniflare");
const { PORT, TREASURY_EVM, FACILITATOR_URL } = process.env;
const wasm = readdirSync(folder).filter((file) => file.endsWith(".wasm"));
const simulator = new Miniflare({
  host: "127.0.0.1",
  port: Number(PORT),
  modulesRoot: folder,
  modules: [
    { type: "ESModule", path: join(folder, "worker.js") },
    ...wasm.map((file) => ({ type: "CompiledWasm", path: join(folder, file) })),
  ],
  compatibilityFlags: ["nodejs_compat"],
  bindings: { TREASURY_EVM, FACILITATOR_URL },
  ...JSON.parse(options),
});
console.log(`Listening on ${await simulator.ready}`);
