/** Compares a token as its offers name it with its contract. */
import { z } from "zod";
import { once } from "../../../lib/lazy.js";
import type { Rpc } from "../rpc.js";
import { domainSeparator } from "./chain/typed-data.js";

const DECIMALS = "0x313ce567";
const DOMAIN_SEPARATOR = "0x3644e515";
const NAME = "0x06fdde03";
const VERSION = "0x54fd4d50";
const MAX_TEXT = 100;

const hex = once(() => z.string().regex(/^0x(?:[0-9a-f]{2})*$/i));
const quantity = once(() =>
  z
    .string()
    .regex(/^0x[0-9a-f]{1,16}$/i)
    .transform(Number),
);

interface Asset {
  address: string;
  /** Absent for a token that is paid through Permit2 alone. */
  name?: string | undefined;
  version?: string | undefined;
  decimals: number;
}

/** The problem of a token; undefined if it has none. Rejects if the node does not answer. */
export async function checkEvmAsset(rpc: Rpc, chainId: number, asset: Asset): Promise<string | undefined> {
  const node = quantity().parse(await rpc("eth_chainId", []));
  if (node !== chainId) return `payment.rpc names a node of the chain ${node}, not of ${chainId}`;
  const call = async (data: string) => hex().parse(await rpc("eth_call", [{ to: asset.address, data }, "latest"]));
  const decimals = await call(DECIMALS);
  if (decimals === "0x") return `${asset.address} has no decimals() there, so it is not a token`;
  // guard: asset check: a token with other decimals is told | gone | asset-check
  if (BigInt(decimals) !== BigInt(asset.decimals))
    return `the token ${asset.address} has ${BigInt(decimals)} decimals, not ${asset.decimals}`;
  if (!asset.name || !asset.version) return undefined;
  const domain = { name: asset.name, version: asset.version, chainId, verifyingContract: asset.address };
  const [separator, expected] = await Promise.all([call(DOMAIN_SEPARATOR), domainSeparator(domain)]);
  // guard: asset check: a token of another domain is told |
  //   .toLowerCase() === expected -> !== expected.slice(1) | asset-check
  if (separator.toLowerCase() === expected) return undefined;
  const [name, version] = await Promise.all([NAME, VERSION].map((data) => call(data).then(textOf, () => "unknown")));
  return (
    `the token ${asset.address} signs under another EIP-712 domain than "${asset.name}", version "${asset.version}": ` +
    `its contract has the name "${name}" and the version "${version}"`
  );
}

/** A string as contracts return it: offset, length and bytes. */
function textOf(returned: string): string {
  const bytes = Buffer.from(returned.slice(2), "hex");
  const length = bytes.length >= 64 ? Number(BigInt(`0x${bytes.subarray(32, 64).toString("hex")}`)) : 0;
  return bytes.subarray(64, 64 + Math.min(length, MAX_TEXT)).toString("utf8");
}
