/** What a host hears when a wallet that it must fill runs low. */
import { describe, expect, it, vi } from "vitest";
import { silent } from "../../src/lib/logger.js";
import { createBalanceWatch } from "../../src/payment/balances.js";
import type { Rails } from "../../src/payment/networks/rails.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { failingAt } from "../support/mortal-store.js";
import { openShop } from "../support/shop.js";
import { mallory, TREASURY } from "../support/wallets.js";

const NETWORK = "eip155:8453";

/** A host with a wallet of each kind; `look` is another process that looks at them. */
function open() {
  const clock = fakeClock();
  const living = createMemoryStore({ clock });
  const { wrap, fail } = failingAt();
  const has: { refunds: bigint | "away"; gas: bigint } = { refunds: 10_000_000n, gas: 10n ** 18n };
  const rail = {
    refunds: {
      wallet: "0xrefunds",
      async balance() {
        if (has.refunds === "away") throw new Error("the node does not answer");
        return has.refunds;
      },
    },
    channel: { signer: "0xsigner", signerGas: async () => has.gas },
  };
  const told: { id: string; at: number; data: object }[] = [];
  const durable = {
    planEvent: () => {
      throw new Error("plans nothing");
    },
    async tell(_: string, data: object, { id, at }: { id: string; at: number }) {
      told.push({ id, at, data });
    },
  };
  const now = () => clock().getTime();
  const rails = new Map([[NETWORK, rail]]) as unknown as Rails;
  const options = { refundsUsd: "5", claimGas: "0.002" };
  const shared = { options, rails, host: "me", durable, logger: silent, now };
  const look = (store = living) => createBalanceWatch({ ...shared, store }).check();
  return { clock, has, told, look, fail, failing: wrap(living) };
}

describe("a wallet that runs low", () => {
  it("is told once each time that it falls below, by whichever process looks first", async () => {
    const { has, told, look, clock } = open();
    await look();
    expect(told).toEqual([]);
    has.refunds = 4_999_999n;
    await Promise.all([look(), look(), look()]);
    clock.advance(86_400);
    await look();
    const low = { of: "refunds", network: NETWORK, wallet: "0xrefunds", threshold: "5" };
    expect(new Set(told.map(({ id }) => id)).size).toBe(1);
    expect(told[0]?.data).toEqual({ ...low, balance: "4.999999" });
    const before = told.length;
    has.refunds = 5_000_000n;
    await look();
    has.refunds = 0n;
    await look();
    expect(told.slice(before).map(({ data }) => data)).toEqual([{ ...low, balance: "0" }]);
    expect(told.at(-1)?.id).not.toBe(told[0]?.id);
  });

  it("has gas in its network's coin", async () => {
    const { has, told, look } = open();
    has.gas = 1_999_999_999_999_999n;
    await look();
    const data = {
      of: "claims",
      network: NETWORK,
      wallet: "0xsigner",
      threshold: "0.002",
      balance: "0.001999999999999999",
    };
    expect(told).toMatchObject([{ data }]);
  });

  it("is neither low nor full while no node says so", async () => {
    const { has, told, look } = open();
    has.refunds = 1n;
    await look();
    has.refunds = "away";
    await look();
    has.refunds = 1n;
    await look();
    expect(told).toHaveLength(1);
  });

  it.each([
    ["took effect", true],
    ["did not", false],
  ])("is told although the store failed while it was noted, whether the write %s", async (_, done) => {
    const { has, told, look, fail, failing } = open();
    await look();
    has.refunds = 1n;
    fail("put low-balance", { done });
    await look(failing);
    await look();
    await look();
    expect(new Set(told.map(({ id, at }) => `${id} ${at}`)).size).toBe(1);
  });

  it("is read from the chain in the background, and sent as a webhook of two processes once", async () => {
    const store = createMemoryStore();
    const heard: { type: string; data: object }[] = [];
    const url = "https://host.test/hooks";
    let balance = 10_000_000n;
    const chain = fakeFacilitator();
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const body = String(init?.body);
      if (String(input) === url) heard.push(JSON.parse(body));
      if (String(input) === url) return new Response(null, { status: 204 });
      if (!body.includes("0x70a08231")) return chain.fetch(input, init);
      expect(body).toContain(mallory.address.slice(2).toLowerCase());
      return Response.json({ jsonrpc: "2.0", id: 1, result: `0x${balance.toString(16).padStart(64, "0")}` });
    };
    const payment = {
      treasury: { [NETWORK]: TREASURY },
      facilitator: { url: "https://facilitator.test" },
      refunds: { [NETWORK]: mallory },
      lowBalance: { refundsUsd: "5" },
    };
    const webhooks = [{ url, secret: `whsec_${"A".repeat(44)}` }];
    const host = () => openShop({ store, payment, webhooks, fetch, facilitator: chain, logger: silent });
    const [one, other] = [host(), host()];
    await one.handle.tick();
    expect(heard).toEqual([]);
    balance = 1n;
    const later = performance.now() + 600_000;
    const ahead = vi.spyOn(performance, "now").mockImplementation(() => later);
    await Promise.all([one.handle.tick({ budgetMs: 1e7 }), other.handle.tick({ budgetMs: 1e7 })]);
    await one.handle.tick({ budgetMs: 1e7 });
    ahead.mockRestore();
    const data = { of: "refunds", network: NETWORK, wallet: mallory.address, threshold: "5", balance: "0.000001" };
    expect(heard).toMatchObject([{ type: "balance.low", data }]);
    await Promise.all([one.handle.close(), other.handle.close()]);
  });
});
