/** `evm/charge` of the Machine Payments Protocol by Permit2: the host's own account takes the money, on a real chain. */
import { Challenge } from "mppx";
import { createWalletClient, encodeFunctionData, type Hex, http, parseAbi, parseEther } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import { createHandler, type Handler } from "../../src/handler/handler.js";
import type { EvmSender } from "../../src/payment/options/evm-signer.js";
import type { PaymentOptions } from "../../src/payment/options/options.js";
import { PERMIT2 } from "../../src/payment/rails/evm/chain/permit2-contracts.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { billedByUsage } from "../support/billed-by-usage.js";
import { type Permit2Chain, startPermit2Chain } from "../support/permit2-chain.js";
import { chargeIn, charging, type Signed, type SignOptions, signCharge } from "../support/permit2-charge.js";
import { quoteOf, TREASURY, toHeader } from "../support/wallets.js";

const WORK = "http://shop.test/api/test/work?n=1";
const TOKEN = parseAbi(["function approve(address spender, uint256 value)"]);
const NONCES = parseAbi(["function invalidateUnorderedNonces(uint256 word, uint256 mask)"]);
const PARTNER = "0x00000000000000000000000000000000000ab0b0";
const OTHER = "0x00000000000000000000000000000000000ab0b1";
const TYPES = "https://paymentauth.org/problems/";

let runs = 0;
let onRun: (() => Promise<void>) | undefined;
const work = defineCapability({
  id: "test.work",
  summary: "Counts its runs.",
  price: "0.001",
  source: { provider: "test", url: "", license: "MIT" },
  input: () => z.strictObject({ n: z.int().describe("Any number") }),
  output: one(z.object({ run: z.number() })),
  example: { n: 1 },
  async run() {
    await onRun?.();
    return { item: { run: ++runs } };
  },
});

const metered = billedByUsage((ctx) => {
  ctx.meter.add("0.001");
  return ++runs;
});

let lab: Permit2Chain;
const handlers: Handler[] = [];

beforeAll(async () => {
  lab = await startPermit2Chain();
});
afterEach(async () => {
  onRun = undefined;
  for (const handle of handlers.splice(0)) await handle.close();
});
afterAll(() => lab?.stop());

interface OpenOptions {
  treasury?: PaymentOptions["treasury"][string];
  instances?: number;
  sender?: (account: PrivateKeyAccount) => EvmSender;
  /** Wei of the host's own account. */
  coins?: bigint;
  fetch?: typeof globalThis.fetch;
}

const facilitator = { asked: 0 };

async function open(options: OpenOptions = {}) {
  const { treasury = TREASURY, instances = 1, sender = (given) => given as EvmSender } = options;
  const { chain } = lab;
  const account = privateKeyToAccount(generatePrivateKey());
  await chain.client.setBalance({ address: account.address, value: options.coins ?? parseEther("1") });
  const store = createMemoryStore();
  facilitator.asked = 0;
  const count =
    <T extends unknown[], R>(ask: (...given: T) => R) =>
    (...given: T): R => {
      facilitator.asked++;
      return ask(...given);
    };
  const shops = Array.from({ length: instances }, () =>
    createHandler({
      capabilities: [work, metered],
      store,
      ...(options.fetch ? { fetch: options.fetch } : {}),
      payment: {
        treasury: { [chain.network]: treasury },
        assets: { [chain.network]: { address: chain.usdc.address, name: "USD Coin", version: "2" } },
        facilitator: {
          supported: lab.facilitator.supported,
          verify: count(lab.facilitator.verify),
          settle: count(lab.facilitator.settle),
        } as never,
        rpc: { [chain.network]: chain.rpcUrl },
        mpp: { permit2: { [chain.network]: sender(account) } },
      },
    }),
  );
  handlers.push(...shops);
  const [handle] = shops as [Handler];
  const buyer = privateKeyToAccount(generatePrivateKey());
  await chain.mint(buyer.address, 100_000n);
  await approve(buyer);
  const received = await chain.balanceOf(TREASURY);
  return {
    shops,
    handle,
    buyer,
    account,
    signed: async (given?: SignOptions) => signCharge(buyer, chargeIn(await handle(new Request(WORK))), given),
    moved: async () => [
      100_000n - (await chain.balanceOf(buyer.address)),
      (await chain.balanceOf(TREASURY)) - received,
    ],
  };
}

/** A transaction of an account, for which it gets ether. */
async function send(account: PrivateKeyAccount, to: Hex, data: Hex): Promise<void> {
  const { chain, client, rpcUrl } = lab.chain;
  await client.setBalance({ address: account.address, value: parseEther("1") });
  const hash = await createWalletClient({ account, chain, transport: http(rpcUrl) }).sendTransaction({ to, data });
  expect((await client.waitForTransactionReceipt({ hash })).status).toBe("success");
}
const approve = (account: PrivateKeyAccount, value = 2n ** 256n - 1n) =>
  send(account, lab.chain.usdc.address, encodeFunctionData({ abi: TOKEN, args: [PERMIT2, value] }));

type Detail = Signed["payload"]["transferDetails"][number];
const withDetail = (at: number, other: Partial<Detail>): SignOptions => ({
  change: ({ transferDetails }) => void Object.assign(transferDetails[at] ?? {}, other),
});
type Permitted = Signed["payload"]["permit"]["permitted"][number];
const withPermitted = (other: Partial<Permitted>): SignOptions => ({
  change: ({ permit }) => void Object.assign(permit.permitted[0] ?? {}, other),
});

const pay = (handle: Handler, signed: Signed, url = WORK) => handle(new Request(url, { headers: charging(signed) }));
/** A slow machine's node may not answer in time; the same permit is sent again, as buyers are told to. */
async function untilSettled(handle: Handler, signed: Signed): Promise<number> {
  for (let tries = 0; tries < 20; tries++) {
    const { status } = await pay(handle, signed);
    if (status !== 502) return status;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return 502;
}
const bodyOf = async (response: Response) => (await response.json()) as Record<string, unknown>;

describe("a permit for the host's own account", () => {
  it("pays a call, is receipted, and buys one answer, whatever the facilitator", async () => {
    const { handle, signed, moved, buyer, account } = await open();
    const sent = await signed();
    expect(sent.challenge.request.methodDetails).toMatchObject({ permit2Address: PERMIT2, spender: account.address });
    const response = await pay(handle, sent);
    expect(response.status).toBe(200);
    const receipt = JSON.parse(Buffer.from(response.headers.get("payment-receipt") ?? "", "base64url").toString());
    expect(receipt).toMatchObject({
      ...{ method: "evm", status: "success", challengeId: sent.challenge.id, chainId: lab.chain.chain.id },
      reference: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    const body = await bodyOf(response);
    expect(body.meta).toMatchObject({ caller: "paid", payment: { payer: buyer.address, amount: "1000" } });
    expect(await moved()).toEqual([1000n, 1000n]);
    const again = await pay(handle, sent);
    expect([again.status, await bodyOf(again)]).toEqual([200, body]);
    const other = await pay(handle, sent, WORK.replace("n=1", "n=2"));
    expect([other.status, (await bodyOf(other)).type]).toEqual([402, `${TYPES}invalid-challenge`]);
    expect(await moved()).toEqual([1000n, 1000n]);
    expect(facilitator.asked).toBe(0);
  });

  it("may have the witness of the other draft, and more than it asks permitted", async () => {
    const { handle, signed, moved } = await open();
    expect((await pay(handle, await signed({ withId: true }))).status).toBe(200);
    const more = await signed({
      change: ({ permit }) => {
        for (const one of permit.permitted) one.amount = "5000";
      },
    });
    expect((await pay(handle, more)).status).toBe(200);
    expect(await moved()).toEqual([2000n, 2000n]);
  });

  it("stands behind the challenge by authorization, which stock buyers go on to pay", async () => {
    const { handle } = await open();
    const all = Challenge.fromResponseList(await handle(new Request(WORK)));
    expect(all.map(({ request }) => (request.methodDetails as { credentialTypes: string[] }).credentialTypes)).toEqual([
      ["authorization"],
      ["permit2"],
    ]);
  });
});

describe("a permit is refused before anything is asked", () => {
  it.each<[string, string, SignOptions, string?]>([
    ["for another amount", "verification-failed", withDetail(0, { requestedAmount: "999" })],
    ["that permits less", "verification-failed", withPermitted({ amount: "999" })],
    ["for another payee", "verification-failed", withDetail(0, { to: PARTNER })],
    ["for another token", "verification-failed", withPermitted({ token: PARTNER })],
    [
      "with a further transfer",
      "verification-failed",
      {
        change({ permit, transferDetails }) {
          permit.permitted.push({ token: permit.permitted[0]?.token ?? PARTNER, amount: "1" });
          transferDetails.push({ to: PARTNER, requestedAmount: "1" });
        },
      },
    ],
    ["for another spender", "verification-failed", { spender: PARTNER }, "PAYMENT_SIGNATURE_INVALID"],
    [
      "of another challenge",
      "verification-failed",
      { change: ({ witness }) => void Object.assign(witness, { challengeHash: `0x${"11".repeat(32)}` }) },
    ],
    ["that has expired", "payment-expired", { deadline: 1_000_000_000 }, "PAYMENT_EXPIRED"],
  ])("%s", async (_, type, options, code = "PAYMENT_MISMATCH") => {
    const { handle, signed, moved } = await open();
    const before = runs;
    const response = await pay(handle, await signed(options));
    expect([response.status, await bodyOf(response)]).toEqual([
      402,
      expect.objectContaining({ type: TYPES + type, code }),
    ]);
    expect([await moved(), runs - before, facilitator.asked]).toEqual([[0n, 0n], 0, 0]);
  });

  it("of another payer, without a payer, or with an authorization's challenge", async () => {
    const { handle, signed, moved } = await open();
    const sent = await signed();
    const other = await pay(handle, { ...sent, source: `${sent.source.slice(0, -40)}${"ab".repeat(20)}` });
    expect((await bodyOf(other)).type).toBe(`${TYPES}verification-failed`);
    const nameless = await pay(handle, { ...sent, source: "me" });
    expect((await bodyOf(nameless)).type).toBe(`${TYPES}malformed-credential`);
    const [first] = Challenge.fromResponseList(await handle(new Request(WORK)));
    const swapped = await pay(handle, { ...sent, challenge: first as never });
    expect(swapped.status).toBe(402);
    expect(await moved()).toEqual([0n, 0n]);
  });

  it("without its challenge, as a payment of x402", async () => {
    const { handle, signed, buyer, moved } = await open();
    const { payload } = await signed();
    const { type: _, signature, ...charge } = payload;
    const [accepted] = quoteOf(await handle(new Request(WORK))).accepts;
    const paid = { signature, permit2Charge: { from: buyer.address, ...charge } };
    const second = toHeader({ x402Version: 2, accepted, payload: paid });
    const first = toHeader({ x402Version: 1, scheme: "exact", network: "base", payload: paid });
    const shown: Record<string, string>[] = [{ "payment-signature": second }, { "x-payment": first }];
    for (const headers of shown) expect((await handle(new Request(WORK, { headers }))).status).toBe(402);
    expect([await moved(), facilitator.asked]).toEqual([[0n, 0n], 0]);
  });

  it("and one that the chain would refuse runs nothing", async () => {
    const { handle, signed, buyer, moved } = await open();
    const before = runs;
    await approve(buyer, 0n);
    const response = await pay(handle, await signed());
    expect([response.status, await bodyOf(response)]).toEqual([
      402,
      expect.objectContaining({
        type: `${TYPES}verification-failed`,
        error: expect.stringContaining("permit2_allowance_required"),
      }),
    ]);
    await approve(buyer);
    const taken = await signed();
    const nonce = BigInt(taken.payload.permit.nonce);
    const args = [nonce >> 8n, 1n << (nonce & 0xffn)] as const;
    await send(buyer, PERMIT2, encodeFunctionData({ abi: NONCES, args }));
    expect((await pay(handle, taken)).status).toBe(402);
    expect([await moved(), runs - before]).toEqual([[0n, 0n], 0]);
  });
});

describe("PAY-48 nothing is lost or paid twice", () => {
  it("when the same permit comes to two instances at once, and many at once", async () => {
    const { shops, handle, signed, moved } = await open({ instances: 2 });
    const sent = await signed();
    const before = runs;
    const answers = await Promise.all([...shops, ...shops].map((shop) => pay(shop, sent)));
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect(runs - before).toBe(1);
    expect(await moved()).toEqual([1000n, 1000n]);
    const many = await Promise.all(Array.from({ length: 6 }, () => signed()));
    const paid = await Promise.all(many.map((one, at) => untilSettled(shops[at % 2] ?? handle, one)));
    expect(paid).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await moved()).toEqual([7000n, 7000n]);
  });

  it("when the node's answer to the transaction is lost", async () => {
    let lose = false;
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const response = await globalThis.fetch(input, init);
      if (!lose || !String(init?.body).includes("eth_sendRawTransaction")) return response;
      lose = false;
      throw new TypeError("fetch failed");
    };
    const { handle, signed, moved } = await open({ fetch });
    const sent = await signed();
    lose = true;
    expect((await pay(handle, sent)).status).toBe(200);
    expect(await moved()).toEqual([1000n, 1000n]);
  });

  it("when the buyer spends its money while the work runs: the answer is withheld", async () => {
    const { handle, signed, buyer, moved } = await open();
    const sent = await signed();
    onRun = () => approve(buyer, 0n);
    const response = await pay(handle, sent);
    expect(response.status).not.toBe(200);
    expect((await moved())[1]).toBe(0n);
  });

  it("when the host's account has no coins, or signs nothing: nothing runs, and the permit stays good", async () => {
    const poor = await open({ coins: 0n });
    const before = runs;
    const sent = await poor.signed();
    const response = await pay(poor.handle, sent);
    expect([response.status, (await bodyOf(response)).code]).toEqual([502, "FACILITATOR_UNAVAILABLE"]);
    expect(runs).toBe(before);
    await lab.chain.client.setBalance({ address: poor.account.address, value: parseEther("1") });
    expect((await pay(poor.handle, sent)).status).toBe(200);
    expect(await poor.moved()).toEqual([1000n, 1000n]);
  });
});

describe("a treasury that is a list", () => {
  const treasury = [
    { payTo: TREASURY, share: 7_000 },
    { payTo: PARTNER, share: 2_500 },
    { payTo: OTHER, share: 500 },
  ];
  const owned = () => Promise.all([PARTNER, OTHER].map((one) => lab.chain.balanceOf(one as Hex)));

  it("PAY-48 is paid in parts, on chain, and the books owe nobody anything for it", async () => {
    const { handle, signed, moved } = await open({ treasury });
    const before = await owned();
    const sent = await signed();
    expect(sent.challenge.request.methodDetails.splits).toEqual([
      { amount: "250", recipient: PARTNER },
      { amount: "50", recipient: OTHER },
    ]);
    expect(await untilSettled(handle, sent)).toBe(200);
    expect(await moved()).toEqual([1000n, 700n]);
    expect((await owned()).map((has, at) => has - (before[at] ?? 0n))).toEqual([250n, 50n]);
    await handle.tick();
    const rows = await handle.payouts.list();
    expect(rows.map(({ payTo, earnedUsd, paidUsd, owedUsd }) => [payTo, earnedUsd, paidUsd, owedUsd])).toEqual([
      [TREASURY, "0.0007", "0.0007", "0"],
      [PARTNER, "0.00025", "0.00025", "0"],
      [OTHER, "0.00005", "0.00005", "0"],
    ]);
    expect(await handle.payouts.pay()).toEqual([]);
    // A copy of the answer, and another round, count nothing again.
    await pay(handle, sent);
    await handle.tick();
    expect((await handle.payouts.list()).map(({ owedUsd }) => owedUsd)).toEqual(["0", "0", "0"]);
  });

  it("is not paid in parts where usage decides what goes back", async () => {
    const { handle, buyer } = await open({ treasury });
    const url = WORK.replace("work", "model");
    const challenge = chargeIn(await handle(new Request(url)));
    expect([challenge.request.amount, challenge.request.methodDetails.splits]).toEqual(["20000", undefined]);
    const response = await pay(handle, await signCharge(buyer, challenge), url);
    expect(response.status).toBe(200);
    await handle.tick();
    expect((await handle.payouts.list()).map(({ earnedUsd, owedUsd }) => [earnedUsd, owedUsd])).toEqual([
      ["0.0007", "0"],
      ["0.00025", "0.00025"],
      ["0.00005", "0.00005"],
    ]);
  });

  it.each<[string, SignOptions]>([
    ["in another order", { change: ({ transferDetails: all }) => void all.splice(1, 2, ...all.slice(1).reverse()) }],
    [
      "without one of them",
      {
        change({ permit, transferDetails }) {
          permit.permitted.pop();
          transferDetails.pop();
        },
      },
    ],
    [
      "to the payee alone",
      {
        change({ permit, transferDetails }) {
          permit.permitted.splice(1);
          transferDetails.splice(1);
        },
      },
    ],
    ["with another part", withDetail(1, { requestedAmount: "249" })],
  ])("is not paid %s", async (_, options) => {
    const { handle, signed, moved } = await open({ treasury });
    const response = await pay(handle, await signed(options));
    expect([response.status, (await bodyOf(response)).code]).toEqual([402, "PAYMENT_MISMATCH"]);
    expect(await moved()).toEqual([0n, 0n]);
  });
});
