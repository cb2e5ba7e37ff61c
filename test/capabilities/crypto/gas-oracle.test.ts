import { parseGwei } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cryptoGasOracle } from "../../../src/capabilities/crypto/gas-oracle.js";
import { type EvmChain, startEvmChain } from "../../support/evm-chain.js";
import { fakeUpstream } from "../../support/upstream.js";

const history = (more: object) => ({
  jsonrpc: "2.0",
  id: 1,
  result: {
    oldestBlock: "0x10",
    baseFeePerGas: ["0x1", "0x1", "0x1", "0x1", "0x4c4b40"],
    gasUsedRatio: [0.5, 0, 0.4, 0.3],
    ...more,
  },
});

const ask = (fetch: typeof globalThis.fetch, chain: "base" | "ethereum" = "base") =>
  cryptoGasOracle({ chain }, { fetch, secrets: {}, cache: false });

describe("crypto.gas-oracle", () => {
  it.each([{ oldestBlock: 16 }, { baseFeePerGas: [1, 1, 1, 1, 5_000_000] }, { reward: [[1, 2, 3]] }])(
    "UP-3 quantities that are not in hex are refused: %j",
    async (more) => {
      const { fetch } = fakeUpstream([
        { url: "mainnet.base.org", body: history({ reward: [["0x1", "0x2", "0x3"]], ...more }) },
      ]);
      await expect(ask(fetch)).rejects.toMatchObject({ status: 502, code: "UPSTREAM_SCHEMA" });
    },
  );

  it("takes the next block's base fee, and the means of what full blocks paid, rounded down", async () => {
    const reward = [
      ["0x1", "0x2", "0x3"],
      ["0x0", "0x0", "0x0"],
      ["0x2", "0x4", "0x6"],
      ["0x2", "0x5", "0x9"],
    ];
    const { fetch, seen } = fakeUpstream([{ url: "mainnet.base.org", body: history({ reward }) }]);
    const { items, meta } = await ask(fetch);
    expect(JSON.parse(seen[0]?.body ?? "")).toMatchObject({
      method: "eth_feeHistory",
      params: ["0x4", "latest", [25, 50, 75]],
    });
    expect(items[0]).toMatchObject({
      chain: "base",
      chainId: 8453,
      blockNumber: 19,
      baseFeePerGas: "5000000",
      baseFeeGwei: 0.005,
      slow: { maxPriorityFeePerGas: "1", maxFeePerGas: "10000001", gasPriceGwei: 0.005000001 },
      standard: { maxPriorityFeePerGas: "3" },
      fast: { maxPriorityFeePerGas: "6", transferCostWei: "105000126000", transferCost: "0.000000105000126" },
      transferGas: 21_000,
      nativeSymbol: "ETH",
    });
    expect(meta?.note).toMatch(/Ethereum/);
  });

  it("asks for one priority fee where the node keeps no rewards", async () => {
    const { fetch } = fakeUpstream([
      { url: "ethereum.reth.rs", body: history({ reward: null }) },
      { url: "ethereum.reth.rs", body: { jsonrpc: "2.0", id: 1, result: "0x3b9aca00" } },
    ]);
    const { items, meta } = await ask(fetch, "ethereum");
    for (const tier of ["slow", "standard", "fast"] as const)
      expect(items[0]?.[tier]).toMatchObject({ maxPriorityFeePerGas: "1000000000", maxPriorityFeeGwei: 1 });
    expect(meta).toBeUndefined();
  });

  it("takes blocks without transactions where there are no others", async () => {
    const reward = Array(4).fill(["0x0", "0x0", "0x0"]);
    const { fetch } = fakeUpstream([{ url: "base.org", body: history({ reward, gasUsedRatio: [0, 0, 0, 0] }) }]);
    expect((await ask(fetch)).items[0]?.fast).toMatchObject({ maxPriorityFeePerGas: "0", maxFeePerGas: "10000000" });
  });

  it("has nothing to sell without a base fee", async () => {
    const { fetch } = fakeUpstream([{ url: "base", body: history({ baseFeePerGas: [] }) }]);
    await expect(ask(fetch)).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  });
});

describe("crypto.gas-oracle, from a node", () => {
  let chain: EvmChain;
  beforeAll(async () => {
    chain = await startEvmChain();
  }, 60_000);
  afterAll(() => chain.stop());

  it("sees what the transactions of the last blocks paid", async () => {
    const { client, banker } = chain;
    for (const tip of ["2", "2", "2", "2"]) {
      const hash = await client.sendTransaction({
        account: banker,
        chain: chain.chain,
        to: banker,
        value: 1n,
        maxPriorityFeePerGas: parseGwei(tip),
        maxFeePerGas: parseGwei("100"),
      });
      await client.waitForTransactionReceipt({ hash });
    }
    const { items } = await cryptoGasOracle({ chain: "base" }, { secrets: chain.secrets, cache: false });
    const block = await client.getBlock();
    expect(items[0]).toMatchObject({ blockNumber: Number(block.number), fast: { maxPriorityFeePerGas: "2000000000" } });
    expect(BigInt(items[0]?.baseFeePerGas ?? 0)).toBeLessThanOrEqual(block.baseFeePerGas ?? 0n);
  });
});
