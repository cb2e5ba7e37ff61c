/** Reads the code at an address, and the target of a proxy. */
import type { Context } from "../../capability/types.js";
import { MINUTE_MS } from "../../lib/time.js";
import type { EvmChainName } from "./chains.js";
import { type Address, type ChainView, callContract, readChain } from "./client.js";

/** keccak256("eip1967.proxy.implementation") - 1 */
const IMPLEMENTATION_SLOT = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";
/** keccak256("eip1967.proxy.beacon") - 1 */
const BEACON_SLOT = "0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50";
/** A minimal proxy (EIP-1167) has its implementation in its code. */
const MINIMAL_PROXY = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3/i;
/** An account with a key that delegates to a contract's code (EIP-7702). */
const DELEGATION = /^0xef0100([0-9a-f]{40})$/i;

export type ProxyType = "EIP1167Proxy" | "EIP1967Proxy" | "EIP1967BeaconProxy" | "EIP7702Delegation";

export interface Code {
  isContract: boolean;
  /** Null if it is not a proxy of these kinds. */
  proxy: { type: ProxyType; implementation: Address } | null;
}

export function readCode(ctx: Context, chain: EvmChainName, address: Address): Promise<Code> {
  return readChain(
    ctx,
    chain,
    async (view) => {
      const code = await view.client.getCode({ address });
      if (code === undefined || code === "0x") return { isContract: false, proxy: null };
      const delegate = DELEGATION.exec(code)?.[1];
      if (delegate) return { isContract: false, proxy: toProxy(view, "EIP7702Delegation", delegate) };
      const target = MINIMAL_PROXY.exec(code)?.[1];
      if (target) return { isContract: true, proxy: toProxy(view, "EIP1167Proxy", target) };
      return { isContract: true, proxy: await readSlots(view, address) };
    },
    { ttlMs: MINUTE_MS },
  );
}

async function readSlots(view: ChainView, address: Address): Promise<Code["proxy"]> {
  const [implementation, beacon] = await Promise.all(
    [IMPLEMENTATION_SLOT, BEACON_SLOT].map(async (slot) =>
      addressIn(await view.client.getStorageAt({ address, slot: slot as Address })),
    ),
  );
  if (implementation) return toProxy(view, "EIP1967Proxy", implementation);
  if (!beacon) return null;
  const data = view.viem.toFunctionSelector("implementation()");
  const answer = await callContract(view.client, { to: `0x${beacon}`, data });
  const behind = answer.ok ? addressIn(answer.data) : undefined;
  return behind ? toProxy(view, "EIP1967BeaconProxy", behind) : null;
}

/** The address in a word, without 0x; undefined if it is empty or not an address. */
function addressIn(word: string | undefined): string | undefined {
  const address = /^0x0{24}([0-9a-f]{40})$/i.exec(word ?? "")?.[1];
  return address && !/^0+$/.test(address) ? address : undefined;
}

const toProxy = ({ viem }: ChainView, type: ProxyType, implementation: string) => ({
  type,
  implementation: viem.getAddress(`0x${implementation}`),
});
