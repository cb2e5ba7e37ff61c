import {
  type AbiFunction,
  encodeFunctionData,
  type Hex,
  keccak256,
  parseAbiItem,
  toBytes,
  toFunctionSelector,
} from "viem";
import { describe, expect, it } from "vitest";
import { cryptoDecodeCalldata } from "../../../src/capabilities/crypto/decode-calldata.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const ALICE = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";

function encode(signature: string, args: unknown[]): Hex {
  return encodeFunctionData({ abi: [parseAbiItem(`function ${signature}`) as AbiFunction], args });
}

const known = (data: string, ...names: (string | object)[]) => ({
  ok: true,
  result: {
    event: {},
    function: {
      [data.slice(0, 10)]: names.map((name) => (typeof name === "string" ? { name, filtered: false } : name)),
    },
  },
});

async function decode(data: string, ...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  const { items, meta } = await cryptoDecodeCalldata({ data }, { fetch: fake.fetch, cache: false });
  return { item: items[0], meta, seen: fake.seen };
}

const withSignature = (data: Hex, signature: string) => decode(data, { url: "/lookup", body: known(data, signature) });

describe("crypto.decode-calldata", () => {
  it("names function and parameters, and gives the words besides", async () => {
    const data = encode("transfer(address,uint256)", [ALICE, 2n ** 255n]);
    const { item, seen } = await decode(data.slice(2).toUpperCase(), {
      url: "4byte.sourcify.dev",
      body: known(data, { name: "transfer(address,uint256)", filtered: false, hasVerifiedContract: true }),
    });
    expect(item).toEqual({
      selector: "0xa9059cbb",
      signatures: [{ signature: "transfer(address,uint256)", source: "sourcify", verified: true, decodes: true }],
      signature: "transfer(address,uint256)",
      functionName: "transfer",
      params: [
        { name: null, type: "address", value: ALICE },
        { name: null, type: "uint256", value: String(2n ** 255n) },
      ],
      canonical: true,
      words: [ALICE.slice(2).toLowerCase().padStart(64, "0"), "8".padEnd(64, "0")],
      byteLength: 68,
    });
    expect(seen[0]?.url.searchParams.get("function")).toBe("0xa9059cbb");
  });

  it("decodes nested tuples, arrays and bytes", async () => {
    const signature = "route((address,(uint8,bytes)[],int24)[2],bytes32[],string,bool)";
    const step = (fee: number) => [
      ALICE,
      [
        [7, "0xc0ffee"],
        [8, "0x"],
      ],
      fee,
    ];
    const word = `0x${"ab".repeat(32)}`;
    const data = encode(signature, [[step(-500), step(3000)], [word], "déjà vu", true]);
    const { item } = await withSignature(data, signature);
    expect(item?.params).toEqual([
      {
        name: null,
        type: "(address,(uint8,bytes)[],int24)[2]",
        value: [
          [
            ALICE,
            [
              ["7", "0xc0ffee"],
              ["8", "0x"],
            ],
            "-500",
          ],
          [
            ALICE,
            [
              ["7", "0xc0ffee"],
              ["8", "0x"],
            ],
            "3000",
          ],
        ],
      },
      { name: null, type: "bytes32[]", value: [word] },
      { name: null, type: "string", value: "déjà vu" },
      { name: null, type: "bool", value: true },
    ]);
  });

  it("knows a call without parameters, and bytes that somebody appended", async () => {
    const data = toFunctionSelector("deposit()");
    expect((await withSignature(data, "deposit()")).item).toMatchObject({
      functionName: "deposit",
      params: [],
      words: [],
    });
    const { item, meta } = await withSignature(`${data}c0ffee`, "deposit()");
    expect(item).toMatchObject({ functionName: "deposit", words: ["c0ffee"], byteLength: 7 });
    expect(meta).toEqual({ trailingBytes: 3 });
  });

  it("puts what fits the data first, and of that what contracts have shown", async () => {
    const data = encode("balanceOf(address)", [ALICE]);
    const names = [
      { name: "passphrase_calculate_transfer(uint64,address)", filtered: true },
      { name: "join_tg_invmru_haha(bytes)", filtered: false, hasVerifiedContract: true },
      { name: "balanceOf(address)", filtered: false },
    ];
    const { item } = await decode(data, { url: "/lookup", body: known(data, ...names) });
    expect(item?.signatures.map(({ signature, decodes }) => [signature, decodes])).toEqual([
      ["balanceOf(address)", true],
      ["join_tg_invmru_haha(bytes)", false],
      ["passphrase_calculate_transfer(uint64,address)", false],
    ]);
  });

  it.each([
    ["knows nothing", { url: "/lookup", body: { ok: true, result: { function: { "0x70a08231": null }, event: {} } } }],
    ["is down", { url: "/lookup", status: 404 }],
  ])("asks the second database where the first %s, and trusts its oldest entry most", async (_, first) => {
    const data = encode("balanceOf(address)", [ALICE]);
    const results = [
      { id: 844_293, text_signature: "watch_tg_invmru_119a5a98(address,uint256,uint256)" },
      { id: 900_000, text_signature: "younger(address)" },
      { id: 143, text_signature: "balanceOf(address)" },
    ];
    const { item, meta } = await decode(data, first, { url: "4byte.directory", body: { count: 3, results } });
    expect(item?.signatures[0]).toEqual({
      signature: "balanceOf(address)",
      source: "4byte.directory",
      verified: false,
      decodes: true,
    });
    expect(meta).toBeUndefined();
  });

  it("answers for an unknown selector with the words", async () => {
    const { item, meta } = await decode(
      `12345678${"0".repeat(70)}`,
      { url: "/lookup", body: known("0x12345678") },
      { url: "4byte.directory", body: { count: 0, results: [] } },
    );
    expect(item).toMatchObject({
      selector: "0x12345678",
      signatures: [],
      signature: null,
      functionName: null,
      params: [],
      words: ["0".repeat(64), "0".repeat(6)],
    });
    expect(meta).toBeUndefined();
  });

  it("gives the words without any database, and says that none was read", async () => {
    const { item, meta } = await decode("0x1234567800", { url: "", status: 404 });
    expect(item).toMatchObject({ signatures: [], words: ["00"] });
    expect(meta).toEqual({ databaseError: true });
  });

  it.each([
    ["elements without a size", "f(()[])", [0x20, 0xffffffff]],
    ["an array of no elements", "f(uint8[0][])", [0x20, 0xffffffff]],
    ["a billion elements", "f(uint256[1000000000])", [1]],
    ["a list that is longer than the data", "f(uint256[])", [0x20, 0xffffffff]],
    ["a list that contains itself", "f(bytes[][][][])", [0x20, 2, 0, 0, 0, 0]],
    ["brackets without an end", `f(${"(".repeat(400)}uint256${")".repeat(400)})`, [1]],
    ["something else", "f(uint256) returns (address); contract", [1]],
    ["a type that is none", "f(gold)", [1]],
  ])("takes no signature with %s, and takes no time over it", async (_, signature, words) => {
    // Its very selector: the signature is all that is wrong.
    const selector = keccak256(toBytes(signature)).slice(0, 10);
    const data = `${selector}${words.map((word) => word.toString(16).padStart(64, "0")).join("")}`;
    const { item } = await withSignature(data as Hex, signature);
    expect(item).toMatchObject({ signature: null, params: [], signatures: [{ decodes: false }] });
    expect(item?.words).toHaveLength(words.length);
  });

  it("decodes the longest data", async () => {
    const list = Array.from({ length: 930 }, (_, index) => BigInt(index));
    const data = encode("many(uint256[])", [list]);
    const { item } = await withSignature(data, "many(uint256[])");
    expect(item?.params[0]?.value).toEqual(list.map(String));
    expect(data.length).toBeGreaterThan(59_000);
  });

  it.each(["", "0xa9059c", "zzzzzzzz", "0xa9059cbb 00", "0xa9059cbb0", `0x${"ab".repeat(30_000)}`])(
    "refuses %.20s without asking anybody",
    async (data) => {
      const { fetch, seen } = fakeUpstream([]);
      await expect(cryptoDecodeCalldata({ data }, { fetch })).rejects.toMatchObject({ code: "INVALID_INPUT" });
      expect(seen).toEqual([]);
    },
  );
});
