/** A local chain with the batch-settlement contracts, the official facilitator for both schemes, and stock buyers. */
import { readFileSync } from "node:fs";
import { x402Facilitator } from "@x402/core/facilitator";
import { toClientEvmSigner, toFacilitatorEvmSigner } from "@x402/evm";
import { BatchSettlementEvmScheme as ChannelBuyer } from "@x402/evm/batch-settlement/client";
import { BatchSettlementEvmScheme } from "@x402/evm/batch-settlement/facilitator";
import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { type Abi, createWalletClient, type Hex, http, parseEther } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { startChain } from "../../examples/local-chain/chain.js";
import { oneAtATime } from "../../examples/local-chain/one-at-a-time.js";
import { PERMIT2 } from "../../src/payment/rails/evm/chain/permit2-contracts.js";
import {
  BATCH_SETTLEMENT,
  type ChannelConfig,
  DEPOSIT_COLLECTOR,
  PERMIT2_DEPOSIT_COLLECTOR,
} from "../../src/payment/rails/evm/channel-typed-data.js";
import type { Facilitator } from "../../src/payment/x402/transport.js";
import { approvals } from "./permit2-chain.js";

export interface ChannelChain extends Awaited<ReturnType<typeof startChannelChain>> {}

/** Anywhere. */
const STRANGERS_COLLECTOR = "0x00000000000000000000000000000000c011ec70";

interface Body {
  payload: { type?: string; claims?: unknown[] };
}

/** What the facilitator does with its next call of a kind instead of its duty. */
export type ChannelFault = "lose the answer" | "fall silent" | "refuse" | "lie" | "fail to read";

export async function startChannelChain(options: Parameters<typeof startChain>[0] = {}) {
  const chain = await startChain(options);
  const { client } = chain;
  const settlement = artifact("BatchSettlement");
  await client.setCode({ address: BATCH_SETTLEMENT, bytecode: settlement.deployedBytecode });
  await client.setCode({ address: DEPOSIT_COLLECTOR, bytecode: artifact("DepositCollector").deployedBytecode });
  await client.setCode({ address: PERMIT2, bytecode: artifact("Permit2").deployedBytecode });
  const byPermit2 = artifact("Permit2DepositCollector").deployedBytecode;
  await client.setCode({ address: PERMIT2_DEPOSIT_COLLECTOR, bytecode: byPermit2 });
  const signer = await facilitatorSigner(chain);
  const official = new x402Facilitator()
    .register(chain.network, new ExactEvmScheme(signer))
    .register(chain.network, new BatchSettlementEvmScheme(signer))
    .registerExtension({ key: "eip2612GasSponsoring" })
    .registerExtension(approvals(signer, { chain, send: (one) => signer.sendTransaction(one) }));

  /** What it was asked, as "settle claim" or "verify voucher". */
  const asked: string[] = [];
  const sent: { asked: string; payload: Body; requirements: { maxTimeoutSeconds: number } }[] = [];
  const faults = new Map<string, ChannelFault[]>();
  /** What happens on chain just before it does its next duty of a kind. */
  const before = new Map<string, () => Promise<unknown>>();
  const note = (path: string, payload: unknown, requirements: unknown) => {
    const body = payload as Body;
    const name = `${path} ${body.payload.type ?? "exact"}`;
    asked.push(name);
    sent.push({ asked: name, payload: body, requirements: requirements as { maxTimeoutSeconds: number } });
    return faults.get(name)?.shift();
  };
  const refusal = { success: false, errorReason: "insufficient_funds", transaction: "", network: chain.network };
  const facilitator: Facilitator = {
    supported: async () => official.getSupported(),
    verify(payload, requirements) {
      note("verify", payload, requirements);
      return official.verify(payload as never, requirements as never);
    },
    async settle(payload, requirements) {
      const fault = note("settle", payload, requirements);
      const name = asked.at(-1) ?? "";
      const meanwhile = before.get(name);
      before.delete(name);
      await meanwhile?.();
      // As the official schema has it, and strict facilitators with it.
      if (!((requirements as { maxTimeoutSeconds: number }).maxTimeoutSeconds > 0)) throw new Error("400 bad request");
      if (fault === "refuse") return refusal;
      // What the official one says of a bad claim, and of a node of its own that gave no answer.
      if (fault === "fail to read")
        return { ...refusal, errorReason: `invalid_batch_settlement_evm_${name.split(" ")[1]}_simulation_failed` };
      if (fault === "fall silent") throw new TypeError("fetch failed");
      if (fault === "lie") return { success: true, transaction: `0x${"12".repeat(32)}`, network: chain.network };
      const answer = await official.settle(payload as never, requirements as never);
      if (fault === "lose the answer") throw new TypeError("fetch failed");
      return answer;
    },
  };

  const read = (functionName: string, ...args: unknown[]) =>
    client.readContract({ address: BATCH_SETTLEMENT, abi: settlement.abi, functionName, args });
  const write = async (account: PrivateKeyAccount, functionName: string, ...args: unknown[]) => {
    await client.setBalance({ address: account.address, value: parseEther("10") });
    const wallet = createWalletClient({ account, chain: chain.chain, transport: http(chain.rpcUrl) });
    const call = { address: BATCH_SETTLEMENT as Hex, abi: settlement.abi, functionName, args };
    const hash = await wallet.writeContract(call as never);
    return client.waitForTransactionReceipt({ hash });
  };

  return {
    ...chain,
    facilitator,
    asked,
    sent,
    faults,
    before,
    async stateOf(id: string) {
      const [balance, claimed] = (await read("channels", id)) as [bigint, bigint];
      return { balance, claimed };
    },
    async account(receiver: string) {
      const [claimed, swept] = (await read("receivers", receiver, chain.usdc.address)) as [bigint, bigint];
      return { claimed, swept };
    },
    /** How many transactions of a kind there were: the events that the contract told, by transaction. */
    async transactions(eventName: string): Promise<number> {
      const call = { address: BATCH_SETTLEMENT as Hex, abi: settlement.abi, eventName, fromBlock: 0n };
      const events = await client.getContractEvents(call as never);
      return new Set(events.map((event: { transactionHash: string | null }) => event.transactionHash)).size;
    },
    digests: {
      claimBatch: (rows: unknown) => read("getClaimBatchDigest", rows) as Promise<Hex>,
      channelId: (config: ChannelConfig) => read("getChannelId", config) as Promise<Hex>,
      voucher: (id: string, ceiling: bigint) => read("getVoucherDigest", id, ceiling) as Promise<Hex>,
      refund: (id: string, nonce: bigint, amount: bigint) => read("getRefundDigest", id, nonce, amount) as Promise<Hex>,
    },
    /** A deposit in whatever payer's name, out of somebody else's pocket: through a collector that asks for no signature. */
    async depositAs(account: PrivateKeyAccount, config: ChannelConfig, amount: bigint) {
      await client.setCode({ address: STRANGERS_COLLECTOR, bytecode: artifact("StrangersCollector").deployedBytecode });
      await chain.mint(STRANGERS_COLLECTOR, amount);
      await write(account, "deposit", config, amount, STRANGERS_COLLECTOR, "0x");
    },
    /** A contract that signs by its owner's key (EIP-1271). */
    async contractWallet(name: "OwnedWallet" | "SmartWallet", owner: Hex): Promise<Hex> {
      const { abi, deployedBytecode } = artifact(name);
      const { address } = privateKeyToAccount(generatePrivateKey());
      await client.setCode({ address, bytecode: deployedBytecode });
      const [account] = await client.getAddresses();
      const call = { address, abi, functionName: "initialize", args: [owner], account, chain: chain.chain };
      await client.waitForTransactionReceipt({ hash: await client.writeContract(call as never) });
      return address;
    },
    /** Whether the contract would take a claim; nothing is changed. */
    async takes(rows: unknown[], authorizerSignature: string): Promise<boolean> {
      const call = { address: BATCH_SETTLEMENT as Hex, abi: settlement.abi, functionName: "claimWithSignature" };
      const asked = client.simulateContract({ ...call, args: [rows, authorizerSignature] } as never);
      return asked.then(
        () => true,
        () => false,
      );
    },
    withdraw: {
      begin: (account: PrivateKeyAccount, config: ChannelConfig, amount: bigint) =>
        write(account, "initiateWithdraw", config, amount),
      end: (account: PrivateKeyAccount, config: ChannelConfig) => write(account, "finalizeWithdraw", config),
    },
    async passTime(seconds: number) {
      await client.increaseTime({ seconds });
      await client.mine({ blocks: 1 });
    },
    /** A new wallet with dollars behind the official client. */
    async buyer(fetch: typeof globalThis.fetch, options: BuyerOptions = {}) {
      const { account = privateKeyToAccount(generatePrivateKey()), node = true, voucherSigner, salt } = options;
      if (!options.account) await chain.mint(account.address, 20_000_000n);
      const signer = node ? toClientEvmSigner(account, client as never) : toClientEvmSigner(account);
      const delegate = voucherSigner && {
        voucherSigner: toClientEvmSigner(voucherSigner),
        payerAuthorizer: voucherSigner.address,
      };
      const channel = new ChannelBuyer(signer, { ...(salt ? { salt } : {}), ...delegate });
      const paying = new x402Client().register("eip155:*", channel as never);
      return { account, channel, payer: paying, fetch: wrapFetchWithPayment(fetch, paying) };
    },
  };
}

export interface BuyerOptions {
  /** Default: a new one with 20 dollars. */
  account?: PrivateKeyAccount;
  /** Whether it can read the chain. Default true. */
  node?: boolean;
  salt?: Hex;
  /** Signs vouchers in its place. */
  voucherSigner?: PrivateKeyAccount;
}

function artifact(name: string): { abi: Abi; deployedBytecode: Hex } {
  return JSON.parse(readFileSync(new URL(`contracts/${name}.artifact.json`, import.meta.url), "utf8"));
}

async function facilitatorSigner({ chain, client, rpcUrl }: Awaited<ReturnType<typeof startChain>>) {
  const account = privateKeyToAccount(generatePrivateKey());
  await client.setBalance({ address: account.address, value: parseEther("1000") });
  const wallet = createWalletClient({ account, chain, transport: http(rpcUrl) });
  // Nonces are given out one at a time.
  const inTurn = oneAtATime();
  return toFacilitatorEvmSigner({
    address: account.address,
    readContract: (args) => client.readContract({ ...args, args: args.args ?? [], account } as never),
    verifyTypedData: (args) => client.verifyTypedData(args as never),
    getCode: (args) => client.getCode(args),
    waitForTransactionReceipt: (args) => client.waitForTransactionReceipt(args),
    writeContract: (args) => inTurn(() => wallet.writeContract(args as never)),
    sendTransaction: (args) => inTurn(() => wallet.sendTransaction(args)),
  });
}
