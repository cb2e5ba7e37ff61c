/**
 * Sends transactions of a wallet of the host. Those of one process stand in a queue, so that each has a nonce of its own;
 * where another instance took the same nonce meanwhile, one of both is refused, and is signed again with the next.
 */
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { once } from "../../../../lib/lazy.js";
import type { EvmSender, TransactionToSign } from "../../../options/evm-signer.js";
import type { Rpc } from "../../rpc.js";
import { type Log, readCoins, receiptOf } from "./chain.js";
import { keccak } from "./typed-data.js";

/** Each that is refused for its nonce means that another instance's was taken. */
const MAX_TRIES = 10;
const MAX_STEP_ASIDE_MS = 50;
/** Room above the estimate, which is of a block before. */
const GAS_PERCENT = 125n;
const FIRST_LOOK_MS = 100;
const MAX_LOOK_MS = 1_000;
/** Blocks of most networks come sooner; afterwards the settlement is looked for in the background. */
const MINED_WITHIN_MS = 20_000;

const quantity = once(() =>
  z
    .string()
    .regex(/^0x[0-9a-fA-F]{1,64}$/)
    .transform(BigInt),
);
const pendingBlock = once(() => z.object({ baseFeePerGas: quantity() }));

type Call = Pick<TransactionToSign, "to" | "data">;

export interface Mined {
  transaction: string;
  succeeded: boolean;
  logs: Log[];
}

/** Not one of its tries reached the chain. */
export class NotSent extends Error {
  override readonly name = "NotSent";
}

export interface Sender {
  address: string;
  /** Whether the call would succeed now. Rejects if the wallet lacks coins for its gas, or they cannot be read. */
  tryOut(call: Call): Promise<boolean>;
  /**
   * Sends a call, and resolves to its transaction once that is in a block; with none after twenty seconds. Rejects with
   * NotSent if it certainly is not on its way.
   */
  send(call: Call): Promise<Mined | { transaction: string }>;
}

export function createSender(account: EvmSender, { rpc, chainId }: { rpc: Rpc; chainId: number }): Sender {
  let last: Promise<unknown> = Promise.resolve();
  const from = account.address;
  const asCall = ({ to, data }: Call) => ({ from, to, data });

  async function fees(): Promise<Pick<TransactionToSign, "maxFeePerGas" | "maxPriorityFeePerGas">> {
    const [block, tip] = await Promise.all([
      rpc("eth_getBlockByNumber", ["latest", false]),
      rpc("eth_maxPriorityFeePerGas", []).catch(() => "0x0"),
    ]);
    const maxPriorityFeePerGas = quantity().parse(tip);
    // A base fee rises by an eighth in each block.
    return {
      maxPriorityFeePerGas,
      maxFeePerGas: 2n * pendingBlock().parse(block).baseFeePerGas + maxPriorityFeePerGas,
    };
  }

  async function sign(call: Call, gas: bigint): Promise<{ raw: string; hash: string }> {
    const [count, costs] = await Promise.all([rpc("eth_getTransactionCount", [from, "pending"]), fees()]);
    const nonce = Number(quantity().parse(count));
    const raw = await account.signTransaction({ type: "eip1559", chainId, nonce, value: 0n, gas, ...costs, ...call });
    const hash = (await keccak())(Buffer.from(raw.slice(2), "hex"));
    return { raw, hash: `0x${Buffer.from(hash).toString("hex")}` };
  }

  /** Resolves to the transaction's hash as soon as a node has it. */
  async function submit(call: Call): Promise<string> {
    const estimate = quantity().parse(await estimateOf(call));
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const { raw, hash } = await sign(call, (estimate * GAS_PERCENT) / 100n);
      const isTaken = await rpc("eth_sendRawTransaction", [raw]).then(
        () => true,
        // The answer may be lost, or the node has it from an earlier try.
        () => isKnown(hash),
      );
      if (isTaken) return hash;
      // Another length of time than the other instance's.
      await pause(Math.random() * MAX_STEP_ASIDE_MS * (tries + 1));
    }
    throw new NotSent("no node took the transaction");
  }

  const estimateOf = (call: Call) =>
    rpc("eth_estimateGas", [asCall(call)]).catch((cause: unknown) => {
      throw new NotSent("the call would fail", { cause });
    });

  /** While no node answers, a transaction may be on its way. */
  const isKnown = (hash: string): Promise<boolean> =>
    rpc("eth_getTransactionByHash", [hash]).then(
      (found) => found !== null,
      () => true,
    );

  /** One after another, until a node has each. */
  function queued(call: Call): Promise<string> {
    const next = last.then(() => submit(call));
    last = next.catch(() => {});
    return next;
  }

  return {
    address: from,
    async tryOut(call) {
      const gas = await rpc("eth_estimateGas", [asCall(call)]).then(quantity().parse, () => undefined);
      if (gas === undefined) return false;
      const [{ maxFeePerGas }, owned] = await Promise.all([fees(), readCoins(rpc, from)]);
      if (owned < gas * maxFeePerGas) throw new Error(`the wallet ${from} lacks coins for gas`);
      return true;
    },
    async send(call) {
      const transaction = await queued(call);
      const until = performance.now() + MINED_WITHIN_MS;
      for (let wait = FIRST_LOOK_MS; performance.now() < until; wait = Math.min(2 * wait, MAX_LOOK_MS)) {
        const receipt = await receiptOf(rpc, transaction).catch(() => undefined);
        if (receipt) return { transaction, succeeded: receipt.status === "0x1", logs: receipt.logs };
        await pause(wait);
      }
      return { transaction };
    },
  };
}
