/** Deposits and refunds are transactions that the host pays for: without a bound, who buys nothing has as many as it likes. */
import type { Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { CapabilityError } from "../../../src/errors.js";
import type { ChannelChainState } from "../../../src/payment/channels/vouchers/chain-state.js";
import { emptyRecord } from "../../../src/payment/channels/vouchers/changes.js";
import { createIdleLimits } from "../../../src/payment/channels/vouchers/idle-limits.js";
import { createChannelRecords } from "../../../src/payment/channels/vouchers/record.js";
import type { ChannelChain } from "../../support/channel-chain.js";
import {
  type ChannelShop,
  type ChannelShopOptions,
  correctionOf,
  craft,
  offerOf,
  sharedStore,
  WORK,
} from "../../support/channel-shop.js";
import { onChannelChain } from "../../support/on-channel-chain.js";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
let chain: ChannelChain;
const shops = onChannelChain((started) => {
  chain = started;
});

function open(options: ChannelShopOptions = {}): Promise<ChannelShop> {
  return shops.open({ maxTimeoutSeconds: 10_000_000, ...options });
}

const saltOf = (n: number): Hex => `0x${n.toString(16).padStart(64, "0")}`;
const settled = (kind: string) => chain.asked.filter((name) => name === `settle ${kind}`).length;
const fail = async () => {
  throw new CapabilityError("UPSTREAM_ERROR", "The work failed.");
};

/** A wallet that opens a channel a salt. */
async function wallet() {
  const account = privateKeyToAccount(generatePrivateKey());
  await chain.mint(account.address, 100_000_000n);
  return {
    account,
    async call(shop: ChannelShop, salt: number, isFailing = false, url = `${WORK}?n=${salt}`) {
      if (isFailing) shop.behaviours.push(fail);
      const buyer = await chain.buyer(shop.fetch, { account, salt: saltOf(salt) });
      const answer = await buyer.fetch(url);
      shop.behaviours.length = 0;
      return answer;
    },
    async refund(shop: ChannelShop, salt: number, ceiling: bigint) {
      const config = { salt: saltOf(salt) };
      const { header } = await craft(await offerOf(shop.fetch), account, ceiling, {
        config,
        payload: { type: "refund" },
      });
      return shop.fetch(WORK, { headers: { "payment-signature": header } });
    },
  };
}

/** The bounds by themselves, for one payer. */
function bare() {
  const store = sharedStore();
  const records = createChannelRecords(store, chain.network, DAY / 1000);
  const chainState = { settled: async (found: unknown) => found } as ChannelChainState;
  const idleLimits = createIdleLimits({ network: chain.network, store, records, chainState, now: Date.now });
  const terms = { payer: "0xpayer", authorizer: "0xpayer", config: {}, withdrawDelay: DAY / 1000 };
  const recordOf = (n: number) => emptyRecord({ id: `0x${n}`, network: chain.network, terms }, 0n, Date.now());
  return { idleLimits, recordOf };
}

describe("deposits that buy nothing", () => {
  it("end after five an hour and payer, by whatever salt and on whatever instance, and go on an hour later", async () => {
    const store = sharedStore();
    const both = [await open({ store }), await open({ store })] as const;
    const { call } = await wallet();
    for (let n = 1; n <= 5; n++) expect((await call(both[n % 2 ? 0 : 1], n, true)).status).toBe(502);
    expect(settled("deposit")).toBe(5);
    for (const shop of both) {
      const refused = await call(shop, 6, true);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3000);
    }
    expect(settled("deposit")).toBe(5);
    // The channels that it has are as good as before.
    expect((await call(both[0], 1)).status).toBe(200);
    // One bought something, and so another may follow.
    expect((await call(both[1], 6, true)).status).toBe(502);
    expect((await call(both[0], 7)).status).toBe(429);
    for (const { ahead } of both) ahead.ms += HOUR;
    expect((await call(both[0], 7)).status).toBe(200);
    expect(settled("deposit")).toBe(7);
  });

  it("are as few when they come all at once", async () => {
    const shop = await open();
    const { call } = await wallet();
    shop.behaviours.push(...Array.from({ length: 20 }, () => fail));
    const answers = await Promise.all(Array.from({ length: 9 }, (_, n) => call(shop, n + 1)));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
    expect(settled("deposit")).toBe(5);
  });

  it("are not counted where each of them bought something, however many there are", async () => {
    const shop = await open();
    const { call } = await wallet();
    for (let n = 1; n <= 12; n++) expect((await call(shop, n)).status).toBe(200);
    expect(settled("deposit")).toBe(12);
  });

  it("are not counted where the facilitator made none", async () => {
    const shop = await open();
    const { call } = await wallet();
    for (let n = 1; n <= 7; n++) {
      chain.faults.set("settle deposit", ["refuse"]);
      expect((await call(shop, n)).status).toBe(402);
    }
    expect((await call(shop, 8)).status).toBe(200);
  });

  it("stay counted where a later one into the same channel is not made", async () => {
    const { idleLimits, recordOf } = bare();
    for (let n = 1; n <= 5; n++) {
      await idleLimits.deposit(recordOf(n));
      const forget = await idleLimits.deposit(recordOf(n));
      await forget();
    }
    await expect(idleLimits.deposit(recordOf(6))).rejects.toMatchObject({ code: "TOO_MANY_FAILURES" });
  });

  it("are five of nine that look at the same moment", async () => {
    const { idleLimits, recordOf } = bare();
    const ends = await Promise.allSettled(Array.from({ length: 9 }, (_, n) => idleLimits.deposit(recordOf(n))));
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  });

  it("of one payer keep no other from opening a channel", async () => {
    const shop = await open();
    const [one, other] = [await wallet(), await wallet()];
    for (let n = 1; n <= 6; n++) await one.call(shop, n, true);
    expect((await one.call(shop, 7)).status).toBe(429);
    expect((await other.call(shop, 7)).status).toBe(200);
  });
});

describe("refunds that earned nothing", () => {
  it("of a channel that was never charged are refused, also a day later: its payer withdraws", async () => {
    const shop = await open();
    const { call, refund } = await wallet();
    expect((await call(shop, 1, true)).status).toBe(502);
    for (const later of [0, DAY + 1000]) {
      shop.ahead.ms += later;
      const refused = await refund(shop, 1, 0n);
      expect(refused.status).toBe(402);
      expect(correctionOf(refused).error).toMatch(/never charged.*initiateWithdraw.*finalizeWithdraw/);
      expect(((await refused.json()) as { extensions: { code: string } }).extensions.code).toBe("REFUND_REFUSED");
    }
    expect(settled("refund")).toBe(0);
    expect((await call(shop, 1)).status).toBe(200);
  });

  it("CH-45 are one a payer and day over all of its channels where these earned little, and not where they earned more", async () => {
    const store = sharedStore();
    const both = [await open({ store }), await open({ store })] as const;
    const { call, refund } = await wallet();
    for (const n of [1, 2, 3]) expect((await call(both[0], n)).status).toBe(200);
    const dear = "http://shop.test/api/test/dear?n=1";
    expect((await call(both[0], 4, false, dear)).status).toBe(200);
    expect((await refund(both[0], 1, 1000n)).status).toBe(200);
    for (const n of [2, 3]) {
      const refused = await refund(both[1], n, 1000n);
      expect(refused.status).toBe(402);
      expect(correctionOf(refused).error).toMatch(/within a day.*initiateWithdraw/);
    }
    expect((await refund(both[1], 4, 500_000n)).status).toBe(200);
    expect(settled("refund")).toBe(2);
    const other = await wallet();
    expect((await other.call(both[0], 1)).status).toBe(200);
    expect((await other.refund(both[0], 1, 1000n)).status).toBe(200);
    for (const { ahead } of both) ahead.ms += DAY + 1000;
    expect((await refund(both[1], 2, 1000n)).status).toBe(200);
    expect((await refund(both[1], 3, 1000n)).status).toBe(402);
  });

  it("CH-45 asked for at the same time on two instances are one, too", async () => {
    const store = sharedStore();
    const both = [await open({ store }), await open({ store })] as const;
    const { call, refund } = await wallet();
    for (const n of [1, 2]) expect((await call(both[0], n)).status).toBe(200);
    const answers = await Promise.all([refund(both[0], 1, 1000n), refund(both[1], 2, 1000n)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 402]);
    expect(settled("refund")).toBe(1);
  });

  it("CH-45 that did not come about may be asked for again", async () => {
    const shop = await open();
    const { call, refund } = await wallet();
    for (const n of [1, 2]) expect((await call(shop, n)).status).toBe(200);
    chain.faults.set("settle refund", ["refuse"]);
    expect((await refund(shop, 1, 1000n)).status).toBe(402);
    expect((await refund(shop, 1, 1000n)).status).toBe(200);
  });
});
