/** What callers keep, where they are called and what they prove themselves by stays out of what a host writes down. */
import { inspect } from "node:util";
import { afterEach, expect, it } from "vitest";
import { capabilities } from "../../src/capabilities/index.js";
import { createResources } from "../../src/lib/resources.js";
import { openWallets } from "../../src/state/database/open.js";
import { awayPool } from "../support/away-pool.js";
import { bodyOf } from "../support/body.js";
import { openWalletShop, type WalletShop } from "../support/wallet-shop.js";
import { onBothEngines } from "../support/wallets-engine.js";

const CANARY = "zanzibar-canary";
const BASE64 = Buffer.from(`a${CANARY}a`).toString("base64").slice(4, -4);
const owned = capabilities.filter(({ wallet, id }) => wallet || id === "convert.unit" || id === "batch.run");
const value = { [CANARY]: CANARY };
const callbackUrl = `https://example.com/${CANARY}?token=${CANARY}`;

/**
 * What works, what is refused, and what is not there; each with a canary wherever a value or a name of the wallet's fits.
 * Errors name the members at fault, which are no values.
 */
const CALLS: [id: string, input: object, status: number | number[]][] = [
  ["store.kv-put", { ns: CANARY, key: CANARY, value }, 200],
  ["store.kv-get", { ns: CANARY, key: CANARY }, 200],
  ["store.kv-get", { ns: CANARY, key: `${CANARY}-none` }, 404],
  ["store.kv-put", { ns: CANARY, key: "k", value: CANARY.repeat(2000) }, 400],
  ["store.kv-put", { ns: CANARY, key: `${CANARY} with blanks`, value }, 400],
  ["store.kv-increment", { ns: CANARY, key: CANARY }, 400],
  ["store.doc-put", { ns: "d", id: "d", body: { [CANARY]: CANARY }, meta: value }, 200],
  ["store.doc-query", { ns: "d", filter: { [`/body/${CANARY}`]: CANARY } }, 200],
  ["store.doc-query", { ns: "d", filter: { "/body/a": { nearly: CANARY } } }, 400],
  ["store.doc-search", { ns: "d", query: `${CANARY} "` }, [200, 400]],
  ["store.blob-put", { ns: "f", key: CANARY, data: Buffer.from(CANARY).toString("base64") }, 200],
  [
    "store.blob-put",
    { ns: "f", key: CANARY, data: Buffer.from(CANARY).toString("base64"), sha256: "0".repeat(64) },
    400,
  ],
  ["lock.acquire", { key: CANARY, ttlSeconds: 60, holder: CANARY }, 200],
  ["lock.release", { key: CANARY, token: CANARY }, [200, 400]],
  ["queue.enqueue", { queue: CANARY, body: value, dedupId: CANARY }, 200],
  ["queue.ack", { queue: CANARY, id: "1", leaseToken: CANARY }, [200, 400]],
  ["schedule.create", { callbackUrl, everySeconds: 60, payload: value, label: CANARY }, 200],
  ["schedule.create", { callbackUrl: `http://127.0.0.1/${CANARY}?token=${CANARY}`, everySeconds: 60 }, 400],
  ["schedule.create", { callbackUrl: `https://${CANARY}:${CANARY}@example.com/`, everySeconds: 60 }, 400],
  ["schedule.status", { scheduleId: CANARY }, 400],
  [
    "watchers.arm",
    {
      ...{ endpoint: "convert.unit", params: { value: 1, from: "kg", to: "lb" }, conditionType: "changed" },
      ...{ path: "/items/0/result", callbackUrl, payload: value },
    },
    200,
  ],
  ["store.export", {}, 200],
  ["store.erase", { confirm: "erase everything", ns: CANARY }, 200],
];

onBothEngines("what wallets keep", (engine) => {
  const shops: WalletShop[] = [];
  afterEach(async () => {
    for (const shop of shops.splice(0)) await shop.handle.close();
  });
  function open(options: Partial<Parameters<typeof openWalletShop>[0]> = {}) {
    const written: string[] = [];
    const note = (...what: unknown[]) => void written.push(inspect(what, { depth: 12, maxStringLength: null }));
    const logger = { debug: note, info: note, warn: note, error: note, child: () => logger };
    const shop = openWalletShop({
      capabilities: owned,
      wallets: engine.options({
        limits: { bytes: 20_000 },
        schema: "canaries",
        runner: false,
        secret: CANARY.repeat(3),
      }),
      outbound: { lookup: async () => [{ address: "93.184.215.14", family: 4 }] },
      logger,
      onCall: note,
      ...options,
    });
    shops.push(shop);
    const leaks = () => written.filter((text) => text.includes(CANARY) || text.includes(BASE64));
    return { shop, written, leaks };
  }

  it("WAL-65 stays out of logs and events, whatever becomes of a call", async () => {
    const { shop, written, leaks } = open();
    for (const [id, input, status] of CALLS) {
      const response = await shop.post(id, input);
      const done = response.status === 402 ? await shop.buy(id, input) : response;
      expect([id, input, [status].flat().includes(done.status) || (await done.text())]).toEqual([id, input, true]);
      expect([id, leaks()]).toEqual([id, []]);
    }
    // What is called back, and not reached.
    await shop.handle.tick();
    expect(written.length).toBeGreaterThan(CALLS.length);
    expect(leaks()).toEqual([]);
  });

  it("WAL-65 stays out of them where the database fails, and out of the answer", async () => {
    const { shop, leaks, written } = open({
      wallets: engine.options({ schema: "broken" }),
    });
    const input = { ns: "n", key: "k", value };
    expect((await shop.buy("store.kv-put", input)).status).toBe(200);
    const payment = await shop.payFor("store.kv-put", { ...input, key: "other" });
    const resources = createResources();
    const database = await openWallets({ wallets: engine.options({ schema: "broken" }), resources });
    await database.query("alter table @kv add constraint small check (length(value) < 3 or key = 'k')");
    const failed = await shop.pay("store.kv-put", { ...input, key: "other" }, payment);
    const problem = await bodyOf(failed);
    expect([failed.status, problem.code]).toEqual([500, "INTERNAL"]);
    expect(JSON.stringify(problem)).not.toContain(CANARY);
    expect(written.some((text) => text.includes("small"))).toBe(true);
    expect(leaks()).toEqual([]);
    await resources.close();
  });

  it("WAL-65 stays out of them while the database is away", async () => {
    const { shop, leaks } = open({ wallets: { db: awayPool } });
    expect((await shop.post("store.kv-put", { ns: "n", key: CANARY, value }, { "x-svc-trial": "1" })).status).toBe(502);
    expect(leaks()).toEqual([]);
  });
});
