/** Reads channels from the batch-settlement contract, many at once, and finds them by their first deposits. */
import { z } from "zod";
import { without } from "../../../errors.js";
import { lazy, once } from "../../../lib/lazy.js";
import type { ChannelHead, ChannelState } from "../channel.js";
import type { Rpc } from "../rpc.js";
import { blockAt, logsBack } from "./chain/chain.js";
import { BATCH_SETTLEMENT, type ChannelConfig } from "./channel-typed-data.js";

const viem = lazy(() => import("viem/utils").catch(without("viem")));

/** Multicall3 has the same address on every network; only `tryAggregate` is used. */
const MULTICALL3 = "0xcA11bde05977b3631167028862bE2a173976CA11";
/** If a node does not know the final block: deeper than any reorganisation observed so far. */
const FINAL_BLOCKS = 128;
/** Three reads for each channel; nodes limit the cost of one call. */
const CHANNELS_A_CALL = 100;

const ABI = lazy(async () => {
  const { parseAbi } = await viem();
  return parseAbi([
    "function channels(bytes32 channelId) view returns (uint128 balance, uint128 totalClaimed)",
    "function pendingWithdrawals(bytes32 channelId) view returns (uint128 amount, uint40 initiatedAt)",
    "function refundNonce(bytes32 channelId) view returns (uint256)",
    "function receivers(address receiver, address token) view returns (uint128 totalClaimed, uint128 totalSettled)",
    "struct Config { address payer; address payerAuthorizer; address receiver; address receiverAuthorizer; address token; uint40 withdrawDelay; bytes32 salt; }",
    "event ChannelCreated(bytes32 indexed channelId, Config config)",
    "struct Call { address target; bytes callData; }",
    "struct Result { bool success; bytes returnData; }",
    "function tryAggregate(bool requireSuccess, Call[] calls) returns (Result[] results)",
  ]);
});

type BlockName = "latest" | { blockHash: string };

const result = once(() => z.string().regex(/^0x(?:[0-9a-f]{2})*$/i));

/** Rejects if the node does not answer, or not in full. */
export async function readStates(rpc: Rpc, ids: string[], block: BlockName = "latest"): Promise<ChannelState[]> {
  const states: ChannelState[] = [];
  for (let at = 0; at < ids.length; at += CHANNELS_A_CALL)
    states.push(...(await readSome(rpc, ids.slice(at, at + CHANNELS_A_CALL), block)));
  return states;
}

/** A node that does not have the newest block yet fails instead of answering with older state. */
export async function readStatesAsOfBlock(
  rpc: Rpc,
  ids: string[],
): Promise<{ states: ChannelState[]; head: ChannelHead }> {
  const head = await blockAt(rpc, "latest");
  const [states, final] = await Promise.all([
    readStates(rpc, ids, { blockHash: head.hash }),
    blockAt(rpc, "finalized").catch(() => ({ number: head.number - FINAL_BLOCKS })),
  ]);
  return { states, head: { number: head.number, time: head.timestamp, final: final.number } };
}

async function readSome(rpc: Rpc, ids: string[], block: BlockName): Promise<ChannelState[]> {
  const [{ encodeFunctionData, decodeFunctionResult }, abi] = await Promise.all([viem(), ABI()]);
  const names = ["channels", "pendingWithdrawals", "refundNonce"] as const;
  const calls = ids.flatMap((id) =>
    names.map((functionName) => ({
      target: BATCH_SETTLEMENT as `0x${string}`,
      callData: encodeFunctionData({ abi, functionName, args: [id as `0x${string}`] }),
    })),
  );
  const data = encodeFunctionData({ abi, functionName: "tryAggregate", args: [true, calls] });
  const answer = result().parse(await rpc("eth_call", [{ to: MULTICALL3, data }, block]));
  const rows = decodeFunctionResult({ abi, functionName: "tryAggregate", data: answer as `0x${string}` });
  const read = (at: number, functionName: (typeof names)[number]) => {
    const row = rows[at];
    if (!row?.success) throw new Error("the node read only a part of the channels");
    return decodeFunctionResult({ abi, functionName, data: row.returnData });
  };
  return ids.map((_, i) => {
    const [balance, claimed] = read(3 * i, "channels") as readonly [bigint, bigint];
    const [amount, at] = read(3 * i + 1, "pendingWithdrawals") as readonly [bigint, number];
    const refundNonce = read(3 * i + 2, "refundNonce") as bigint;
    return { balance, claimed, refundNonce, ...(at > 0 ? { withdrawal: { amount, at } } : {}) };
  });
}

export async function readAccount(rpc: Rpc, receiver: string, token: string) {
  const [{ encodeFunctionData, decodeFunctionResult }, abi] = await Promise.all([viem(), ABI()]);
  const args = [receiver as `0x${string}`, token as `0x${string}`] as const;
  const data = encodeFunctionData({ abi, functionName: "receivers", args });
  const answer = result().parse(await rpc("eth_call", [{ to: BATCH_SETTLEMENT, data }, "latest"]));
  const [claimed, swept] = decodeFunctionResult({ abi, functionName: "receivers", data: answer as `0x${string}` });
  return { claimed, swept };
}

/** Configurations of channels from their first deposits, newest first. */
export async function* openedChannels(rpc: Rpc): AsyncGenerator<{ id: string; config: ChannelConfig }> {
  const [{ decodeEventLog, encodeEventTopics }, abi] = await Promise.all([viem(), ABI()]);
  const [topic] = encodeEventTopics({ abi, eventName: "ChannelCreated" });
  const filter = { address: BATCH_SETTLEMENT, topics: [String(topic)] };
  for await (const log of logsBack(rpc, { head: await blockAt(rpc, "latest"), filter, since: undefined })) {
    const topics = log.topics as [`0x${string}`];
    const { args } = decodeEventLog({ abi, eventName: "ChannelCreated", topics, data: log.data as `0x${string}` });
    if (args) yield { id: args.channelId.toLowerCase(), config: { ...args.config } };
  }
}
