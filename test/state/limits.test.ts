/** Names, values, versions, room and time at their edges. */
import { expect, it } from "vitest";
import * as store from "../../src/capabilities/store/index.js";
import { accountId } from "../../src/payment/networks/accounts.js";
import { onBothEngines } from "../support/wallets-engine.js";

const { storeKvDelete, storeKvGet, storeKvIncrement, storeKvPut, storeKvScan, storeUsage } = store;

it("WAL-3 folds the spelling of addresses where they have several, and nothing else", () => {
  const address = "0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A";
  const spellings = [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`];
  expect(new Set(spellings.map((one) => accountId("eip155:8453", one))).size).toBe(1);
  expect(accountId("eip155:1", address)).not.toBe(accountId("eip155:8453", address));
  const solana = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
  expect(accountId(solana, "CKPKJWNdJEqa81x7CkZ14BVPiY6y16Sxs7owznqtWYp5")).not.toBe(
    accountId(solana, "cKPKJWNdJEqa81x7CkZ14BVPiY6y16Sxs7owznqtWYp5"),
  );
});

onBothEngines("the state of a wallet", (engine) => {
  const as = (wallet: string, more: object = {}) => ({ wallet, wallets: engine.options(), ...more });

  it("WAL-2 has names of letters, digits and a few signs, and prefixes mean themselves", async () => {
    const name = (key: string) => storeKvPut({ ns: "names", key, value: 1 }, as("names"));
    for (const key of ["a%b", "a*", "a\0", "ключ", "x".repeat(257), "", "a b", "a'b"])
      await expect(name(key), key).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path: "key" }] });
    for (const key of ["..", "a/b", "a_b", "axb", "other:wallet/x"]) await name(key);
    const found = await storeKvScan({ ns: "names", prefix: "a_" }, as("names"));
    expect(found.items.map(({ key }) => key)).toEqual(["a_b"]);
    await expect(storeKvScan({ ns: "names", prefix: "%" }, as("names"))).rejects.toMatchObject({ status: 400 });
    await expect(storeKvGet({ ns: "names", key: ".." }, as("names2"))).rejects.toMatchObject({ status: 404 });
    await expect(storeKvGet({ ns: "n", key: "k" }, as("no/wallet"))).rejects.toMatchObject({ code: "WALLET_REQUIRED" });
  });

  it("WAL-18 changes only what has the version that the writer saw", async () => {
    await storeKvPut({ ns: "cas", key: "n", value: 0 }, as("cas"));
    let conflicts = 0;
    const add = async () => {
      for (;;) {
        const [seen] = (await storeKvGet({ ns: "cas", key: "n" }, as("cas"))).items;
        const value = Number(seen?.value) + 1;
        const put = await storeKvPut({ ns: "cas", key: "n", value, ifVersion: seen?.version }, as("cas"));
        if (put.items[0]?.stored) return;
        conflicts++;
      }
    };
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let i = 0; i < 5; i++) await add();
      }),
    );
    const [end] = (await storeKvGet({ ns: "cas", key: "n" }, as("cas"))).items;
    expect([end?.value, conflicts > 0]).toEqual([40, true]);
    await storeKvDelete({ ns: "cas", key: "n" }, as("cas"));
    const [anew] = (await storeKvPut({ ns: "cas", key: "n", value: 0, ifVersion: 0 }, as("cas"))).items;
    expect(anew?.version).toBeGreaterThan(end?.version ?? 0);
  });

  it("WAL-19 never takes more than fits, however many write at once", async () => {
    const full = { wallet: "full", wallets: engine.options({ limits: { bytes: 5000 } }) };
    const puts = Array.from({ length: 60 }, (_, i) =>
      storeKvPut({ ns: "n", key: `k${100 + i}`, value: "x".repeat(293) }, full).then(
        () => "stored",
        (error) => error.code,
      ),
    );
    const ends = await Promise.all(puts);
    // 200 + 1 + 4 + 295 bytes each.
    expect(ends.filter((end) => end === "stored").length).toBe(10);
    expect(new Set(ends)).toEqual(new Set(["stored", "QUOTA_EXCEEDED"]));
    expect((await storeUsage({}, full)).items).toMatchObject([{ totalBytes: 5000, capBytes: 5000 }]);
  });

  it("WAL-20 fits to the byte, and gives room back for less and for nothing", async () => {
    const exact = { wallet: "exact", wallets: engine.options({ limits: { bytes: 1000 } }) };
    const put = (length: number) => storeKvPut({ ns: "n", key: "k", value: "x".repeat(length) }, exact);
    expect((await put(796)).items[0]?.bytes).toBe(1000);
    await expect(put(797)).rejects.toThrow("1000 of 1000 bytes in use");
    await expect(storeKvPut({ ns: "n", key: "l", value: 1 }, exact)).rejects.toMatchObject({ code: "QUOTA_EXCEEDED" });
    expect((await put(10)).items[0]).toMatchObject({ stored: true, bytes: 214 });
    expect((await put(796)).items[0]?.stored).toBe(true);
    expect((await storeKvDelete({ ns: "n", key: "k" }, exact)).items[0]?.deleted).toBe(true);
    expect((await put(796)).items[0]?.stored).toBe(true);
  });

  it("WAL-21 ends objects at their time for every operation, and prolongs by reading what lives by it", async () => {
    let now = Date.UTC(2026, 0, 1);
    const timed = as("timed", { clock: () => new Date(now), wallets: engine.options({ limits: { bytes: 700 } }) });
    const day = 86_400_000;
    await storeKvPut({ ns: "n", key: "fixed", value: "x".repeat(100), ttlSeconds: 60 }, timed);
    await storeKvPut({ ns: "n", key: "rolling", value: 1 }, timed);
    now += 60_000;
    await expect(storeKvGet({ ns: "n", key: "fixed" }, timed)).rejects.toMatchObject({ status: 404 });
    expect((await storeKvScan({ ns: "n" }, timed)).items.map(({ key }) => key)).toEqual(["rolling"]);
    expect((await storeUsage({}, timed)).items).toMatchObject([{ kv: { count: 1 } }]);
    const added = await storeKvPut({ ns: "n", key: "new", value: "x".repeat(250), ttlSeconds: 60 }, timed);
    expect(added.items).toMatchObject([{ stored: true }]);
    expect(
      await storeKvPut({ ns: "n", key: "fixed", value: 1, ifVersion: 0, ttlSeconds: 60 }, timed).catch((e) => e.code),
    ).toBe("QUOTA_EXCEEDED");
    for (let week = 0; week < 30; week++) {
      now += 7 * day;
      expect((await storeKvGet({ ns: "n", key: "rolling" }, timed)).items[0]?.value).toBe(1);
    }
    now += 90 * day;
    await expect(storeKvGet({ ns: "n", key: "rolling" }, timed)).rejects.toMatchObject({ status: 404 });
  });

  it("WAL-22 gives back what JSON says, whatever it is", async () => {
    const texts = [
      ...[
        '"\\u0000"',
        '"\\ud800"',
        "1e308",
        '{"__proto__":{"a":1},"constructor":1}',
        '["\\n",true,null,[]]',
        '"\u{1f600}"',
      ],
      JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`key ${i}`, i]))),
      `{"${"k".repeat(300_000)}":1}`,
    ];
    for (const text of texts) {
      await storeKvPut({ ns: "json", key: "k", value: JSON.parse(text) }, as("json"));
      const { items } = await storeKvGet({ ns: "json", key: "k" }, as("json"));
      expect(JSON.stringify(items[0]?.value) === JSON.stringify(JSON.parse(text)), text.slice(0, 40)).toBe(true);
    }
    let deep: unknown = 1;
    for (let i = 0; i < 5000; i++) deep = [deep];
    await expect(storeKvPut({ ns: "json", key: "k", value: deep }, as("json"))).rejects.toMatchObject({ status: 400 });
    expect((await storeKvIncrement({ ns: "json", key: "after" }, as("json"))).items[0]?.value).toBe(1);
  });
});
