/** Decodes the data of a contract call by a signature that may be the right one. */
import type { AbiFunction } from "viem";
import { without } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { AbiData, abiType, readFrame, totalSize } from "./reader.js";

const viem = lazy(() => import("viem").catch(without("viem")));

/** Signatures longer or deeper than compilers produce are jokes, or attacks. */
const MAX_SIGNATURE = 1000;
const MAX_DEPTH = 8;

export interface Param {
  name: string | null;
  /** In the form of signatures: tuples are lists in brackets. */
  type: string;
  /** Whole numbers as decimal text, bytes as hex, addresses with their checksum, arrays and tuples as arrays. */
  value: unknown;
}

export interface DecodedCall {
  functionName: string;
  params: Param[];
  /**
   * Whether an encoder would write the same bytes: no gaps, nothing shared, complete zero padding, and no bytes after
   * the end.
   */
  isCanonical: boolean;
  /** Bytes after the parameters, such as a marker that some routers append. */
  trailingBytes: number;
}

/**
 * The parameters of a call by its whole `data`, selector included, read as a Solidity contract does: offsets may lead
 * anywhere. Undefined for an invalid signature, or data that a contract would refuse.
 */
export async function decodeCall(data: `0x${string}`, signature: string): Promise<DecodedCall | undefined> {
  if (!isPlausible(signature)) return undefined;
  const { parseAbiItem, toFunctionSelector, getAddress } = await viem();
  try {
    const item = parseAbiItem(`function ${signature}`) as AbiFunction;
    if (toFunctionSelector(item) !== data.slice(0, 10)) return undefined;
    const types = item.inputs.map((input) => abiType(input, (address) => getAddress(address)));
    const given = new AbiData(Buffer.from(data.slice(10), "hex"));
    const values = readFrame(given, 0, types, totalSize(types));
    const trailingBytes = given.bytes.length - given.furthest;
    return {
      functionName: item.name,
      params: item.inputs.map(({ name }, index) => ({
        name: name || null,
        type: types[index]?.name ?? "",
        value: values[index],
      })),
      isCanonical: given.isCanonical && trailingBytes === 0,
      trailingBytes,
    };
  } catch {
    return undefined;
  }
}

/**
 * Anybody may add signatures to the databases. Element types without a size, which Solidity does not have, would make
 * an endless list of a few bytes.
 */
function isPlausible(signature: string): boolean {
  if (signature.length > MAX_SIGNATURE || !/^[A-Za-z_$][\w$]*\([\w,()[\]]*\)$/.test(signature)) return false;
  const params = signature.slice(signature.indexOf("(") + 1, -1);
  if (/\(\)|\[0+\]|(?:\[\d*\]){4}/.test(params)) return false;
  let [depth, deepest] = [0, 0];
  for (const character of params) {
    if (character === "(") depth++;
    if (character === ")") depth--;
    deepest = Math.max(deepest, depth);
  }
  return deepest <= MAX_DEPTH;
}

/** The 32-byte words after the selector, as 64 hex digits each; the last may be shorter. */
export const abiWords = (data: string): string[] => data.slice(10).match(/.{1,64}/g) ?? [];
