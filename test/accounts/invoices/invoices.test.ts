/** Invoices of what wallets bought, as their owners ask for them. */
import { expect, it } from "vitest";
import { pdfText } from "../../../src/engines/pdf/text.js";
import { createInvoices } from "../../../src/payment/accounts/invoices/invoices.js";
import { ownAccounts } from "../../../src/payment/record/own-accounts.js";
import { createMemoryStore } from "../../../src/stores/memory/memory.js";
import { fakeClock } from "../../support/clock.js";
import { fakeFacilitator } from "../../support/facilitator.js";
import { customersShop } from "../../support/own-account.js";
import { bob, TREASURY } from "../../support/wallets.js";
import { BUYER, shopWith, taxed } from "./shop.js";

const DAY = 86_400;
it("lists what was bought with its number, its net and its tax", async () => {
  const shop = shopWith();
  const { key, account } = await shop.buy("11.9");
  await shop.buyProduct("ten");
  const { status, body } = await shop.by(key)("GET", "/account/invoices");
  expect([status, body.account, body.buyer]).toEqual([200, account, null]);
  expect(body.invoices).toMatchObject([
    { number: "INV-000001", kind: "invoice", title: "Prepaid balance", usd: "11.9", netUsd: "10.00", taxUsd: "1.90" },
    { number: "INV-000002", kind: "invoice", title: "Ten calls", totalUsd: "2.00", netUsd: "1.68", taxUsd: "0.32" },
  ]);
  expect(body.invoices[0].payment).not.toBe("");
});

it("draws a PDF, with the buyer's particulars or without", async () => {
  const shop = shopWith();
  const { key } = await shop.buy("11.9");
  const fetched = async () => {
    const url = "http://shop.test/api/account/invoice?number=INV-000001&format=pdf";
    const request = new Request(url, { headers: { authorization: `Bearer ${key}` } });
    const answer = await shop.handle(request, { clientAddress: "203.0.113.7" });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const { pages } = await pdfText({ bytes } as never);
    return [
      answer.headers.get("content-type"),
      answer.headers.get("content-disposition"),
      pages[0]?.text ?? "",
    ] as const;
  };
  const [type, name, bare] = await fetched();
  expect([type, name]).toEqual(["application/pdf", 'attachment; filename="INV-000001.pdf"']);
  for (const part of ["Invoice INV-000001", "Shop GmbH", "DE123456789", "11.90", "1.90", "Prepaid balance"])
    expect(bare).toContain(part);
  await shop.by(key)("POST", "/account/invoices", { buyer: BUYER });
  expect((await fetched())[2]).toContain("Käufer & Co <KG>");
});

it("asks for the buyer's particulars before it writes an e-invoice", async () => {
  const shop = shopWith();
  const { key } = await shop.buy();
  const { status, body } = await shop.by(key)("GET", "/account/invoice?number=INV-000001&format=ubl");
  expect([status, body.code, body.issues[0].path]).toEqual([400, "INVALID_INPUT", "format"]);
});

it("keeps the particulars with which an invoice was first opened", async () => {
  const shop = shopWith();
  const { key } = await shop.buy();
  const by = shop.by(key);
  const named = async (name: string | null) => {
    await by("POST", "/account/invoices", { buyer: name === null ? null : { ...BUYER, name } });
    return (await by("GET", "/account/invoice?number=INV-000001")).body.buyer?.name;
  };
  expect([await named(null), await named("First"), await named("Second"), await named(null)]).toEqual([
    undefined,
    "First",
    "First",
    "First",
  ]);
  await by("POST", "/account/invoices", { buyer: { ...BUYER, name: "Third" } });
  await shop.buy();
  expect((await by("GET", "/account/invoice?number=INV-000002")).body.buyer.name).toBe("Third");
});

it("takes the tax of the buyer's country where that is known at the purchase", async () => {
  const taxes = [{ percent: "20", countries: ["AT"] }, { percent: "19" }];
  const shop = shopWith({ seller: taxed, taxes });
  const { key } = await shop.buy("12");
  await shop.by(key)("POST", "/account/invoices", { buyer: BUYER });
  await shop.buy("12");
  const { invoices } = (await shop.by(key)("GET", "/account/invoices")).body;
  expect(invoices.map(({ taxUsd }: { taxUsd: string }) => taxUsd)).toEqual(["1.92", "2.00"]);
});

it("credits what goes back, and never more than was invoiced", async () => {
  const shop = shopWith();
  const { key, requestId } = await shop.buyProduct("ten");
  await shop.handle.refund({ requestId }, { usd: "0.5" });
  const { invoices } = (await shop.by(key)("GET", "/account/invoices")).body;
  expect(invoices).toMatchObject([
    { number: "INV-000001", kind: "invoice", usd: "2" },
    { number: "INV-000002", kind: "credit-note", of: "INV-000001", usd: "0.5", title: "Ten calls" },
  ]);
  const found = await shop.by(key)("GET", `/account/invoice?payment=${invoices[0].payment}`);
  expect(found.body.number).toBe("INV-000001");
});

it("credits the rest of a purchase that is lost after a part went back, and nothing that was never invoiced", async () => {
  const store = createMemoryStore();
  const own = ownAccounts({ treasury: { "eip155:8453": TREASURY } });
  const billing = createInvoices({ store, own, now: () => 1, options: { seller: taxed } });
  const of = { account: "ada", payment: "p", at: 1 };
  const credit = (name: string, amount: bigint, payment = "p") =>
    billing.bill({ ...of, payment, name: `${name}:${payment}`, kind: "credit-note", amount });
  await credit("back", 1n, "older");
  await billing.bill({ ...of, name: "paid:p", kind: "invoice", amount: 2_000_000n });
  for (let copy = 0; copy < 2; copy++) {
    await credit("back", 500_000n);
    await credit("lost", 2_000_000n);
  }
  const { invoices } = await billing.list("ada", { after: 0, limit: 10 });
  expect(invoices.map(({ n, kind, amount }) => [n, kind, amount])).toEqual([
    [1, "invoice", 2_000_000n],
    [2, "credit-note", 500_000n],
    [3, "credit-note", 1_500_000n],
  ]);
});

it("are listed to the host, of all accounts in the order of their numbers, and to whom it lets read", async () => {
  const shop = shopWith();
  const { key, account, requestId } = await shop.buy("11.9");
  await shop.by(key)("POST", "/account/invoices", { buyer: BUYER });
  await shop.buy("5", bob);
  await shop.handle.refund({ requestId });
  await expect.poll(async () => (await shop.accounts.invoices()).length).toBe(3);
  const all = await shop.handle.as({ by: "ada", role: "read" }).accounts.invoices();
  expect(all).toMatchObject([
    { number: "INV-000001", account, kind: "invoice", usd: "11.9", netUsd: "10.00", taxUsd: "1.90", taxPercent: "19" },
    { number: "INV-000002", kind: "invoice", totalUsd: "5.00" },
    { number: "INV-000003", account, kind: "credit-note", of: "INV-000001", buyer: BUYER },
  ]);
  expect(await shop.accounts.invoices({ after: "INV-000002" })).toEqual(all.slice(2));
  expect(await customersShop().accounts.invoices()).toEqual([]);
});

it("is nobody else's to see, whether by number or by payment", async () => {
  const shop = shopWith();
  const { key } = await shop.buy();
  const { key: other } = await shop.buy("5", bob);
  const [{ payment }] = (await shop.by(key)("GET", "/account/invoices")).body.invoices;
  const ask = async (asked: string) => (await shop.by(other)("GET", `/account/invoice?${asked}`)).status;
  const asked = ["number=INV-000001", `payment=${payment}`, "number=INV-999999", "payment=none", "number=000002"];
  expect(await Promise.all(asked.map(ask))).toEqual([404, 404, 404, 404, 404]);
  expect(await ask("number=INV-000002")).toBe(200);
});

it("shows no particulars to a key with limits, and lets it set none", async () => {
  const shop = shopWith();
  const { key } = await shop.buy();
  await shop.by(key)("POST", "/account/invoices", { buyer: BUYER });
  const narrow = (await shop.by(key)("POST", "/account/keys", { limits: { usdPerDay: "1" } })).body.key;
  const by = shop.by(narrow);
  const answers = [
    await by("GET", "/account/invoices"),
    await by("GET", "/account/invoice?number=INV-000001"),
    await by("POST", "/account/invoices", { buyer: { ...BUYER, name: "Mallory" } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  expect((await shop.by(key)("GET", "/account/invoices")).body.buyer.name).toBe(BUYER.name);
});

it.each([
  [{}],
  [{ buyer: { name: "A" } }],
  [{ buyer: { ...BUYER, name: "" } }],
  [{ buyer: { ...BUYER, name: "a\u0000b" } }],
  [{ buyer: { ...BUYER, name: "a".repeat(201) } }],
  [{ buyer: { ...BUYER, country: "ZZ" } }],
  [{ buyer: { ...BUYER, lines: ["a", "b", "c", "d"] } }],
  [{ buyer: { ...BUYER, vatId: "12" } }],
  [{ buyer: { ...BUYER, email: "nobody" } }],
  [{ buyer: { ...BUYER, seller: "me" } }],
])("refuses the particulars %j", async (body) => {
  const shop = shopWith();
  const { key } = await shop.buy();
  expect((await shop.by(key)("POST", "/account/invoices", body)).status).toBe(400);
});

it("erases the particulars with the account, and those of its invoices when the law lets go", async () => {
  const clock = fakeClock();
  const facilitator = fakeFacilitator();
  facilitator.showChain();
  const store = createMemoryStore({ clock });
  const shop = shopWith(undefined, { store, clock, facilitator });
  const { key } = await shop.buy();
  const by = shop.by(key);
  await by("POST", "/account/invoices", { buyer: BUYER });
  await by("GET", "/account/invoice?number=INV-000001");
  await by("POST", "/account/close", {});
  const { session } = await shop.signIn();
  const kept = (await shop.by(session)("GET", "/account/invoices")).body;
  expect([kept.buyer, kept.invoices.length]).toEqual([null, 2]);
  expect((await shop.by(session)("GET", "/account/invoice?number=INV-000001")).body.buyer.name).toBe(BUYER.name);
  expect((await shop.by(session)("POST", "/account/invoices", { buyer: BUYER })).status).toBe(400);
  const textOf = async () => JSON.stringify(await store.list("", { limit: 1000 }));
  expect(await textOf()).toContain("Straße 2");
  for (let day = 0; day < 35; day++) {
    clock.advance(DAY);
    await shop.handle.reconcile();
  }
  expect(await textOf()).not.toContain("Straße 2");
  const numbers = (await store.list("invoice:", { limit: 10 })).map(({ value }) => JSON.parse(value));
  expect(numbers).toMatchObject([{ number: "INV-000001" }, { number: "INV-000002" }]);
  for (const one of numbers)
    for (const fact of ["account", "buyer", "payment", "name"]) expect(one).not.toHaveProperty(fact);
  await shop.buy();
  const again = (await shop.by((await shop.signIn()).session)("GET", "/account/invoices")).body.invoices;
  expect(again).toMatchObject([{ number: "INV-000003" }]);
});

it("is not there where the host issues none, and what was bought before has none", async () => {
  const store = createMemoryStore();
  const clock = fakeClock();
  const without = customersShop({ store, clock });
  const { key } = await without.buy();
  expect((await without.by(key)("GET", "/account/invoices")).status).toBe(404);
  const shop = shopWith(undefined, { store, clock });
  expect((await shop.by(key)("GET", "/account/invoices")).body.invoices).toEqual([]);
});
