/**
 * Every option of every public function, tried with each kind of value: what is wrong is refused when the thing is put
 * together, by a TypeError that names the option. The options are those that the checks know, and the checks do not
 * compile without one for each option of a type: a new option is tried here by itself.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { express } from "../src/adapters/express.js";
import { fastify } from "../src/adapters/fastify.js";
import { hono } from "../src/adapters/hono.js";
import { lambda } from "../src/adapters/lambda/index.js";
import { lambdaOptions } from "../src/adapters/lambda/options.js";
import { next } from "../src/adapters/next.js";
import { node, serve } from "../src/adapters/node/index.js";
import { nodeOptions, serveOptions } from "../src/adapters/node/options.js";
import { expressOptions, fastifyOptions, honoOptions, nextOptions } from "../src/adapters/shared/option-checks.js";
import { convertUnit } from "../src/capabilities/convert/index.js";
import { callOptions } from "../src/capability/option-checks.js";
import { one } from "../src/capability/output.js";
import { capabilityDefinition, providerOptions } from "../src/capability/own/checks.js";
import { defineOwnCapability, defineOwnProvider } from "../src/capability/own/own.js";
import { createClient } from "../src/client/index.js";
import { clientOptions } from "../src/client/options.js";
import { proxyOptions } from "../src/gateway/options.js";
import { proxied } from "../src/gateway/proxied.js";
import { createHandler } from "../src/handler/handler.js";
import { handlerOptions, mcpOptions } from "../src/host/option-checks.js";
import { silent } from "../src/lib/logger.js";
import type { Check } from "../src/lib/options/check.js";
import { createMcpServer } from "../src/mcp/index.js";
import { paymentOptions } from "../src/payment/networks/option-checks.js";
import { createRails } from "../src/payment/networks/rails.js";
import { type EdgePaymentOptions, edgeOptions } from "../src/payment/options/edge.js";
import { createFacilitatorClient } from "../src/payment/x402/facilitator.js";
import { facilitatorOptions } from "../src/payment/x402/facilitator-options.js";
import { resold } from "../src/resell/index.js";
import { resellOptions } from "../src/resell/options.js";
import { createDurableObjectStore, durableObjectOptions } from "../src/stores/durable-object/store.js";
import { createMemoryStore, memoryOptions } from "../src/stores/memory/memory.js";
import { createPostgresStore } from "../src/stores/postgres/index.js";
import { postgresOptions } from "../src/stores/postgres/options.js";
import { createRedisStore } from "../src/stores/redis/index.js";
import { redisOptions } from "../src/stores/redis/options.js";
import { toolOptions, toolsOf } from "../src/tools/tool.js";
import { awayPool } from "./support/away-pool.js";
import { pathsOf } from "./support/option-paths.js";
import { OPEN_TERMS } from "./support/terms.js";
import { TREASURY } from "./support/wallets.js";
import { KINDS, replaced } from "./support/wrong-kinds.js";

const NETWORK = "eip155:8453";
const signer = privateKeyToAccount(`0x${"1".repeat(64)}`);
const payment = {
  treasury: { [NETWORK]: TREASURY },
  facilitator: { url: "https://facilitator.test" },
  schemes: ["exact", "batch-settlement"],
  channels: { signer, allowMemoryStore: true },
};
/** Groups that have a member which is always needed. */
const token = {
  type: "oauth2",
  tokenType: "Bearer",
  authorizationServer: "https://a.test",
  tokenEndpoint: "https://a.test/t",
};
const groups = { builderCode: { app: "shop" }, authHints: { methods: [token], verify: () => true } };
const free = createHandler({ capabilities: [convertUnit], payment: false });
const quota = { requests: 1, perMs: 1000 };
const provider = {
  name: "Source",
  url: "",
  license: "none",
  baseUrl: "https://source.test",
  terms: OPEN_TERMS,
  quota,
  withKey: { quota },
  secret: { name: "KEY", required: true, in: { header: "x-key" } },
  agent: { contact: "CONTACT" },
};
const definition = {
  id: "own.thing",
  summary: "Does a thing.",
  price: "0.001",
  provider,
  source: { provider: "Source", url: "", license: "none" },
  input: () => z.strictObject({ n: z.number().optional() }),
  output: one(z.object({ n: z.number() })),
  example: {},
  run: () => ({ item: { n: 1 } }),
};
const folder = mkdtempSync(join(tmpdir(), "coinslot-options-"));
const away = async () => Response.json({}, { status: 503 });
const client = createClient({ baseUrl: "https://a.test" });

interface Surface {
  check: Pick<Check, "members">;
  /** Options that work. */
  base: object;
  make(options: never): unknown;
  /** The kinds that are right, by option. */
  right: Readonly<Record<string, readonly string[]>>;
  /** Options that stand alone, tried by a surface of their own. */
  alone?: string;
}

const FUNCTION = ["() => {}"];
const AMOUNT_OR_NUMBER = ["0", "1.5"];
const TEXT = ["'x'"];
const FLAG = ["true"];
const LIST = ["[]"];
const OBJECT = ["{}"];
const ofCall = {
  fetch: FUNCTION,
  secrets: OBJECT,
  dataDir: TEXT,
  outbound: OBJECT,
  "outbound.allowHosts": LIST,
  "outbound.denyHosts": LIST,
  "outbound.allowPrivate": FLAG,
  "outbound.lookup": FUNCTION,
  "outbound.resolve": FUNCTION,
};
const ofWallets = {
  wallets: OBJECT,
  "wallets.schema": TEXT,
  "wallets.dataDir": TEXT,
  "wallets.limits": OBJECT,
  "wallets.runner": FLAG,
  "wallets.signIn": FLAG,
  "wallets.httpCallbacks": FLAG,
  "wallets.watch": OBJECT,
  "wallets.watch.allow": FUNCTION,
};
const ofPayment = {
  formerTreasuries: OBJECT,
  "facilitator.headers": FUNCTION,
  "facilitator.createAuthHeaders": FUNCTION,
  "channels.claimAfterSeconds": ["0"],
  "channels.voucherWaitSeconds": ["0"],
  "channels.former": LIST,
  "channels.allowMemoryStore": FLAG,
  "channels.refundable": FLAG,
  assets: OBJECT,
  feePayers: OBJECT,
  rpc: OBJECT,
  refunds: OBJECT,
  payouts: OBJECT,
  settleFirst: LIST,
  signIn: OBJECT,
  "signIn.free": LIST,
  "signIn.again": FLAG,
  "builderCode.app": TEXT,
  "builderCode.services": LIST,
  "authHints.networks": LIST,
  "authHints.schemes": LIST,
  "authHints.verify": FUNCTION,
  maxFailures: OBJECT,
  lowBalance: OBJECT,
  v1Body: FLAG,
  mpp: OBJECT,
  "mpp.permit2": OBJECT,
  "mpp.solana": FLAG,
};
const ofMcp = { tools: LIST, instructions: TEXT, x402Extension: FLAG };
const ofProxies = { trustProxyHops: ["0"] };
const ofMount = { ...ofProxies, passThrough: FLAG, root: FLAG };
const ofProvider = {
  name: TEXT,
  url: ["''", "'x'"],
  license: TEXT,
  packages: LIST,
  settings: LIST,
  withKey: OBJECT,
  "withKey.perSecond": ["1.5"],
  headers: OBJECT,
  redirectHosts: LIST,
  perSecond: ["1.5"],
  refusals: OBJECT,
  errorIn: FUNCTION,
  inventory: FUNCTION,
  "terms.attribution": ["null", "''", "'x'"],
  "terms.note": ["''", "'x'"],
  "terms.url": ["''", "'x'"],
  "terms.checkedAt": ["null"],
  "secret.name": TEXT,
  "secret.required": FLAG,
  "secret.in": OBJECT,
  "secret.free": FLAG,
};
const under = (prefix: string, rows: Record<string, readonly string[]>) =>
  Object.fromEntries(Object.entries(rows).map(([name, kinds]) => [`${prefix}.${name}`, kinds]));

const SURFACES: Readonly<Record<string, Surface>> = {
  createHandler: {
    check: handlerOptions,
    base: {
      capabilities: [convertUnit],
      payment: { ...payment, ...groups },
      brand: { baseUrl: "https://host.test" },
      wallets: { db: awayPool },
      accounts: { keys: true, invoices: { seller: { name: "Shop", country: "DE", vatId: "DE123" } } },
      products: [{ id: "ten", title: "Ten calls", priceUsd: "1", grant: { calls: 10 } }],
      refundPolicy: { withinDays: 14, conditions: "Empty answers." },
      dataDir: folder,
      fetch: away,
      logger: silent,
    },
    make: createHandler,
    alone: "payment.edge.",
    right: {
      ...ofCall,
      ...ofWallets,
      ...under("payment", ofPayment),
      ...under("mcp", ofMcp),
      wallets: ["true", "{}"],
      brand: OBJECT,
      "brand.name": TEXT,
      "brand.slug": TEXT,
      "brand.description": TEXT,
      "brand.tags": LIST,
      "brand.contact.name": TEXT,
      pricing: OBJECT,
      "pricing.markup": ["1.5"],
      "pricing.overrides": OBJECT,
      trial: OBJECT,
      accounts: OBJECT,
      "accounts.identify": FUNCTION,
      "accounts.origins": LIST,
      "accounts.keys": FLAG,
      "accounts.closing": OBJECT,
      "accounts.closing.keepDays": ["0"],
      "accounts.invoices.seller.name": TEXT,
      "accounts.invoices.seller.city": TEXT,
      "accounts.invoices.seller.postalCode": TEXT,
      "accounts.invoices.seller.region": TEXT,
      "accounts.invoices.seller.taxNumber": TEXT,
      "accounts.invoices.seller.registration": TEXT,
      "accounts.invoices.prefix": ["''", "'x'"],
      "accounts.invoices.note": TEXT,
      customer: FLAG,
      "refundPolicy.conditions": TEXT,
      "refundPolicy.atOnce": [...FLAG, ...OBJECT],
      basePath: ["''"],
      jobs: OBJECT,
      "jobs.always": LIST,
      mcp: OBJECT,
      onCall: FUNCTION,
      onDrift: FUNCTION,
      policy: FUNCTION,
      webhooks: LIST,
      budgets: OBJECT,
      countCalls: [...FLAG, ...OBJECT],
      metrics: [...FLAG, ...OBJECT],
      floods: [...FLAG, ...OBJECT],
      "metrics.port": ["0"],
      "metrics.address": TEXT,
      sanctions: FLAG,
      payers: OBJECT,
      "payers.allow": LIST,
      "payers.deny": LIST,
    },
  },
  "a call": {
    check: callOptions,
    base: {},
    make: (options) => convertUnit({ value: 1, from: "kg", to: "lb" }, options),
    right: { ...ofCall, ...ofWallets, wallet: TEXT, idempotencyKey: TEXT, capabilities: LIST },
  },
  express: { check: expressOptions, base: {}, make: (options) => express(free, options), right: ofMount },
  fastify: {
    check: fastifyOptions,
    base: {},
    make: (options) => fastify(free, options),
    right: { ...ofProxies, root: FLAG },
  },
  hono: {
    check: honoOptions,
    base: {},
    make: (options) => hono(free, options),
    right: { ...ofMount, clientAddress: FUNCTION },
  },
  lambda: {
    check: lambdaOptions,
    base: {},
    make: (options) => lambda(free, options),
    right: { ...ofProxies, stream: FLAG },
  },
  next: { check: nextOptions, base: {}, make: (options) => next(free, options), right: ofProxies },
  node: { check: nodeOptions, base: {}, make: (options) => node(free, options), right: ofProxies },
  serve: {
    check: serveOptions,
    base: { port: 0 },
    make: async (options) => {
      const running = await serve(free, options).catch((error) => {
        // A name that leads nowhere is for the system to tell.
        if (error.code !== "ENOTFOUND") throw error;
      });
      await running?.close();
    },
    right: { ...ofProxies, port: ["0"], host: TEXT, drainMs: ["0"] },
  },
  createMemoryStore: { check: memoryOptions, base: {}, make: createMemoryStore, right: {} },
  createDurableObjectStore: {
    check: durableObjectOptions,
    base: {},
    make: (options) => createDurableObjectStore({ idFromName: () => "", get: () => ({}) }, options),
    right: { name: TEXT },
  },
  createPostgresStore: {
    check: postgresOptions,
    base: {},
    make: (options) => createPostgresStore(awayPool, options),
    right: { schema: TEXT },
  },
  createRedisStore: {
    check: redisOptions,
    base: {},
    make: (options) => createRedisStore({ call: async () => null }, options),
    right: { prefix: TEXT },
  },
  createClient: {
    check: clientOptions,
    base: { baseUrl: "https://a.test" },
    make: createClient,
    right: {
      fetch: FUNCTION,
      trial: FLAG,
      maxPerCallUsd: AMOUNT_OR_NUMBER,
      maxTotalUsd: AMOUNT_OR_NUMBER,
      credits: LIST,
      tokens: ["{}"],
      receipts: OBJECT,
      "receipts.required": FLAG,
      "receipts.verifyMessage": FUNCTION,
      limits: OBJECT,
      "limits.usdPerDay": AMOUNT_OR_NUMBER,
      "limits.sellerUsdPerDay": AMOUNT_OR_NUMBER,
      "limits.endpointUsdPerDay": AMOUNT_OR_NUMBER,
      "limits.endpoints": ["{}"],
      "limits.networks": LIST,
      "limits.assets": LIST,
      "limits.payTo": LIST,
      "limits.pin": FLAG,
      "limits.directory": FLAG,
      "limits.askAboveUsd": AMOUNT_OR_NUMBER,
      "limits.ask": FUNCTION,
      retries: ["0"],
      maxWaitMs: ["0"],
    },
  },
  createMcpServer: {
    check: mcpOptions,
    base: {},
    make: (options) => createMcpServer(free, options),
    right: ofMcp,
  },
  tools: {
    check: toolOptions,
    base: {},
    make: (options) => toolsOf([convertUnit], options),
    right: { ...ofCall, ...ofWallets, wallet: TEXT, idempotencyKey: TEXT, capabilities: LIST, onFile: FUNCTION },
  },
  resold: {
    check: resellOptions,
    base: {},
    make: (options) => resold([convertUnit], client as never, options),
    right: {},
  },
  proxied: {
    check: proxyOptions,
    base: {
      ...{ origin: "https://api.example.com", group: "test", price: "0.001", routes: [{ path: "/test" }] },
      openapi: { openapi: "3.1.0", paths: { "/other": { get: {} } } },
    },
    make: (options) => proxied(options as never),
    right: {
      ...{ group: TEXT, title: TEXT, license: TEXT, headers: OBJECT, redirects: FLAG },
      ...{ credentials: LIST, include: LIST, exclude: LIST, routes: LIST },
    },
  },
  "createHandler behind an edge": {
    check: { members: { edge: edgeOptions } },
    base: { edge: { cloudflare: { origin: "https://host.test" } } },
    make: (payment: EdgePaymentOptions) => createHandler({ capabilities: [convertUnit], payment, logger: silent }),
    right: {},
  },
  createRails: {
    check: paymentOptions,
    base: { ...payment, ...groups, schemes: ["exact"] },
    make: createRails,
    right: ofPayment,
  },
  createFacilitatorClient: {
    check: facilitatorOptions,
    base: { url: "https://facilitator.test" },
    make: (options) => createFacilitatorClient(options, { fetch, sameAccount: () => true, logger: console }),
    right: { headers: FUNCTION, createAuthHeaders: FUNCTION },
  },
  defineProvider: { check: providerOptions, base: provider, make: defineOwnProvider, right: ofProvider },
  defineCapability: {
    check: capabilityDefinition,
    base: definition,
    make: defineOwnCapability,
    right: {
      ...under("provider", ofProvider),
      summary: TEXT,
      keywords: LIST,
      anyJson: LIST,
      composeQuote: FUNCTION,
      estimate: FUNCTION,
      batchable: FLAG,
      deprecated: FLAG,
      deprecation: ["Date"],
      sunset: ["Date"],
      offline: FLAG,
      requires: LIST,
      packages: LIST,
      origins: LIST,
      "source.url": ["''", "'x'"],
      "source.provider": TEXT,
      "source.license": TEXT,
      "source.attribution": TEXT,
      facts: FUNCTION,
      example: OBJECT,
      live: OBJECT,
      check: FUNCTION,
      read: FUNCTION,
      wallet: ["{}", "() => {}"],
      precheck: FUNCTION,
      prepare: FUNCTION,
      run: FUNCTION,
      stream: FUNCTION,
      menu: OBJECT,
      parts: FUNCTION,
      pixels: FUNCTION,
      warmUp: FUNCTION,
    },
  },
};

/** How a value fares: taken, refused as it should be, or something else, which is told. */
async function fate({ base, make }: Surface, path: string, value: unknown): Promise<string> {
  try {
    const made = await make(replaced(base, path, value) as never);
    if (typeof (made as { close?: unknown } | undefined)?.close === "function")
      await (made as { close(): unknown }).close();
    return "taken";
  } catch (error) {
    const { name = "", message = "" } = error as Error;
    return error instanceof TypeError && message.includes(path) ? "refused" : `${name}: ${message}`;
  }
}

describe.each(Object.entries(SURFACES))("%s", (_, surface) => {
  const { alone = " " } = surface;
  it.each(pathsOf(surface.check).filter((path) => !path.startsWith(alone)))("%s", async (path) => {
    const right = surface.right[path] ?? [];
    const found: Record<string, string> = {};
    for (const [kind, value] of Object.entries(KINDS)) {
      const expected = right.includes(kind) ? "taken" : "refused";
      const seen = await fate(surface, path, value);
      if (seen !== expected) found[kind] = seen;
    }
    expect(found).toEqual({});
  });
});

it("every row of the tables is of an option that there is", () => {
  const strange = Object.entries(SURFACES).flatMap(([name, { check, right }]) => {
    const known = pathsOf(check);
    return Object.keys(right).flatMap((path) => (known.includes(path) ? [] : [`${name}: ${path}`]));
  });
  expect(strange).toEqual([]);
});

describe("what costs money or silence", () => {
  const mount = (more: object) => () =>
    createHandler({ capabilities: [convertUnit], payment, fetch: away, ...more } as never);
  const paidTo = (address: string, network = NETWORK) =>
    mount({ payment: { ...payment, schemes: ["exact"], channels: undefined, treasury: { [network]: address } } });

  it.each<[string, () => unknown, RegExp]>([
    [
      "nothing at all",
      () => createHandler(undefined as never),
      /createHandler needs its options.*\{ capabilities, payment \}/,
    ],
    ["a mistyped address", paidTo(`${TREASURY.slice(0, -1)}d`), /payment\.treasury\["eip155:8453"\].*checksum/],
    ["another case", paidTo(TREASURY.replace("B", "b")), /checksum/],
    ["the zero address", paidTo(`0x${"0".repeat(40)}`), /zero address/],
    ["Solana's system program", paidTo("1".repeat(32), "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"), /system program/],
    ["an address of another family", paidTo(TREASURY, "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"), /Solana address/],
    ["a size with its unit", mount({ maxBodyBytes: "1mb" }), /maxBodyBytes must be a whole number.*"1mb"/],
    ["three processes on one's memory", mount({ instances: 3 }), /instances: 3.*createRedisStore/],
    ["no trial an hour", mount({ trial: { perHour: 0 } }), /trial\.perHour.*trial: false/],
    ["a price of nothing", mount({ pricing: { overrides: { "convert.unit": "0" } } }), /above 0.*payment: false/],
    [
      "a facilitator without scheme",
      mount({ payment: { ...payment, facilitator: { url: "facilitator.test" } } }),
      /payment\.facilitator\.url.*https:\/\/.*"facilitator\.test"/,
    ],
    [
      "headers that are no function",
      mount({ payment: { ...payment, facilitator: { url: "https://f.test", headers: {} } } }),
      /facilitator\.headers must be a function/,
    ],
    ["a contact that is no mail address", mount({ brand: { contact: { email: "api" } } }), /brand\.contact\.email/],
    ["no capability at all", mount({ capabilities: [] }), /capabilities must have 1 or more entries, not 0/],
    ["a contact as text", mount({ brand: { contact: "api@acme.test" } }), /brand\.contact must be an object/],
    ["a connection string", () => createPostgresStore("postgres://u:hunter2@db/x" as never), /new pg\.Pool/],
    ["the address of a Redis", () => createRedisStore("redis://:hunter2@db" as never), /new Redis/],
    [
      "options in place of a handler",
      () => express({ capabilities: [] } as never),
      /express: the first argument must be a handler/,
    ],
    ["a function around a handler", () => hono((async () => new Response()) as never), /with its basePath/],
    [
      "an example that is refused",
      () => defineOwnCapability({ ...definition, example: { n: "one" } } as never),
      /own\.thing.*refuses the example.*example\.n/,
    ],
    [
      "a capability at no price",
      () => defineOwnCapability({ ...definition, price: "0" } as never),
      /own\.thing: a price/,
    ],
    ["a client without an address", () => createClient({} as never), /baseUrl is missing/],
    ["a name that is nearly one", mount({ instnaces: 2 }), /Unknown option "instnaces". Did you mean "instances"\?/],
    [
      "a part's name that is nearly one",
      mount({ payment: { ...payment, facilitator: { url: "https://f.test", header: () => ({}) } } }),
      /Did you mean "headers"/,
    ],
  ])("refuses %s", (_, make, message) => {
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });

  it.each<[string, () => unknown]>([
    ["a private key for an address", paidTo(`0x${"ab12".repeat(16)}`)],
    ["a private key for a number", mount({ instances: `0x${"ab12".repeat(16)}` })],
    ["a password in an address", mount({ payment: { ...payment, facilitator: { url: "postgres://u:ab12ab12@db" } } })],
    ["a node's key", mount({ payment: { ...payment, rpc: { [NETWORK]: "node.test/v2/ab12ab12" } } })],
    ["a key too short", mount({ wallets: { secret: "ab12ab12" } })],
    ["a key of another kind", mount({ wallets: { encryption: "ab12ab12" } })],
    ["a connection string", () => createPostgresStore("postgres://u:ab12ab12@db/x" as never)],
    ["a signing key", mount({ signing: { key: "ab12ab12" } })],
  ])("tells nobody %s", (_, make) => {
    expect(make).toThrow(TypeError);
    expect(make).not.toThrow(/ab12/);
  });

  it("takes what other packages and frameworks bring along", async () => {
    const facilitator = { url: "https://f.test", createAuthHeaders: async () => ({}), version: 2 };
    expect(mount({ payment: { ...payment, facilitator } })).not.toThrow();
    const options = { toolCallId: "1", messages: [], abortSignal: new AbortController().signal } as object;
    expect((await convertUnit({ value: 1, from: "kg", to: "lb" }, options)).total).toBe(1);
    await expect(convertUnit({ value: 1, from: "kg", to: "lb" }, { cahce: false } as object)).rejects.toThrow(
      '"cache"',
    );
  });

  it("takes an address whose case is no checksum, or its own", () => {
    for (const address of [TREASURY, TREASURY.toLowerCase()]) expect(paidTo(address)).not.toThrow();
  });
});
