/** A private copy of Base with test USDC at the address of the real one, which is what stock buyers know. */
import type { Address, Chain, Client, PublicActions, TestActions, Transport, WalletActions } from "viem";
import { without } from "../errors.js";
import { EVM_NETWORKS } from "../payment/rails/evm/networks.js";
import { startAnvil } from "./anvil.js";
import { TEST_USDC } from "./test-usdc.js";

const CHAIN_ID = 8453;
export const NETWORK = `eip155:${CHAIN_ID}` as const;
const MINTER = ["function mint(address to, uint256 amount)", "function balanceOf(address) view returns (uint256)"];

export interface LocalChain {
  rpcUrl: string;
  chain: Chain;
  client: Client<Transport, Chain> & PublicActions<Transport, Chain> & WalletActions<Chain> & TestActions;
  stop(): Promise<void>;
  /** Makes test USDC, in millionths of a dollar. */
  mint(to: Address, amount: bigint): Promise<void>;
  /** An account's test USDC, in millionths of a dollar. */
  balanceOf(account: Address): Promise<bigint>;
}

export async function startLocalChain(): Promise<LocalChain> {
  const viem = await import("viem").catch(without("viem"));
  const { rpcUrl, stop } = await startAnvil(CHAIN_ID);
  const chain = viem.defineChain({
    id: CHAIN_ID,
    name: "Local copy of Base",
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  const client = viem
    .createTestClient({ mode: "anvil", chain, transport: viem.http(rpcUrl, { retryCount: 0 }), pollingInterval: 50 })
    .extend(viem.publicActions)
    .extend(viem.walletActions);
  const address = EVM_NETWORKS.get(NETWORK)?.asset as Address;
  await client.setCode({ address, bytecode: TEST_USDC });
  const [banker] = await client.getAddresses();
  if (!banker) throw new Error("The local chain has no account to send transactions from.");
  const abi = viem.parseAbi(MINTER);
  const inTurn = oneAtATime();

  return {
    rpcUrl,
    chain,
    client: client as unknown as LocalChain["client"],
    stop,
    async mint(to: Address, amount: bigint): Promise<void> {
      const call = { address, abi, functionName: "mint", args: [to, amount], account: banker, chain } as const;
      const hash = await inTurn(() => client.writeContract(call as never));
      await client.waitForTransactionReceipt({ hash });
    },
    async balanceOf(account: Address): Promise<bigint> {
      return (await client.readContract({
        address,
        abi,
        functionName: "balanceOf",
        args: [account],
      } as never)) as bigint;
    },
  };
}

/** Transactions of one account that are sent at once would get the same account nonce. */
export function oneAtATime(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => {});
    return result;
  };
}
