import { type Hex, padHex, toHex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cryptoContract } from "../../../src/capabilities/crypto/contract.js";
import { type EvmChain, startEvmChain } from "../../support/evm-chain.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const ADDRESS = "0x6B175474E89094C44Da98b954EedeAC495271d0F";
const LOGIC = "0x751D7C0Cf91a9b7704541b44E5fF7BeC3D2caA6F";
const NOBODY = "0x00000000000000000000000000000000DeaDBeef";
const IMPLEMENTATION_SLOT = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";
const BEACON_SLOT = "0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50";
const UNKNOWN: Exchange = { url: "sourcify.dev/server", status: 404, body: { match: null } };
const UNVERIFIED: Exchange = { url: "blockscout.com", status: 404, body: { message: "Not found" } };

const TRANSFER = {
  type: "function",
  name: "transfer",
  stateMutability: "nonpayable",
  inputs: [{ type: "address" }, { type: "tuple[]", components: [{ type: "uint256" }, { type: "bytes" }] }],
};
const TRANSFERRED = { type: "event", name: "Transferred", inputs: [{ type: "address", indexed: true }] };
const TOO_POOR = { type: "error", name: "TooPoor", inputs: [] };
const VERIFIED = {
  match: "match",
  chainId: "1",
  address: ADDRESS,
  verifiedAt: "2024-07-24T12:00:00Z",
  compilation: { language: "Solidity", compiler: "solc", compilerVersion: "v0.8.12+commit.f00d7308", name: "Dai" },
  abi: [TRANSFER, TRANSFERRED, TOO_POOR, { type: "constructor", inputs: [] }, {}, { type: "function", name: 7 }],
  signatures: null,
  proxyResolution: { isProxy: false, proxyType: null, implementations: [] },
};
const proxyOf = (address: string) => ({
  isProxy: true,
  proxyType: "GnosisSafeProxy",
  implementations: [{ address, name: "Logic" }],
});

/** A node that has code there which is no proxy. */
const word = (value: Hex) => ({ jsonrpc: "2.0", id: 1, result: value });
const NODE: Exchange[] = [
  { url: "rpc.example", body: word("0x6001") },
  { url: "rpc.example", body: word(padHex("0x0")) },
];

function open(exchanges: Exchange[], secrets: Record<string, string> = {}) {
  const fake = fakeUpstream([...exchanges, ...NODE]);
  const ask = (input: object = {}) =>
    cryptoContract(
      { chain: "ethereum", address: ADDRESS, ...input },
      { fetch: fake.fetch, cache: false, secrets: { RPC_URL_ETHEREUM: "https://rpc.example", ...secrets } },
    );
  return { ...fake, ask };
}

describe("crypto.contract", () => {
  it("tells what Sourcify knows of a verified contract", async () => {
    const { ask, seen } = open([{ url: `/v2/contract/1/${ADDRESS}`, body: VERIFIED }]);
    const { items, meta, source } = await ask({ address: ADDRESS.toLowerCase() });
    expect(items[0]).toEqual({
      address: ADDRESS,
      chain: "ethereum",
      chainId: 1,
      isContract: true,
      verified: true,
      match: "match",
      source: "sourcify",
      name: "Dai",
      language: "Solidity",
      compilerVersion: "v0.8.12+commit.f00d7308",
      verifiedAt: "2024-07-24T12:00:00.000Z",
      proxy: { isProxy: false, type: null, implementations: [] },
      functions: [
        {
          signature: "transfer(address,(uint256,bytes)[])",
          selector: expect.stringMatching(/^0x[0-9a-f]{8}$/),
          stateMutability: "nonpayable",
        },
      ],
      events: ["Transferred(address)"],
      errors: ["TooPoor()"],
    });
    expect(meta).toBeUndefined();
    expect(source.provider).toBe("Sourcify");
    expect(seen[0]?.url.searchParams.get("fields")).toBe("abi,compilation,proxyResolution,signatures");
  });

  it("names a selector from the contract, from what it is a proxy for, or from the databases", async () => {
    const signature = (text: string, selector: string) => ({ signature: text, signatureHash4: selector });
    const NO_MORE = { event: [], error: [] };
    const own = { ...VERIFIED, signatures: { ...NO_MORE, function: [signature("name()", "0x06fdde03")] } };
    const logic = {
      ...VERIFIED,
      signatures: { ...NO_MORE, function: [signature("deprecate(address)", "0x0753c30c")] },
    };
    const database = { ok: true, result: { function: { "0xa9059cbb": [{ name: "transfer(address,uint256)" }] } } };
    const exchanges = [
      { url: `/contract/1/${ADDRESS}`, body: { ...own, proxyResolution: proxyOf(LOGIC.toLowerCase()) } },
      { url: `/contract/1/${LOGIC}`, body: logic },
      { url: "/lookup", body: database },
    ];
    const named = async (selector: string) => (await open(exchanges).ask({ selector })).items[0];
    expect(await named("0x06FDDE03")).toMatchObject({ selector: { signatures: ["name()"], from: "abi" } });
    expect(await named("0x0753c30c")).toMatchObject({
      proxy: { isProxy: true, type: "GnosisSafeProxy", implementations: [{ address: LOGIC, name: "Logic" }] },
      selector: { selector: "0x0753c30c", signatures: ["deprecate(address)"], from: "implementation" },
    });
    expect(await named("0xa9059cbb")).toMatchObject({
      selector: { signatures: ["transfer(address,uint256)"], from: "database" },
    });
  });

  it("asks Blockscout for what Sourcify does not have, and Etherscan first where the host has a key", async () => {
    const body = {
      status: "success",
      is_verified: true,
      is_fully_verified: false,
      name: "UniswapV3Pool",
      ...{ language: null, compiler_version: null, verified_at: null },
      proxy_type: null,
      abi: [TRANSFER],
    };
    const exchanges = [UNKNOWN, { url: `eth.blockscout.com/api/v2/smart-contracts/${ADDRESS}`, body }];
    expect((await open(exchanges).ask()).items[0]).toMatchObject({
      verified: true,
      source: "blockscout",
      match: "match",
      name: "UniswapV3Pool",
      functions: [{ signature: "transfer(address,(uint256,bytes)[])" }],
    });
    const abi = { url: "etherscan.io", body: { status: "1", message: "OK", result: JSON.stringify([TRANSFER]) } };
    const { items, source } = await open([abi, ...exchanges], { ETHERSCAN_API_KEY: "key" }).ask();
    expect(items[0]).toMatchObject({ verified: true, source: "etherscan", name: null, match: null });
    expect(source.provider).toBe("Etherscan");
  });

  it("calls a contract unverified that nobody has seen, which is an answer", async () => {
    const { items } = await open([UNKNOWN, UNVERIFIED]).ask();
    expect(items[0]).toMatchObject({ isContract: true, verified: false, source: null, functions: [] });
    const refused = {
      url: "etherscan.io",
      body: { status: "0", message: "NOTOK", result: "Contract source code not verified" },
    };
    const asked = await open([refused, UNKNOWN], { ETHERSCAN_API_KEY: "key" }).ask();
    expect(asked.items[0]).toMatchObject({ verified: false });
    expect(asked.meta).toBeUndefined();
  });

  it("calls nothing unverified because Sourcify failed", async () => {
    const down = { url: "sourcify.dev/server", status: 403, body: {} };
    await expect(open([down, UNVERIFIED]).ask()).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
    const body = { language: null, compiler_version: null, verified_at: null };
    const verified = { url: "blockscout.com", body: { ...body, is_verified: true, name: "Found", abi: [] } };
    expect((await open([down, verified]).ask()).items[0]).toMatchObject({ verified: true, name: "Found" });
  });

  it("says that something is missing while an explorer or the nodes are down", async () => {
    const { items, meta } = await open([
      UNKNOWN,
      { url: "blockscout", status: 403 },
      { url: "rpc.example", status: 403 },
    ]).ask();
    expect(items[0]).toMatchObject({ isContract: null, verified: false, proxy: { isProxy: null } });
    expect(meta).toEqual({ partial: true });
  });

  it("asks for all fields where Sourcify refuses a list of them", async () => {
    const refusal = {
      url: "sourcify.dev/server",
      status: 400,
      body: { customCode: "invalid_parameter", message: "fields" },
    };
    const { ask, seen } = open([refusal, { url: "sourcify.dev/server", body: VERIFIED }]);
    expect((await ask()).items[0]).toMatchObject({ name: "Dai" });
    expect(seen[1]?.url.searchParams.get("fields")).toBe("all");
  });
});

describe("crypto.contract, by the code on the chain", () => {
  let chain: EvmChain;
  beforeAll(async () => {
    chain = await startEvmChain();
  }, 60_000);
  afterAll(() => chain.stop());

  /** Nobody has verified anything; the node is real. */
  async function look(address: string) {
    const node = chain.secrets.RPC_URL_BASE ?? "";
    const nobody: typeof fetch = async (input, init) =>
      String(input).startsWith(node) ? fetch(input, init) : Response.json({}, { status: 404 });
    const options = { fetch: nobody, secrets: chain.secrets, cache: false as const };
    return (await cryptoContract({ chain: "base", address }, options)).items[0];
  }
  const proxy = (type: string) => ({
    isContract: true,
    verified: false,
    proxy: { isProxy: true, type, implementations: [{ address: LOGIC, name: null }] },
  });
  const store = (address: Hex, slot: Hex, value: Hex) =>
    chain.client.setStorageAt({ address, index: slot, value: padHex(value) });

  it("knows an EIP-1967 proxy by its slot", async () => {
    const { address } = await chain.placeContract("PlainToken");
    await store(address, IMPLEMENTATION_SLOT, LOGIC);
    expect(await look(address)).toMatchObject(proxy("EIP1967Proxy"));
  });

  it("knows a beacon proxy, and asks the beacon", async () => {
    const { address } = await chain.placeContract("PlainToken");
    const beacon = await chain.place(`0x73${LOGIC.slice(2).toLowerCase()}5f5260205ff3` as Hex);
    await store(address, BEACON_SLOT, beacon);
    expect(await look(address)).toMatchObject(proxy("EIP1967BeaconProxy"));
    await store(address, BEACON_SLOT, NOBODY);
    expect(await look(address)).toMatchObject({ isContract: true, proxy: { isProxy: false } });
  });

  it("knows a minimal proxy by its code", async () => {
    const code = `0x363d3d373d3d3d363d73${LOGIC.slice(2).toLowerCase()}5af43d82803e903d91602b57fd5bf3` as Hex;
    expect(await look(await chain.place(code))).toMatchObject(proxy("EIP1167Proxy"));
  });

  it("tells accounts from contracts, also where they lend themselves a contract's code", async () => {
    expect(await look(NOBODY)).toMatchObject({ isContract: false, proxy: { isProxy: false, type: null } });
    const account = await chain.place(`0xef0100${LOGIC.slice(2).toLowerCase()}` as Hex);
    expect(await look(account)).toMatchObject({
      isContract: false,
      proxy: { isProxy: true, type: "EIP7702Delegation", implementations: [{ address: LOGIC }] },
    });
  });

  it("takes no slot for an implementation that holds something else", async () => {
    const { address } = await chain.placeContract("PlainToken");
    await store(address, IMPLEMENTATION_SLOT, toHex(2n ** 255n));
    expect(await look(address)).toMatchObject({ isContract: true, proxy: { isProxy: false, implementations: [] } });
  });
});
