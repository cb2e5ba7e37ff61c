/** The data of a contract call, by a signature that may be the one it was made with. */
import type { AbiFunction, AbiParameter } from "viem";
import { lazy } from "../../lib/lazy.js";

const viem = lazy(() => import("viem"));

/** Longer or deeper signatures than compilers make are jokes, or attacks. */
const MAX_SIGNATURE = 1000;
const MAX_DEPTH = 8;

export interface Param {
  name: string | null;
  /** As signatures write it: tuples are lists in brackets. */
  type: string;
  /** Whole numbers as decimal text, bytes as hex, addresses with their checksum, arrays and tuples as arrays. */
  value: unknown;
}

export interface DecodedCall {
  functionName: string;
  params: Param[];
  /** What follows the parameters, as some routers append a mark of their own. */
  trailingBytes: number;
}

/**
 * The parameters of a call, of which `data` is everything, selector included. Undefined where the signature is none, or
 * where encoding them again gives other bytes: then the call was made with another signature.
 */
export async function decodeCall(data: `0x${string}`, signature: string): Promise<DecodedCall | undefined> {
  if (!isPlausible(signature)) return undefined;
  const { parseAbiItem, decodeFunctionData, encodeFunctionData } = await viem();
  try {
    const item = parseAbiItem(`function ${signature}`) as AbiFunction;
    const { args } = decodeFunctionData({ abi: [item], data });
    const values = (args ?? []) as readonly unknown[];
    const again = encodeFunctionData({ abi: [item], functionName: item.name, args: values });
    if (!data.startsWith(again)) return undefined;
    return {
      functionName: item.name,
      params: item.inputs.map((input, index) => ({
        name: input.name || null,
        type: typeOf(input),
        value: toJson(values[index]),
      })),
      trailingBytes: (data.length - again.length) / 2,
    };
  } catch {
    return undefined;
  }
}

/**
 * Anybody may write signatures into the databases. Lists of lists that all lead to the same bytes take long to read. Elements without a size would make a few bytes of data an endless list:
 * there are none in Solidity.
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

function typeOf(param: AbiParameter): string {
  if (!param.type.startsWith("tuple") || !("components" in param)) return param.type;
  return `(${param.components.map(typeOf).join(",")})${param.type.slice("tuple".length)}`;
}

function toJson(value: unknown): unknown {
  if (typeof value === "bigint" || typeof value === "number") return String(value);
  if (Array.isArray(value)) return value.map(toJson);
  return typeof value === "object" && value !== null ? Object.values(value).map(toJson) : value;
}

/** The 32-byte words after the selector, as 64 hex digits each; the last may be shorter. */
export const wordsOf = (data: string): string[] => data.slice(10).match(/.{1,64}/g) ?? [];
