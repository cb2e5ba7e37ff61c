import { expect, it } from "vitest";
import {
  storeUsage,
  storeVectorDelete,
  storeVectorQuery,
  storeVectorUpsert,
} from "../../src/capabilities/store/index.js";
import { createContext } from "../../src/capability/context.js";
import { databaseOf } from "../../src/state/wallet/account.js";
import { openWalletShop } from "../support/wallet-shop.js";
import { onBothEngines } from "../support/wallets-engine.js";

/** The same numbers in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

const dot = (a: number[], b: number[]) => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);
const SCORES = {
  cosine: (a: number[], b: number[]) => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b)),
  dot,
  l2: (a: number[], b: number[]) => 1 / (1 + Math.hypot(...a.map((x, i) => x - (b[i] ?? 0)))),
};

onBothEngines("vectors", (engine) => {
  const as = (wallet: string) => ({ wallet, wallets: engine.options() });
  const put = (wallet: string, input: object) =>
    storeVectorUpsert({ ns: "n", id: "v", embedding: [1, 0], ...input }, as(wallet));
  const query = (wallet: string, input: object = {}) =>
    storeVectorQuery({ ns: "n", embedding: [1, 0], ...input }, as(wallet));
  const vectors = () => engine.name === "PGlite";

  it("say before any price where there is no pgvector", async () => {
    const capabilities = [storeVectorUpsert, storeVectorQuery, storeVectorDelete];
    const shop = openWalletShop({ capabilities, wallets: engine.options() });
    for (const { id, example } of capabilities)
      expect([id, (await shop.post(id, example)).status]).toEqual([id, vectors() ? 402 : 502]);
    await shop.handle.close();
    if (!vectors()) await expect(put("a", {})).rejects.toMatchObject({ code: "PROVIDER_NOT_CONFIGURED" });
  });

  it("WAL-25 refuse what is no vector, naming the field", async (test) => {
    if (!vectors()) return test.skip();
    const wrong = [
      [],
      [0, 0],
      [1e39],
      [1e20, 1],
      [1e-30],
      [1e-300],
      ["NaN"],
      [null],
      [Number.NaN],
      Array(4097).fill(1),
      "[1]",
    ];
    for (const embedding of wrong)
      for (const call of [put, query])
        await expect(call("a", { embedding })).rejects.toSatisfy(
          ({ code, issues }) => code === "INVALID_INPUT" && issues[0].path.startsWith("embedding"),
        );
    await put("a", { embedding: [1, 2, 3] });
    for (const call of [() => put("a", { id: "w", embedding: [1, 2] }), () => query("a")])
      await expect(call()).rejects.toMatchObject({
        message: expect.stringContaining("have 3"),
        issues: [{ path: "embedding" }],
      });
    // The only one of a namespace may be replaced by one of another length.
    expect((await put("a", { embedding: [1, 2] })).items[0]).toMatchObject({ dim: 2, bytes: 200 + 2 + 2 + 8 });
    expect((await storeUsage({}, as("a"))).items[0]).toMatchObject({ vectors: { count: 1, bytes: 212 } });
    expect((await storeVectorDelete({ ns: "n", id: "v" }, as("a"))).items).toEqual([{ id: "v", deleted: true }]);
    expect((await storeVectorDelete({ ns: "n", id: "v" }, as("a"))).items).toEqual([{ id: "v", deleted: false }]);
    expect((await query("a")).items).toEqual([]);
    const longest = Array.from({ length: 4096 }, (_, i) => (i % 2 ? 1e-40 : 1e10));
    expect((await put("a", { embedding: longest })).items[0]).toMatchObject({ dim: 4096 });
  });

  it("WAL-25 two first ones of different lengths at once: one wins", async (test) => {
    if (!vectors()) return test.skip();
    const both = await Promise.allSettled([
      put("race", { id: "a", embedding: [1] }),
      put("race", { id: "b", embedding: [1, 2] }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("WAL-25 are found exactly as a search in JavaScript finds them, beside a wallet of 30,000", async (test) => {
    if (!vectors()) return test.skip();
    const next = random(25);
    const vector = () => Array.from({ length: 24 }, next);
    await put("small", { id: "v0", embedding: vector() });
    const database = await databaseOf(createContext({ wallets: engine.options() }, { timeoutMs: 10_000 }));
    await database.query(
      `insert into @vectors (wallet, ns, id, dim, embedding, meta, bytes, version, rolling, expires_at, updated_at)
       select 'big', 'n', 'b' || i, 24, (select array_agg(sin(i * j + j))::vector from generate_series(1, 24) as j), '{}',
         300, 1, true, now() + interval '1 day', now() from generate_series(1, 30000) as i`,
    );
    const own = Array.from({ length: 60 }, (_, i) => ({
      ...{ id: `v${i}`, embedding: vector(), meta: { even: i % 2 === 0 }, body: { i } },
    }));
    for (const one of own) await put("small", one);
    for (const metric of ["cosine", "dot", "l2"] as const)
      for (const filter of [undefined, { "/meta/even": true }]) {
        const embedding = vector();
        const expected = own
          .filter(({ meta }) => !filter || meta.even)
          .map(({ id, embedding: other }) => ({ id, score: SCORES[metric](embedding, other) }))
          .sort((a, b) => b.score - a.score);
        const { items } = await query("small", { embedding, metric, ...(filter ? { filter } : {}) });
        expect(items.map(({ id }) => id)).toEqual(expected.slice(0, 10).map(({ id }) => id));
        for (const [i, { score }] of items.entries()) expect(score).toBeCloseTo(expected[i]?.score ?? 0, 4);
        const minScore = ((expected[2]?.score ?? 0) + (expected[3]?.score ?? 0)) / 2;
        const some = await query("small", { embedding, metric, minScore, ...(filter ? { filter } : {}) });
        expect(some.items.length).toBe(3);
      }
    const [first] = (await query("small", { embedding: own[7]?.embedding })).items;
    expect(first).toMatchObject({ id: "v7", body: { i: 7 }, meta: { even: false } });
    await expect(query("small", { filter: { "/body/i": 7 } })).rejects.toMatchObject({ issues: [{ path: "filter" }] });
    expect((await query("other")).items).toEqual([]);
  });
});
