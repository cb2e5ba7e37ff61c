/** How many quotes become sales, by endpoint and day, over all instances of a store; nothing is counted unless asked for. */
import { expect, it } from "vitest";
import { silent } from "../../src/lib/logger.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { openShop, type ShopOptions } from "../support/shop.js";
import { alice, mallory } from "../support/wallets.js";

const WORK = "/test/work?n=1";
const rowOf = (page: string, endpoint: string) =>
  new RegExp(`<tr><th scope="row">${endpoint}</th>(.*?)</tr>`)
    .exec(page.split("<h2>Conversion</h2>")[1] ?? "")?.[1]
    ?.replace(/<\/?td[^>]*>/g, "|")
    .split("||")
    .map((cell) => cell.replace(/^\||\|$/g, ""));

function town() {
  const clock = fakeClock();
  const shared = { store: createMemoryStore({ clock }), facilitator: fakeFacilitator(), clock, logger: silent };
  const open = (more: ShopOptions = {}) => openShop({ ...shared, trial: false, ...more });
  const page = async (shop: ReturnType<typeof open>, query = "") =>
    (await shop.handle.earnings(new Request(`http://host.test/${query}`))).text();
  return { ...shared, open, page };
}

it("counts quotes, sales, refusals and failures of two instances, and tells them by day", async () => {
  const { open, page, clock } = town();
  const [one, two] = [open({ countCalls: true }), open({ countCalls: true })];
  for (const shop of [one, two]) await shop.pay(WORK, await shop.payFor(WORK));
  await one.get(WORK);
  await one.get(WORK);
  await one.get("/test/work?n=-1");
  const wrong = await one.payFor(WORK);
  await one.pay("/test/dear?n=1", wrong);
  await Promise.all([one.handle.tick(), two.handle.tick()]);
  const seen = await page(two);
  // Quotes, sales, share, trials, refused, failed, pending. The payment of the refused call was quoted, too.
  expect(rowOf(seen, "test.work")).toEqual(["5", "2", "40.0 %", "0", "0", "1", "0"]);
  expect(rowOf(seen, "test.dear")).toEqual(["0", "0", "", "0", "1", "0", "0"]);
  clock.advance(2 * 86_400);
  const day = clock().toISOString().slice(0, 10);
  expect(await page(one, `?from=${day}&to=${day}`)).toContain("No call was counted");
});

it("leaves the host's own wallets out, in the ledger and in the counts", async () => {
  const { open, page } = town();
  const shop = open({ countCalls: { ownWallets: [alice.address.toLowerCase()] } });
  await shop.pay(WORK, await shop.payFor(WORK));
  await shop.pay(WORK, await shop.payFor(WORK, { wallet: mallory }));
  expect(rowOf(await page(shop), "test.work")?.[1]).toBe("1");
});

it("asks the store nothing where nobody counts, and writes once for many calls where somebody does", async () => {
  for (const [countCalls, writes] of [
    [false, 0],
    [true, 1],
  ] as const) {
    const { store, open } = town();
    const keys: string[] = [];
    const put: typeof store.put = (key, ...rest) => {
      keys.push(key);
      return store.put(key, ...rest);
    };
    const shop = open({ countCalls, store: { ...store, put } });
    for (let call = 0; call < 20; call++) await shop.get(WORK);
    await shop.handle.close();
    expect(keys.filter((key) => key.startsWith("call-counts:"))).toHaveLength(writes);
  }
});
