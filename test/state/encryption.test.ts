/** What is on disk of what wallets keep, where the host has a key for it. */
import { createCipheriv, randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterEach, expect, it } from "vitest";
import { capabilities } from "../../src/capabilities/index.js";
import { CapabilityError } from "../../src/errors.js";
import { createResources } from "../../src/lib/resources.js";
import { cleanUp } from "../../src/state/cleanup.js";
import type { Database } from "../../src/state/database/database.js";
import { tablesOf } from "../../src/state/database/encrypted-rows.js";
import { createEncryption } from "../../src/state/database/encryption.js";
import { openForPayments, openWallets } from "../../src/state/database/open.js";
import { storeBesideWallets } from "../../src/stores/postgres/beside-wallets.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { openWalletShop, type WalletShop } from "../support/wallet-shop.js";
import { alice } from "../support/wallets.js";
import { onBothEngines } from "../support/wallets-engine.js";
import { scripted } from "../support/watch-host.js";

const newKey = () => randomBytes(32).toString("base64");
const MARK = "fulvous-canary";
/** As the database and its files may show it. */
const SPELLINGS = [MARK, ...[0, 1, 2].map((shift) => base64Of(MARK, shift)), Buffer.from(MARK).toString("hex")];

/** The part of a text's base64 that does not depend on what stands around it. */
function base64Of(text: string, shift: number): string {
  const encoded = Buffer.from("x".repeat(shift) + text).toString("base64");
  return encoded.slice(shift === 0 ? 0 : 4, -4);
}

/** As the release before wrote it. */
function sealedBefore(key: string, place: string[], text: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", Buffer.from(key, "base64"), iv).setAAD(
    Buffer.from(JSON.stringify(place)),
  );
  return `\u0002${Buffer.concat([iv, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString("base64")}`;
}

const WALLET = `eip155:8453:${alice.address.toLowerCase()}`;
const secret = { text: MARK, list: [MARK], [MARK]: 1 };
const owned = capabilities.filter(({ wallet, id }) => wallet || id === "convert.unit");

/** What is paid for over HTTP, with the marked value in every field that is sealed. */
const PAID: [id: string, input: unknown][] = [
  ["store.kv-put", { ns: "n", key: "k", value: secret }],
  ["store.kv-get", { ns: "n", key: "k" }],
  ["store.kv-scan", { ns: "n", values: true }],
  ["store.blob-put", { ns: "n", key: "f", data: Buffer.from(`${MARK} in a file`).toString("base64") }],
  ["store.blob-get", { ns: "n", key: "f" }],
  ["queue.enqueue", { queue: "q", body: secret, maxAttempts: 1 }],
  ["queue.enqueue", { queue: "q", body: [MARK, 2] }],
  ["store.export", { kinds: ["kv", "queue", "blobs"] }],
];

onBothEngines("encrypted state of wallets", (engine) => {
  const shops: WalletShop[] = [];
  const resources: ReturnType<typeof createResources>[] = [];
  afterEach(async () => {
    for (const shop of shops.splice(0)) await shop.handle.close();
    for (const one of resources.splice(0)) await one.close();
  });
  const lookup = async () => [{ address: "93.184.215.14", family: 4 }];
  const open = (encryption: string | string[], schema: string) => {
    const wallets = engine.options({ encryption, schema, runner: false });
    const shop = openWalletShop({ capabilities: owned, wallets, outbound: { lookup } });
    shops.push(shop);
    return shop;
  };
  const call = async (shop: WalletShop, id: string, input: unknown, wallet = WALLET) => {
    const { items } = (await shop.handle.call(id as never, input as never, { wallet })) as { items: unknown[] };
    return items as Record<string, unknown>[];
  };
  function own() {
    const made = createResources();
    resources.push(made);
    return made;
  }
  /** The database as somebody sees it who has no key. */
  const read = (schema: string): Promise<Database> =>
    openWallets({ wallets: engine.options({ schema }), resources: own() });
  /** Every value of every column of the database, as text. */
  async function dump(schema: string): Promise<[column: string, text: string][]> {
    const db = await read(schema);
    const { rows } = await db.query(
      `select table_schema || '.' || table_name as "table", column_name::text as "column", data_type::text as type
        from information_schema.columns where table_schema in ($1, 'coinslot') and table_name not like 'pg_%'`,
      [schema],
    );
    const values: [string, string][] = [];
    for (const { table, column, type } of rows as { table: string; column: string; type: string }[]) {
      const shown = type === "bytea" ? `encode("${column}", 'escape')` : `"${column}"::text`;
      const found = await db.query(`select ${shown} as text from ${table} where "${column}" is not null`);
      for (const { text } of found.rows as { text: string }[]) values.push([`${table}.${column}`, text]);
    }
    return values;
  }
  const marked = (values: [string, string][]) =>
    values.filter(([, text]) => SPELLINGS.some((one) => text.includes(one))).map(([column]) => column);

  async function fill(shop: WalletShop, schema: string): Promise<void> {
    for (const [id, input] of PAID) expect([id, (await shop.buy(id, input)).status]).toEqual([id, 200]);
    const leased = await bodyOf(await shop.buy("queue.lease", { queue: "q", count: 1 }));
    const [{ id, leaseToken } = {}] = leased.data.items as { id?: string; leaseToken?: string }[];
    await shop.buy("queue.nack", { queue: "q", id, leaseToken, error: `${MARK} broke` });
    const [scheduled] = await call(shop, "schedule.create", {
      callbackUrl: `https://example.com/hook?token=${MARK}`,
      everySeconds: 60,
      payload: secret,
    });
    await call(shop, "watchers.arm", {
      ...{ endpoint: "convert.unit", params: { value: 1, from: "kg", to: "lb" }, path: "/items/0/result" },
      ...{ conditionType: "changed", callbackUrl: `https://example.com/hook?token=${MARK}`, payload: secret },
    });
    const db = await read(schema);
    await db.query("update @schedules set next_at = now() - interval '1 minute' where id = $1", [
      scheduled?.scheduleId,
    ]);
    await shop.handle.tick();
  }

  it("WAL-64 shows no marked value in any column of the database, nor in its files, and all of it to its owner", async () => {
    const shop = open(newKey(), "sealed");
    await fill(shop, "sealed");
    const values = await dump("sealed");
    expect(values.length).toBeGreaterThan(200);
    expect(marked(values)).toEqual([]);

    expect(await call(shop, "store.kv-get", { ns: "n", key: "k" })).toMatchObject([{ value: secret }]);
    expect(await call(shop, "queue.dead-letters", { queue: "q" })).toMatchObject([
      { body: secret, lastError: `${MARK} broke` },
    ]);
    expect(await call(shop, "queue.lease", { queue: "q" })).toMatchObject([{ body: [MARK, 2] }]);
    const file = await shop.buy("store.blob-get", { ns: "n", key: "f" });
    expect(await file.text()).toBe(`${MARK} in a file`);
    const [schedule] = await call(shop, "schedule.list", {});
    const [status] = await call(shop, "schedule.status", { scheduleId: schedule?.scheduleId });
    expect(status?.undelivered).toMatchObject([{ body: { data: { payload: secret } } }]);
    const exported = await call(shop, "store.export", {});
    const of = (kind: string) => exported.find((row) => row.kind === kind);
    expect(of("kv")).toMatchObject({ value: secret });
    expect(of("blobs")).toMatchObject({ data: Buffer.from(`${MARK} in a file`).toString("base64") });
    expect(of("queue")).toMatchObject({ body: secret, lastError: `${MARK} broke` });
    expect(of("schedules")).toMatchObject({ payload: secret });
    expect(of("watchers")).toMatchObject({ payload: secret });
    expect(await call(shop, "watchers.list", {})).toMatchObject([{ lastValue: 2.2046226218487757 }]);
    expect(of("events")).toMatchObject({ body: { data: { payload: secret } } });
    expect(of("callbacks")).toMatchObject({ url: `https://example.com/hook?token=${MARK}` });

    const { dataDir } = engine.options();
    if (dataDir === undefined) return;
    await shop.handle.close();
    for (const one of resources.splice(0)) await one.close();
    await engine.end();
    const names = await readdir(dataDir, { recursive: true, withFileTypes: true });
    const files = names.filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(500);
    for (const entry of files) {
      const bytes = await readFile(join(entry.parentPath, entry.name));
      expect([entry.name, SPELLINGS.some((one) => bytes.includes(one))]).toEqual([entry.name, false]);
    }
  });

  it("WAL-64 looks where such values are: without a key they are found", async () => {
    const shop = openWalletShop({
      capabilities: owned,
      wallets: engine.options({ schema: "plain", runner: false }),
      outbound: { lookup },
    });
    shops.push(shop);
    for (const [id, input] of PAID) await shop.buy(id, input);
    const columns = marked(await dump("plain"));
    for (const column of ["plain.kv.value", "plain.blobs.data", "plain.messages.body", "coinslot.records.value"])
      expect(columns).toContain(column);
  });

  it("WAL-64 answers 502 where the host has lost its key, takes no money, and names the key for the host alone", async () => {
    const schema = "keyless";
    const [put, get] = ["store.kv-put", "store.kv-get"];
    const read = { ns: "n", key: "k" };
    const sealed = open(newKey(), schema);
    expect((await sealed.buy(put, { ...read, value: 1 })).status).toBe(200);
    // Read with a key, or the loss of the key would stop the host from keeping a payment.
    const payment = await sealed.payFor(get, read);
    const told: string[] = [];
    const note = (facts: object, message: string) => void told.push(`${inspect(facts)} ${message}`);
    const keyless = openWalletShop({
      ...{ capabilities: owned, wallets: engine.options({ schema, runner: false }) },
      ...{ outbound: { lookup }, logger: { debug() {}, info() {}, warn: note, error: note } },
    });
    shops.push(keyless);
    for (const answer of [
      await keyless.pay(get, read, payment),
      await keyless.post(put, { ...read, value: 2 }, { "x-svc-trial": "1" }),
    ]) {
      const text = await answer.text();
      expect([answer.status, JSON.parse(text).code]).toEqual([502, "PROVIDER_NOT_CONFIGURED"]);
      expect(text).not.toMatch(/encryption|sealed|key/i);
    }
    expect(keyless.facilitator.settled).toEqual([]);
    expect(told.filter((line) => line.includes("wallets.encryption is not set")).length).toBeGreaterThan(0);
    await expect(call(keyless, get, read)).rejects.toThrow("a key that is not listed in wallets.encryption");
    await expect(call(keyless, put, { ...read, value: 2 })).rejects.toThrow("wallets.encryption is not set");
  });

  it("WAL-64 opens no row that stands in another wallet's place, under another name or in another table", async () => {
    const schema = "swapped";
    const shop = open(newKey(), schema);
    const put = (wallet: string, ns: string, key: string, value: unknown) =>
      call(shop, "store.kv-put", { ns, key, value }, wallet);
    const file = (wallet: string, data: string) =>
      call(shop, "store.blob-put", { ns: "n", key: "f", data: Buffer.from(data).toString("base64") }, wallet);
    await put("a", "n", "k", "of a");
    await put("b", "n", "k", "of b");
    await put("a", "n", "other", "other of a");
    await file("a", "file of a");
    await file("b", "file of b");
    await call(shop, "queue.enqueue", { queue: "n", body: "of a" }, "a");
    await call(shop, "queue.enqueue", { queue: "n", body: "of b" }, "b");
    const db = await read(schema);
    const copy = (table: string, column: string, from: string, to: string, source = table) =>
      db.query(
        `update @${table} set ${column} = (select ${from} limit 1) where ${to}`.replace("@source", `@${source}`),
      );
    const closed = "sealed for another place";
    await copy("kv", "value", "value from @kv where wallet = 'b'", "wallet = 'a' and key = 'k'");
    await expect(call(shop, "store.kv-get", { ns: "n", key: "k" }, "a")).rejects.toThrow(closed);
    await copy("kv", "value", "value from @kv where wallet = 'a' and key = 'other'", "wallet = 'a' and key = 'k'");
    await expect(call(shop, "store.kv-get", { ns: "n", key: "k" }, "a")).rejects.toThrow(closed);
    await copy("kv", "value", "body from @messages where wallet = 'a'", "wallet = 'a' and key = 'k'");
    await expect(call(shop, "store.kv-get", { ns: "n", key: "k" }, "a")).rejects.toThrow(closed);
    await copy("messages", "body", "body from @messages where wallet = 'b'", "wallet = 'a'");
    expect(await call(shop, "queue.lease", { queue: "n" }, "a")).toEqual([]);
    expect(await call(shop, "queue.dead-letters", { queue: "n" }, "a")).toMatchObject([{ body: null, attempts: 0 }]);
    await copy("blobs", "data", "data from @blobs where wallet = 'b'", "wallet = 'a'");
    await expect(call(shop, "store.blob-get", { ns: "n", key: "f" }, "a")).rejects.toThrow(closed);
    expect(await call(shop, "store.kv-get", { ns: "n", key: "other" }, "a")).toMatchObject([{ value: "other of a" }]);
    expect(await call(shop, "store.kv-get", { ns: "n", key: "k" }, "b")).toMatchObject([{ value: "of b" }]);
  });

  it("WAL-64 reads what former keys wrote, and what was there before any, and writes with the first", async () => {
    const schema = "turned";
    const [old, current] = [newKey(), newKey()];
    const put = (shop: WalletShop, key: string) =>
      call(shop, "store.kv-put", { ns: "n", key, value: `${MARK} ${key}` }, "w");
    const get = (shop: WalletShop, key: string) => call(shop, "store.kv-get", { ns: "n", key }, "w");
    const plain = openWalletShop({ capabilities: owned, wallets: engine.options({ schema }) });
    shops.push(plain);
    await put(plain, "plain");
    await put(open(old, schema), "old");
    const both = open([current, old], schema);
    await put(both, "new");
    for (const key of ["plain", "old", "new"])
      expect(await get(both, key)).toMatchObject([{ value: `${MARK} ${key}` }]);
    const alone = open(current, schema);
    expect(await get(alone, "new")).toMatchObject([{ value: `${MARK} new` }]);
    await expect(get(alone, "old")).rejects.toThrow("a key that is not listed");
    await expect(get(plain, "new")).rejects.toThrow("a key that is not listed");
    // The same payment's second coming finds its receipt and its reply under the new key, too.
    const before = open(old, schema);
    const input = { ns: "n", key: "counted" };
    const payment = await before.payFor("store.kv-increment", input);
    const first = await before.pay("store.kv-increment", input, payment);
    const again = await open([current, old], schema).pay("store.kv-increment", input, payment);
    expect(await again.text()).toBe(await first.text());
  });

  it("WAL-64 shows no origin that is called, in no counter, and no error of a watcher", async () => {
    const failing = { id: "test.failing", broken: false };
    const capability = scripted("test.failing", {
      get value() {
        if (failing.broken) throw new CapabilityError("NOT_FOUND", `${MARK} is no more`);
        return 1;
      },
      asked: [],
    });
    const clock = fakeClock();
    const shop = openWalletShop({
      ...{ capabilities: [...owned, capability], outbound: { lookup }, clock },
      wallets: engine.options({ encryption: newKey(), schema: "origins", runner: false }),
    });
    shops.push(shop);
    const callbackUrl = `https://${MARK}.example.com/hook`;
    const [made] = await call(shop, "schedule.create", { callbackUrl, everySeconds: 60 });
    const [armed] = await call(shop, "watchers.arm", {
      ...{ endpoint: "test.failing", params: {}, everySeconds: 300, path: "/items/0/value" },
      ...{ conditionType: "changed", callbackUrl },
    });
    failing.broken = true;
    clock.advance(400);
    await shop.handle.tick();
    const [status] = await call(shop, "watchers.status", { watcherId: armed?.watcherId });
    expect(status?.lastError).toContain(MARK);
    const [shown] = await call(shop, "schedule.status", { scheduleId: made?.scheduleId });
    expect(shown?.undelivered).toMatchObject([{ lastOutcome: "unreachable" }]);
    const exported = await call(shop, "store.export", { kinds: ["watchers"] });
    expect(exported[0]?.lastError).toContain(MARK);
    expect(marked(await dump("origins"))).toEqual([]);
  });

  it("WAL-64 opens no message in another's place of the same queue, and none in the place of an error", async () => {
    const shop = open(newKey(), "rows");
    for (const body of ["first", "second"]) await call(shop, "queue.enqueue", { queue: "q", body, maxAttempts: 1 });
    const db = await read("rows");
    await db.query("update @messages set body = (select body from @messages order by id desc limit 1)");
    expect(await call(shop, "queue.lease", { queue: "q", count: 2 })).toMatchObject([{ body: "second" }]);
    await db.query("update @messages set state = 'dead', dead_at = now(), last_error = body");
    const dead = await call(shop, "queue.dead-letters", { queue: "q" });
    expect(dead).toMatchObject([
      { body: null, lastError: null },
      { body: "second", lastError: null },
    ]);
  });

  it("WAL-64 opens nothing that was written in plain beside it, in any sealed column", async () => {
    const schema = "forged";
    const shop = open(newKey(), schema);
    await fill(shop, schema);
    const db = await read(schema);
    const columns = tablesOf({ payments: false }).filter(({ as, table }) => as !== "file" && table !== "settings");
    for (const { table, columns: sealed } of columns)
      for (const column of sealed)
        await db.query(`update @${table} set ${column} = '{"forged":1}' where ${column} is not null`);
    await db.query("update @blobs set data = 'forged', sha256 = encode(sha256('forged'), 'hex')");
    const closed = "stands there in plain";
    await expect(call(shop, "store.kv-get", { ns: "n", key: "k" })).rejects.toThrow(closed);
    await expect(call(shop, "store.blob-get", { ns: "n", key: "f" })).rejects.toThrow(closed);
    expect(await call(shop, "queue.lease", { queue: "q", count: 10 })).toEqual([]);
    const exported = await call(shop, "store.export", {});
    expect(exported.length).toBeGreaterThan(7);
    expect(JSON.stringify(exported)).not.toContain("forged");
    expect(exported.find(({ kind }) => kind === "kv")).toMatchObject({ value: null, unreadable: ["value"] });
    // Nor is any of it sealed, whatever rounds there are.
    await shop.handle.tick();
    await expect(call(shop, "store.kv-get", { ns: "n", key: "k" })).rejects.toThrow(closed);
    const [keys] = [await shop.handle.wallets.keys()];
    expect(keys.find(({ key }) => key === "none")?.rows).toBeGreaterThan(7);
    // Where the note that says so is taken away, too, nothing is gained.
    await db.query("delete from @settings where name = 'sealing'");
    await shop.handle.close();
  });

  it("WAL-64 seals in rounds what was there before there was a key, and takes nothing plain after that", async () => {
    const schema = "rounds";
    const plain = openWalletShop({
      capabilities: owned,
      wallets: engine.options({ schema, runner: false }),
      outbound: { lookup },
    });
    shops.push(plain);
    await fill(plain, schema);
    await plain.handle.close();
    const shop = open(newKey(), schema);
    expect(await call(shop, "store.kv-get", { ns: "n", key: "k" })).toMatchObject([{ value: secret }]);
    for (let i = 0; i < 3; i++) await shop.handle.tick();
    expect(marked(await dump(schema)).filter((column) => column.startsWith(schema))).toEqual([]);
    const exported = await call(shop, "store.export", {});
    expect(exported.filter(({ unreadable }) => unreadable)).toEqual([]);
    expect(exported.find(({ kind }) => kind === "watchers")).toMatchObject({ payload: secret });
    const file = await shop.buy("store.blob-get", { ns: "n", key: "f" });
    expect(await file.text()).toBe(`${MARK} in a file`);
    const db = await read(schema);
    await db.query(`update @kv set value = '"forged"'`);
    await expect(call(shop, "store.kv-get", { ns: "n", key: "k" })).rejects.toThrow("stands there in plain");
    // A process that lacks the key writes nothing plain beside what is sealed.
    const lacking = openWalletShop({ capabilities: owned, wallets: engine.options({ schema, runner: false }) });
    shops.push(lacking);
    await expect(call(lacking, "store.kv-put", { ns: "n", key: "new", value: 1 })).rejects.toThrow(
      "wallets.encryption is not set",
    );
  });

  it("WAL-64 seals in rounds what a former key sealed, and says when nothing needs it any more", async () => {
    const schema = "turning";
    const [old, current] = [newKey(), newKey()];
    const before = open(old, schema);
    await fill(before, schema);
    await before.handle.close();
    const both = open([current, old], schema);
    const used = async () => Object.fromEntries((await both.handle.wallets.keys()).map(({ key, rows }) => [key, rows]));
    const rows = await used();
    expect(rows).toMatchObject({ 0: 0, none: 0 });
    expect(rows[1]).toBeGreaterThan(10);
    for (let i = 0; i < 3; i++) await both.handle.tick();
    expect((await used())[1]).toBe(0);
    await both.handle.close();
    const alone = open(current, schema);
    const exported = await call(alone, "store.export", {});
    expect(exported.filter(({ unreadable }) => unreadable)).toEqual([]);
    expect(exported.find(({ kind }) => kind === "queue")).toMatchObject({ body: secret, lastError: `${MARK} broke` });
    const [{ origin } = {}] = (await (await read(schema)).query("select distinct origin from @callbacks")).rows as {
      origin: string;
    }[];
    expect(origin).toBe(createEncryption([Buffer.from(current, "base64")]).digest("https://example.com"));
  });

  it("WAL-64 opens what an older release sealed, until it is sealed anew", async () => {
    const schema = "former";
    const key = newKey();
    const plain = openWalletShop({ capabilities: owned, wallets: engine.options({ schema, runner: false }) });
    shops.push(plain);
    await call(plain, "store.kv-put", { ns: "n", key: "k", value: secret });
    await call(plain, "queue.enqueue", { queue: "q", body: secret });
    await call(plain, "store.blob-put", { ns: "n", key: "f", data: Buffer.from(MARK).toString("base64") });
    await plain.handle.close();
    const db = await read(schema);
    const json = JSON.stringify(secret);
    await db.query("update @kv set value = $1", [sealedBefore(key, ["kv", WALLET, "n", "k"], json)]);
    await db.query("update @messages set body = $1", [sealedBefore(key, ["messages", WALLET, "q"], json)]);
    await db.query("update @blobs set data = decode($1, 'base64')", [
      sealedBefore(key, ["blobs", WALLET, "n", "f"], MARK).slice(1),
    ]);
    await db.query("delete from @receipts");
    const shop = open(key, schema);
    const see = async () => {
      expect(await call(shop, "store.kv-get", { ns: "n", key: "k" })).toMatchObject([{ value: secret }]);
      const exported = await call(shop, "store.export", {});
      expect(exported.find(({ kind }) => kind === "queue")).toMatchObject({ body: secret });
      expect(exported.find(({ kind }) => kind === "blobs")).toMatchObject({
        data: Buffer.from(MARK).toString("base64"),
      });
    };
    await see();
    for (let i = 0; i < 3; i++) await shop.handle.tick();
    await see();
    const { rows } = await db.query("select value as text from @kv union all select body from @messages");
    for (const { text } of rows as { text: string }[]) expect(text.slice(0, 1)).toBe("\u0003");
    expect(await shop.handle.wallets.keys()).toMatchObject([
      { key: 0 },
      { key: "none", rows: 0 },
      // Other hosts of this test keep their payments in the same place.
      { key: "unlisted" },
    ]);
    // After that, nothing that opens in any message's place does.
    await db.query("update @messages set body = $1", [sealedBefore(key, ["messages", WALLET, "q"], json)]);
    expect(await call(shop, "queue.lease", { queue: "q" })).toEqual([]);
  });

  it("WAL-64 looks through payments that are opened and not used yet", async () => {
    const db = await read("unused");
    await db.query("drop schema if exists coinslot cascade");
    const place = { wallets: engine.options({ schema: "unused", encryption: [newKey(), newKey()] }), resources: own() };
    await storeBesideWallets((makeTables) => openForPayments(place, makeTables)).opened?.();
    expect(await cleanUp(await openWallets(place), null)).toBe(0);
  });

  it("refuses keys that are none", () => {
    for (const encryption of ["", "short", [], [newKey(), "x"], randomBytes(31).toString("base64"), 7 as never])
      expect(() => open(encryption, "none")).toThrow("wallets.encryption must be 32 random bytes in base64");
  });
});
