/** Files of a new project, by its choices. */

/** Requirements of a framework: packages, and the file that starts it. */
interface Framework {
  packages: Record<string, string>;
  types?: Record<string, string>;
  server: string;
  /** A server for this machine alone, where the other file is started by a platform. */
  local?: string;
}

const LISTENING = `console.log(\`http://127.0.0.1:\${port}/api/docs\`);`;
const PORT = `const port = Number(process.env.PORT ?? 8402);`;
const NODE_SERVER = `import { serve } from "coinslot/node";
import { handle } from "./shop.js";

${PORT}
await serve(handle, { port });
${LISTENING}
`;

export const FRAMEWORKS: Readonly<Record<string, Framework>> = {
  hono: {
    packages: { hono: "^4", "@hono/node-server": "^2" },
    server: `import { serve } from "@hono/node-server";
import { hono } from "coinslot/hono";
import { Hono } from "hono";
import { handle } from "./shop.js";

const app = new Hono();
app.use(hono(handle));
app.get("/", (c) => c.text("A page of your own."));

${PORT}
serve({ fetch: app.fetch, port, hostname: "127.0.0.1", serverOptions: { maxHeaderSize: 65_536 } }, () => {
  ${LISTENING}
});
`,
  },
  express: {
    packages: { express: "^5" },
    types: { "@types/express": "^5" },
    server: `import { createServer } from "node:http";
import { express as mount } from "coinslot/express";
import express from "express";
import { handle } from "./shop.js";

const app = express();
app.use(mount(handle));
app.get("/", (_req, res) => {
  res.send("A page of your own.");
});

${PORT}
createServer({ maxHeaderSize: 65_536 }, app).listen(port, "127.0.0.1", () => {
  ${LISTENING}
});
`,
  },
  fastify: {
    packages: { fastify: "^5" },
    server: `import { fastify as mount } from "coinslot/fastify";
import Fastify from "fastify";
import { handle } from "./shop.js";

const app = Fastify({ http: { maxHeaderSize: 65_536 } });
await app.register(mount(handle));
app.get("/", async () => "A page of your own.");

${PORT}
await app.listen({ port, host: "127.0.0.1" });
${LISTENING}
`,
  },
  node: {
    packages: {},
    server: NODE_SERVER,
  },
  lambda: {
    packages: {},
    server: `import { lambda, scheduled } from "coinslot/lambda";
import { handle } from "./shop.js";

/** For a function URL, an API Gateway or a load balancer. */
export const handler = lambda(handle);
/** For a rule of EventBridge Scheduler, every minute. */
export const tick = scheduled(handle);
`,
    local: `// The same shop on this machine; the platform starts server.ts.
${NODE_SERVER}`,
  },
};

interface StoreChoice {
  packages: Record<string, string>;
  types?: Record<string, string>;
  /** Lines above the handler, and the value of \`store\`. */
  lines: string;
  store?: string;
  env: string;
}

export const STORES: Readonly<Record<string, StoreChoice>> = {
  memory: { packages: {}, lines: "", env: "" },
  postgres: {
    packages: { pg: "^8" },
    types: { "@types/pg": "^8" },
    lines: `import { createPostgresStore } from "coinslot/stores/postgres";
import pg from "pg";
`,
    store: `createPostgresStore(new pg.Pool({ connectionString: setting("DATABASE_URL") }))`,
    env: "DATABASE_URL=postgres://localhost/shop\n",
  },
  redis: {
    packages: { ioredis: "^5" },
    lines: `import { createRedisStore } from "coinslot/stores/redis";
import { Redis } from "ioredis";
`,
    store: `createRedisStore(new Redis(setting("REDIS_URL")))`,
    env: "REDIS_URL=redis://127.0.0.1:6379\n",
  },
};

interface NetworkChoice {
  network: string;
  setting: string;
  /** A placeholder address, to be replaced by the host's own. */
  example: string;
  facilitator: string;
  packages: Record<string, string>;
}

const X402_ORG = "https://x402.org/facilitator";
const HERS = "0x… your address";

export const NETWORKS: Readonly<Record<string, NetworkChoice>> = {
  "base-sepolia": {
    network: "eip155:84532",
    setting: "TREASURY_EVM",
    example: HERS,
    facilitator: X402_ORG,
    packages: {},
  },
  base: {
    network: "eip155:8453",
    setting: "TREASURY_EVM",
    example: HERS,
    facilitator: "https://facilitator.example",
    packages: {},
  },
  solana: {
    network: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
    setting: "TREASURY_SVM",
    example: "your address",
    facilitator: "https://facilitator.example",
    packages: { "@solana/web3.js": "^1" },
  },
};

export interface Choices {
  framework: string;
  store: string;
  network: string;
}

/** By path. */
export function filesOf(name: string, choices: Choices, version: string): Record<string, string> {
  const framework = chosen(FRAMEWORKS, choices.framework);
  const store = chosen(STORES, choices.store);
  const network = chosen(NETWORKS, choices.network);
  const manifest = {
    name: name.toLowerCase().replace(/[^a-z0-9-]+/g, "-"),
    private: true,
    type: "module",
    scripts: { build: "tsc", start: `tsc && node dist/${framework.local ? "local" : "server"}.js` },
    dependencies: { coinslot: `^${version}`, ...framework.packages, ...store.packages, ...network.packages },
    devDependencies: { "@types/node": ">=20", typescript: "^5.9", ...framework.types, ...store.types },
  };
  return {
    "package.json": `${JSON.stringify(manifest, null, 2)}\n`,
    "tsconfig.json": `${JSON.stringify({ compilerOptions: COMPILER, include: ["src"] }, null, 2)}\n`,
    "src/shop.ts": shopFile(store, network),
    "src/settings.ts": SETTINGS,
    "src/server.ts": framework.server,
    ...(framework.local ? { "src/local.ts": framework.local } : {}),
    ".env.example": `# Who is paid in USDC.\n${network.setting}=${network.example}\n# Who verifies and settles payments.\nFACILITATOR_URL=${network.facilitator}\n${store.env}`,
    ".gitignore": "node_modules\ndist\n.env\n",
  };
}

const COMPILER = {
  target: "es2022",
  module: "nodenext",
  strict: true,
  skipLibCheck: true,
  rootDir: "src",
  outDir: "dist",
};

/** The option `--env-file` of Node would end the process without the file, which a platform with settings of its own lacks. */
const SETTINGS = `import { existsSync } from "node:fs";

// Where there is such a file; what the environment has already stays as it is.
if (existsSync(".env")) process.loadEnvFile(".env");

/** Throws where it is not set. */
export function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(\`\${name} is not set: see .env.example.\`);
  return value;
}
`;

function shopFile(store: StoreChoice, { network, setting }: NetworkChoice): string {
  return `import { createHandler } from "coinslot";
import { barcodeGenerate } from "coinslot/capabilities/barcode";
import { calendarHolidays } from "coinslot/capabilities/calendar";
import { convertUnit } from "coinslot/capabilities/convert";
${store.lines}import { setting } from "./settings.js";

export const handle = createHandler({
  // Any of the catalogue, or defineCapability for one of your own.
  capabilities: [convertUnit, calendarHolidays, barcodeGenerate],
  payment: {
    treasury: { "${network}": setting("${setting}") },
    facilitator: { url: setting("FACILITATOR_URL") },
  },
${store.store ? `  store: ${store.store},\n` : ""}});
`;
}

function chosen<T>(from: Readonly<Record<string, T>>, name: string): T {
  const found = from[name];
  if (!found) throw new Error(`no choice: ${name}`);
  return found;
}
