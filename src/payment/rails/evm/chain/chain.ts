/** Reads of an EVM chain with which both schemes look up payments. */
import { z } from "zod";
import { once } from "../../../../lib/lazy.js";
import { amountOf, type PaymentToSettle } from "../../../x402/facilitator.js";
import type { Rpc } from "../../rpc.js";

export const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** Public nodes refuse longer ranges. */
const WINDOW_BLOCKS = 5000;
/** Some days on the known networks, as long as records of payments live. */
const MAX_WINDOWS = 120;
/** The chain's clock may be behind ours. */
const CLOCK_SLACK_SECONDS = 600;

const quantity = once(() =>
  z
    .string()
    .regex(/^0x[0-9a-f]{1,16}$/i)
    .transform(Number),
);
const block = once(() =>
  z.object({
    number: quantity(),
    hash: z.string(),
    timestamp: quantity(),
    /** Hashes of the transactions. */
    transactions: z.array(z.string()).default([]),
  }),
);
export type Block = z.infer<ReturnType<typeof block>>;

const log = once(() =>
  z.object({
    address: z.string(),
    topics: z.array(z.string()),
    data: z.string(),
    logIndex: quantity(),
    transactionHash: z.string(),
  }),
);
export type Log = z.infer<ReturnType<typeof log>>;
const logs = once(() => z.array(log()));
const receipt = once(() => z.object({ status: z.string(), blockNumber: quantity().optional(), logs: logs() }));
const word = once(() =>
  z
    .string()
    .regex(/^0x[0-9a-f]{64}$/i)
    .transform(BigInt),
);

const coins = once(() =>
  z
    .string()
    .regex(/^0x[0-9a-f]{1,64}$/i)
    .transform(BigInt),
);

const hex = (value: number) => `0x${value.toString(16)}`;
export const hexWord = (value: bigint) => value.toString(16).padStart(64, "0");

/** An address as the indexed argument of an event. */
export const toTopic = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, "0")}`;

export async function blockAt(rpc: Rpc, number: number | "latest" | "finalized"): Promise<Block> {
  return block().parse(await rpc("eth_getBlockByNumber", [typeof number === "number" ? hex(number) : number, false]));
}

/**
 * One word of a contract's state as of one block. A node that does not have the block yet fails instead of answering
 * with older state.
 */
export async function readWord(rpc: Rpc, call: { to: string; data: string }, { hash }: Block): Promise<bigint> {
  return word().parse(await rpc("eth_call", [call, { blockHash: hash }]));
}

/** balanceOf(address) */
const BALANCE_OF = "0x70a08231";

/** Balance of an account in a token, as of the newest block. */
export async function readBalance(rpc: Rpc, { owner, token }: { owner: string; token: string }): Promise<bigint> {
  return word().parse(await rpc("eth_call", [{ to: token, data: BALANCE_OF + toTopic(owner).slice(2) }, "latest"]));
}

/** Balance of an account in the network's own coin, in wei. */
export async function readCoins(rpc: Rpc, owner: string): Promise<bigint> {
  return coins().parse(await rpc("eth_getBalance", [owner, "latest"]));
}

/** Whether an account owns less of a token than it has to pay, as of the newest block. */
export async function lacksFunds(rpc: Rpc, payment: PaymentToSettle): Promise<boolean> {
  const data = BALANCE_OF + toTopic(payment.payer).slice(2);
  try {
    const owned = await readWord(rpc, { to: payment.requirements.asset, data }, await blockAt(rpc, "latest"));
    return owned < BigInt(amountOf(payment));
  } catch {
    return false;
  }
}

/** allowance(address,address) */
const ALLOWANCE = "0xdd62ed3e";

/** Whether a payer allows a spender less of a token than it has to pay, as of the newest block; false if it cannot be read. */
export async function lacksAllowance(rpc: Rpc, payment: PaymentToSettle, spender: string): Promise<boolean> {
  const data = ALLOWANCE + toTopic(payment.payer).slice(2) + toTopic(spender).slice(2);
  try {
    const allowed = await readWord(rpc, { to: payment.requirements.asset, data }, await blockAt(rpc, "latest"));
    return allowed < BigInt(amountOf(payment));
  } catch {
    return false;
  }
}

export async function receiptOf(rpc: Rpc, transaction: string): Promise<z.infer<ReturnType<typeof receipt>>> {
  return receipt().parse(await rpc("eth_getTransactionReceipt", [transaction]));
}

export interface LogSearch {
  head: Block;
  filter: { address: string; topics: (string | string[])[] };
  /**
   * Epoch seconds before which the payment cannot exist; if unknown, the search goes back as far as records are kept.
   */
  since: number | undefined;
}

/**
 * Logs from the head back to the end of the search, newest first. Returns the block where it ended, if it got that far.
 */
export async function* logsBack(
  rpc: Rpc,
  { head, filter, since = 0 }: LogSearch,
): AsyncGenerator<Log, Block | undefined> {
  let to = head.number;
  for (let window = 0; window < MAX_WINDOWS; window++) {
    const from = Math.max(0, to - WINDOW_BLOCKS + 1);
    const range = { fromBlock: hex(from), toBlock: hex(to) };
    yield* logs()
      .parse(await rpc("eth_getLogs", [{ ...filter, ...range }]))
      .reverse();
    const first = await blockAt(rpc, from);
    if (from === 0 || first.timestamp < since - CLOCK_SLACK_SECONDS) return first;
    to = from - 1;
  }
  return undefined;
}

/** Number of blocks and receipts that are read to find a log that must exist. */
const MAX_LOOKS = 8;

/**
 * Whether a node still has the logs of a block, or of one soon after it, at the latest at `until` (epoch seconds). A
 * node that pruned its logs finds nothing, just like one that searched all of them, so a log known from a receipt tests
 * the search.
 */
export async function remembersLogs(rpc: Rpc, block: Block, until: number): Promise<boolean> {
  let looks = MAX_LOOKS;
  for (let at = block; looks > 0 && at.timestamp <= until; at = await blockAt(rpc, at.number + 1), looks--) {
    // Takes the last transactions, because some networks begin each block with a system transaction.
    for (const transaction of at.transactions.slice(-MAX_LOOKS).reverse()) {
      if (looks-- <= 0) break;
      const known = (await receiptOf(rpc, transaction)).logs[0];
      if (!known) continue;
      const here = { fromBlock: hex(at.number), toBlock: hex(at.number) };
      const found = logs().parse(await rpc("eth_getLogs", [{ address: known.address, topics: known.topics, ...here }]));
      // guard: a permit was used otherwise by the word of a node that has not forgotten its logs |
      //   returns true || found | handler/upto
      return found.some(({ transactionHash }) => transactionHash === transaction);
    }
  }
  return false;
}
