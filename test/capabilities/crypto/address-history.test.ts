import { describe, expect, it } from "vitest";
import { cryptoAddressHistory } from "../../../src/capabilities/crypto/address-history.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const ADDRESS = "0x706A70067BE19BdadBea3600Db0626859Ff25D74";
const ROW = {
  blockNumber: "20541368",
  timeStamp: "1723813415",
  hash: "0x94045a9dd696daefeca239a1dbf8f52dd4150cb649309ecc9e449aada6a11622",
  nonce: "12",
  from: ADDRESS.toLowerCase(),
  to: "0xd8da6bf26964af9d7eed9e03e53415d37aa96045",
  value: "20049160000000000123",
  gas: "21000",
  gasPrice: "3000000001",
  gasUsed: "21000",
  isError: "0",
  txreceipt_status: "1",
  input: "0x",
  methodId: "0x",
  functionName: "",
  contractAddress: "",
  confirmations: "17",
};
const NONE = { status: "0", message: "No transactions found", result: [] };
const refused = (result: string) => ({ status: "0", message: "NOTOK", result });
const FREE_PLAN = refused("Free API access is not supported for this chain. Please upgrade your api plan");

function open(exchanges: Exchange[], secrets: Record<string, string> = {}) {
  const fake = fakeUpstream(exchanges);
  const hosts = () => fake.seen.map(({ url }) => url.host);
  const ask = (input: object = {}) =>
    cryptoAddressHistory({ address: ADDRESS, ...input }, { fetch: fake.fetch, cache: false, secrets });
  return { ...fake, hosts, ask };
}

const KEY = { ETHERSCAN_API_KEY: "key" };

describe("crypto.address-history", () => {
  it("gives transactions with exact amounts, typed and with checksums", async () => {
    const { ask, seen } = open([{ url: "eth.blockscout.com/api", body: { message: "OK", result: [ROW] } }]);
    const { items, total, meta, source } = await ask();
    expect(items).toEqual([
      {
        hash: ROW.hash,
        blockNumber: 20_541_368,
        timestamp: "2024-08-16T13:03:35.000Z",
        nonce: 12,
        from: ADDRESS,
        to: "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045",
        contractAddress: null,
        valueWei: "20049160000000000123",
        value: "20.049160000000000123",
        gas: "21000",
        gasUsed: "21000",
        gasPriceWei: "3000000001",
        feeWei: "63000000021000",
        isError: false,
        receiptStatus: 1,
        methodId: null,
        functionName: null,
        input: "0x",
        confirmations: 17,
      },
    ]);
    expect(total).toBeNull();
    expect(meta).toEqual({ chainId: 1, page: 1, offset: 25, sort: "desc", provider: "Blockscout" });
    expect(source.provider).toBe("Blockscout");
    expect(Object.fromEntries(seen[0]?.url.searchParams ?? [])).toMatchObject({
      page: "1",
      offset: "25",
      sort: "desc",
    });
  });

  it("reads contracts that were created, calls, failures, and blocks from before receipts had a status", async () => {
    const created = { ...ROW, to: "", contractAddress: ROW.to, txreceipt_status: "", isError: "1" };
    const called = { ...ROW, input: `0x095EA7B3${"00".repeat(2000)}`, functionName: "approve(address,uint256)" };
    const { ask } = open([{ url: "blockscout", body: { status: "1", result: [created, called] } }]);
    const { items } = await ask();
    expect(items[0]).toMatchObject({
      to: null,
      contractAddress: "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045",
      isError: true,
      receiptStatus: null,
    });
    expect(items[1]).toMatchObject({ methodId: "0x095ea7b3", functionName: "approve(address,uint256)" });
    expect(items[1]?.input).toHaveLength(2000);
  });

  it("cuts what an explorer sends beyond the page", async () => {
    const { ask } = open([{ url: "blockscout", body: { result: Array(88).fill(ROW) } }]);
    expect((await ask({ offset: 4 })).items).toHaveLength(4);
  });

  it("has no transactions of an address that has none, however the explorer says so", async () => {
    for (const body of [NONE, { status: "1", message: "OK", result: [] }]) {
      expect(await open([{ url: "blockscout", body }]).ask()).toMatchObject({ items: [], total: 0 });
      expect(await open([{ url: "blockscout", body }]).ask({ page: 2 })).toMatchObject({ items: [], total: null });
    }
  });

  it("goes on to Blockscout where Etherscan's free plan does not serve a chain, and to Routescan after that", async () => {
    const { ask, hosts, seen } = open(
      [
        { url: "etherscan.io", body: FREE_PLAN },
        { url: "base.blockscout.com", status: 404, body: {} },
        { url: "api.routescan.io/v2/network/mainnet/evm/8453/etherscan/api", body: { status: "1", result: [ROW] } },
      ],
      KEY,
    );
    expect((await ask({ chainId: 8453 })).source.provider).toBe("Routescan");
    expect(hosts()).toEqual(["api.etherscan.io", "base.blockscout.com", "api.routescan.io"]);
    expect(seen[0]?.url.searchParams.get("chainid")).toBe("8453");
    expect(seen[1]?.url.searchParams.has("apikey")).toBe(false);
  });

  it("asks Blockscout's gateway where the host has a key, also for chains without an explorer of their own", async () => {
    const { ask, seen } = open([{ url: "blockscout", body: NONE }], { BLOCKSCOUT_API_KEY: "key" });
    await ask({ chainId: 59_144 });
    expect(seen[0]?.url.href).toMatch("https://api.blockscout.com/59144/api?");
    expect(seen[0]?.url.searchParams.get("apikey")).toBe("key");
  });

  it.each([
    ["a plan that is too small", FREE_PLAN, "PROVIDER_NOT_CONFIGURED"],
    ["a wrong key", refused("Invalid API Key"), "PROVIDER_NOT_CONFIGURED"],
    ["too many calls", refused("Max rate limit reached"), "UPSTREAM_RATE_LIMIT"],
    ["something else", refused("Query Timeout occured"), "UPSTREAM_ERROR"],
  ])("never sells %s as an empty list", async (_, body, code) => {
    const { ask } = open(
      [
        { url: "etherscan.io", body },
        { url: "scout", status: 404, body: {} },
        { url: "routescan", status: 404, body: {} },
      ],
      KEY,
    );
    await expect(ask()).rejects.toMatchObject({ code });
  });

  it("says that a chain is served by nobody", async () => {
    const body = { status: "0", message: "chain not supported", result: null };
    await expect(open([{ url: "routescan", body }]).ask({ chainId: 987_654_321 })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      issues: [{ path: "chainId" }],
    });
  });

  it.each([
    [{ page: 101, offset: 100 }, "RESULT_TOO_LARGE"],
    [{ startBlock: 2, endBlock: 1 }, "INVALID_INPUT"],
    [{ address: "0x123" }, "INVALID_INPUT"],
    [{ chainId: 0 }, "INVALID_INPUT"],
  ])("refuses %j without asking anybody", async (input, code) => {
    const { ask, seen } = open([]);
    await expect(ask(input)).rejects.toMatchObject({ code, status: 400 });
    expect(seen).toEqual([]);
  });
});
