import { describe, expect, it } from "vitest";
import { cryptoBtcAddress } from "../../../src/capabilities/crypto/bitcoin/btc-address.js";
import { cryptoBtcFees } from "../../../src/capabilities/crypto/bitcoin/btc-fees.js";
import { cryptoBtcMempool } from "../../../src/capabilities/crypto/bitcoin/btc-mempool.js";
import { cryptoBtcTx } from "../../../src/capabilities/crypto/bitcoin/btc-tx.js";
import { cryptoBtcUtxos } from "../../../src/capabilities/crypto/bitcoin/btc-utxos.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const GENESIS = "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa";
const SEGWIT = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const TXID = "ab".repeat(32);
const NO_TXID = "00".repeat(32);

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  const hosts = () => fake.seen.map(({ url }) => url.host);
  return { ...fake, hosts, options: { fetch: fake.fetch, cache: false as const } };
}

const totals = (funded: number, spent: number, sums: [number, number], txCount: number) => ({
  funded_txo_count: funded,
  spent_txo_count: spent,
  funded_txo_sum: sums[0],
  spent_txo_sum: sums[1],
  tx_count: txCount,
});

describe("crypto.btc-address", () => {
  const body = {
    address: GENESIS,
    chain_stats: totals(5, 2, [15_007_599_040, 15_000_000_000], 7),
    mempool_stats: totals(0, 1, [0, 1_000], 1),
  };

  it("gives balance and totals in satoshis, and what is pending as a change that may be negative", async () => {
    const { options } = open({ url: `mempool.space/api/address/${GENESIS}`, body });
    const { items, source } = await cryptoBtcAddress({ address: GENESIS }, options);
    expect(items).toEqual([
      {
        address: GENESIS,
        balanceSats: 7_599_040,
        balanceBtc: 0.0759904,
        totalReceivedSats: 15_007_599_040,
        totalSentSats: 15_000_000_000,
        txCount: 7,
        fundedOutputs: 5,
        spentOutputs: 2,
        utxoCount: 3,
        mempoolBalanceSats: -1000,
        mempoolTxCount: 1,
      },
    ]);
    expect(source.provider).toBe("mempool.space");
  });

  it("asks for segwit addresses in lower case", async () => {
    const { options, seen } = open({ url: "/address/", body });
    await cryptoBtcAddress({ address: SEGWIT.toUpperCase() }, options);
    expect(seen[0]?.url.pathname).toBe(`/api/address/${SEGWIT}`);
  });

  it.each([`${GENESIS.slice(0, -1)}b`, "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", "0x".padEnd(42, "1")])(
    "refuses %s without asking anybody",
    async (address) => {
      const { options, seen } = open();
      await expect(cryptoBtcAddress({ address }, options)).rejects.toMatchObject({
        code: "INVALID_INPUT",
        issues: [{ path: "address" }],
      });
      expect(seen).toEqual([]);
    },
  );

  it("is answered by Blockstream while mempool.space wants a pause, and says so", async () => {
    const { options } = open(
      { url: "mempool.space", status: 429, headers: { "retry-after": "60" } },
      { url: "blockstream.info/api/address/", body },
    );
    const { source } = await cryptoBtcAddress({ address: GENESIS }, options);
    expect(source).toMatchObject({ provider: "Blockstream Explorer", url: "https://blockstream.info" });
  });
});

describe("crypto.btc-utxos", () => {
  const output = (value: number, confirmed = true) => ({
    txid: TXID,
    vout: value % 7,
    value,
    status: confirmed
      ? { confirmed, block_height: 800_000, block_hash: "00", block_time: 1_690_168_629 }
      : { confirmed },
  });

  it("gives the largest first and counts all of them", async () => {
    const { options } = open({ url: "/utxo", body: [output(5), output(644_951_084), output(700, false)] });
    const { items, total, meta } = await cryptoBtcUtxos({ address: GENESIS, limit: 2 }, options);
    expect(items).toEqual([
      {
        txid: TXID,
        vout: 644_951_084 % 7,
        valueSats: 644_951_084,
        valueBtc: 6.44951084,
        confirmed: true,
        blockHeight: 800_000,
        blockTime: "2023-07-24T03:17:09.000Z",
      },
      expect.objectContaining({ valueSats: 700, confirmed: false, blockHeight: null, blockTime: null }),
    ]);
    expect(total).toBe(3);
    expect(meta).toEqual({ address: GENESIS, totalSats: 644_951_789, confirmedSats: 644_951_089 });
  });

  it("says that an address has too many, and does not ask the second explorer for them", async () => {
    const { options, hosts } = open({
      url: "/utxo",
      status: 400,
      body: "Too many unspent transaction outputs (>500). Contact support to raise limits.",
      headers: { "content-type": "text/plain" },
    });
    await expect(cryptoBtcUtxos({ address: GENESIS }, options)).rejects.toMatchObject({
      code: "RESULT_TOO_LARGE",
      status: 400,
    });
    expect(hosts()).toEqual(["mempool.space"]);
  });
});

describe("crypto.btc-tx", () => {
  const coins = { scriptpubkey_type: "v0_p2wpkh", scriptpubkey_address: SEGWIT, value: 50_000 };
  const transaction = {
    txid: TXID,
    version: 2,
    locktime: 0,
    size: 224,
    weight: 895,
    fee: 960,
    status: { confirmed: false },
    vin: [{ txid: TXID, vout: 0, prevout: coins, is_coinbase: false, sequence: 0xfffffffd }],
    vout: [
      { ...coins, value: 49_040 },
      { scriptpubkey_type: "op_return", value: 0 },
    ],
  };

  it("gives fee, size, inputs and outputs of one that waits", async () => {
    const { options, seen } = open({ url: `/tx/${TXID}`, body: transaction });
    const { items } = await cryptoBtcTx({ txid: TXID.toUpperCase() }, options);
    expect(seen).toHaveLength(1);
    expect(items[0]).toMatchObject({
      confirmed: false,
      blockHeight: null,
      vsize: 224,
      feeSats: 960,
      feeRate: 4.29,
      totalInputSats: 50_000,
      totalOutputSats: 49_040,
      isCoinbase: false,
      rbf: true,
      vin: [{ txid: TXID, vout: 0, address: SEGWIT, valueSats: 50_000 }],
      vout: [
        { index: 0, address: SEGWIT, type: "v0_p2wpkh", valueSats: 49_040 },
        { index: 1, address: null, type: "op_return", valueSats: 0 },
      ],
    });
  });

  it("knows new coins, which come from nowhere", async () => {
    const vin = [{ txid: NO_TXID, vout: 0xffffffff, prevout: null, is_coinbase: true, sequence: 0xffffffff }];
    const status = { confirmed: true, block_height: 0, block_hash: "000000", block_time: 1_231_006_505 };
    const { options } = open({ url: "/tx/", body: { ...transaction, vin, status, fee: 0 } });
    const { items } = await cryptoBtcTx({ txid: TXID }, options);
    expect(items[0]).toMatchObject({
      isCoinbase: true,
      rbf: false,
      totalInputSats: null,
      blockHeight: 0,
      blockTime: "2009-01-03T18:15:05.000Z",
      vin: [{ address: null, valueSats: null }],
    });
  });

  it("shows the first hundred of many outputs, and counts them all", async () => {
    const { options } = open({ url: "/tx/", body: { ...transaction, vout: Array(250).fill(coins) } });
    const { items } = await cryptoBtcTx({ txid: TXID }, options);
    expect(items[0]?.vout).toHaveLength(100);
    expect(items[0]).toMatchObject({ outputCount: 250, totalOutputSats: 12_500_000 });
  });

  it("finds nothing for an id that nobody knows", async () => {
    const { options } = open({ url: "/tx/", status: 404, body: "Transaction not found" });
    await expect(cryptoBtcTx({ txid: NO_TXID }, options)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

const MEMPOOL = { count: 811, vsize: 412_270, total_fee: 3_632_256, fee_histogram: [[10.02, 50_229]] };

describe("crypto.btc-fees", () => {
  const recommended = { fastestFee: 3, halfHourFee: 2.5, hourFee: 1, economyFee: 0.4, minimumFee: 0.1 };

  it("gives rates, fractions among them, and the mempool's size", async () => {
    const { options } = open({ url: "/fees/recommended", body: recommended }, { url: "/api/mempool", body: MEMPOOL });
    const { items, meta } = await cryptoBtcFees({}, options);
    expect(items).toEqual([
      { ...recommended, unit: "sat/vB", mempoolTxCount: 811, mempoolVsize: 412_270, mempoolTotalFeeSats: 3_632_256 },
    ]);
    expect(meta).toBeUndefined();
  });

  it("gives rates without the mempool, and says that something is missing", async () => {
    const { options } = open({ url: "/fees/recommended", body: recommended }, { url: "/api/mempool", status: 404 });
    const { items, meta } = await cryptoBtcFees({}, options);
    expect(items[0]).toMatchObject({ fastestFee: 3, mempoolTxCount: null });
    expect(meta).toEqual({ partial: true });
  });

  it("takes Blockstream's estimates by block while mempool.space is down", async () => {
    const body = { "1": 12.5, "2": 12, "3": 9, "6": 4, "144": 1.2, "504": 1 };
    const { options } = open(
      { url: "mempool.space", status: 404 },
      { url: "blockstream.info/api/fee-estimates", body },
      { url: "blockstream.info/api/mempool", body: MEMPOOL },
    );
    const { items, source } = await cryptoBtcFees({}, options);
    expect(items[0]).toMatchObject({ fastestFee: 12.5, halfHourFee: 9, hourFee: 4, economyFee: 1.2, minimumFee: 1 });
    expect(source.provider).toBe("Blockstream Explorer");
  });
});

describe("crypto.btc-mempool", () => {
  it("gives the last transactions of at least an amount, beside the sums of all", async () => {
    const recent = [
      { txid: TXID, fee: 1078, vsize: 211, value: 99_999_999 },
      { txid: TXID, fee: 730, vsize: 143.25, value: 100_000_000 },
    ];
    const { options } = open({ url: "/mempool/recent", body: recent }, { url: "/api/mempool", body: MEMPOOL });
    const { items, total, meta } = await cryptoBtcMempool({ minBtc: 1 }, options);
    expect(items).toEqual([
      { txid: TXID, feeSats: 730, vsize: 143.25, feeRate: 5.1, valueSats: 100_000_000, valueBtc: 1 },
    ]);
    expect(total).toBe(1);
    expect(meta).toMatchObject({ txCount: 811, totalFeeSats: 3_632_256, feeHistogram: [[10.02, 50_229]], scanned: 2 });
  });
});
