import { parseEther } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cryptoBalances } from "../../../src/capabilities/crypto/balances.js";
import { type EvmChain, startEvmChain } from "../../support/evm-chain.js";
import { fakeUpstream } from "../../support/upstream.js";

const HOLDER = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
const ANSWER_ONE_WORD = (word: string) => `0x7f${word}5f5260205ff3` as const;
const REVERT = "0x5f5ffd";
const BURN_ALL_GAS = "0xfe";

let chain: EvmChain;
beforeAll(async () => {
  chain = await startEvmChain();
}, 60_000);
afterAll(() => chain.stop());

async function token(symbol: string, decimals: number | bigint, amount: bigint) {
  const { address, write } = await chain.placeContract("PlainToken");
  await write("describe", symbol, decimals);
  await write("mint", HOLDER, amount);
  return address;
}

const balancesOf = (tokens: string[], address = HOLDER) =>
  cryptoBalances({ address, tokens: tokens.join(",") }, { secrets: chain.secrets, cache: false });

describe("crypto.balances, from a node", () => {
  it("gives the native coin to the last wei, and nothing of tokens that were not asked for", async () => {
    await chain.client.setBalance({ address: HOLDER, value: parseEther("12345678.000000000000000001") });
    const { items, meta, source } = await cryptoBalances(
      { address: HOLDER.toLowerCase(), chain: "polygon" },
      { secrets: chain.secrets, cache: false },
    );
    expect(items).toEqual([
      {
        type: "native",
        address: null,
        symbol: "POL",
        decimals: 18,
        balanceRaw: "12345678000000000000000001",
        balance: "12345678.000000000000000001",
      },
    ]);
    expect(meta).toEqual({ chain: "polygon", chainId: 137, blockNumber: null, failedTokens: [] });
    expect(source).toMatchObject({ provider: "Polygon JSON-RPC", url: "https://polygonscan.com" });
  });

  it("gives tokens in the order asked, whatever their decimals, at one block", async () => {
    const odd = await token("ODD", 23, 12_345_678_901_234_567_890_123_456n);
    const whole = await token("vAMM-WETH/wstETH", 0, 7n);
    const { items, meta, total } = await balancesOf([whole, odd]);
    expect(items.slice(1)).toEqual([
      expect.objectContaining({ symbol: "vAMM-WETH/wstETH", decimals: 0, balanceRaw: "7", balance: "7" }),
      expect.objectContaining({
        symbol: "ODD",
        decimals: 23,
        balanceRaw: "12345678901234567890123456",
        balance: "123.45678901234567890123456",
      }),
    ]);
    expect(total).toBe(3);
    const block = await chain.client.getBlockNumber({ cacheTime: 0 });
    expect(meta).toMatchObject({ blockNumber: expect.any(Number), failedTokens: [] });
    expect(Math.abs(Number(block) - Number(meta?.blockNumber))).toBeLessThanOrEqual(1);
  });

  it("keeps the good tokens apart from one that reverts, one that burns all gas and one that is no contract", async () => {
    const good = await token("GOOD", 6, 1_500_000n);
    const reverting = await chain.place(REVERT);
    const burning = await chain.place(BURN_ALL_GAS);
    const person = "0x00000000000000000000000000000000DeaDBeef";
    const { items, meta } = await balancesOf([reverting, good, burning, person]);
    const nothing = { type: "token", symbol: null, decimals: null, balanceRaw: null, balance: null };
    expect(items.slice(1)).toEqual([
      { ...nothing, address: expect.stringMatching(new RegExp(reverting, "i")) },
      expect.objectContaining({ symbol: "GOOD", balance: "1.5" }),
      { ...nothing, address: expect.stringMatching(new RegExp(burning, "i")) },
      { ...nothing, address: person },
    ]);
    expect(meta?.failedTokens).toHaveLength(3);
  });

  it("reads symbols of 32 bytes, leaves out what no screen shows, and knows no decimals that make no sense", async () => {
    const old = await chain.place(ANSWER_ONE_WORD("4d4b520000000000000000000000000000000000000000000000000000000000"));
    const sly = await token("US\u202eDC\u0000\n", 300n, 5n);
    const { items } = await balancesOf([old, sly]);
    expect(items[1]).toMatchObject({ symbol: "MKR", decimals: null, balance: null });
    expect(items[2]).toMatchObject({ symbol: "USDC", decimals: null, balanceRaw: "5", balance: null });
  });

  it("asks one by one where there is no Multicall3", async () => {
    const one = await token("ONE", 2, 150n);
    const { MULTICALL3 } = await import("../../../src/providers/evm/client.js");
    const bytecode = (await chain.client.getCode({ address: MULTICALL3 })) ?? "0x";
    await chain.client.setCode({ address: MULTICALL3, bytecode: "0x" });
    const { items, meta } = await balancesOf([one]);
    expect(items[1]).toMatchObject({ symbol: "ONE", balance: "1.5" });
    expect(meta?.blockNumber).toBeNull();
    await chain.client.setCode({ address: MULTICALL3, bytecode });
  });

  it("is one request to the node for all tokens, and one for equal calls at the same time", async () => {
    const tokens = [await token("A", 1, 1n), await token("B", 1, 1n)].join(",");
    let requests = 0;
    const counting: typeof fetch = async (...args) => {
      requests++;
      return fetch(...args);
    };
    const options = { secrets: chain.secrets, fetch: counting };
    await Promise.all([1, 2, 3].map(() => cryptoBalances({ address: HOLDER, tokens }, options)));
    expect(requests).toBe(2);
  });
});

describe("crypto.balances, from nodes that fail", () => {
  const secrets = { RPC_URL_BASE: "https://first.example/key-1234, https://second.example/rpc" };
  const failure = (code: number, message: string, data?: unknown) => ({
    jsonrpc: "2.0",
    id: 1,
    error: { code, message, data },
  });
  const ask = (fetch: typeof globalThis.fetch) => cryptoBalances({ address: HOLDER }, { fetch, secrets, cache: false });

  it("asks the second node while the first has lost its state, or takes no more requests", async () => {
    for (const body of [failure(-32000, "missing trie node 91e7"), failure(-32005, "limit exceeded")]) {
      const { fetch, seen } = fakeUpstream([
        { url: "first.example", body },
        { url: "second.example", body: { jsonrpc: "2.0", id: 1, result: "0x2386f26fc10000" } },
      ]);
      expect((await ask(fetch)).items[0]).toMatchObject({ balance: "0.01" });
      expect(seen.map(({ url }) => url.host)).toEqual(["first.example", "second.example"]);
    }
  });

  it("never answers without the native balance, and tells nobody the address of the node", async () => {
    const { fetch } = fakeUpstream([{ url: ".example", body: failure(-32000, "missing trie node") }]);
    const error = await ask(fetch).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "UPSTREAM_ERROR", status: 502 });
    expect(`${error.message} ${JSON.stringify(error)}`).not.toMatch(/key-1234|first\.example|trie/);
  });

  it("takes no balance that is none", async () => {
    const { fetch } = fakeUpstream([{ url: ".example", body: { jsonrpc: "2.0", id: 1, result: "0xzz" } }]);
    await expect(ask(fetch)).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  });

  it("says which setting is wrong, without its value", async () => {
    const { fetch, seen } = fakeUpstream([]);
    const options = { fetch, secrets: { RPC_URL_BASE: "key-1234" }, cache: false as const };
    await expect(cryptoBalances({ address: HOLDER }, options)).rejects.toMatchObject({
      code: "PROVIDER_NOT_CONFIGURED",
      message: "RPC_URL_BASE must be an http or https URL.",
    });
    expect(seen).toEqual([]);
  });

  it.each([
    ["a token that is no address", { tokens: "0x1" }],
    ["21 tokens", { tokens: Array.from({ length: 21 }, (_, i) => `0x${String(i).padStart(40, "0")}`).join(",") }],
    ["an account that is no address", { address: "vitalik.eth" }],
  ])("refuses %s", async (_, input) => {
    const { fetch, seen } = fakeUpstream([]);
    await expect(cryptoBalances({ address: HOLDER, ...input }, { fetch })).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
    expect(seen).toEqual([]);
  });
});
