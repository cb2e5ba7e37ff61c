/** A database that an earlier release made, with data in it, and one that a later release made. */
import { readFile } from "node:fs/promises";
import { afterEach, expect, it } from "vitest";
import { capabilities } from "../../src/capabilities/index.js";
import { createResources } from "../../src/lib/resources.js";
import type { Database } from "../../src/state/database/database.js";
import { openWallets } from "../../src/state/database/open.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { openWalletShop, type WalletShop } from "../support/wallet-shop.js";
import { alice } from "../support/wallets.js";
import { onBothEngines } from "../support/wallets-engine.js";

/** Made once, by the release in its name; it never changes. */
const FIXTURE = new URL("./release-0.1.0.json", import.meta.url);
interface Made {
  /** Makes the tables. */
  statements: string[];
  rows: Record<string, object[]>;
  sequences: Record<string, number>;
  /** What that release exported of the wallet. */
  exported: Record<string, unknown>[];
  /** A payment that bought something, and the answer. */
  payment: string;
  answer: string;
}
const SCHEMAS = ["coinslot_wallets", "coinslot"];
const WALLET = `eip155:8453:${alice.address.toLowerCase()}`;
const sold = capabilities.filter(({ wallet, id }) => wallet || id === "convert.unit");
/** What was bought of that release. */
const BOUGHT = ["store.kv-increment", { ns: "n", key: "count" }] as const;

onBothEngines("a database of another release", (engine) => {
  const shops: WalletShop[] = [];
  const resources: ReturnType<typeof createResources>[] = [];
  afterEach(async () => {
    for (const shop of shops.splice(0)) await shop.handle.close();
    for (const one of resources.splice(0)) await one.close();
  });
  const open = () => {
    const clock = fakeClock("2026-11-22T12:00:00Z");
    const facilitator = fakeFacilitator();
    facilitator.setClock(clock.seconds);
    const shop = openWalletShop({
      ...{ capabilities: sold, clock, facilitator, wallets: engine.options({ runner: false }) },
      outbound: { lookup: async () => [{ address: "93.184.215.14", family: 4 }] },
    });
    shops.push(shop);
    return shop;
  };
  const call = async (shop: WalletShop, id: string, input: object) =>
    ((await shop.handle.call(id as never, input as never, { wallet: WALLET })) as { items: Made["exported"] }).items;
  function database(): Promise<Database> {
    const own = createResources();
    resources.push(own);
    return openWallets({ wallets: engine.options(), resources: own });
  }

  async function restore({ statements, rows, sequences }: Made): Promise<void> {
    const db = await database();
    for (const schema of SCHEMAS) await db.query(`drop schema if exists ${schema} cascade`);
    for (const statement of statements) await db.query(statement);
    for (const [table, found] of Object.entries(rows))
      await db.query(
        `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1)`,
        [JSON.stringify(found)],
      );
    for (const [name, last] of Object.entries(sequences)) await db.query(`select setval('${name}', ${last})`);
    // Payments live by the database's own clock.
    await db.query("update coinslot.records set expires_at = now() + interval '1 day'");
    for (const one of resources.splice(0)) await one.close();
    await engine.end();
  }

  it("WAL-65 is brought to this release's tables, and all that was in it is there", async () => {
    const made: Made = JSON.parse(await readFile(FIXTURE, "utf8"));
    await restore(made);
    const shop = open();
    expect(await call(shop, "store.export", {})).toEqual(made.exported);
    expect(made.exported.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["kv", "docs", "blobs", "queue"]));
    const again = await shop.pay(...BOUGHT, made.payment);
    expect([again.status, await again.text()]).toEqual([200, made.answer]);
    expect(shop.facilitator.settled).toEqual([]);
    expect(await call(shop, "store.doc-search", { ns: "n", query: "kettle" })).toMatchObject([{ id: "d" }]);
    expect(await call(shop, "queue.lease", { queue: "q" })).toMatchObject([{ body: { job: 1 } }]);
    expect(await call(shop, "store.kv-put", { ns: "n", key: "k", value: 2 })).toMatchObject([{ stored: true }]);
  });

  it("WAL-65 is left alone where a later release made it: each call says so", async () => {
    const db = await database();
    await db.query("insert into @migrations (version) values (99)");
    const count = async () => (await db.query("select count(*)::int as n from @kv")).rows;
    const before = await count();
    const told = 'The tables in the schema "coinslot_wallets" are of version 99, and this release of Coinslot knows';
    await expect(call(open(), "store.kv-put", { ns: "n", key: "new", value: 1 })).rejects.toMatchObject({
      code: "PROVIDER_NOT_CONFIGURED",
      message: expect.stringContaining(told),
    });
    expect(await count()).toEqual(before);
    await db.query("delete from @migrations where version = 99");
  });
});
