/** The order in which work of payments and of wallets gets its turn on the embedded database. */
import { expect, it } from "vitest";
import { createTurns } from "../../src/state/database/embedded/turns.js";

/** Works that note when they begin, and end when they are told to. */
function works() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return { begun, work, end };
}
const names = (kind: string, count: number) => Array.from({ length: count }, (_, i) => `${kind}${i}`);

it("RES-1 lets a payment's statement overtake all waiting work of wallets", async () => {
  const turns = createTurns();
  const { begun, work, end } = works();
  for (const name of names("wallet", 10)) void turns.alone(work(name));
  void turns.urgent(work("payment"));
  expect(begun).toEqual(["wallet0"]);
  expect(turns.waiting()).toBe(10);
  await end("wallet0");
  expect(begun).toEqual(["wallet0", "payment", "wallet1"]);
  await end("payment");
  await end("wallet1");
  expect(begun).toEqual(["wallet0", "payment", "wallet1", "wallet2"]);
});

it("RES-1 has eight statements of payments on their way at once, and nothing behind a wallet's work", async () => {
  const turns = createTurns();
  const { begun, work, end } = works();
  const payments = names("payment", 9);
  for (const name of payments) void turns.urgent(work(name));
  void turns.alone(work("wallet"));
  void turns.alone(work("other"));
  expect(begun).toEqual(payments.slice(0, 8));
  await end("payment3");
  // The last payment begins first; the wallet's work follows it in the thread without waiting for its end.
  expect(begun.slice(8)).toEqual(["payment8", "wallet"]);
  void turns.urgent(work("late"));
  for (const name of payments) await end(name);
  expect(begun.slice(10)).toEqual([]);
  await end("wallet");
  expect(begun.slice(10)).toEqual(["late", "other"]);
});

it("RES-1 goes on after work that failed, and is idle once nothing runs or waits", async () => {
  const turns = createTurns();
  const failed = async () => {
    throw new Error("failed");
  };
  await expect(turns.alone(failed)).rejects.toThrow("failed");
  await expect(turns.urgent(failed)).rejects.toThrow("failed");
  await turns.idle();
  const { begun, work, end } = works();
  const done = [turns.alone(work("first")), turns.alone(work("second"))];
  let isIdle = false;
  const idle = turns.idle().then(() => {
    isIdle = true;
  });
  await end("first");
  expect([begun, isIdle]).toEqual([["first", "second"], false]);
  await end("second");
  await idle;
  expect(await Promise.all(done)).toEqual(["first", "second"]);
});

it("RES-1 lets others begin behind the last statement of a transaction, and only one of them", async () => {
  const turns = createTurns();
  const { begun, work, end } = works();
  let isLast = () => {};
  void turns.alone((last) => {
    isLast = last;
    return work("transaction")();
  });
  void turns.alone(work("next"));
  void turns.alone(work("other"));
  expect(begun).toEqual(["transaction"]);
  isLast();
  expect(begun).toEqual(["transaction", "next"]);
  let isIdle = false;
  void turns.idle().then(() => {
    isIdle = true;
  });
  isLast();
  await end("transaction");
  // Its end is not the end of the one that followed.
  expect(begun).toEqual(["transaction", "next"]);
  await end("next");
  expect([begun.at(-1), isIdle]).toEqual(["other", false]);
  await end("other");
  expect(isIdle).toBe(true);
});
