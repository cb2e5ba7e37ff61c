/** The scheme `exact` through Permit2, by the official client and facilitator on a chain: any ERC-20 sells. */
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { createWalletClient, encodeFunctionData, type Hex, http, parseAbi, parseEther } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import { createHandler, type Handler } from "../../src/handler/handler.js";
import { EXACT_PROXY, PERMIT2 } from "../../src/payment/rails/evm/chain/permit2-contracts.js";
import type { Facilitator } from "../../src/payment/x402/transport.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { createExactBuyer, type Permit2Chain, startPermit2Chain } from "../support/permit2-chain.js";
import { receiptOf } from "../support/shop.js";
import { quoteOf, TREASURY, toHeader } from "../support/wallets.js";

const WORK = "http://shop.test/api/test/work?n=1";
const TOKEN = parseAbi(["function approve(address spender, uint256 value)"]);
const NONCES = parseAbi(["function invalidateUnorderedNonces(uint256 word, uint256 mask)"]);
const MULTICALL = "0xcA11bde05977b3631167028862bE2a173976CA11";
const MULTICALL_ABI = parseAbi(["function tryAggregate(bool requireSuccess, (address, bytes)[] calls) payable"]);
const PROXY_ABI = parseAbi([
  "function settle(((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline) permit, address owner, (address to, uint256 validAfter) witness, bytes signature)",
]);

let runs = 0;
const work = defineCapability({
  id: "test.work",
  summary: "Counts its runs.",
  price: "0.001",
  source: { provider: "test", url: "", license: "MIT" },
  input: () => z.strictObject({ n: z.int().describe("Any number") }),
  output: one(z.object({ run: z.number() })),
  example: { n: 1 },
  run: async () => ({ item: { run: ++runs } }),
});

let lab: Permit2Chain;
const handlers: Handler[] = [];

beforeAll(async () => {
  lab = await startPermit2Chain();
});
afterEach(async () => {
  for (const handle of handlers.splice(0)) await handle.close();
});
afterAll(() => lab?.stop());

interface OpenOptions {
  facilitator?: Facilitator;
  /** The domain of the token's own permit; without it the token counts as one that has none. */
  domain?: { name?: string; version?: string };
  schemes?: ("exact" | "upto")[];
  instances?: number;
}

const USD_COIN = { name: "USD Coin", version: "2" };

/** Shops on one store that sell for the token through Permit2, and a stock buyer with ten cents, no ether and no allowance. */
async function open({ facilitator = lab.facilitator, domain = USD_COIN, schemes, instances = 1 }: OpenOptions = {}) {
  const { chain } = lab;
  const store = createMemoryStore();
  const shops = Array.from({ length: instances }, () =>
    createHandler({
      capabilities: [work],
      store,
      payment: {
        treasury: { [chain.network]: TREASURY },
        assets: { [chain.network]: { address: chain.usdc.address, ...domain, transferMethod: "permit2" } },
        facilitator,
        schemes: schemes ?? ["exact", "upto"],
        rpc: { [chain.network]: chain.rpcUrl },
      },
    }),
  );
  handlers.push(...shops);
  const [handle] = shops as [Handler];
  // The facilitator is asked what it supports.
  await expect.poll(async () => (await quoteOf(await handle(new Request(WORK)))).accepts.length).toBeGreaterThan(0);
  const sent: Request[] = [];
  const buyer = createExactBuyer(chain, async (input, init) => {
    const request = new Request(input, init);
    sent.push(request.clone());
    return handle(request);
  });
  await chain.mint(buyer.address, 100_000n);
  const received = await chain.balanceOf(TREASURY);
  return {
    shops,
    handle,
    buyer,
    again: (shop = handle) => shop(sent.at(-1) as Request),
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

type Sent = Awaited<ReturnType<typeof signedBy>>;

/** What the official client signs for a quote of a shop. */
async function signedBy(account: PrivateKeyAccount, handle: Handler) {
  const [terms] = (await quoteOf(await handle(new Request(WORK)))).accepts;
  const signer = { ...account, readContract: async () => 2n ** 200n };
  const made = await new ExactEvmScheme(signer as never).createPaymentPayload(2, terms as never);
  return { ...made, accepted: terms } as unknown as {
    payload: { signature: Hex; permit2Authorization: Permit };
    accepted: object;
    extensions?: Record<string, unknown>;
  };
}
interface Permit {
  from: Hex;
  permitted: { token: Hex; amount: string };
  spender: Hex;
  nonce: string;
  deadline: string;
  witness: { to: Hex; validAfter: string; facilitator?: Hex };
}

const codeOf = async (response: Response) =>
  ((await response.json()) as { extensions?: { code?: string } }).extensions?.code;

const pay = (handle: Handler, payment: object) =>
  handle(new Request(WORK, { headers: { "payment-signature": toHeader(payment) } }));

/** Calls of the proxy, by anybody. */
const settling = ({ payload: { permit2Authorization: permit, signature } }: Sent): Hex => {
  const { permitted, nonce, deadline, from, witness } = permit;
  const signed = {
    permitted: { ...permitted, amount: BigInt(permitted.amount) },
    ...{ nonce: BigInt(nonce), deadline: BigInt(deadline) },
  };
  const to = { to: witness.to, validAfter: BigInt(witness.validAfter) };
  return encodeFunctionData({ abi: PROXY_ABI, args: [signed, from, to, signature] });
};

const stranger = privateKeyToAccount(generatePrivateKey());
const funded = async () => {
  const account = privateKeyToAccount(generatePrivateKey());
  await lab.chain.mint(account.address, 100_000n);
  await approve(account);
  return account;
};

describe("exact through Permit2", () => {
  it("a stock buyer without ether pays: its allowance is a permit of the token, and later payments need none", async () => {
    const { buyer, moved, handle } = await open();
    for (const n of [1, 2]) {
      const response = await buyer.fetch(WORK);
      expect([response.status, receiptOf(response).success], `payment ${n}`).toEqual([200, true]);
      expect((await bodyOf(response)).meta).toMatchObject({ payment: { scheme: "exact" }, costUsd: "0.001" });
    }
    expect(await moved()).toEqual([2000n, 2000n]);
    expect((await handle.ledger()).total).toMatchObject({ calls: 2, settledUsd: "0.002" });
  });

  it("is offered with its gas where the host takes no other scheme, which needs no facilitator's account", async () => {
    const { buyer, moved, handle } = await open({ schemes: ["exact"] });
    const named = async () => Object.keys((await quoteOf(await handle(new Request(WORK)))).extensions as object);
    await expect.poll(named).toContain("eip2612GasSponsoring");
    expect((await buyer.fetch(WORK)).status).toBe(200);
    expect(await moved()).toEqual([1000n, 1000n]);
  });

  it("a token without a permit sells as well: the buyer signs its approval, and the facilitator pays the gas", async () => {
    const { buyer, moved, handle } = await open({ domain: {} });
    const { accepts, extensions } = await quoteOf(await handle(new Request(WORK)));
    expect(accepts[0]?.extra).toMatchObject({ assetTransferMethod: "permit2" });
    expect(accepts[0]?.extra).not.toHaveProperty("name");
    expect(Object.keys(extensions as object)).toContain("erc20ApprovalGasSponsoring");
    expect(Object.keys(extensions as object)).not.toContain("eip2612GasSponsoring");
    expect((await buyer.fetch(WORK)).status).toBe(200);
    expect(await moved()).toEqual([1000n, 1000n]);
  });

  it("a wallet that allowed Permit2 before signs the payment alone", async () => {
    const { handle } = await open();
    const account = await funded();
    const before = runs;
    const payment = await signedBy(account, handle);
    expect(await pay(handle, payment).then(({ status }) => status)).toBe(200);
    expect(await lab.chain.balanceOf(account.address)).toBe(99_000n);
    expect(runs).toBe(before + 1);
  });

  it("PAY-2 one permit buys one result on two instances at once, and its repetition gets the same answer", async () => {
    const { shops } = await open({ instances: 2 });
    const account = await funded();
    const payment = await signedBy(account, shops[0] as Handler);
    const before = runs;
    const answers = await Promise.all(shops.flatMap((shop) => [pay(shop, payment), pay(shop, payment)]));
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect(await Promise.all(shops.map(async (shop) => (await pay(shop, payment)).status))).toEqual([200, 200]);
    expect([runs, await lab.chain.balanceOf(account.address)]).toEqual([before + 1, 99_000n]);
  });

  it("a wallet that allowed nothing is refused before the work, and nothing is lost", async () => {
    const { handle } = await open();
    const account = privateKeyToAccount(generatePrivateKey());
    await lab.chain.mint(account.address, 100_000n);
    const before = runs;
    const response = await pay(handle, await signedBy(account, handle));
    expect([response.status, runs]).toEqual([402, before]);
    expect(JSON.stringify(await bodyOf(response))).toContain("permit2_allowance_required");
  });

  it("an allowance that ends between check and settlement withholds the answer", async () => {
    const account = await funded();
    const facilitator: Facilitator = {
      ...lab.facilitator,
      async settle(...args) {
        await approve(account, 0n);
        return lab.facilitator.settle(...args);
      },
    };
    const { handle } = await open({ facilitator });
    const response = await pay(handle, await signedBy(account, handle));
    // The transaction failed, so its payment can still come until its deadline.
    expect(await bodyOf(response)).toMatchObject({ code: "SETTLEMENT_PENDING" });
    expect((await handle.ledger()).total).toMatchObject({ calls: 0 });
    expect(await lab.chain.balanceOf(account.address)).toBe(100_000n);
  });

  it("PAY-24 a settlement whose answer is lost is found on the chain by its nonce", async () => {
    const transactions: string[] = [];
    const facilitator: Facilitator = {
      ...lab.facilitator,
      async settle(...args) {
        transactions.push(((await lab.facilitator.settle(...args)) as { transaction: string }).transaction);
        throw new Error("connection reset");
      },
    };
    const { buyer, moved, again } = await open({ facilitator });
    const found = [await buyer.fetch(WORK), await buyer.fetch(WORK)];
    expect(found.map((response) => receiptOf(response).transaction)).toEqual(transactions);
    expect(await moved()).toEqual([2000n, 2000n]);
    expect(receiptOf(await again()).transaction).toBe(transactions[1]);
  });

  it.each([
    ["a call of the proxy", (calls: Hex[]) => calls.map((data) => [EXACT_PROXY, data] as const)],
    [
      "one transaction of a contract, in another order",
      (calls: Hex[]) => {
        const each = calls.toReversed().map((data) => [EXACT_PROXY, data] as [Hex, Hex]);
        return [[MULTICALL, encodeFunctionData({ abi: MULTICALL_ABI, args: [true, each] })] as const];
      },
    ],
  ])("payments that a stranger settled first, by %s, are paid, each by its own transfer", async (_, carry) => {
    const signed: Sent[] = [];
    let arrived = 0;
    let release = () => {};
    const both = new Promise<void>((resolve) => {
      release = resolve;
    });
    const facilitator: Facilitator = {
      ...lab.facilitator,
      async settle(...args) {
        if (++arrived === 2) {
          for (const [to, data] of carry(signed.map(settling))) await send(stranger, to as Hex, data as Hex);
          release();
        }
        await both;
        return lab.facilitator.settle(...args);
      },
    };
    const { handle } = await open({ facilitator });
    const account = await funded();
    signed.push(await signedBy(account, handle), await signedBy(account, handle));
    const answers = await Promise.all(signed.map((payment) => pay(handle, payment)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await lab.chain.balanceOf(account.address)).toBe(98_000n);
    expect((await handle.ledger()).total).toMatchObject({ calls: 2, settledUsd: "0.002" });
  });

  /** Another permit of the payer, for the same amount of the same token. */
  const altered = async (account: PrivateKeyAccount, handle: Handler, change: (permit: Permit) => void) => {
    const sent = await signedBy(account, handle);
    change(sent.payload.permit2Authorization);
    return settling(sent);
  };

  it.each<[string, (account: PrivateKeyAccount, handle: Handler) => Promise<Hex>]>([
    [
      "one of the same payer to another payee",
      async (account, handle) => {
        const [terms] = (await quoteOf(await handle(new Request(WORK)))).accepts;
        const signer = { ...account, readContract: async () => 2n ** 200n };
        const elsewhere = { ...terms, payTo: "0x00000000000000000000000000000000000000A1" };
        const made = await new ExactEvmScheme(signer as never).createPaymentPayload(2, elsewhere as never);
        return settling(made as never);
      },
    ],
    [
      "one that was settled before, and fails there",
      async (account, handle) => {
        const earlier = await signedBy(account, handle);
        await send(stranger, EXACT_PROXY, settling(earlier));
        return settling(earlier);
      },
    ],
    [
      "one that nobody signed",
      (account, handle) => altered(account, handle, (permit) => Object.assign(permit, { nonce: "7" })),
    ],
  ])("a payment that a stranger settled first, behind %s in one transaction, is paid", async (_, other) => {
    const account = await funded();
    let ahead: Hex = "0x";
    let signed: Sent | undefined;
    const facilitator: Facilitator = {
      ...lab.facilitator,
      async settle(...args) {
        const own = settling(signed as Sent);
        const each = [ahead, ahead, own, own].map((data) => [EXACT_PROXY, data] as const);
        await send(stranger, MULTICALL, encodeFunctionData({ abi: MULTICALL_ABI, args: [false, each] }));
        return lab.facilitator.settle(...args);
      },
    };
    const { handle } = await open({ facilitator });
    ahead = await other(account, handle);
    signed = await signedBy(account, handle);
    const response = await pay(handle, signed);
    expect(response.status, JSON.stringify(await bodyOf(response.clone()))).toBe(200);
    expect((await handle.ledger()).total).toMatchObject({ calls: 1, settledUsd: "0.001" });
  });

  it("a nonce that the payer revoked buys nothing, and a payment to somebody else does not count for it", async () => {
    const account = await funded();
    const facilitator: Facilitator = {
      ...lab.facilitator,
      async settle(...args) {
        const { nonce } = (args[0] as unknown as Sent).payload.permit2Authorization;
        const mask = 1n << (BigInt(nonce) & 0xffn);
        const data = encodeFunctionData({ abi: NONCES, args: [BigInt(nonce) >> 8n, mask] });
        await send(account, PERMIT2, data);
        return lab.facilitator.settle(...args);
      },
    };
    const { handle } = await open({ facilitator });
    const response = await pay(handle, await signedBy(account, handle));
    expect(response.status).not.toBe(200);
    expect(await bodyOf(response)).not.toHaveProperty("data");
    expect(await lab.chain.balanceOf(account.address)).toBe(100_000n);
  });

  const OTHER = "0x00000000000000000000000000000000000000A1";
  it.each<[string, (permit: Permit) => void]>([
    ["another payee", ({ witness }) => Object.assign(witness, { to: OTHER })],
    ["another amount", ({ permitted }) => Object.assign(permitted, { amount: "999" })],
    ["more than asked", ({ permitted }) => Object.assign(permitted, { amount: "1001" })],
    ["another token", ({ permitted }) => Object.assign(permitted, { token: OTHER })],
    ["another spender", (permit) => Object.assign(permit, { spender: OTHER })],
    ["a facilitator in its witness", ({ witness }) => Object.assign(witness, { facilitator: OTHER })],
    ["another nonce than the signed one", (permit) => Object.assign(permit, { nonce: "7" })],
    ["a deadline that has passed", (permit) => Object.assign(permit, { deadline: "1700000000" })],
    ["a time that has not come", ({ witness }) => Object.assign(witness, { validAfter: "9999999999" })],
    ["a number that is none", (permit) => Object.assign(permit, { nonce: "0x07" })],
  ])("a permit with %s is refused before the facilitator is asked", async (_, spoil) => {
    let asked = 0;
    const facilitator: Facilitator = {
      ...lab.facilitator,
      verify(...args) {
        asked++;
        return lab.facilitator.verify(...args);
      },
    };
    const { handle } = await open({ facilitator });
    const payment = await signedBy(privateKeyToAccount(generatePrivateKey()), handle);
    spoil(payment.payload.permit2Authorization);
    const before = runs;
    const response = await pay(handle, payment);
    expect([response.status, asked, runs]).toEqual([402, 0, before]);
  });

  it("an approval that does anything else is refused before the facilitator is asked", async () => {
    let asked = 0;
    const facilitator: Facilitator = {
      ...lab.facilitator,
      verify(...args) {
        asked++;
        return lab.facilitator.verify(...args);
      },
    };
    const { handle } = await open({ facilitator });
    const account = privateKeyToAccount(generatePrivateKey());
    const { chain, usdc } = lab.chain;
    const token = usdc.address;
    const usual = { type: "eip1559" as const, chainId: chain.id, nonce: 0, gas: 70_000n, maxFeePerGas: 1n, to: token };
    const data = (spender: Hex, value: bigint) => encodeFunctionData({ abi: TOKEN, args: [spender, value] });
    const wrong = [
      { ...usual, data: data(OTHER, 1000n) },
      { ...usual, data: data(PERMIT2, 999n) },
      { ...usual, data: data(PERMIT2, 1000n), to: OTHER as Hex },
      { ...usual, data: data(PERMIT2, 1000n), value: 1n },
      { ...usual, data: data(PERMIT2, 1000n), chainId: 1 },
      { ...usual, data: `${data(PERMIT2, 1000n)}00` as Hex },
    ];
    const info = { from: account.address, asset: token, spender: PERMIT2, amount: "1000", version: "1" };
    const payment = await signedBy(account, handle);
    const withApproval = (signedTransaction: string) => ({
      ...payment,
      extensions: { erc20ApprovalGasSponsoring: { info: { ...info, signedTransaction } } },
    });
    for (const transaction of wrong) {
      const response = await pay(handle, withApproval(await account.signTransaction(transaction)));
      expect(await codeOf(response)).toBe("PAYMENT_MISMATCH");
    }
    const foreign = await stranger.signTransaction({ ...usual, data: data(PERMIT2, 1000n) });
    expect(await codeOf(await pay(handle, withApproval(foreign)))).toBe("PAYMENT_MISMATCH");
    expect(await codeOf(await pay(handle, withApproval("0x02c0")))).toBe("PAYMENT_MISMATCH");
    expect(await codeOf(await pay(handle, withApproval("0x01")))).toBe("PAYMENT_MALFORMED");
    expect(asked).toBe(0);
  });

  it("clients that sign authorizations alone are offered none of it", async () => {
    const { handle } = await open();
    const response = await handle(new Request(WORK));
    expect(response.headers.get("www-authenticate") ?? "").not.toContain("Payment");
    const old = await handle(new Request(WORK, { headers: { "x-402-version": "1" } }));
    expect(await old.json()).toMatchObject({ x402Version: 1, accepts: [] });
  });

  it("what was not used of a maximum goes back through Permit2, once", async () => {
    const { chain } = lab;
    const refunder = await funded();
    const model = defineCapability({
      ...{ id: "test.model", summary: "Uses a part.", price: "0.02", billing: "upto" as const },
      ...{ source: { provider: "test", url: "", license: "MIT" }, output: one(z.object({})), example: { n: 1 } },
      input: () => z.strictObject({ n: z.int().describe("Any number") }),
      run(_, { meter }) {
        meter.add("0.005");
        return { item: {} };
      },
    });
    const handle = createHandler({
      capabilities: [model],
      payment: {
        treasury: { [chain.network]: TREASURY },
        assets: { [chain.network]: { address: chain.usdc.address, transferMethod: "permit2" } },
        facilitator: lab.facilitator,
        rpc: { [chain.network]: chain.rpcUrl },
        refunds: { [chain.network]: refunder },
      },
    });
    handlers.push(handle);
    const buyer = createExactBuyer(chain, async (input, init) => handle(new Request(input, init)));
    await chain.mint(buyer.address, 100_000n);
    await approve(buyer.account);
    expect((await buyer.fetch("http://shop.test/api/test/model?n=1")).status).toBe(200);
    await expect.poll(() => chain.balanceOf(buyer.address)).toBe(95_000n);
    expect(await chain.balanceOf(refunder.address)).toBe(85_000n);
  });
});
