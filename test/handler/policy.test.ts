/** Who may buy: asked once the payment is verified, before anything is settled, run or used up, on every way in. */
import { createHash } from "node:crypto";
import { Challenge, Credential } from "mppx";
import { keccak256, toHex } from "viem";
import { describe, expect, it, vi } from "vitest";
import { batchRun } from "../../src/capabilities/batch/index.js";
import { convertUnit } from "../../src/capabilities/convert/index.js";
import { createHandler } from "../../src/handler/handler.js";
import type { PolicyRequest } from "../../src/payment/admission/options.js";
import { createCredits } from "../../src/payment/refund/credit.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { openShop, type ShopOptions } from "../support/shop.js";
import { fakeUpstream } from "../support/upstream.js";
import { alice, mallory, quoteOf, sign, toHeader } from "../support/wallets.js";

const WORK = "/test/work?n=1";
const NO = { allow: false, code: "EMBARGO", reason: "We do not sell there." } as const;
const CREDIT = "x-svc-credit";

function asking(policy: ShopOptions["policy"] = () => NO, more: ShopOptions = {}) {
  const asked: PolicyRequest[] = [];
  const shop = openShop({
    trial: false,
    policy: (request) => {
      asked.push(request);
      return policy(request);
    },
    ...more,
  });
  return { ...shop, asked };
}

async function expectRefused(response: Response, reasonCode: string) {
  const body = await bodyOf(response);
  expect([response.status, body]).toMatchObject([403, { code: "NOT_ALLOWED", status: 403, reasonCode }]);
  return body as unknown as { detail: string };
}

describe("a policy", () => {
  it("refuses a verified payment before anything is settled or run, and the host is told", async () => {
    const shop = asking();
    const payment = await shop.payFor(WORK);
    const { detail } = await expectRefused(await shop.pay(WORK, payment), "EMBARGO");
    expect(detail).toBe("We do not sell there.");
    expect(shop.facilitator.calls.map(({ path }) => path)).toEqual(["verify"]);
    expect([shop.runs(), shop.facilitator.settled]).toEqual([0, []]);
    const told = { outcome: "failed", status: 403, code: "NOT_ALLOWED", reasonCode: "EMBARGO" };
    expect(shop.events.at(-1)).toMatchObject({ ...told, payer: alice.address });
  });

  it("hears who buys what, from where, for how much, and the digest of the input", async () => {
    const shop = asking(() => ({ allow: true }));
    const headers = { "payment-signature": toHeader(await shop.payFor(WORK)) };
    const info = { clientAddress: "203.0.113.9", country: "DE" };
    const response = await shop.handle(new Request(`http://shop.test/api${WORK}`, { headers }), info);
    expect(response.status).toBe(200);
    expect(shop.asked).toEqual([
      {
        endpoint: "test.work",
        priceUsd: "0.001",
        payer: alice.address,
        network: "eip155:8453",
        clientAddress: "203.0.113.9",
        country: "DE",
        inputDigest: createHash("sha256").update('{"n":1}').digest("hex"),
        via: "http",
      },
    ]);
  });

  it("knows a wallet whatever the buyer's spelling of it", async () => {
    const shop = asking();
    const from = alice.address.toLowerCase();
    await expectRefused(await shop.pay(WORK, await shop.payFor(WORK, { authorization: { from } })), "EMBARGO");
    expect(shop.asked[0]?.payer).toBe(alice.address);
  });

  it("is not asked for a forged payment, nor again for an answer that is already bought", async () => {
    const shop = asking(() => ({ allow: true }));
    shop.facilitator.faults.verify.push("refuse");
    expect((await shop.pay(WORK, await shop.payFor(WORK))).status).toBe(402);
    expect(shop.asked).toEqual([]);
    const payment = await shop.payFor(WORK);
    for (let i = 0; i < 2; i++) expect((await shop.pay(WORK, payment)).status).toBe(200);
    expect([shop.asked.length, shop.runs()]).toEqual([1, 1]);
  });

  it("leaves the payment good: once it allows, the same one buys", async () => {
    let allow = false;
    const shop = asking(() => (allow ? { allow: true } : NO));
    const payment = await shop.payFor(WORK);
    await expectRefused(await shop.pay(WORK, payment), "EMBARGO");
    allow = true;
    expect((await shop.pay(WORK, payment)).status).toBe(200);
    expect(shop.facilitator.settled).toHaveLength(1);
  });

  it("refuses a trial without using it up", async () => {
    let allow = false;
    const shop = asking(({ via }) => (allow || via !== "trial" ? { allow: true } : NO), { trial: {} });
    const trial = () => shop.get(WORK, { "x-svc-trial": "1" });
    for (let i = 0; i < 5; i++) await expectRefused(await trial(), "EMBARGO");
    // A payment that comes along is judged for itself.
    const paid = { "x-svc-trial": "1", "payment-signature": toHeader(await shop.payFor(WORK)) };
    expect((await shop.get(WORK, paid)).status).toBe(200);
    allow = true;
    expect((await trial()).status).toBe(200);
  });

  it("is asked about credit before any of it is held", async () => {
    const store = createMemoryStore();
    const shop = asking(({ via }) => (via === "credit" ? NO : { allow: true }), { store });
    const credits = createCredits(store, () => shop.clock().getTime());
    const token = await credits.issue("earlier", alice.address, 5000n);
    await expectRefused(await shop.get(WORK, { [CREDIT]: token }), "EMBARGO");
    expect(shop.asked).toMatchObject([{ via: "credit", payer: alice.address }]);
    expect((await credits.find(token))?.available).toBe(5000n);
  });

  it("is asked about buyers of the Machine Payments Protocol", async () => {
    const shop = asking();
    const quoted = await shop.get(WORK);
    const [terms] = quoteOf(quoted).accepts;
    if (!terms) throw new Error("nothing offered");
    const challenge = Challenge.fromResponse(quoted);
    const nonce = keccak256(toHex(challenge.id + challenge.realm));
    const { payload } = await sign(terms, { now: shop.clock.seconds(), authorization: { nonce } });
    const { authorization, signature } = payload;
    const bought = { challenge, payload: { type: "authorization", ...authorization, signature } } as const;
    const headers = { authorization: Credential.serialize(bought as unknown as Credential.Credential) };
    await expectRefused(await shop.get(WORK, headers), "EMBARGO");
    expect(shop.asked).toMatchObject([{ via: "mpp", payer: alice.address }]);
    expect(shop.facilitator.settled).toEqual([]);
  });

  it("is asked about calls of models", async () => {
    const shop = asking();
    const payment = await shop.payFor(WORK);
    const params = { name: "test_work", arguments: { n: 1 }, _meta: { "x402/payment": payment } };
    const response = await shop.handle(
      new Request("http://shop.test/api/mcp", {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
      }),
      { clientAddress: "203.0.113.7" },
    );
    const { result } = (await response.json()) as { result: { isError: boolean; structuredContent: unknown } };
    expect(result).toMatchObject({ isError: true, structuredContent: { code: "NOT_ALLOWED", reasonCode: "EMBARGO" } });
    expect(shop.asked).toMatchObject([{ via: "mcp", payer: alice.address, clientAddress: "203.0.113.7" }]);
    expect(shop.runs()).toBe(0);
  });

  it("is asked about each endpoint within a batch", async () => {
    const asked: string[] = [];
    const handle = createHandler({
      capabilities: [batchRun, convertUnit],
      payment: false,
      policy: ({ endpoint, via }) => {
        asked.push(`${via} ${endpoint}`);
        return endpoint === "convert.unit" ? NO : { allow: true };
      },
    });
    const call = { endpoint: "convert.unit", params: { value: 1, from: "kg", to: "lb" } };
    const body = JSON.stringify({ calls: [call, call] });
    await expectRefused(await handle(new Request("http://h.test/api/batch/run", { method: "POST", body })), "EMBARGO");
    expect(asked).toEqual(["free batch.run", "batch convert.unit"]);
  });

  it.each<[string, ShopOptions["policy"]]>([
    [
      "throws",
      () => {
        throw new Error("secret of the host");
      },
    ],
    ["rejects", () => Promise.reject(new Error("secret of the host"))],
    ["answers nothing", () => undefined as never],
    ["answers a truth that is none", () => ({ allow: "yes" }) as never],
    ["refuses without a reason", () => ({ allow: false }) as never],
  ])("that %s closes the door with 503, and the host is told", async (_, policy) => {
    const errors: unknown[] = [];
    const quiet = () => {};
    const logger = { debug: quiet, info: quiet, warn: quiet, error: (facts: object) => errors.push(facts) };
    const shop = asking(policy, { logger });
    const response = await shop.pay(WORK, await shop.payFor(WORK));
    const text = await response.text();
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(JSON.parse(text)).toMatchObject({ code: "POLICY_UNAVAILABLE" });
    expect(text).not.toContain("secret");
    expect([shop.runs(), shop.facilitator.settled.length, errors.length]).toEqual([0, 0, 1]);
    expect(shop.events.at(-1)).toMatchObject({ code: "POLICY_UNAVAILABLE", status: 503 });
  });

  it("that does not answer closes the door, too", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const shop = asking(() => new Promise(() => {}));
      const payment = await shop.payFor(WORK);
      const answer = shop.pay(WORK, payment);
      await vi.waitUntil(async () => {
        await vi.advanceTimersByTimeAsync(1000);
        return shop.events.at(-1)?.outcome === "failed";
      });
      expect([(await answer).status, shop.runs()]).toEqual([503, 0]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("lists of payers", () => {
  const plain = alice.address;
  const shouted = `0x${plain.slice(2).toUpperCase()}`;
  it.each([plain, shouted, `eip155:8453:${plain.toLowerCase()}`, `eip155:8453:${shouted}`])(
    "deny %s whatever its case, and nobody else",
    async (listed) => {
      const shop = openShop({ trial: false, payers: { deny: [listed] } });
      await expectRefused(await shop.pay(WORK, await shop.payFor(WORK)), "PAYER_DENIED");
      expect((await shop.pay(WORK, await shop.payFor(WORK, { wallet: mallory }))).status).toBe(200);
    },
  );

  it("hold on the network that they name", async () => {
    const shop = openShop({ trial: false, payers: { deny: [`eip155:1:${plain}`] } });
    expect((await shop.pay(WORK, await shop.payFor(WORK))).status).toBe(200);
  });

  it("allow only those that they name", async () => {
    const shop = openShop({ trial: false, payers: { allow: [plain.toLowerCase()] } });
    expect((await shop.pay(WORK, await shop.payFor(WORK))).status).toBe(200);
    await expectRefused(await shop.pay(WORK, await shop.payFor(WORK, { wallet: mallory })), "PAYER_NOT_LISTED");
    expect(shop.facilitator.settled).toHaveLength(1);
  });

  it.each([["0x12"], ["eip155:8453:0x12"], ["solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:0x12"], ["bip122:x:1abc"], [7]])(
    "refuse %s when the host is made",
    (listed) => {
      expect(() => openShop({ payers: { deny: [listed as string] } })).toThrow(/payers\.deny\[0\] must be an account/);
    },
  );
});

describe("the sanctions list", () => {
  const BASE = "sanctioned_addresses_";
  const listing = (eth: unknown, status = 200) => {
    const facilitator = fakeFacilitator();
    const lists = fakeUpstream([
      { url: `${BASE}ETH.json`, body: eth, status },
      { url: `${BASE}XBT.json`, body: ["12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h"] },
      { url: BASE, status: 404 },
    ]);
    const fetch: typeof globalThis.fetch = (input, init) =>
      String(input instanceof Request ? input.url : input).includes(BASE)
        ? lists.fetch(input, init)
        : facilitator.fetch(input, init);
    const shop = openShop({ facilitator, fetch, trial: false, sanctions: true, cache: false });
    return { ...shop, lists };
  };

  it("refuses its wallets whatever their case, settles nothing, and tells the host", async () => {
    const shop = listing([alice.address.toLowerCase()]);
    await expectRefused(await shop.pay(WORK, await shop.payFor(WORK)), "SANCTIONED");
    expect(shop.events.at(-1)).toMatchObject({ code: "NOT_ALLOWED", reasonCode: "SANCTIONED", payer: alice.address });
    expect([shop.facilitator.settled, shop.runs()]).toEqual([[], 0]);
    expect((await shop.pay(WORK, await shop.payFor(WORK, { wallet: mallory }))).status).toBe(200);
    expect(shop.lists.seen).toHaveLength(17);
  });

  it("clears nobody while it cannot be read, and is read again", async () => {
    const shop = listing({ moved: true });
    for (let i = 1; i <= 2; i++) {
      const response = await shop.pay(WORK, await shop.payFor(WORK));
      expect([response.status, (await bodyOf(response)).code]).toEqual([503, "POLICY_UNAVAILABLE"]);
      expect(shop.lists.seen.filter(({ url }) => url.href.includes("_ETH"))).toHaveLength(i);
    }
    expect(shop.facilitator.settled).toEqual([]);
  });

  it("is read by nobody who did not ask for it", async () => {
    const shop = openShop({ trial: false });
    expect((await shop.pay(WORK, await shop.payFor(WORK))).status).toBe(200);
  });
});
