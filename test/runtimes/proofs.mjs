/** One proof a runtime, bundle or compiler. A proof throws, or resolves to what is worth printing. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { bundlers } from "./bundlers.mjs";
import { check } from "./checks.mjs";
import { declarations } from "./declarations.mjs";
import { FRAMEWORKS } from "./frameworks.mjs";
import { leanInstall } from "./lean.mjs";
import { sandboxOfThePackage, testShopOfThePackage } from "./sandbox.mjs";
import { freePort, withLambda, withServer } from "./servers.mjs";
import { COMPATIBILITY_DATE, writeConfig } from "./workerd.mjs";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** A program in `apps/` by one of the runtimes that npm installed. */
const served = (name, command, ...args) => ({
  name,
  async prove({ full, env }) {
    const cwd = join(full, "apps");
    const program = command === "node" ? process.execPath : join(full, "node_modules/.bin", command);
    await withServer({ command: program, args, cwd, env, port: await freePort() }, ({ send, origin }) =>
      check(send, { origin }),
    );
  },
});

/** What cannot work in a bundle of a lean install, by the package that it names. */
const LEAN = {
  "QR as PNG": "@napi-rs/canvas",
  Aztec: "bwip-js",
  countdown: "@napi-rs/canvas",
};
const ONE = `
  import { createHandler } from "coinslot";
  import { convertUnit } from "coinslot/capabilities/convert";
  import { lambda } from "coinslot/lambda";
  const { TREASURY_EVM, FACILITATOR_URL } = process.env;
  const payment = { treasury: { "eip155:84532": TREASURY_EVM }, facilitator: { url: FACILITATOR_URL } };
  export const handler = lambda(createHandler({ capabilities: [convertUnit], payment }));`;

/** examples/lambda-bundle/build.js, and the function that it makes in a process and folder of its own. */
const bundled = (name, { of, entry = "examples/lambda/handler.js", source, ...checks }) => ({
  name,
  async prove({ folder, env, [of]: place }) {
    if (source) writeFileSync(join(place, entry), source);
    // Outside of every node_modules.
    const out = join(folder, name.replace(/\W+/g, "-"));
    await execute(process.execPath, ["examples/lambda-bundle/build.js", entry, out], { cwd: place });
    await withLambda({ bundle: join(out, "index.mjs"), cwd: out, env }, ({ send, origin }) =>
      check(send, { origin, ...checks }),
    );
    const files = readdirSync(out).filter((file) => file.endsWith(".mjs"));
    const bytes = files.reduce((sum, file) => sum + statSync(join(out, file)).size, 0);
    return `, ${(bytes / 1e6).toFixed(1)} MB${readdirSync(out).length > files.length ? " and the canvas" : ""}`;
  },
});

/** A second trial is refused by the Durable Object, and what has no place on Workers says so. */
async function checkWorker({ send, origin }) {
  const missing = { "QR as PNG": "@napi-rs/canvas", countdown: "@napi-rs/canvas" };
  const { directory } = await check(send, { origin, missing });
  const of = (id) => directory.endpoints.find((endpoint) => endpoint.id === id);
  assert.equal(of("convert.unit").available, true);
  for (const id of ["countdown.gif", "ai.screenshot"]) {
    assert.equal(of(id).available, false, id);
    assert.match(of(id).reason, /package|files/, id);
  }
  const again = await send(
    new Request(`${origin}/api/convert/unit?value=2&from=kg&to=lb`, { headers: { "x-svc-trial": "1" } }),
  );
  assert.equal(again.status, 402, "a second trial");
}

const workerd = {
  name: `Cloudflare Workers: bundled by hand, newest workerd, ${COMPATIBILITY_DATE}`,
  async prove({ folder, full, env }) {
    const out = join(folder, "worker");
    mkdirSync(out);
    const options = ["--bundle", "--format=esm", "--platform=node", "--conditions=workerd", "--external:cloudflare:*"];
    await execute(
      join(full, "node_modules/.bin/esbuild"),
      ["examples/workers/worker.js", ...options, `--outfile=${out}/worker.js`, "--log-level=error"],
      { cwd: full },
    );
    const port = await freePort();
    writeConfig(join(out, "config.capnp"), { module: "worker.js", port, env, state: mkdtempSync(join(out, "state-")) });
    const command = join(full, "node_modules/.bin/workerd");
    await withServer({ command, args: ["serve", "config.capnp", "--experimental"], cwd: out, env, port }, checkWorker);
  },
};

const wrangler = {
  name: `Cloudflare Workers: wrangler deploy --dry-run, and its Miniflare, ${COMPATIBILITY_DATE}`,
  async prove({ folder, full, env }) {
    const out = join(folder, "uploaded");
    const config = "examples/workers/wrangler.jsonc";
    assert.match(readFileSync(join(full, config), "utf8"), new RegExp(`"compatibility_date": "${COMPATIBILITY_DATE}"`));
    const quiet = { ...process.env, WRANGLER_SEND_METRICS: "false", CI: "1" };
    const args = ["deploy", "--dry-run", "-c", config, "--outdir", out, "--minify"];
    const { stdout } = await execute(join(full, "node_modules/.bin/wrangler"), args, { cwd: full, env: quiet });
    const [, weight] = /gzip: ([\d.]+ \w+)/.exec(stdout) ?? [];
    const options = {
      compatibilityDate: COMPATIBILITY_DATE,
      durableObjects: { COINSLOT: { className: "CoinslotStore", useSQLite: true } },
    };
    const program = new URL("miniflare.mjs", import.meta.url).pathname;
    const port = await freePort();
    const server = {
      command: process.execPath,
      args: [program, full, out, JSON.stringify(options)],
      cwd: out,
      env,
      port,
    };
    await withServer(server, checkWorker);
    return `, ${weight} gzipped`;
  },
};

/** Ours that need Cloudflare's runtime, by the repository's own runner of tests. */
const stores = {
  name: "Cloudflare Workers: the stores' conformance in a Durable Object, and Postgres behind Hyperdrive",
  async prove({ full }) {
    const MINIFLARE = createRequire(join(full, "node_modules/wrangler/package.json")).resolve("miniflare");
    const args = ["vitest", "run", "test/stores/durable-object.test.ts", "test/stores/hyperdrive.test.ts"];
    await execute("npx", [...args, "--typecheck.enabled=false"], { cwd: root, env: { ...process.env, MINIFLARE } });
  },
};

/** Next 16 lies with everything else; 15 gets a folder of its own, because its types are asked for by the same name. */
const next = (major, packages = []) => ({
  name: `Next ${major}: a route's exports type-check, build and serve`,
  async prove({ full, env, install }) {
    const app = join(full, `next-app-${major}`);
    const route = join(app, "app/api/[...path]");
    mkdirSync(route, { recursive: true });
    copyFileSync(join(full, "apps/next/route.ts"), join(route, "route.ts"));
    copyFileSync(join(full, "apps/next/next.config.mjs"), join(app, "next.config.mjs"));
    writeFileSync(join(app, "package.json"), JSON.stringify({ name: "next-app", private: true }));
    // Next 15 would write one that reads no "exports" of packages, unlike a new app's.
    writeFileSync(join(app, "tsconfig.json"), JSON.stringify({ compilerOptions: { moduleResolution: "bundler" } }));
    if (packages.length > 0) await install(app, ...packages);
    const bin = join(packages.length > 0 ? app : full, "node_modules/next/dist/bin/next");
    const quiet = { ...env, NEXT_TELEMETRY_DISABLED: "1", CI: "1" };
    await execute(process.execPath, [bin, "build"], { cwd: app, env: { ...process.env, ...quiet } });
    const port = await freePort();
    const args = [bin, "start", "-H", "127.0.0.1", "-p", String(port)];
    await withServer({ command: process.execPath, args, cwd: app, env: quiet, port }, async ({ send, origin }) => {
      await check(send, { origin });
      const asked = new Request(`${origin}/api/convert/unit`, {
        method: "OPTIONS",
        headers: { origin: "https://a.example" },
      });
      assert.equal((await send(asked)).headers.get("access-control-allow-origin"), "*");
      const headers = { "x-svc-trial": "1", "x-forwarded-for": "198.51.100.9" };
      const other = await send(new Request(`${origin}/api/convert/unit?value=1&from=kg&to=lb`, { headers }));
      assert.equal(other.status, 200, "another caller's trial");
    });
  },
});

export const PROOFS = [
  leanInstall,
  ...declarations,
  served("Node", "node", "node.mjs"),
  served("Bun.serve", "bun", "bun.mjs"),
  served("Express on Bun", "bun", "bun-express.mjs"),
  served("Deno.serve", "deno", "run", "-A", "deno.mjs"),
  bundled("Lambda bundle: everything", { of: "full" }),
  bundled("Lambda bundle: everything of a lean install", { of: "lean", missing: LEAN }),
  bundled("Lambda bundle: one capability", {
    of: "full",
    entry: "one.mjs",
    source: ONE,
    only: ["unit"],
    count: 1,
  }),
  ...bundlers,
  workerd,
  wrangler,
  stores,
  next(16),
  next(15, ["next@15.5.29", "react@19.2.0", "react-dom@19.2.0"]),
  ...FRAMEWORKS,
  testShopOfThePackage,
  sandboxOfThePackage,
];
