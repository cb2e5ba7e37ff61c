/** Another family of networks is its own folder and its name in the list; everything else sells through it as it is. */
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../../src/capability/define.js";
import { one } from "../../../src/capability/output.js";
import { createHandler } from "../../../src/handler/handler.js";
import type { PaymentOptions } from "../../../src/payment/options/options.js";
import { FACILITATOR_URL, fakeFacilitator } from "../../support/facilitator.js";
import { TOY, toyBank } from "../../support/toy-rail.js";
import { alice, quoteOf, sign, TREASURY, toHeader } from "../../support/wallets.js";

vi.mock(import("../../../src/payment/networks/families.js"), async (load) => {
  const { families } = await load();
  const { toy } = await import("../../support/toy-rail.js");
  return { families: [...families, toy] };
});

/** Tells who paid for it, and fails when it is told to. */
const whoami = defineCapability({
  id: "test.whoami",
  summary: "Tells who paid.",
  price: "0.6",
  source: { provider: "test", url: "", license: "MIT" },
  input: () => z.strictObject({ n: z.int().optional().describe("Any number") }),
  output: one(z.object({ wallet: z.string().nullable() })),
  example: {},
  run: (_, { wallet }) => ({ item: { wallet: wallet?.id ?? null } }),
});

function open(payment: Partial<PaymentOptions> = {}) {
  const bank = toyBank();
  const treasury = { [TOY]: "Treasurer" };
  const chain = fakeFacilitator();
  const handle = createHandler({
    capabilities: [whoami],
    payment: { treasury, facilitator: bank, ...payment },
    fetch: chain.fetch,
  });
  const get = (headers: Record<string, string> = {}, query = "?n=1") =>
    handle(new Request(`http://shop.test/api/test/whoami${query}`, { headers }));
  let serial = 0;
  const pay = async (
    from: string,
    { headers = {}, query = "?n=1" }: { headers?: Record<string, string>; query?: string } = {},
  ) => {
    const [accepted] = quoteOf(await get({}, query)).accepts;
    const payload = { from, to: "Treasurer", amount: accepted?.amount, serial: `note ${++serial}` };
    const header = toHeader({ x402Version: 2, accepted, payload });
    const response = await get({ ...headers, "payment-signature": header }, query);
    return { response, header, again: () => get({ "payment-signature": header }, query) };
  };
  return { handle, get, pay, bank };
}

describe("a rail of a third family", () => {
  it("is offered, sells, and delivers again what was bought with the same payment", async () => {
    const { get, pay, bank } = open();
    expect(quoteOf(await get()).accepts).toMatchObject([{ scheme: "exact", network: TOY, payTo: "Treasurer" }]);
    const { response, again } = await pay("Alice");
    expect(response.status).toBe(200);
    const { data, meta } = (await response.json()) as { data: { items: object[] }; meta: object };
    expect(data.items).toEqual([{ wallet: "toy:town:Alice" }]);
    expect(meta).toMatchObject({ payment: { network: TOY, payer: "Alice", transaction: "entry 1" } });
    expect((await again()).headers.get("x-svc-replay")).toBe("1");
    expect(bank.taken).toEqual(["note 1"]);
  });

  it("stands beside the others, in the order of the treasury", async () => {
    const { get } = open({ treasury: { "eip155:8453": TREASURY, [TOY]: "Treasurer" } });
    expect(quoteOf(await get()).accepts.map(({ network }) => network)).toEqual(["eip155:8453", TOY]);
  });

  it("refuses what its own check refuses", async () => {
    const { get } = open();
    const [accepted] = quoteOf(await get()).accepts;
    const payload = { from: "Alice", to: "Mallory", amount: accepted?.amount, serial: "note 1" };
    const response = await get({ "payment-signature": toHeader({ x402Version: 2, accepted, payload }) });
    expect(response.status).toBe(402);
    expect(quoteOf(response).error).toContain("for somebody else");
    expect(await response.json()).toMatchObject({ extensions: { code: "PAYMENT_MISMATCH" } });
  });
});

describe("accounts whose addresses differ in case alone", () => {
  it("have work in progress of their own", async () => {
    const bank = toyBank();
    const held: (() => void)[] = [];
    const verify = bank.verify;
    const slow = {
      ...bank,
      settle: (...args: Parameters<typeof bank.settle>) =>
        new Promise((resolve) => held.push(() => resolve(bank.settle(...args)))),
    };
    const { pay } = open({ facilitator: { ...slow, verify }, maxUnsettledUsd: "1" });
    const first = pay("Alice");
    await vi.waitFor(() => expect(held).toHaveLength(1));
    const second = pay("ALICE");
    await vi.waitFor(() => expect(held).toHaveLength(2));
    expect((await pay("Alice")).response.status).toBe(402);
    for (const go of held) go();
    expect([(await first).response.status, (await second).response.status]).toEqual([200, 200]);
  });

  it("do not share an idempotency key", async () => {
    const { pay, bank } = open();
    const headers = { "idempotency-key": "the same for both" };
    expect((await pay("Alice", { headers })).response.status).toBe(200);
    const other = await pay("ALICE", { headers });
    expect(other.response.headers.get("x-svc-replay")).toBeNull();
    expect((await pay("Alice", { headers })).response.headers.get("x-svc-replay")).toBe("1");
    expect(bank.taken).toHaveLength(2);
  });

  it("are told apart in the ledger, and the host's own wallets too", async () => {
    const { handle, pay } = open();
    await pay("Alice");
    await pay("ALICE");
    const { total } = await handle.ledger({ by: [], ownWallets: ["Alice"] });
    expect(total.calls).toBe(1);
  });
});

describe("who paid", () => {
  it("is told to the capability as a CAIP-10 account, in lower case on EVM networks", async () => {
    const { get } = open({ treasury: { "eip155:8453": TREASURY }, facilitator: { url: FACILITATOR_URL } });
    const [requirements] = quoteOf(await get()).accepts;
    if (!requirements) throw new Error("nothing offered");
    const payment = await sign(requirements, { now: Math.floor(Date.now() / 1000) });
    const answer = (await (await get({ "payment-signature": toHeader(payment) })).json()) as {
      data: { items: object[] };
    };
    expect(answer.data.items).toEqual([{ wallet: `eip155:8453:${alice.address.toLowerCase()}` }]);
  });

  it("PAY-43 is nobody on a call in-process", async () => {
    expect(await open().handle.call("test.whoami", {})).toMatchObject({ items: [{ wallet: null }] });
  });
});
