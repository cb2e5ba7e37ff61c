/** What callers send to be slow: others are served meanwhile, and it ends. Counted in statements, connections and turns. */
import type pg from "pg";
import { expect, it, vi } from "vitest";
import * as store from "../../src/capabilities/store/index.js";
import { createContext } from "../../src/capability/context.js";
import type { PostgresConnections } from "../../src/capability/wallets.js";
import { createResources } from "../../src/lib/resources.js";
import { openWallets } from "../../src/state/database/open.js";
import { countSubscribers } from "../../src/state/topics/topics.js";
import { read, scan } from "../../src/state/wallet/account.js";
import { withSlot } from "../../src/state/wallet/concurrency.js";
import { storeBesideWallets } from "../../src/stores/postgres/beside-wallets.js";
import { onBothEngines } from "../support/wallets-engine.js";

const { storeDocPut, storeDocQuery, storeKvGet, storeKvPut, storeVectorUpsert, storeVectorQuery } = store;

it("gives all trials together one place, and each wallet four", async () => {
  const database = {};
  for (const [call, most] of [
    [{ id: "trial", trial: true }, 1],
    [{ id: "wallet" }, 4],
  ] as const) {
    const gates: (() => void)[] = [];
    const works = Array.from({ length: 8 }, () =>
      withSlot(database, call, () => new Promise<void>((resolve) => gates.push(resolve))),
    );
    for (let open = 0; open < works.length; open += most) {
      await vi.waitFor(() => expect(gates.length).toBe(most), { timeout: 10_000 });
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(gates.length).toBe(most);
      for (const end of gates.splice(0)) end();
    }
    await Promise.all(works);
  }
});

it("lets the place of trials rest three times as long as a trial took, and answers this one at once", async () => {
  vi.useFakeTimers();
  try {
    const database = {};
    const begun: string[] = [];
    const trial = (name: string) =>
      withSlot(database, { id: "trial", trial: true }, async () => {
        begun.push(name);
        await new Promise((resolve) => setTimeout(resolve, 100));
        return name;
      });
    const [first, second] = [trial("first"), trial("second")];
    await vi.advanceTimersByTimeAsync(100);
    expect(await first).toBe("first");
    await vi.advanceTimersByTimeAsync(290);
    expect(begun).toEqual(["first"]);
    await vi.advanceTimersByTimeAsync(120);
    expect(await second).toBe("second");
  } finally {
    vi.useRealTimers();
  }
});

onBothEngines("hostile callers", (engine) => {
  const as = (wallet: string, more: object = {}) => ({ wallet, wallets: engine.options(), ...more });
  const onPostgres = it.skipIf(!engine.shared);
  const poolOf = () => engine.options().db as unknown as pg.Pool;
  const resources = createResources();
  const open = () => openWallets({ wallets: engine.options(), resources });
  const contextOf = (wallet: string, more: object = {}) =>
    createContext({ wallets: engine.options() }, { timeoutMs: 60_000, resources, wallet: { id: wallet, ...more } });

  /** A list of an older release, of which a document could have any number. */
  async function putLong(wallet: string, id: string, elements: number, element = "0") {
    const database = await open();
    const list = `[${Array.from({ length: elements }, () => element).join(",")}]`;
    await database.query(
      `insert into @docs (wallet, ns, id, body, document, meta, words, bytes, version, worded, rolling, expires_at, updated_at)
       select $1, 'n', $2, $3, $4::text::jsonb, '{}', '', $5::int, version, version, true, now() + interval '90 days', now()
       from (select nextval('@versions') as version) as next`,
      [wallet, id, `{"body":{"a":${list}},"meta":{}}`, `{"a":${list}}`, list.length],
    );
  }
  const contains = (values: unknown[]) => ({ or: values.map((value) => ({ "/body/a": { contains: value } })) });
  const numbers = Array.from({ length: 18 }, (_, i) => i + 1);

  it("WAL-52 asks what a topic costs twice at once, however many ask, and nobody who pays stands behind them", async () => {
    const database = await open();
    await storeKvPut({ ns: "n", key: "k", value: 1 }, as("paying"));
    const gates: (() => void)[] = [];
    const query = database.query.bind(database);
    const asked = vi.spyOn(database, "query").mockImplementation(async (text, values, limits) => {
      if (/count\(\*\).*@subscriptions/s.test(text)) await new Promise<void>((resolve) => gates.push(resolve));
      return query(text, values, limits);
    });
    const priceOf = (i: number) => countSubscribers(contextOf("anyone"), `top_${String(i).padStart(32, "0")}`);
    let refused = 0;
    const prices = Array.from({ length: 60 }, (_, i) =>
      priceOf(i).catch((error: { code: string }) => {
        expect(error.code).toBe("OVERLOADED");
        refused++;
      }),
    );
    // Two count, fifty wait, the others are told to come again.
    await expect.poll(() => refused).toBe(8);
    const paid = await read(contextOf("paying"), ({ wallet, query }) =>
      query("select key from @kv where wallet = $1", [wallet]),
    );
    expect([paid.rows, gates.length]).toEqual([[{ key: "k" }], 2]);
    for (let done = 0; done < 52; done += 2) {
      await expect.poll(() => gates.length).toBe(2);
      for (const end of gates.splice(0)) end();
    }
    expect((await Promise.all(prices)).filter((count) => count === 0)).toHaveLength(52);
    const before = asked.mock.calls.length;
    expect(await priceOf(0)).toBe(0);
    expect(asked.mock.calls.length).toBe(before);
    vi.restoreAllMocks();
  }, 60_000);

  it("WAL-23 looks through lists of 500,000 elements, and others are answered meanwhile", async () => {
    for (const id of ["a", "b", "c"]) await putLong("long", id, 500_000);
    await storeKvPut({ ns: "n", key: "k", value: 1 }, as("other"));
    const ended: string[] = [];
    const query = storeDocQuery({ ns: "n", filter: contains(numbers), fields: ["/meta"] }, as("long")).then(
      (answer) => {
        ended.push("query");
        return answer.items;
      },
    );
    const get = storeKvGet({ ns: "n", key: "k" }, as("other")).then(() => ended.push("get"));
    expect(await query).toEqual([]);
    await get;
    expect(ended).toEqual(["get", "query"]);
    const found = await storeDocQuery({ ns: "n", filter: contains([0]), fields: ["/meta"] }, as("long"));
    expect(found.items.map(({ id }) => id)).toEqual(["a", "b"]);
    expect(found.meta?.nextCursor).toBeDefined();
  }, 120_000);

  it("WAL-23 refuses to compare lists with long lists one by one, naming the filter and the document", async () => {
    await putLong("nested", "short", 10_000, "[]");
    const query = (filter: object) => storeDocQuery({ ns: "n", filter, fields: ["/meta"] }, as("nested"));
    expect((await query(contains([[]]))).items.length).toBe(1);
    await putLong("nested", "long", 10_001, "[]");
    await expect(query(contains([[1]]))).rejects.toMatchObject({
      ...{ code: "INVALID_INPUT", issues: [{ path: "filter", message: expect.stringContaining('"long"') }] },
    });
    await expect(query({ not: contains([{}]) })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(
      store.storeDocSearch({ ns: "n", query: "-x", filter: contains([[1]]) }, as("nested")),
    ).rejects.toMatchObject({ issues: [{ path: "filter" }] });
    // What another condition has decided needs no comparison.
    expect((await query({ and: [{ "/meta/none": 1 }, contains([[1]])] })).items).toEqual([]);
  }, 60_000);

  it("WAL-23 looks for texts in texts in one pass, and for none that are too long", async () => {
    const text = "a".repeat(900_000);
    for (let i = 0; i < 3; i++) await storeDocPut({ ns: "t", id: `d${i}`, body: { text } }, as("texts"));
    const query = (sought: string) =>
      storeDocQuery({ ns: "t", filter: { "/body/text": { contains: sought } }, fields: ["/meta"] }, as("texts"));
    expect((await query(`b${"a".repeat(1023)}`)).items.length).toBe(0);
    expect((await query("a".repeat(1024))).items.length).toBe(2);
    await storeDocPut({ ns: "t", id: "odd", body: { text: `x***=(.*)[\\${"é".repeat(50)}$^|` } }, as("texts"));
    expect((await query(`***=(.*)[\\${"é".repeat(50)}$^|`)).items.map(({ id }) => id)).toEqual(["odd"]);
    await expect(query("a".repeat(1025))).rejects.toMatchObject({ issues: [{ path: "filter" }] });
  }, 60_000);

  it("WAL-23 reads a namespace in slices, each with a bound, and says the same as in one", async () => {
    const ids = Array.from({ length: 60 }, (_, i) => `d${String(i).padStart(2, "0")}`);
    for (const [i, id] of ids.entries())
      await storeDocPut({ ns: "s", id, body: { i, text: `word${i % 7} `.repeat(40_000) } }, as("slices"));
    const statements: unknown[] = [];
    const query = (input: object) => storeDocQuery({ ns: "s", fields: ["/body/i"], ...input }, as("slices"));
    const seen: unknown[] = [];
    for (let after: string | undefined; ; ) {
      const page = await query({
        sort: [{ path: "/body/i", direction: "desc" }],
        limit: 7,
        ...(after ? { after } : {}),
      });
      seen.push(...page.items.map(({ id }) => id));
      after = page.meta?.nextCursor as string | undefined;
      if (!after) break;
    }
    expect(seen).toEqual(ids.toReversed());
    const or = Array.from({ length: 20 }, (_, i) => ({ "/body/text": { contains: `word${i}` } }));
    expect((await query({ filter: { or }, limit: 1000 })).items.length).toBeGreaterThan(3);
    const { items } = await store.storeDocSearch({ ns: "s", query: "word3", bodies: false }, as("slices"));
    expect(items.map(({ id }) => id)).toEqual(ids.filter((_, i) => i % 7 === 3));
    // A reader counts its statements.
    await scan(contextOf("slices"), async (scope) => {
      const counting = {
        ...scope,
        query(text: string, values?: unknown[]) {
          statements.push(text);
          return scope.query(text, values);
        },
      };
      const { slicesOf, slicedParameters } = await import("../../src/state/docs/slices.js");
      const { z } = await import("zod");
      const given = { values: slicedParameters(scope, "s"), add: () => "" };
      const row = z.object({ id: z.string() });
      const slices = [];
      for await (const slice of slicesOf(counting, {
        ...{ table: "docs", given, ns: "s", weight: 20, row },
        rows: (between) => `select id from @docs where wallet = $1 and ns = $3 and ${between} and $2::text is null`,
      }))
        slices.push(slice.rows.length);
      expect(slices.reduce((sum, rows) => sum + rows)).toBe(60);
      expect(slices.length).toBe(statements.length);
      expect(Math.max(...slices)).toBeLessThanOrEqual(4);
    });
  }, 120_000);

  it("WAL-25 finds near vectors over slices", async () => {
    if (!(await open()).vectors) return;
    const dim = 3000;
    for (let i = 0; i < 40; i++) {
      const embedding = Array.from({ length: dim }, (_, j) => Math.sin(i * 7 + j));
      await storeVectorUpsert({ ns: "v", id: `v${i}`, embedding, meta: { i, pad: "x".repeat(15_000) } }, as("vectors"));
    }
    const and = Array.from({ length: 20 }, () => ({ "/meta/i": { gte: 0 } }));
    const embedding = Array.from({ length: dim }, (_, j) => Math.sin(11 * 7 + j));
    const found = await storeVectorQuery({ ns: "v", embedding, topK: 3, filter: { and } }, as("vectors"));
    expect(found.items[0]).toMatchObject({ id: "v11", score: expect.closeTo(1) });
    expect(found.items.length).toBe(3);
  }, 60_000);

  it("lets a wallet do four things at once, and all trials together one", async () => {
    for (const [wallet, more, most] of [
      ["eager", {}, 4],
      ["trial", { trial: true }, 1],
    ] as const) {
      let [working, highest] = [0, 0];
      const gates: (() => void)[] = [];
      const works = Array.from({ length: 12 }, () =>
        read(contextOf(wallet, more), async () => {
          highest = Math.max(highest, ++working);
          await new Promise<void>((resolve) => gates.push(resolve));
          working--;
        }),
      );
      const others = read(contextOf("patient"), async () => "served");
      // On the embedded database trials are one after the other, and others wait for the one that is at work.
      const isAlone = !engine.shared && "trial" in more;
      if (!isAlone) expect(await others).toBe("served");
      let done = false;
      const all = Promise.all(works).then(() => {
        done = true;
      });
      const turn = () => new Promise((resolve) => setTimeout(resolve, 5));
      while (!done) {
        while (!done && gates.length < most) await turn();
        // Whoever has no place comes now, if at all.
        for (let i = 0; i < 10; i++) await turn();
        for (const open of gates.splice(0)) open();
      }
      await all;
      expect(await others).toBe("served");
      expect(highest).toBe(most);
    }
  }, 60_000);

  it.skipIf(engine.shared)("PAY-1 takes payments before all that wallets wait for", async () => {
    const database = await open();
    const order: string[] = [];
    const wallets = Array.from({ length: 20 }, () => database.query("select 1").then(() => order.push("wallet")));
    await database.urgent.query("select 1").then(() => order.push("payment"));
    await Promise.all(wallets);
    // One was under way.
    expect(order.indexOf("payment")).toBe(1);
  });

  onPostgres("PAY-1 payments have connections while wallets hold all of theirs", async () => {
    const pool = poolOf();
    const holder = await pool.connect();
    const payments = storeBesideWallets(open);
    await payments.get("opened");
    await storeKvPut({ ns: "n", key: "k", value: 1 }, as("held"));
    const { rows } = await holder
      .query("begin; lock table coinslot_wallets.kv in access exclusive mode; select 1")
      .then(() => ({ rows: [] }));
    expect(rows).toEqual([]);
    const reads = Array.from({ length: 20 }, (_, i) =>
      storeKvGet({ ns: "n", key: "k" }, as(`reader${i}`)).then(
        () => "read",
        ({ code }) => code,
      ),
    );
    const waiting = async () => {
      await holder.query("select pg_stat_clear_snapshot()");
      return (
        await holder.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
      ).rows.length;
    };
    while ((await waiting()) < 4) await new Promise((resolve) => setTimeout(resolve, 10));
    await new Promise((resolve) => setTimeout(resolve, 100));
    // Were there none for them, they would wait until the lock is given back.
    let done = 0;
    const paid = Promise.all(
      Array.from({ length: 3 }, () => payments.increment("payments", 1, { ttlMs: 60_000 }).then(() => done++)),
    );
    await Promise.race([paid, new Promise((resolve) => setTimeout(resolve, 4000))]);
    const doneMeanwhile = done;
    await holder.query("rollback");
    holder.release();
    await paid;
    expect(doneMeanwhile).toBe(3);
    expect(new Set(await Promise.all(reads))).toEqual(new Set(["NOT_FOUND"]));
  });

  onPostgres(
    "a read is stopped on the server when its caller has gone, and after five seconds",
    async () => {
      const pool = poolOf();
      const running = async () =>
        (
          await pool.query(
            "select from pg_stat_activity where datname = current_database() and state = 'active' and query like '%pg_sleep(300)%' and pid <> pg_backend_pid()",
          )
        ).rows.length;
      const until = async (count: number) => {
        while ((await running()) !== count) await new Promise((resolve) => setTimeout(resolve, 20));
      };
      for (const reading of [read, scan]) {
        const left = new AbortController();
        const ctx = createContext(
          { wallets: engine.options(), signal: left.signal },
          { timeoutMs: 60_000, resources, wallet: { id: "gone" } },
        );
        const sleep = (one: typeof ctx) => reading(one, (scope) => scope.query("select pg_sleep(300)"));
        const ended: string[] = [];
        const staying = sleep(contextOf("slow")).catch(({ code }) => ended.push(`slow ${code}`));
        await until(1);
        const leaving = sleep(ctx).catch(({ code }) => ended.push(`gone ${code}`));
        await until(2);
        left.abort();
        await Promise.all([staying, leaving]);
        // Who came last and left is let go before the time of the first is up.
        expect(ended).toEqual(["gone OVERLOADED", "slow OVERLOADED"]);
        await until(0);
      }
      const tried = read(contextOf("trial", { trial: true }), (scope) => scope.query("select pg_sleep(300)"));
      await expect(tried).rejects.toMatchObject({ code: "OVERLOADED" });
      // What comes next on these connections is not stopped.
      await Promise.all(Array.from({ length: 20 }, () => pool.query("select pg_sleep(0.01)")));
    },
    60_000,
  );

  onPostgres("a caller that goes before its turn asks the server nothing", async () => {
    const asked: string[] = [];
    const pool = poolOf();
    const db: PostgresConnections = {
      query(text, values) {
        asked.push(text);
        return pool.query(text, values);
      },
      connect: () => pool.connect(),
      options: { max: 2 },
    };
    const place = { wallets: { db }, resources };
    const database = await openWallets(place);
    const left = new AbortController();
    let open = () => {};
    let first: Promise<void> = Promise.resolve();
    const begun = new Promise<void>((isBegun) => {
      first = database.transaction(() => {
        isBegun();
        return new Promise<void>((resolve) => (open = resolve));
      });
    });
    const second = database.query("select 'never asked'", [], { signal: left.signal }).catch(() => "left");
    left.abort();
    await begun;
    open();
    await first;
    expect(await second).toBe("left");
    expect(asked.filter((text) => text.includes("never asked"))).toEqual([]);
  });
});
