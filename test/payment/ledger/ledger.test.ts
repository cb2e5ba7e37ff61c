/** Entries of the ledger, as this release and release 0.1.0 wrote them. */
import { expect, it } from "vitest";
import { tellingLedger } from "../../../src/host-webhooks/event-sources.js";
import type { HostWebhooks } from "../../../src/host-webhooks/webhooks.js";
import { createLedger, type LedgerEntry } from "../../../src/payment/ledger/ledger.js";
import type { OwnAccounts } from "../../../src/payment/record/own-accounts.js";
import { readHostRefund } from "../../../src/payment/refund/host-refund-record.js";
import { createMemoryStore } from "../../../src/stores/memory/memory.js";

const DAY = "2026-06-01";
const own = {
  on: () => "eip155:8453:0xb",
  hasId: () => true,
  splitOf: () => undefined,
  isFormer: () => false,
  names: [],
} as unknown as OwnAccounts;

const PAID = '"payer":"0xc","account":"eip155:8453:0xb","network":"eip155:8453","asset":"0xa"';
const TIMES = '"at":1780300000000,"soldAt":1780290000000';
const NOTHING = '"settled":"0","creditUsed":"0"';

/** Written out as release 0.1.0 stored them. */
const STORED: [because: string | undefined, key: string, value: string][] = [
  [
    undefined,
    "0x1",
    `{"kind":"sale","payment":"0x1","endpoint":"test.work","requestId":"r1",${PAID},"transaction":"0xd","settled":"1000","creditUsed":"0","returned":"0","credited":"0","earned":"900",${TIMES}}`,
  ],
  [
    undefined,
    "0x1 return",
    `{"kind":"return","payment":"0x1","endpoint":"test.work","requestId":"r1",${PAID},"transaction":"0xe",${NOTHING},"returned":"100","credited":"0","earned":"0",${TIMES}}`,
  ],
  [
    "host-refund",
    "0x1 refund return",
    `{"kind":"return","payment":"0x1 refund","endpoint":"test.work","requestId":"r1",${PAID},"transaction":"0xf",${NOTHING},"returned":"900","credited":"0","earned":"-900",${TIMES}}`,
  ],
  [
    "late-payment",
    "0x2 landed return",
    `{"kind":"return","payment":"0x2 landed","endpoint":"test.work","requestId":"r2",${PAID},"transaction":"0x9","settled":"1000","creditUsed":"0","returned":"0","credited":"1000","earned":"0",${TIMES}}`,
  ],
];

it.each(STORED)("reads why money went back (%s) of an entry that release 0.1.0 wrote", async (because, key, value) => {
  const store = createMemoryStore();
  await store.put(`ledger:${DAY}:${key}`, value, { ifVersion: 0, ttlMs: 60_000 });
  const found: LedgerEntry[] = [];
  for await (const entry of createLedger(store, 400, own).read({ from: DAY, to: DAY })) found.push(entry);
  expect(found).toMatchObject([{ payment: JSON.parse(value).payment, kind: JSON.parse(value).kind }]);
  expect(found[0]?.because).toBe(because);
});

it("keeps why money went back, whatever the payment is named", async () => {
  const ledger = createLedger(createMemoryStore(), 400, own);
  const soldAt = Date.parse(`${DAY}T01:00:00Z`);
  const of = { endpoint: "test.work", requestId: "r1", payer: "0xc", transaction: "", at: soldAt, soldAt };
  const nothing = { settled: 0n, creditUsed: 0n, credited: 0n, earned: 0n };
  const entry: LedgerEntry = { kind: "return", payment: "0x1 refund", ...of, ...nothing, returned: 5n };
  await ledger.book([{ ...entry, because: "credit-limit" }]);
  for await (const found of ledger.read({ from: DAY, to: DAY })) expect(found.because).toBe("credit-limit");
});

it.each([
  ["host-refund", "r1back", "0.000015"],
  [undefined, "r1refunded", "0.000005"],
] as const)("tells of a return (%s) by its reason, whatever the payment is named", async (because, id, refundedUsd) => {
  const told: unknown[] = [];
  const webhooks = { tell: async (...event: unknown[]) => void told.push(event) } as unknown as HostWebhooks;
  const ledger = tellingLedger(createLedger(createMemoryStore(), 400, own), webhooks);
  const of = { endpoint: "test.work", requestId: "r1", payer: "0xc", transaction: "", at: 2, soldAt: 1 };
  const sums = { settled: 0n, creditUsed: 0n, returned: 5n, credited: 10n, earned: 0n };
  const payment = because === undefined ? "0x1 refund" : "0x1";
  await ledger.book([{ kind: "return", payment, ...(because ? { because } : {}), ...of, ...sums }]);
  expect(told).toMatchObject([["refund", { refundedUsd }, { id }]]);
});

it("reads a host's refund of a voucher that release 0.1.0 wrote, which named no scheme", async () => {
  const store = createMemoryStore();
  const asked = (payment: string) =>
    `{"payment":"${payment}","endpoint":"test.work","requestId":"r1",${PAID},"transaction":"","soldAt":1,"refund":{"amount":"5","state":"owed","attempts":0}}`;
  const read = async (payment: string) => {
    await store.put(`host-refund:${payment}`, asked(payment), { ifVersion: 0, ttlMs: 60_000 });
    return (await readHostRefund(store, `host-refund:${payment}`))?.entry.scheme;
  };
  expect(await read("voucher channel-reply:1")).toBe("batch-settlement");
  expect(await read("eip155:8453:0xa:0x1")).toBeUndefined();
});
