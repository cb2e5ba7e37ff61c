import { readFileSync } from "node:fs";
import {
  type Abi,
  type AbiFunction,
  type AbiParameter,
  decodeAbiParameters,
  encodeFunctionData,
  type Hex,
  toFunctionSelector,
  toFunctionSignature,
} from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startChain } from "../../../examples/local-chain/chain.js";
import { decodeCall } from "../../../src/engines/calldata/decode.js";

const artifact = new URL("../../support/contracts/Calldata.artifact.json", import.meta.url);
const { abi, deployedBytecode } = JSON.parse(readFileSync(artifact, "utf8")) as { abi: Abi; deployedBytecode: Hex };
const functions = abi as AbiFunction[];
const ALICE = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
const ARGS: Record<string, readonly unknown[]> = {
  words: [ALICE, 7, -500, true, "0xc0ffee00"],
  text: ["déjà vu, 日本語, in more than thirty-two bytes"],
  blobs: ["0xc0ffee", ["one", "two".repeat(20), ""]],
  lists: [[1n, 2n ** 255n, 3n], [1, 2, 65_535], [[4n, 5n]]],
  routes: [
    [
      { to: ALICE, steps: [{ fee: 7, path: "0xc0ffee" }], tick: -500 },
      { to: ALICE, steps: [], tick: 3000 },
    ],
    [`0x${"ab".repeat(32)}`],
  ],
  deep: [[["0x01", "0x0203"], []], false],
};

type Chain = Awaited<ReturnType<typeof startChain>>;
const CONTRACT = "0xca11dA7a00000000000000000000000000000001";
let chain: Chain;
beforeAll(async () => {
  chain = await startChain();
  await chain.client.setCode({ address: CONTRACT, bytecode: deployedBytecode });
});
afterAll(() => chain?.stop());

/** What Solidity's own decoder reads, written as we write it, and how it encodes that; nothing where it reverts. */
async function bySolidity(data: Hex, { inputs }: AbiFunction): Promise<{ values?: unknown[]; encoded?: Hex }> {
  const called = await chain.client.call({ to: CONTRACT, data }).catch(() => undefined);
  if (!called?.data) return {};
  const [encoded] = decodeAbiParameters([{ type: "bytes" }], called.data);
  const values = decodeAbiParameters(inputs.map(textAsBytes), encoded);
  return { values: values.map((value, index) => plain(value, inputs[index])), encoded };
}

/** Text that is no UTF-8, or begins with the mark of its byte order, comes out of viem as something else. */
const textAsBytes = (param: AbiParameter): AbiParameter => ({
  ...param,
  type: param.type.replace("string", "bytes"),
  ...("components" in param ? { components: param.components.map(textAsBytes) } : {}),
});

function plain(value: unknown, param: AbiParameter | undefined): unknown {
  if (param?.type.endsWith("]"))
    return (value as unknown[]).map((one) => plain(one, { ...param, type: param.type.replace(/\[\d*\]$/, "") }));
  if (param && "components" in param)
    return param.components.map((part) => plain((value as Record<string, unknown>)[part.name ?? ""], part));
  if (param?.type === "string")
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.from(String(value).slice(2), "hex"));
  return typeof value === "boolean" ? value : String(value);
}

let state = 815;
function below(limit: number): number {
  state = (state * 48_271) % 2_147_483_647;
  return state % limit;
}

/** Changes an offset, a length, a byte of padding or of text, cuts the end, or puts words in between. */
function mutated(data: Hex): Hex {
  const bytes = Buffer.from(data.slice(10), "hex");
  const words = bytes.length / 32;
  const at = below(Math.ceil(words)) * 32;
  const kinds: (() => Buffer)[] = [
    () => bytes.subarray(0, bytes.length - below(70)),
    () => Buffer.concat([bytes, Buffer.alloc(below(70), 1)]),
    () => Buffer.from(bytes.map((byte, index) => (index === at + 31 ? below(bytes.length / 32 + 1) * 32 : byte))),
    () => Buffer.from(bytes.map((byte, index) => (index === at + 31 ? (byte + below(9) - 4) & 255 : byte))),
    () => Buffer.from(bytes.map((byte, index) => (index === below(bytes.length) ? below(256) : byte))),
    () => Buffer.from(bytes.map((byte, index) => (index === at + 31 - below(32) ? below(256) : byte))),
    // A gap: all that comes after the first words moves, and so do the first offsets.
    () =>
      Buffer.concat([
        bytes
          .subarray(0, at)
          .map((byte, index) => (index % 32 === 31 && byte % 32 === 0 && byte > 0 ? byte + 32 : byte)),
        Buffer.alloc(32, 255),
        bytes.subarray(at),
      ]),
  ];
  const changed = kinds[below(kinds.length)]?.() ?? bytes;
  return `${data.slice(0, 10) as Hex}${changed.toString("hex")}`;
}

it.each(Object.keys(ARGS))(
  "decodes %s as Solidity does, after 150 changes of its data, and refuses what it refuses",
  async (functionName) => {
    const item = functions.find(({ name }) => name === functionName) as AbiFunction;
    const signature = toFunctionSignature(item);
    const data = encodeFunctionData({ abi, functionName, args: ARGS[functionName] ?? [] });
    expect(await decodeCall(data, signature)).toMatchObject({ isCanonical: true, trailingBytes: 0 });
    let accepted = 0;
    for (let round = 0; round < 150; round++) {
      const changed = mutated(below(2) ? data : mutated(data));
      const [{ values, encoded }, ours] = await Promise.all([
        bySolidity(changed, item),
        decodeCall(changed, signature),
      ]);
      expect([changed, ours?.params.map(({ value }) => value)]).toEqual([changed, values]);
      expect([changed, ours?.isCanonical]).toEqual([changed, encoded && encoded.slice(2) === changed.slice(10)]);
      if (encoded) accepted++;
    }
    // Both kinds came up, or nothing was compared.
    expect(accepted).toBeGreaterThan(10);
    expect(accepted).toBeLessThan(150);
  },
);

it("gives up on lists of lists that all lead to the same bytes, after a bounded number of values", async () => {
  const word = (value: number) => value.toString(16).padStart(64, "0");
  const list = (elements: number, offset: number) => word(elements) + word(offset).repeat(elements);
  // Each of 60 leads to one list of 60, each of which leads to one list of 60: 216,000 values in 6 kB.
  const data = word(32) + list(60, 60 * 32) + list(60, 60 * 32) + list(60, 60 * 32) + word(0);
  const selector = toFunctionSelector("f(bytes[][][])").slice(2);
  expect(await decodeCall(`0x${selector}${data}`, "f(bytes[][][])")).toBeUndefined();
  const fewer = word(32) + list(5, 5 * 32) + list(5, 5 * 32) + list(5, 5 * 32) + word(0);
  const decoded = await decodeCall(`0x${selector}${fewer}`, "f(bytes[][][])");
  expect(decoded).toMatchObject({ isCanonical: false, trailingBytes: 0 });
  expect(decoded?.params[0]?.value).toEqual(Array(5).fill(Array(5).fill(Array(5).fill("0x"))));
});

it.each([
  ["a mark of byte order", "efbbbf6869", "\uFEFFhi"],
  ["bytes that are no UTF-8", "6869ff", "hi\uFFFD"],
])("keeps text with %s, which is canonical all the same", async (_, hex, text) => {
  const selector = toFunctionSelector("text(string)");
  const length = (hex.length / 2).toString(16).padStart(64, "0");
  const data = `${selector}${"20".padStart(64, "0")}${length}${hex.padEnd(64, "0")}` as Hex;
  expect(await decodeCall(data, "text(string)")).toMatchObject({ isCanonical: true, params: [{ value: text }] });
  // The padding may be missing, or hold anything.
  for (const [padding, end] of [
    ["", ""],
    ["ab".repeat(3), ""],
    ["ab", "00".repeat(32 - hex.length / 2 - 1)],
  ])
    expect(await decodeCall(`${data.slice(0, 138 + hex.length)}${padding}${end}` as Hex, "text(string)")).toMatchObject(
      {
        ...{ isCanonical: false, trailingBytes: 0, params: [{ value: text }] },
      },
    );
});
