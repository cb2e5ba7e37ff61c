import { expect, it } from "vitest";
import {
  storeKvDelete,
  storeKvGet,
  storeKvIncrement,
  storeKvPut,
  storeKvScan,
  storeUsage,
} from "../../src/capabilities/store/index.js";
import { onBothEngines } from "../support/wallets-engine.js";

onBothEngines("values under keys", (engine) => {
  const as = (wallet: string) => ({ wallet, wallets: engine.options() });
  const put = async (wallet: string, input: Parameters<typeof storeKvPut>[0]) =>
    (await storeKvPut(input, as(wallet))).items[0];

  it("are read back, replaced, counted and deleted", async () => {
    const first = await put("a", { ns: "n", key: "k", value: { deep: [1, "ü", null] } });
    expect(first).toMatchObject({ key: "k", stored: true, bytes: 200 + 2 + 22 });
    const got = await storeKvGet({ ns: "n", key: "k" }, as("a"));
    expect(got).toMatchObject({
      items: [{ value: { deep: [1, "ü", null] }, version: first?.version }],
      meta: { wallet: "a" },
    });
    const second = await put("a", { ns: "n", key: "k", value: 1, ifVersion: first?.version });
    expect(second?.version).toBeGreaterThan(first?.version ?? 0);
    expect(await put("a", { ns: "n", key: "k", value: 2, ifVersion: first?.version })).toEqual({
      ...{ key: "k", stored: false, reason: "version", version: second?.version },
    });
    expect((await storeUsage({}, as("a"))).items[0]).toMatchObject({ totalBytes: 203, kv: { count: 1, bytes: 203 } });
    const gone = await storeKvDelete({ ns: "n", key: "k" }, as("a"));
    expect(gone.items).toEqual([{ key: "k", deleted: true }]);
    await expect(storeKvGet({ ns: "n", key: "k" }, as("a"))).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("WAL-19 count each of many increments that come at once", async () => {
    const count = async () => (await storeKvIncrement({ ns: "n", key: "many" }, as("d"))).items[0]?.value;
    const counts = await Promise.all(Array.from({ length: 24 }, count));
    expect(counts.sort((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 24 }, (_, i) => i + 1));
  });

  it("count up and down within bounds", async () => {
    const count = async (input: object) => (await storeKvIncrement({ ns: "n", key: "c", ...input }, as("b"))).items[0];
    expect(await count({})).toMatchObject({ value: 1, changed: true });
    expect(await count({ by: 5, max: 5 })).toMatchObject({ value: 1, changed: false });
    expect(await count({ by: -3, min: -2 })).toMatchObject({ value: -2, changed: true });
    await put("b", { ns: "n", key: "c", value: "text" });
    await expect(count({})).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path: "key" }] });
  });

  it("are listed by prefix, page by page, and no page is too large", async () => {
    for (const key of ["p/2", "p/1", "p/10", "q", "P", "p_x"]) await put("c", { ns: "n", key, value: key });
    const page = async (input: object) => storeKvScan({ ns: "n", ...input }, as("c"));
    expect((await page({})).items.map(({ key }) => key)).toEqual(["P", "p/1", "p/10", "p/2", "p_x", "q"]);
    const first = await page({ prefix: "p/", limit: 2, values: true });
    expect(first.items).toMatchObject([{ key: "p/1", value: "p/1" }, { key: "p/10" }]);
    const second = await page({ prefix: "p/", limit: 2, after: first.meta?.nextCursor });
    expect([second.items.map(({ key }) => key), second.meta?.nextCursor]).toEqual([["p/2"], undefined]);
    const large = "x".repeat(900_000);
    for (const key of ["l1", "l2", "l3"]) await put("c", { ns: "large", key, value: large });
    const cut = await storeKvScan({ ns: "large", values: true }, as("c"));
    expect(cut.items.map(({ key }) => key)).toEqual(["l1", "l2"]);
    const rest = await storeKvScan({ ns: "large", values: true, after: String(cut.meta?.nextCursor) }, as("c"));
    expect([rest.items.length, rest.meta?.nextCursor]).toEqual([1, undefined]);
    await expect(page({ after: "made-up" })).rejects.toMatchObject({ issues: [{ path: "after" }] });
  });
});
