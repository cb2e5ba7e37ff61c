/** What stands between the service and the contract: a facilitator that loses answers, and a node that is silent or behind. */
import { decodeFunctionData, encodeFunctionResult, parseAbi } from "viem/utils";
import type { Random } from "../random.js";
import type { Timeline } from "../timeline.js";
import type { Contract, Sent } from "./contract.js";

export const NETWORK = "eip155:8453";
/** Longer than this a facilitator does not wait for a transaction. */
const WATCH_MS = 8000;
/** Long after its lease. */
const MUCH_LATER_MS = 3_000_000;
/** Nobody is out of order for ever, and what a claim may wait for decides what can be lost. */
const MAX_FAULTS_IN_A_ROW = 2;
const BLOCK_MS = 2000;
/** No block is taken back when it is so old. */
const FINAL_MS = 60_000;
/** After anything else, what the contract can take back is an older claim, which may be final. */
const REORGANISED = new Set(["claim", "refund"]);
/** A node of its own that is silent for a while makes everything look bad to it. */
const MAX_BLIND = 12;

const abi = parseAbi([
  "struct Call { address target; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function tryAggregate(bool requireSuccess, Call[] calls) returns (Result[] results)",
]);
const word = (value: bigint | number) => BigInt(value).toString(16).padStart(64, "0");

export class Facilitator {
  /** How often it does not do its duty, from 0 to 1. */
  troubleRate: number;
  readonly #contract: Contract;
  readonly #timeline: Timeline;
  readonly #random: Random;
  #transactions = 0;
  #faults = 0;
  #blind = 0;

  constructor(contract: Contract, { timeline, random, troubleRate }: FacilitatorOptions) {
    this.#contract = contract;
    this.#timeline = timeline;
    this.#random = random;
    this.troubleRate = troubleRate;
  }

  supported = async () => ({
    kinds: ["exact", "batch-settlement"].map((scheme) => ({ x402Version: 2, scheme, network: NETWORK })),
  });

  async settle(payment: object): Promise<object> {
    const sent = (payment as { payload: Sent }).payload;
    if (this.#isBlind()) {
      this.#timeline.note(() => `facilitator: cannot read what it was sent, ${sent.type}`);
      const errorReason = `invalid_batch_settlement_evm_${sent.type}_simulation_failed`;
      return { success: false, errorReason, transaction: "", network: NETWORK };
    }
    const trouble = this.#trouble();
    // A signed refund never expires: whoever heard of it brings it when it likes.
    if (sent.type === "refund" && this.troubleRate > 0 && this.#random.chance(0.4)) {
      void this.#land(sent, this.#random.int(9000, MUCH_LATER_MS));
      throw new TypeError("fetch failed");
    }
    if (trouble === "before") throw new TypeError("fetch failed");
    const transaction = `0x${word(++this.#transactions)}`;
    const landing = this.#land(
      sent,
      trouble === "late"
        ? this.#random.int(9000, sent.type === "refund" ? MUCH_LATER_MS : 100_000)
        : this.#random.int(50, 3000),
    );
    if (trouble === "after") throw new TypeError("fetch failed");
    const pending = { success: false, errorReason: "settlement_pending", transaction, network: NETWORK };
    const end = await Promise.race([landing, this.#timeline.sleep(WATCH_MS).then(() => "late" as const)]);
    if (end === "late") return pending;
    if (end) return { success: false, errorReason: end, transaction: "", network: NETWORK };
    // A yes that is none is found out on chain.
    return { success: true, transaction, network: NETWORK };
  }

  /** It says the same of what it cannot read and of what no contract takes. */
  #isBlind(): boolean {
    if (this.troubleRate === 0) this.#blind = 0;
    else if (this.#blind === 0 && this.#random.chance(this.troubleRate / 8))
      this.#blind = this.#random.int(1, MAX_BLIND);
    return this.#blind > 0 && this.#blind-- > 0;
  }

  #trouble(): "before" | "after" | "late" | undefined {
    if (this.#faults >= MAX_FAULTS_IN_A_ROW || !this.#random.chance(this.troubleRate)) {
      this.#faults = 0;
      return undefined;
    }
    this.#faults++;
    return this.#random.pick(["before", "after", "late"]);
  }

  async #land(sent: Sent, afterMs: number): Promise<string | undefined> {
    await this.#timeline.sleep(afterMs);
    const objection = this.#contract.apply(sent);
    this.#timeline.note(() => `chain: ${sent.type} ${sent.voucher?.channelId?.slice(-4) ?? ""} ${objection ?? "done"}`);
    if (!objection && this.#random.chance(this.troubleRate / 4) && REORGANISED.has(sent.type)) this.#reorganise(sent);
    return objection;
  }

  /** The chain goes another way before the block is final, and takes it in again a little later or never. */
  #reorganise(sent: Sent): void {
    const { takeBack } = this.#contract;
    this.#timeline.at(this.#random.int(200, FINAL_MS - 5000), () => {
      if (takeBack !== this.#contract.takeBack || !takeBack()) return;
      this.#timeline.note(() => `chain: takes a ${sent.type} back`);
      if (this.#random.chance(0.5)) return;
      this.#timeline.at(this.#random.int(1000, 30_000), () => void this.#land(sent, 0));
    });
  }
}

interface FacilitatorOptions {
  timeline: Timeline;
  random: Random;
  troubleRate: number;
}

/** What a node answers. */
export function nodeAnswer(contract: Contract, timeline: Timeline, body: string, lagMs: number): unknown {
  const { method, params } = JSON.parse(body);
  if (method === "eth_getLogs") return [];
  if (method === "eth_getBlockByNumber") {
    const at = timeline.now - lagMs - (params[0] === "finalized" ? FINAL_MS : 0);
    const [number, timestamp] = [at / BLOCK_MS, at / 1000].map((value) => `0x${Math.floor(value).toString(16)}`);
    return { number, hash: `0x${word(Math.floor(at))}`, timestamp };
  }
  // As of a block, whose hash tells when that was.
  const block = (params[1] as { blockHash?: string }).blockHash;
  const behindMs = block ? Math.max(0, timeline.now - Number(block)) : lagMs;
  const { data } = params[0] as { data: `0x${string}` };
  // receivers(address,address)
  if (data.length === 2 + 8 + 128) return `0x${word(contract.claimed)}${word(contract.swept)}`;
  const { args } = decodeFunctionData({ abi, data });
  const result = args[1].map(({ callData }, i) => {
    const { balance, claimed, nonce, withdrawal } = contract.seen(`0x${callData.slice(10, 74)}`, behindMs);
    const views = [
      word(balance) + word(claimed),
      word(withdrawal?.amount ?? 0n) + word(withdrawal?.at ?? 0),
      word(nonce),
    ];
    return { success: true, returnData: `0x${views[i % 3]}` as const };
  });
  return encodeFunctionResult({ abi, functionName: "tryAggregate", result });
}
