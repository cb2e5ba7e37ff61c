/** A local EVM chain with what reads of mainnet meet: Multicall3, tokens of all kinds, proxies, and ENS. */
import { readFileSync } from "node:fs";
import { type Abi, encodeFunctionData, type Hex, namehash } from "viem";
import { startChain } from "../../examples/local-chain/chain.js";
import { EVM_CHAIN_NAMES, settingOf } from "../../src/providers/evm/chains.js";
import { type Address, MULTICALL3 } from "../../src/providers/evm/client.js";
import { UNIVERSAL_RESOLVER } from "../../src/providers/evm/ens.js";

/** Where the registry of ENS is. */
const ENS_REGISTRY = "0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e";

type ContractName = "EnsRegistry" | "EnsResolver" | "Multicall3" | "PlainToken" | "UniversalResolver";

export type EvmChain = Awaited<ReturnType<typeof startEvmChain>>;

export async function startEvmChain() {
  const { client, chain, rpcUrl, stop } = await startChain();
  const [banker] = await client.getAddresses();
  if (!banker) throw new Error("the chain has no account to send transactions from");
  let placed = 0;

  /** Puts code at an address, by default one that nobody else has. */
  const place = async (bytecode: Hex, address: Address = `0x${(++placed).toString(16).padStart(40, "c0de")}`) => {
    await client.setCode({ address, bytecode });
    return address;
  };
  const placeContract = async (name: ContractName, address?: Address) => {
    const { abi, deployedBytecode } = artifact(name);
    const at = await place(deployedBytecode, address);
    const write = async (functionName: string, ...args: unknown[]) => {
      const data = encodeFunctionData({ abi, functionName, args });
      const hash = await client.sendTransaction({ account: banker, chain, to: at, data });
      await client.waitForTransactionReceipt({ hash });
    };
    return { address: at, write };
  };

  await placeContract("Multicall3", MULTICALL3);
  await placeContract("UniversalResolver", UNIVERSAL_RESOLVER);
  const registry = await placeContract("EnsRegistry", ENS_REGISTRY);
  const resolver = await placeContract("EnsResolver");

  return {
    client,
    chain,
    banker,
    stop,
    place,
    placeContract,
    /** Every chain is this one. */
    secrets: Object.fromEntries(EVM_CHAIN_NAMES.map((name) => [settingOf(name), rpcUrl])),
    ens: {
      resolver: resolver.address,
      /** Registers a name; `records` are texts by key. */
      async register(name: string, { address, texts = {}, gateway, primary }: Registration) {
        const node = namehash(name);
        await registry.write("setResolver", node, resolver.address);
        if (address) await resolver.write("setAddr", node, address);
        if (primary) await resolver.write("setName", node, primary);
        if (gateway) await resolver.write("setGateway", node, gateway);
        for (const [key, value] of Object.entries(texts)) await resolver.write("setText", node, key, value);
      },
    },
  };
}

export interface Registration {
  address?: Address;
  texts?: Record<string, string>;
  /** Whom to ask instead of the resolver. */
  gateway?: string;
  /** Of a reverse record: the name that it leads to. */
  primary?: string;
}

function artifact(name: ContractName): { abi: Abi; deployedBytecode: Hex } {
  return JSON.parse(readFileSync(new URL(`contracts/${name}.artifact.json`, import.meta.url), "utf8"));
}
