/** Every option of a host and of a call does something: a new one does not compile here without its proof. */
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { aiChat } from "../src/capabilities/ai/index.js";
import { convertUnit } from "../src/capabilities/convert/index.js";
import { defineCapability } from "../src/capability/define.js";
import { legacy, one } from "../src/capability/output.js";
import { defineOwnCapability } from "../src/capability/own/own.js";
import { defineProvider } from "../src/capability/provider.js";
import type { CallOptions } from "../src/capability/types.js";
import type { WalletOptions, WatchOptions } from "../src/capability/wallets.js";
import { ROUND_FAILED } from "../src/handler/composition/background.js";
import { createHandler } from "../src/handler/handler.js";
import type { HandlerOptions } from "../src/host/options.js";
import { lazy } from "../src/lib/lazy.js";
import { createResources } from "../src/lib/resources.js";
import type { SigningOptions } from "../src/signing/options.js";
import { openWallets } from "../src/state/database/open.js";
import { createMemoryStore } from "../src/stores/memory/memory.js";
import { upstream } from "../src/upstream/client.js";
import { awayPool } from "./support/away-pool.js";
import { bodyOf } from "./support/body.js";
import { freshFolder } from "./support/fresh-folder.js";
import { failing, openShop, receiptOf, type ShopOptions } from "./support/shop.js";
import { OPEN_TERMS } from "./support/terms.js";
import { quoteOf, TREASURY } from "./support/wallets.js";

const provider = defineProvider({
  name: "Source",
  url: "https://source.example",
  license: "none",
  terms: OPEN_TERMS,
  baseUrl: "https://source.example",
});

/** Tells what its context has, and asks an upstream when it is told to. */
const probe = defineCapability({
  id: "test.probe",
  summary: "Tells what it sees.",
  price: "0.001",
  requires: ["PROBE_KEY"],
  provider,
  input: () => z.strictObject({ ask: z.boolean().default(false).describe("Whether to ask the upstream") }),
  output: one(
    z.object({
      now: z.string(),
      dataDir: z.string(),
      hosts: z.number(),
      call: z.string().optional(),
      answer: z.unknown(),
    }),
  ),
  example: {},
  live: { input: { ask: true }, metered: false },
  async run({ ask }, ctx) {
    ctx.logger.info({ probe: true }, "seen");
    const read = { schema: z.unknown(), ttlMs: 1000 };
    const answer = ask ? await upstream(ctx, provider).get("/", read) : null;
    const hosts = ctx.outbound.allowHosts?.length ?? 0;
    const call = ctx.wallet?.callId;
    return { item: { now: ctx.clock().toISOString(), dataDir: ctx.dataDir, hosts, call, answer } };
  },
});

const secrets = { PROBE_KEY: "k" };
const words = defineOwnCapability({
  id: "test.words",
  summary: "Says two words.",
  price: "0.001",
  source: { provider: "test", url: "", license: "MIT" },
  input: () => z.strictObject({}),
  output: legacy(() => z.object({ words: z.number() })),
  example: {},
  async *stream() {
    yield "one";
    yield "two";
    return { words: 2 };
  },
});

const free = (more: Partial<HandlerOptions> = {}) =>
  createHandler({ capabilities: [probe, convertUnit], payment: false, secrets, ...more });
const UNIT = "/convert/unit?value=1&from=kg&to=lb";
const WORK = "/test/work?n=1";
const get = (handle: ReturnType<typeof free>, path: string, init: RequestInit = {}) =>
  handle(new Request(`http://host.test${path}`, init));
const amountAt = async (shop: ShopOptions) => quoteOf(await openShop(shop).get(WORK)).accepts[0]?.amount;

const answering = (seen: string[]): typeof fetch => {
  return async (input) => {
    seen.push(String(input));
    return Response.json({ n: seen.length });
  };
};
const seeing = async (options: CallOptions, input = {}) => (await probe(input, { secrets, ...options })).items[0];
const anyFolder = () => mkdtempSync(join(tmpdir(), "coinslot-options-"));

const OF_A_CALL: Record<keyof CallOptions, () => Promise<void>> = {
  async capabilities() {
    const { batchRun } = await import("../src/capabilities/batch/index.js");
    const calls = [{ endpoint: "test.probe" }];
    const result = await batchRun({ calls }, { secrets, capabilities: [probe] });
    expect(result.total).toBe(1);
  },
  async fetch() {
    const seen: string[] = [];
    await seeing({ fetch: answering(seen) }, { ask: true });
    expect(seen).toEqual(["https://source.example/"]);
  },
  async secrets() {
    await expect(probe({}, { secrets: {} })).rejects.toMatchObject({ code: "PROVIDER_NOT_CONFIGURED" });
  },
  async signal() {
    await expect(seeing({ signal: AbortSignal.abort() })).rejects.toMatchObject({ status: 502 });
  },
  async clock() {
    expect((await seeing({ clock: () => new Date(0) }))?.now).toBe("1970-01-01T00:00:00.000Z");
  },
  async cache() {
    const seen: string[] = [];
    const kept = new Map<string, unknown>();
    const cache = {
      get: (key: string) => kept.get(key),
      set: (key: string, value: unknown) => void kept.set(key, value),
    };
    for (let i = 0; i < 2; i++) await seeing({ fetch: answering(seen), cache }, { ask: true });
    for (let i = 0; i < 2; i++) await seeing({ fetch: answering(seen), cache: false }, { ask: true });
    expect([kept.size, seen.length]).toEqual([1, 3]);
  },
  async dataDir() {
    const dataDir = anyFolder();
    expect((await seeing({ dataDir }))?.dataDir).toBe(dataDir);
  },
  async logger() {
    const lines: string[] = [];
    const write = (_: object, message: string) => void lines.push(message);
    await seeing({ logger: { debug: write, info: write, warn: write, error: write } });
    expect(lines).toEqual(["seen"]);
  },
  async wallets() {
    const { storeKvGet } = await import("../src/capabilities/store/index.js");
    const name = { ns: "n", key: "k" };
    const asked = storeKvGet(name, { wallet: "w", wallets: { db: awayPool } });
    await expect(asked).rejects.toMatchObject({ code: "OVERLOADED" });
  },
  async wallet() {
    const { storeKvGet } = await import("../src/capabilities/store/index.js");
    const asked = storeKvGet({ ns: "n", key: "k" }, { wallets: { db: awayPool } });
    await expect(asked).rejects.toMatchObject({ code: "WALLET_REQUIRED" });
  },
  async idempotencyKey() {
    const options = { wallet: "w", idempotencyKey: "once" };
    expect((await seeing(options))?.call).toBe("own:once");
  },
  async outbound() {
    expect((await seeing({ outbound: { allowHosts: ["a.example"] } }))?.hosts).toBe(1);
  },
};

const OF_A_HOST: Record<keyof HandlerOptions, () => Promise<void>> = {
  async capabilities() {
    expect(
      free({ capabilities: [convertUnit] })
        .directory()
        .endpoints.map(({ id }) => id),
    ).toEqual(["convert.unit"]);
  },
  async payment() {
    expect((await get(free(), `/api${UNIT}`)).status).toBe(200);
    expect((await openShop().get(WORK)).status).toBe(402);
  },
  async brand() {
    expect(free({ brand: { name: "Acme" } }).openapi().info.title).toContain("Acme");
  },
  async openaiAlias() {
    const asked = async (options: object) => {
      const request = new Request("http://host.test/api/ai/chat/completions", { method: "POST", body: "{}" });
      return (await free({ capabilities: [aiChat], ...options })(request)).status;
    };
    expect(await asked({})).not.toBe(404);
    expect(await asked({ openaiAlias: false })).toBe(404);
  },
  async pricing() {
    expect(await amountAt({ pricing: { markup: 3 } })).toBe("3000");
  },
  async trial() {
    const tried = (options: ShopOptions) => openShop(options).get(WORK, { "x-svc-trial": "1" });
    expect((await tried({})).status).toBe(200);
    expect((await tried({ trial: false })).status).toBe(402);
  },
  async accounts() {
    const called = (options: ShopOptions) => openShop(options).get(WORK, { authorization: "Bearer svc_unknown" });
    expect((await called({})).status).toBe(402);
    expect((await called({ accounts: { keys: true } })).status).toBe(401);
    expect(() => openShop({ accounts: { key: true } as object })).toThrow("accounts.key");
    expect(() => free({ accounts: { keys: true } })).toThrow("accounts: with payment: false");
    const topUp = { minUsd: "2", maxUsd: "1" };
    expect(() => openShop({ accounts: { keys: true, topUp } })).toThrow("accounts.topUp.minUsd");
    expect(() => openShop({ accounts: { topUp: { amountsUsd: ["1"] } } })).toThrow("accounts.keys");
    const closing = { balance: "keep", keepDays: 1 } as never;
    expect(() => openShop({ accounts: { keys: true, closing } })).toThrow("accounts.closing.balance");
    expect(() => openShop({ accounts: { keys: true, closing: { keepDays: -1 } } })).toThrow(
      "accounts.closing.keepDays",
    );
  },
  async customer() {
    const page = (options: ShopOptions) => openShop(options).get("/account");
    expect((await page({ accounts: { keys: true } })).status).toBe(404);
    expect((await page({ accounts: { keys: true }, customer: true })).status).toBe(200);
    expect(() => openShop({ customer: true })).toThrow("customer needs accounts.keys");
  },
  async products() {
    const products = [{ id: "ten", title: "Ten calls", priceUsd: "1", grant: { calls: 10 } }];
    const sold = (options: ShopOptions) =>
      openShop(options)
        .handle.directory()
        .endpoints.map(({ id }) => id);
    expect(sold({ accounts: { keys: true } })).not.toContain("account.buy");
    expect(sold({ accounts: { keys: true }, products })).toContain("account.buy");
    expect(() => openShop({ products })).toThrow("products needs accounts");
  },
  async refundPolicy() {
    const refundPolicy = { withinDays: 14, conditions: "Whatever was empty." };
    const shop = openShop({ refundPolicy, accounts: { keys: true } });
    expect(shop.handle.directory().refundPolicy).toMatchObject(refundPolicy);
    expect(openShop().handle.directory()).not.toHaveProperty("refundPolicy");
    expect(() => openShop({ refundPolicy })).toThrow("refundPolicy needs accounts.keys");
    expect(() => openShop({ refundPolicy: { ...refundPolicy, withinDays: 0 } })).toThrow("refundPolicy.withinDays");
    expect(() => openShop({ refundPolicy, payment: false })).toThrow("every call is free");
  },
  async jobs() {
    const at = async (options: ShopOptions) => (await openShop(options).get("/jobs/get")).status;
    expect([await at({}), await at({ jobs: false })]).toEqual([400, 404]);
    expect(() => openShop({ jobs: { always: ["test.none"] } })).toThrow("jobs.always");
    expect(() => openShop({ jobs: { maxPerPayer: 0 } })).toThrow("jobs.maxPerPayer");
  },
  async wallets() {
    const { storeKvGet } = await import("../src/capabilities/store/index.js");
    const missing = (options: Partial<HandlerOptions>) =>
      free({ capabilities: [storeKvGet], ...options }).directory().endpoints[0]?.missing;
    expect(missing({})).toEqual(["wallets"]);
    expect(missing({ wallets: { db: awayPool } })).toBeUndefined();
    expect(() => free({ wallets: {}, instances: 2 })).toThrow("wallets: with 2 instances");
    const watch = (watch: object) => () => free({ wallets: { db: awayPool, watch } });
    expect(watch({ minSeconds: 60 })).toThrow("wallets.watch.minSeconds");
    expect(watch({ pollRate: "2" })).toThrow("wallets.watch.pollRate");
    expect(watch({ alow: () => true })).toThrow("wallets.watch.alow");
  },
  async basePath() {
    expect((await get(free({ basePath: "/v1" }), `/v1${UNIT}`)).status).toBe(200);
  },
  async docs() {
    for (const path of ["/", "/api/docs"]) {
      expect((await get(free(), path)).status).toBe(200);
      expect((await get(free({ docs: false }), path)).status).toBe(404);
    }
  },
  async store() {
    const shop = openShop({ store: { ...createMemoryStore(), get: () => Promise.reject(new Error("away")) } });
    expect((await shop.get(WORK, { "x-svc-trial": "1" })).status).toBe(502);
  },
  async instances() {
    const treasury = { "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp": "CKPKJWNdJEqa81x7CkZ14BVPiY6y16Sxs7owznqtWYp5" };
    const facilitator = { url: "https://facilitator.test" };
    expect(() => openShop({ payment: { treasury, facilitator }, instances: 2 })).toThrow("shared store");
  },
  async ledgerDays() {
    const shop = openShop({ ledgerDays: 2 });
    await shop.pay(WORK, await shop.payFor(WORK));
    const earned = async () => (await shop.handle.ledger({ from: "2026-06-01", to: "2026-06-30" })).rows.length;
    expect(await earned()).toBeGreaterThan(0);
    shop.clock.advance(3 * 24 * 3600);
    expect(await earned()).toBe(0);
  },
  async cors() {
    const allowed = async (options: Partial<HandlerOptions>) =>
      (await get(free(options), `/api${UNIT}`)).headers.has("access-control-allow-origin");
    expect([await allowed({}), await allowed({ cors: false })]).toEqual([true, false]);
  },
  async signing() {
    const key = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }) as SigningOptions["key"];
    const signed = async (options: Partial<HandlerOptions>) =>
      (await get(free(options), `/api${UNIT}&sign=1`)).headers.has("signature");
    expect([await signed({}), await signed({ signing: { key } })]).toEqual([false, true]);
  },
  async mcp() {
    const asked = async (options: Partial<HandlerOptions>) =>
      (await get(free(options), "/api/mcp", { method: "OPTIONS" })).status;
    expect([await asked({}), await asked({ mcp: false })]).toEqual([204, 404]);
  },
  async maxBodyBytes() {
    const { batchRun } = await import("../src/capabilities/batch/index.js");
    const handle = free({ capabilities: [batchRun], maxBodyBytes: 10 });
    const body = JSON.stringify({ calls: [{ endpoint: "convert.unit" }] });
    expect((await get(handle, "/api/batch/run", { method: "POST", body })).status).toBe(413);
  },
  async maxStreamsPerPayer() {
    const statuses = async (options: Partial<HandlerOptions>) => {
      const handle = free({ capabilities: [words], ...options });
      const open = () => get(handle, "/api/test/words", { headers: { accept: "text/event-stream" } });
      const [one, two] = [await open(), await open()];
      await Promise.all([one.text(), two.text()]);
      return [one.status, two.status, (await open()).status];
    };
    expect(await statuses({ maxStreamsPerPayer: 1 })).toEqual([200, 429, 200]);
    expect(await statuses({})).toEqual([200, 200, 200]);
  },
  async floods() {
    const statuses = async (floods: true | { burst: number; perSecond: number }) => {
      const { get: ask } = openShop({ floods, trial: false });
      const answers: number[] = [];
      for (let i = 0; i < 14; i++) answers.push((await ask("/test/work")).status);
      return new Set(answers);
    };
    expect(await statuses({ burst: 10, perSecond: 1 })).toEqual(new Set([402, 429]));
    expect(await statuses(true)).toEqual(new Set([402]));
  },
  async maxResponseBytes() {
    expect((await get(free({ maxResponseBytes: 20 }), `/api${UNIT}`)).status).toBeGreaterThanOrEqual(400);
  },
  async onCall() {
    const ids: string[] = [];
    await get(free({ onCall: ({ id }) => void ids.push(id) }), `/api${UNIT}`);
    expect(ids).toEqual(["convert.unit"]);
  },
  async webhooks() {
    expect(() => openShop({ webhooks: [{ url: "https://host.test", secret: "short" }] })).toThrow("webhooks[0].secret");
    const store = createMemoryStore();
    const webhooks = [{ url: "https://host.test", secret: `whsec_${"A".repeat(44)}` }];
    const shop = openShop({ webhooks, store });
    await shop.pay(WORK, await shop.payFor(WORK));
    expect(await store.list("webhook:", { limit: 5 })).toHaveLength(1);
  },
  async countCalls() {
    const shop = openShop({ countCalls: true });
    await shop.get(WORK);
    expect(await (await shop.handle.earnings(new Request("http://host.test/"))).text()).toContain("Conversion");
    const silent = openShop();
    expect(await (await silent.handle.earnings(new Request("http://host.test/"))).text()).not.toContain("Conversion");
  },
  async metrics() {
    expect(() => openShop({ metrics: { token: "short" } })).toThrow("metrics.token must be at least 16");
    const shop = openShop({ metrics: true });
    const page = () => new Request("http://shop.test/api/metrics");
    expect(await (await shop.handle(page())).text()).toContain("coinslot_calls_total");
    expect((await openShop().handle(page())).status).toBe(404);
  },
  async agents() {
    expect(() => openShop({ agents: { directories: [] } })).toThrow("agents.directories must have 1");
    expect(() => openShop({ agents: { directories: ["https://agent.example/keys"] } })).toThrow(
      "agents needs brand.baseUrl",
    );
  },
  async budgets() {
    const calls = (budgets: HandlerOptions["budgets"]) =>
      get(free(budgets ? { budgets } : {}), "/api/test/probe?ask=false");
    expect((await calls(undefined)).status).toBe(200);
    const handle = free({ budgets: { PROBE_KEY: { usdPerDay: "0.001" } } });
    const statuses = [];
    for (let i = 0; i < 2; i++) statuses.push((await get(handle, "/api/test/probe?ask=false")).status);
    expect(statuses).toEqual([200, 503]);
  },
  async live() {
    const seen: string[] = [];
    let at = Date.parse("2026-05-01T00:00:00Z");
    const handle = free({ fetch: answering(seen), live: { everyHours: 1 }, clock: () => new Date(at) });
    await handle.tick();
    at += 3_600_000;
    await handle.tick();
    await handle.close();
    expect(seen.length).toBe(1);
  },
  async onDrift() {
    const events: string[] = [];
    const shop = openShop({ live: { everyHours: 24 }, onDrift: ({ outcome }) => void events.push(outcome) });
    shop.behaviours.push(failing("UPSTREAM_SCHEMA"));
    await shop.pay(WORK, await shop.payFor(WORK));
    await shop.handle.close();
    expect(events).toEqual(["noticed"]);
  },
  async policy() {
    const shop = openShop({ policy: () => ({ allow: false, code: "EMBARGO", reason: "No." }) });
    expect((await shop.pay(WORK, await shop.payFor(WORK))).status).toBe(403);
  },
  async sanctions() {
    // The list cannot be read there, so nobody is cleared.
    const shop = openShop({ sanctions: true });
    expect((await shop.pay(WORK, await shop.payFor(WORK))).status).toBe(503);
  },
  async payers() {
    const shop = openShop({ payers: { allow: [TREASURY] } });
    expect((await shop.pay(WORK, await shop.payFor(WORK))).status).toBe(403);
  },
  async fetch() {
    const shop = openShop();
    const paid = await shop.pay(WORK, await shop.payFor(WORK));
    expect(receiptOf(paid)).toMatchObject({ success: true });
  },
  async secrets() {
    expect((await get(free({ secrets: {} }), "/api/test/probe")).status).toBe(502);
  },
  async clock() {
    const { data } = await bodyOf(await get(free({ clock: () => new Date(0) }), "/api/test/probe?ask=false"));
    expect(data.items[0]).toMatchObject({ now: "1970-01-01T00:00:00.000Z" });
  },
  async cache() {
    const seen: string[] = [];
    const handle = free({ fetch: answering(seen), cache: false });
    for (let i = 0; i < 2; i++) await handle.call("test.probe", { ask: true });
    expect(seen).toHaveLength(2);
  },
  async dataDir() {
    const dataDir = anyFolder();
    expect(await free({ dataDir }).call("test.probe", {})).toMatchObject({ items: [{ dataDir }] });
  },
  async logger() {
    const lines: string[] = [];
    const write = (_: object, message: string) => void lines.push(message);
    await free({ logger: { debug: write, info: write, warn: write, error: write } }).call("test.probe", {});
    expect(lines).toContain("seen");
  },
  async outbound() {
    const handle = free({ outbound: { allowHosts: ["a.example"] } });
    expect(await handle.call("test.probe", {})).toMatchObject({ items: [{ hosts: 1 }] });
  },
};

/** A database that is there, for options that only one shows. */
const opened = lazy(freshFolder);
const name = { ns: "n", key: "k" };
const lookup = async () => [{ address: "93.184.215.14", family: 4 }];
async function planned(wallets: WalletOptions, callbackUrl = "https://example.com/hook") {
  const { scheduleCreate } = await import("../src/capabilities/schedule/index.js");
  const { items } = await scheduleCreate(
    { callbackUrl, everySeconds: 60 },
    { wallet: "w", wallets, outbound: { lookup } },
  );
  return items[0];
}

const OF_WALLETS: Record<keyof WalletOptions, () => Promise<void>> = {
  async db() {
    const { storeKvGet } = await import("../src/capabilities/store/index.js");
    const asked = storeKvGet(name, { wallet: "w", wallets: { db: awayPool } });
    await expect(asked).rejects.toMatchObject({ code: "OVERLOADED" });
    expect(() => free({ wallets: { db: {} as never } })).toThrow("wallets.db");
  },
  async schema() {
    const { storeKvPut, storeKvGet } = await import("../src/capabilities/store/index.js");
    const dataDir = await opened();
    await storeKvPut({ ...name, value: 1 }, { wallet: "w", wallets: { dataDir, schema: "one" } });
    const elsewhere = storeKvGet(name, { wallet: "w", wallets: { dataDir, schema: "two" } });
    await expect(elsewhere).rejects.toMatchObject({ code: "NOT_FOUND" });
  },
  async dataDir() {
    const { storeKvPut } = await import("../src/capabilities/store/index.js");
    const dataDir = await opened();
    await storeKvPut({ ...name, value: 1 }, { wallet: "w", wallets: { dataDir } });
    expect(await readdir(dataDir)).toContain("data");
  },
  async limits() {
    const { storeKvPut } = await import("../src/capabilities/store/index.js");
    const wallets = { dataDir: await opened(), limits: { bytes: 300 } };
    const put = storeKvPut({ ...name, value: "x".repeat(300) }, { wallet: "limited", wallets });
    await expect(put).rejects.toMatchObject({ code: "QUOTA_EXCEEDED" });
  },
  async secret() {
    const dataDir = await opened();
    const [one, two] = ["1".repeat(32), "2".repeat(32)];
    const keyOf = async (secret: string | string[]) => (await planned({ dataDir, secret }))?.publicKey;
    const [first, second] = [await keyOf(one), await keyOf(two)];
    expect(first).not.toBe(second);
    expect(await keyOf([one, two])).toBe(first);
    for (const secret of ["short", [], [one, "short"]])
      expect(() => free({ wallets: { secret } })).toThrow("wallets.secret must be at least 32 characters");
  },
  async encryption() {
    const { storeKvPut } = await import("../src/capabilities/store/index.js");
    const wallets = { dataDir: await opened(), schema: "sealed", encryption: "0".repeat(43).concat("=") };
    await storeKvPut({ ...name, value: "readable" }, { wallet: "w", wallets });
    const database = await openWallets({ wallets, resources: createResources() });
    const { rows } = await database.query("select value from @kv");
    expect(JSON.stringify(rows)).not.toContain("readable");
    expect(() => free({ wallets: { encryption: "short" } })).toThrow("wallets.encryption");
  },
  async watch() {
    const { watchersArm } = await import("../src/capabilities/watchers/index.js");
    const armed = async (watch: WatchOptions) => {
      const wallets = { dataDir: await opened(), watch };
      const handle = free({ capabilities: [watchersArm, convertUnit], wallets, outbound: { lookup } });
      const input = { endpoint: "convert.unit", params: convertUnit.example, conditionType: "changed" as const };
      const when = { everySeconds: 600, callbackUrl: "https://example.com/hook" };
      return handle.call("watchers.arm", { ...input, ...when } as never, { wallet: "w" }).then(
        () => "armed",
        ({ issues }) => issues?.[0].path,
      );
    };
    expect(await armed({ allow: () => true })).toBe("armed");
    expect(await armed({ allow: () => false })).toBe("endpoint");
    expect(await armed({ minSeconds: 900 })).toBe("everySeconds");
    expect(() => free({ wallets: { watch: { pollRate: "2" } } })).toThrow("wallets.watch.pollRate");
    expect(() => free({ wallets: { watch: { minSeconds: 1 } } })).toThrow("wallets.watch.minSeconds");
  },
  async runner() {
    const { scheduleCreate } = await import("../src/capabilities/schedule/index.js");
    const seen = { runs: 0, rests: 0 };
    const host = (runner: boolean, count: () => void) => {
      const error = (_: object, message: string) => {
        if (message === ROUND_FAILED) count();
      };
      const ignore = () => {};
      const logger = { debug: ignore, info: ignore, warn: ignore, error };
      return free({ capabilities: [scheduleCreate], wallets: { db: awayPool, runner }, logger });
    };
    const hosts = [host(true, () => void seen.runs++), host(false, () => void seen.rests++)];
    await vi.waitFor(() => expect(seen.runs).toBeGreaterThan(0), 15_000);
    expect(seen.rests).toBe(0);
    for (const one of hosts) await one.close();
  },
  async httpCallbacks() {
    const url = "http://example.com/hook";
    await expect(planned({ db: awayPool }, url)).rejects.toMatchObject({ code: "URL_NOT_ALLOWED" });
    await expect(planned({ db: awayPool, httpCallbacks: true }, url)).rejects.toMatchObject({ code: "OVERLOADED" });
  },
  async signIn() {
    const { storeUsage } = await import("../src/capabilities/store/index.js");
    const open = async (signIn?: boolean) => {
      const { handle } = openShop({
        capabilities: [storeUsage],
        wallets: { db: awayPool, ...(signIn === undefined ? {} : { signIn }) },
        brand: { baseUrl: "https://host.test" },
        store: createMemoryStore(),
      });
      const quoted = quoteOf(await get(handle, "/api/store/usage", { method: "POST" }));
      return "sign-in-with-x" in (quoted.extensions ?? {});
    };
    expect([await open(), await open(false)]).toEqual([true, false]);
    expect(() => openShop({ wallets: { db: awayPool, signIn: true } })).toThrow("brand.baseUrl");
  },
};

describe("an option is used", () => {
  it.each(Object.keys(OF_WALLETS) as (keyof WalletOptions)[])("of wallets: %s", (name) => OF_WALLETS[name]());
  it.each(Object.keys(OF_A_CALL) as (keyof CallOptions)[])("of a call: %s", (name) => OF_A_CALL[name]());
  it.each(Object.keys(OF_A_HOST) as (keyof HandlerOptions)[])("of a host: %s", (name) => OF_A_HOST[name]());
});
