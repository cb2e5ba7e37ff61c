/** Parts of a sale that its buyer paid on chain: they are paid out in the books, and come back where the chain lost them. */
import { expect, it } from "vitest";
import { silent } from "../../../src/lib/logger.js";
import { createLedger, entriesOf, type LedgerEntry, lossOf } from "../../../src/payment/ledger/ledger.js";
import { countEntries } from "../../../src/payment/payouts/counting.js";
import { owedTo, readShares } from "../../../src/payment/payouts/shares.js";
import { ownAccounts } from "../../../src/payment/record/own-accounts.js";
import type { SettledPayment } from "../../../src/payment/record/record.js";
import { createMemoryStore } from "../../../src/stores/memory/memory.js";
import { TREASURY } from "../../support/wallets.js";

const NETWORK = "eip155:8453";
const PARTNER = "0x00000000000000000000000000000000000ab0b0";
const NOW = Date.parse("2027-01-01T12:00:00Z");

function sold(id: string, amount: string, part: string): SettledPayment {
  const charge = { spender: "0x", splits: [{ amount: part, recipient: PARTNER }] };
  const requirements = {
    scheme: "exact",
    network: NETWORK,
    amount,
    asset: "0x",
    payTo: TREASURY,
    maxTimeoutSeconds: 60,
    extra: { charge },
  };
  const receipt = { success: true, transaction: "0xab", network: NETWORK, amount };
  const payment = { payload: {}, requirements, payer: "0xbuyer" };
  return { id, requestId: id, endpoint: "test.work", payment, receipt, settledAt: NOW } as unknown as SettledPayment;
}

async function open() {
  const store = createMemoryStore();
  const treasury = {
    [NETWORK]: [
      { payTo: TREASURY, share: 7_500 },
      { payTo: PARTNER, share: 2_500 },
    ],
  };
  const own = ownAccounts({ treasury });
  const ledger = createLedger(store, 400, own);
  const account = `${NETWORK}:${TREASURY.toLowerCase()}`;
  return {
    ledger,
    async owed() {
      await countEntries({ store, own, keptMs: 1e12, now: () => NOW, logger: silent });
      const { shares } = await readShares(store, account);
      return [owedTo(account, shares, PARTNER), shares.paid[PARTNER]];
    },
  };
}

it("owes nothing for them, and the rest of what they round off", async () => {
  const { ledger, owed } = await open();
  await ledger.book(entriesOf(sold("one", "1001", "250"), NOW));
  expect(await owed()).toEqual([0n, "250"]);
  for (const id of ["two", "three", "four"]) await ledger.book(entriesOf(sold(id, "1001", "250"), NOW));
  // A quarter of 4,004 is 1,001, of which 1,000 were paid.
  expect(await owed()).toEqual([1n, "1000"]);
  await ledger.book(entriesOf(sold("four", "1001", "250"), NOW));
  expect(await owed()).toEqual([1n, "1000"]);
});

it("PAY-48 takes them back with a sale that the chain lost", async () => {
  const { ledger, owed } = await open();
  const sale = sold("one", "1000", "250");
  await ledger.book(entriesOf(sale, NOW));
  expect(await owed()).toEqual([0n, "250"]);
  await ledger.book([lossOf(sale, NOW) as LedgerEntry]);
  expect(await owed()).toEqual([0n, "0"]);
});

it("owes the share of what earlier credit paid beside them", async () => {
  const { ledger, owed } = await open();
  const sale = { ...sold("one", "600", "150"), credit: { id: "c", used: "400", captured: true } } as SettledPayment;
  await ledger.book(entriesOf(sale, NOW));
  expect(await owed()).toEqual([100n, "150"]);
});
