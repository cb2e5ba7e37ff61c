import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { toTable } from "../examples/ledger/app.js";
import { pathFromRoot } from "./support/render-indexes.js";
import { openShop } from "./support/shop.js";
import { alice, mallory } from "./support/wallets.js";

it("the ledger example aligns what was sold", async () => {
  const shop = openShop();
  for (const path of ["/test/work?n=1", "/test/work?n=2", "/test/dear?n=1"])
    await shop.pay(path, await shop.payFor(path));
  await shop.pay("/test/work?n=3", await shop.payFor("/test/work?n=3", { wallet: mallory }));
  const table = toTable(await shop.handle.ledger({ ownWallets: [mallory.address] }));
  const payer = alice.address.toLowerCase();
  expect(table.split("\n")).toEqual([
    `Day         Endpoint   ${"Payer".padEnd(42)}  Calls  Settled  Returned  Credited  Earned`,
    `2026-06-01  test.dear  ${payer}      1      0.5         0         0     0.5`,
    `2026-06-01  test.work  ${payer}      2    0.002         0         0   0.002`,
    `Total                  ${"".padEnd(42)}      3    0.502         0         0   0.502`,
  ]);
});

it("the ledger example says that DATABASE_URL is missing", async () => {
  const { PATH } = process.env;
  const program = promisify(execFile)(process.execPath, [pathFromRoot("examples/ledger/app.js")], { env: { PATH } });
  await expect(program).rejects.toThrow(/Error: Set DATABASE_URL/);
});
