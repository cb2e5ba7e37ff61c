import { z } from "zod";
import type { Source } from "../../capability/output.js";
import { chainOf, type EvmChainName } from "../../providers/evm/chains.js";
import { evmNodes } from "../../providers/evm/provider.js";

/** Chains whose nodes are read for balances and fees. */
export const NODE_CHAINS = ["base", "ethereum", "polygon", "arbitrum", "optimism"] as const satisfies EvmChainName[];

export const isEvmAddress = (text: string): text is `0x${string}` => /^0x[0-9a-fA-F]{40}$/.test(text);

/** An account or contract of an EVM chain, in any case. */
export const evmAddress = () =>
  z
    .string()
    .refine(isEvmAddress, { error: "must be 0x and 40 hexadecimal digits" })
    .meta({ pattern: "^0x[0-9a-fA-F]{40}$", minLength: 42, maxLength: 42 });

/** The address with its checksum in the case of its letters (EIP-55). */
export async function withChecksum(address: string): Promise<`0x${string}`> {
  const { checksummed } = await import("../../engines/addresses/ethereum.js");
  return checksummed(address);
}

/** The source of a chain's own data in results. */
export const chainSource = (name: EvmChainName): Source => ({
  provider: `${chainOf(name).name} JSON-RPC`,
  url: chainOf(name).explorer,
  license: evmNodes.license,
});
