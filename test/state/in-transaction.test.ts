import { expect, it } from "vitest";
import { storeKvGet, storeKvPut } from "../../src/capabilities/store/index.js";
import { createContext } from "../../src/capability/context.js";
import { inTransaction } from "../../src/state/wallet/in-transaction.js";
import { onBothEngines } from "../support/wallets-engine.js";

onBothEngines("changes within a transaction", (engine) => {
  const contextOf = (wallet: string) => createContext({ wallets: engine.options(), wallet }, { timeoutMs: 5000 });
  const stored = async (wallet: string) =>
    (await storeKvGet({ ns: "n", key: "a" }, { wallets: engine.options(), wallet }).catch(
      ({ code }) => code,
    )) as unknown;

  it("join it through an inner call that has a key of its own, and see what came before", async () => {
    const ctx = contextOf("joined");
    await inTransaction(ctx, "test.both", async (inner) => {
      const first = await inner.call(storeKvPut, { ns: "n", key: "a", value: 1 }, { key: "first" });
      const ifVersion = first.items[0]?.version;
      const second = await inner.call(storeKvPut, { ns: "n", key: "a", value: 2, ifVersion }, { key: "second" });
      expect(second.items[0]).toMatchObject({ stored: true });
    });
    expect(await stored("joined")).toMatchObject({ items: [{ value: 2 }] });
  });

  it("are all undone by what is thrown, and a context outside of it sees none of them", async () => {
    const ctx = contextOf("undone");
    const failed = inTransaction(ctx, "test.both", async (inner) => {
      await inner.call(storeKvPut, { ns: "n", key: "a", value: 1 });
      expect(inner.transaction).toBeDefined();
      expect(ctx.transaction).toBeUndefined();
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    expect(await stored("undone")).toBe("NOT_FOUND");
  });
});
