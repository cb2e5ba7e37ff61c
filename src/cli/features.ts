/** Features that need optional packages, by the names that `coinslot add` takes. */
import type { AnyCapability } from "../capability/types.js";
import type { Env } from "./settings.js";

export interface Feature {
  /** Completes "for": `screenshots`. */
  what: string;
  packages: readonly string[];
  /** Whether capabilities, or these settings, want it. */
  wanted(capabilities: readonly AnyCapability[], env: Env): boolean;
}

const has = (...ids: string[]) => ({
  wanted: (capabilities: readonly AnyCapability[]) => capabilities.some(({ id }) => ids.includes(id)),
});
const set = (...names: string[]) => ({
  wanted: (_: readonly AnyCapability[], env: Env) => names.some((name) => env[name]),
});
/** Only for hosts that ask for it in code. */
const never = { wanted: () => false };

const font = (name: string) => `@fontsource-variable/${name}`;
const SCRIPTS = ["arabic", "devanagari", "jp", "kr", "sc", "thai"].map((script) => font(`noto-sans-${script}`));

/** Packages that no capability names, because only some of its calls need them, or none. */
const NAMED: Readonly<Record<string, Feature>> = {
  barcodes: { what: "codes other than QR", packages: ["bwip-js"], ...has("barcode.generate") },
  channels: { what: "channels (batch-settlement)", packages: ["viem"], ...never },
  countdown: {
    what: "countdowns",
    packages: ["@napi-rs/canvas", font("chivo-mono"), font("roboto-condensed"), "dejavu-fonts-ttf"],
    ...has("countdown.gif"),
  },
  fastify: { what: "coinslot/fastify", packages: ["fastify"], ...never },
  fonts: { what: "countdowns in other scripts than Latin", packages: SCRIPTS, ...has("countdown.gif") },
  hono: { what: "coinslot/hono", packages: ["hono"], ...never },
  mcp: {
    what: "models that ask over MCP",
    packages: ["@modelcontextprotocol/sdk", "@modelcontextprotocol/server"],
    wanted: () => true,
  },
  paying: {
    what: "paying on the command line, with WALLET_KEY",
    packages: ["@x402/core", "@x402/evm", "viem"],
    ...set("WALLET_KEY"),
  },
  "paying-solana": {
    what: "paying on the command line, with SOLANA_KEY",
    packages: ["@x402/core", "@x402/svm", "@solana/kit"],
    ...set("SOLANA_KEY"),
  },
  pictures: { what: "codes as PNG", packages: ["@napi-rs/canvas"], ...has("barcode.generate") },
  sandbox: {
    what: "coinslot/testing and coinslot sandbox",
    packages: ["@foundry-rs/anvil", "@x402/core", "@x402/evm", "viem"],
    ...never,
  },
  postgres: { what: "DATABASE_URL", packages: ["pg"], ...set("DATABASE_URL") },
  redis: { what: "REDIS_URL", packages: ["ioredis"], ...set("REDIS_URL") },
  screenshots: {
    what: "screenshots, with a browser and without advertisements",
    packages: ["puppeteer-core", "@sparticuz/chromium", "third-party-web"],
    ...has("ai.screenshot"),
  },
  signatures: { what: "signatures checked faster", packages: ["secp256k1", "tiny-secp256k1"], ...never },
  solana: { what: "payments on Solana", packages: ["@solana/web3.js"], ...set("TREASURY_SVM") },
  metrics: { what: "a page of measurements for Prometheus", packages: ["prom-client"], ...never },
  telemetry: { what: "traces and metrics", packages: ["@opentelemetry/api"], ...never },
  wallets: {
    what: "wallet services without a Postgres of your own",
    packages: ["@electric-sql/pglite", "@electric-sql/pglite-pgvector", "croner", "standardwebhooks"],
    ...never,
  },
};

/** Heavier than the rest of its group, with a feature of its own. */
const APART = ["ai.screenshot"];

/** Every feature by its name: those above, and each group whose capabilities name packages. */
export function featuresOf(capabilities: readonly AnyCapability[]): Map<string, Feature> {
  const features = new Map(Object.entries(NAMED));
  for (const { id, group, packages } of capabilities) {
    if (packages.length === 0 || APART.includes(id)) continue;
    const known = features.get(group);
    features.set(group, {
      what: known?.what ?? `${group}.*`,
      packages: [...new Set([...(known?.packages ?? []), ...packages])],
      wanted: (mounted) => mounted.some((one) => one.group === group),
    });
  }
  return new Map([...features].sort(([a], [b]) => a.localeCompare(b)));
}
