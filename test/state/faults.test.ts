/** Databases that are away, undo or forget to answer, and payments that turn out to be none. */
import type pg from "pg";
import { afterEach, expect, it } from "vitest";
import * as store from "../../src/capabilities/store/index.js";
import type { PostgresConnection, PostgresConnections } from "../../src/capability/wallets.js";
import { createResources } from "../../src/lib/resources.js";
import type { CallEvent } from "../../src/payment/events/events.js";
import { openWallets } from "../../src/state/database/open.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { openWalletShop, type WalletShop } from "../support/wallet-shop.js";
import { alice } from "../support/wallets.js";
import { onBothEngines } from "../support/wallets-engine.js";

const COUNT = "store.kv-increment";
const WALLET = `eip155:8453:${alice.address.toLowerCase()}`;
const lost = () => Object.assign(new Error("Connection terminated unexpectedly"), { code: "ECONNRESET" });

/** A pool whose connections do what they are told instead of what they should. */
function troubled(pool: PostgresConnections) {
  const trouble = {
    away: false,
    from: Number.POSITIVE_INFINITY,
    loseCommit: 0,
    begin: undefined as string | undefined,
  };
  const codes: string[] = [];
  const noted = (error: unknown): never => {
    codes.push(String((error as { code?: unknown }).code));
    throw error;
  };
  let transactions = 0;
  const proxy: PostgresConnections = {
    query: (text, values) => (trouble.away ? Promise.reject(lost()) : pool.query(text, values)),
    async connect() {
      if (trouble.away || ++transactions > trouble.from) throw lost();
      const connection = await pool.connect();
      const proxied: PostgresConnection = {
        async query(text, values) {
          const sent = trouble.begin ? text.replace(/^begin;/, `${trouble.begin};`) : text;
          const result = await connection.query(sent, values).catch(noted);
          if (text === "commit" && trouble.loseCommit-- > 0) throw lost();
          return result;
        },
        release: (error) => connection.release(error),
      };
      return proxied;
    },
  };
  return { pool: proxy, trouble, codes };
}

onBothEngines("with trouble", (engine) => {
  const shops: WalletShop[] = [];
  const open = (options: Partial<Parameters<typeof openWalletShop>[0]> = {}) => {
    const shop = openWalletShop({
      ...{ capabilities: Object.values(store), wallets: engine.options(), store: createMemoryStore(), trial: false },
      ...options,
    });
    shops.push(shop);
    return shop;
  };
  afterEach(async () => {
    for (const shop of shops.splice(0)) await shop.handle.close();
  });
  const onPostgres = it.skipIf(!engine.shared);
  const poolOf = () => engine.options().db as unknown as pg.Pool;
  const countIn = async (shop: WalletShop, key: string) => {
    const found: unknown = await shop.handle
      .call("store.kv-get" as never, { ns: "n", key } as never, { wallet: WALLET })
      .catch(({ code }: { code: string }) => ({ items: [{ value: code }] }));
    return (found as { items: { value: unknown }[] }).items[0]?.value;
  };

  onPostgres("WAL-16 costs nothing while the database is away, and the same payment buys it later", async () => {
    const { pool, trouble } = troubled(poolOf());
    const shop = open({ wallets: { db: pool } });
    const input = { ns: "n", key: "away" };
    const payment = await shop.payFor(COUNT, input);
    expect(await countIn(shop, "away")).toBe("NOT_FOUND");
    trouble.away = true;
    const refused = await shop.pay(COUNT, input, payment);
    expect([refused.status >= 500, (await bodyOf(refused)).code]).toEqual([true, "OVERLOADED"]);
    expect(shop.facilitator.settled).toEqual([]);
    trouble.away = false;
    expect((await shop.pay(COUNT, input, payment)).status).toBe(200);
    expect([await countIn(shop, "away"), shop.facilitator.settled.length]).toEqual([1, 1]);
  });

  onPostgres("WAL-16 whose commit is not answered was done once, and says so when it is asked again", async () => {
    const { pool, trouble } = troubled(poolOf());
    const shop = open({ wallets: { db: pool } });
    const input = { ns: "n", key: "unanswered" };
    const payment = await shop.payFor(COUNT, input);
    expect(await countIn(shop, "unanswered")).toBe("NOT_FOUND");
    trouble.loseCommit = 1;
    const first = await shop.pay(COUNT, input, payment);
    expect(first.headers.get("x-svc-credit")).toBe(null);
    const again = first.status === 200 ? first : await shop.pay(COUNT, input, payment);
    expect(await again.text()).toContain('"value":1,"changed":true');
    expect([await countIn(shop, "unanswered"), shop.facilitator.settled.length]).toEqual([1, 1]);
  });

  onPostgres("WAL-17 does all of it again where the server could not put transactions in line", async () => {
    const { pool, trouble, codes } = troubled(poolOf());
    // Changes of one process do not meet.
    const [shop, other] = [open({ wallets: { db: pool } }), open({ wallets: { db: pool } })];
    const call = (idempotencyKey: string, { handle } = shop) =>
      handle.call(COUNT as never, { ns: "n", key: "line" } as never, { wallet: WALLET, idempotencyKey });
    await call("first");
    trouble.begin = "begin isolation level serializable";
    for (let i = 0; i < 20 && !codes.includes("40001"); i++) await Promise.all([call(`a${i}`), call(`b${i}`, other)]);
    expect(codes).toContain("40001");
    const receipts = await poolOf().query("select from coinslot_wallets.receipts where endpoint = $1 and call ~ $2", [
      COUNT,
      "^own:(first|[ab][0-9]+)$",
    ]);
    expect(await countIn(shop, "line")).toBe(receipts.rows.length);
  });

  onPostgres("WAL-17 does all of it again where it was the one to give way in a deadlock", async () => {
    const { pool, codes } = troubled(poolOf());
    const shop = open({ wallets: { db: pool } });
    const call = () => shop.handle.call(COUNT as never, { ns: "n", key: "dead" } as never, { wallet: WALLET });
    await call();
    const other = await poolOf().connect();
    await other.query("begin; set local deadlock_timeout = '30s'");
    await other.query("update coinslot_wallets.kv set rolling = rolling where wallet = $1 and key = 'dead'", [WALLET]);
    const counted = call();
    const waits =
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%coinslot_wallets.kv%'";
    await expect.poll(async () => (await poolOf().query(waits)).rows.length).toBe(1);
    await other.query("update coinslot_wallets.wallets set seen_at = seen_at where wallet = $1", [WALLET]);
    await other.query("commit");
    other.release();
    await counted;
    expect(codes).toContain("40P01");
    expect(await countIn(shop, "dead")).toBe(2);
  });

  it("WAL-5 changes and tells nothing for a contract wallet whose signature turns out to be none", async () => {
    const shop = open();
    await shop.handle.call("store.kv-put" as never, { ns: "n", key: "victim", value: "marked" } as never, {
      wallet: WALLET,
    });
    for (const [id, input] of [
      [COUNT, { ns: "n", key: "forged" }],
      ["store.kv-delete", { ns: "n", key: "victim" }],
      ["store.kv-get", { ns: "n", key: "victim" }],
    ] as const) {
      const payment = JSON.parse(atob(await shop.payFor(id, input)));
      payment.payload.signature = `0x${"ab".repeat(200)}`;
      shop.facilitator.faults.settle.push("refuse");
      const answer = await shop.pay(id, input, btoa(JSON.stringify(payment)));
      expect([id, answer.ok]).toEqual([id, false]);
      expect((await answer.text()) + JSON.stringify([...answer.headers])).not.toContain("marked");
    }
    expect([await countIn(shop, "forged"), await countIn(shop, "victim")]).toEqual(["NOT_FOUND", "marked"]);
  });

  it("WAL-63 makes its tables once, however many begin at once", async () => {
    const wallets = engine.options({ schema: "wallets_begun" });
    const opened = await Promise.all([1, 2, 3, 4].map(() => openWallets({ wallets, resources: createResources() })));
    for (const database of opened) expect((await database.query("select from @wallets")).rows).toEqual([]);
  });

  it("WAL-65 shows no value, key or token in lines, events or refusals", async () => {
    const lines: unknown[][] = [];
    const events: CallEvent[] = [];
    const line = (...told: unknown[]) => void lines.push(told);
    const logger = { debug: line, info: line, warn: line, error: line };
    const shop = open({
      logger,
      onCall: (event) => void events.push(event),
      wallets: engine.options({ limits: { bytes: 900 } }),
    });
    const [ns, key] = ["canary-ns", "canary-key"];
    await shop.buy("store.kv-put", { ns, key, value: "canary-value" });
    await shop.buy("store.kv-get", { ns, key: "canary-missing" });
    const large = await shop.buy("store.kv-put", { ns, key, value: "canary-value".repeat(100) });
    const wrong = await shop.buy(COUNT, { ns, key });
    const refusals = (await large.text()) + (await wrong.text());
    expect(events.length).toBeGreaterThan(4);
    const told = [lines, events, refusals].map((one) =>
      JSON.stringify(one, (_, v) => (v instanceof Error ? String(v.stack) : v)),
    );
    expect(told.join(" ")).not.toContain("canary");
  });
});
