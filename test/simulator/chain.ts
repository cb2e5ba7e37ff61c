/** A chain with one token that takes each authorization once (EIP-3009, Permit2), and a node that shows it. */
import type { Abi } from "viem";
import { encodeFunctionData } from "viem/utils";
import { EXACT_PROXY, PERMIT2, UPTO_PROXY } from "../../src/payment/rails/evm/chain/permit2-contracts.js";
import { EXACT_ABI, PROXY_ABI } from "../support/upto-proxy-abi.js";
import type { Authorization } from "../support/wallets.js";
import type { Random } from "./random.js";
import type { Timeline } from "./timeline.js";
import { type AuthorizationOrPermit, isOurs, SETTLER } from "./wallets.js";

export interface Transfer {
  authorization: Authorization;
  transaction: string;
  at: number;
  /** The payer sent it: before the service took the payment up that is a gift, and no sale. */
  own?: true;
}

export type MiningEnd = "mined" | "reverted";

const BLOCK_MS = 2000;
const AUTHORIZATION_USED = "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5";
const AUTHORIZATION_CANCELED = "0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81";
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const ASSET = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";

/** What names a payment: payer and nonce on EVM networks, and on Solana the hash of the message. */
export const authorizationKey = ({ from, nonce }: Pick<Authorization, "from" | "nonce">): string =>
  from.startsWith("0x") ? `${from}:${nonce}`.toLowerCase() : nonce;

/** An authorization whole, apart from others with its nonce. */
export const messageKey = ({ from, to, value, validAfter, validBefore, nonce }: Authorization): string =>
  [from, to, value, validAfter, validBefore, nonce].join(" ").toLowerCase();

interface Used {
  kind: "used" | "cancelled";
  transaction: string;
  at: number;
  transfer?: Transfer;
  /** Where its mark stands in the transaction; its transfer follows. */
  logIndex?: number;
}

/** A block that is older stays, where a world takes blocks back: nobody looks at a settlement a third time. */
const TAKEN_BACK_WITHIN_MS = 6000;

export class Chain {
  readonly transfers: Transfer[] = [];
  /** How often a block is taken back with a payment that a facilitator brought, from 0 to 1; and when that was. */
  reorganises = 0;
  readonly takenBack = new Map<string, number>();
  readonly #balances = new Map<string, bigint>();
  readonly #states = new Map<string, Used>();
  /** How many transactions with an authorization are out and in no block yet. */
  readonly #floating = new Map<string, number>();
  readonly #timeline: Timeline;
  readonly #random: Random;

  constructor(timeline: Timeline, random: Random) {
    this.#timeline = timeline;
    this.#random = random;
  }

  fund(address: string, amount: bigint): void {
    this.#balances.set(address.toLowerCase(), amount);
  }

  balanceOf(address: string): bigint {
    return this.#balances.get(address.toLowerCase()) ?? 0n;
  }

  transferOf(key: string): Transfer | undefined {
    return this.#states.get(key)?.transfer;
  }

  isUsed(authorization: Authorization): boolean {
    return this.#states.has(authorizationKey(authorization));
  }

  isSpent(key: string): boolean {
    return this.#states.has(key);
  }

  isFloating(key: string): boolean {
    return (this.#floating.get(key) ?? 0) > 0;
  }

  /** Whether the token would take it in a block now; otherwise what facilitators call the reason. */
  objection(authorization: Authorization): string | undefined {
    const seconds = this.#timeline.now / 1000;
    if (this.isUsed(authorization)) return "invalid_exact_evm_nonce_already_used";
    if (Number(authorization.validBefore) <= seconds) return "invalid_exact_evm_payload_authorization_valid_before";
    if (Number(authorization.validAfter) > seconds) return "invalid_exact_evm_payload_authorization_valid_after";
    return this.balanceOf(authorization.from) < BigInt(authorization.value) ? "insufficient_funds" : undefined;
  }

  /** Sends a transaction that lands in a block sooner or later, or never. */
  broadcast(authorization: Authorization): { transaction: string; end: Promise<MiningEnd> } {
    const key = authorizationKey(authorization);
    const transaction = `0x${this.#random.hex(32)}`;
    this.#floating.set(key, (this.#floating.get(key) ?? 0) + 1);
    const { promise, resolve } = withResolvers<MiningEnd>();
    this.#timeline.at(this.#delayMs(), () => {
      this.#floating.set(key, (this.#floating.get(key) ?? 0) - 1);
      // Transactions get lost too, when fees rise or nodes forget.
      if (this.#random.chance(0.02)) return;
      const end = this.#include(authorization, transaction);
      resolve(end);
      if (end === "mined") this.#mayTakeBack(authorization, transaction);
    });
    return { transaction, end: promise };
  }

  #include(authorization: Authorization, transaction: string): MiningEnd {
    const objection = this.objection(authorization);
    this.#timeline.note(() => `chain: ${authorizationKey(authorization).slice(-6)} ${objection ?? "mined"}`);
    if (objection) return "reverted";
    const { from, to, value } = authorization;
    const transfer = { authorization, transaction, at: this.#timeline.now };
    this.transfers.push(transfer);
    this.#states.set(authorizationKey(authorization), { kind: "used", transaction, at: transfer.at, transfer });
    this.fund(from, this.balanceOf(from) - BigInt(value));
    this.fund(to, this.balanceOf(to) + BigInt(value));
    return "mined";
  }

  /** Now and then the chain goes another way, and takes a payment in again a little later or never. */
  #mayTakeBack(authorization: Authorization, transaction: string): void {
    if (!isOurs(authorization.to) || !authorization.from.startsWith("0x")) return;
    if (this.reorganises === 0 || !this.#random.chance(this.reorganises)) return;
    const key = authorizationKey(authorization);
    this.#timeline.at(this.#random.int(100, TAKEN_BACK_WITHIN_MS), () => {
      const transfer = this.transferOf(key);
      if (transfer?.transaction !== transaction) return;
      this.#timeline.note(() => `chain: takes ${key.slice(-6)} back`);
      this.takenBack.set(key, this.#timeline.now);
      this.transfers.splice(this.transfers.indexOf(transfer), 1);
      this.#states.delete(key);
      const { from, to, value } = authorization;
      this.fund(to, this.balanceOf(to) - BigInt(value));
      this.fund(from, this.balanceOf(from) + BigInt(value));
      if (this.#random.chance(0.5)) return;
      this.#timeline.at(this.#random.int(1000, 30_000), () => void this.#include(authorization, transaction));
    });
  }

  /** The payer takes an authorization back. */
  cancel(authorization: Authorization): void {
    this.#timeline.at(this.#delayMs(), () => {
      if (this.isUsed(authorization)) return;
      this.#timeline.note(() => `chain: ${authorizationKey(authorization).slice(-6)} cancelled`);
      const at = this.#timeline.now;
      this.#states.set(authorizationKey(authorization), {
        kind: "cancelled",
        transaction: `0x${this.#random.hex(32)}`,
        at,
      });
    });
  }

  /** The payer's own transaction: one authorization as it was signed, and under other nonces nothing, to itself. */
  bundle(real: Authorization, others: readonly Authorization[]): void {
    this.#timeline.at(this.#delayMs(), () => {
      if (this.objection(real)) return;
      const transaction = `0x${this.#random.hex(32)}`;
      this.#include(real, transaction);
      Object.assign(this.transferOf(authorizationKey(real)) ?? {}, { own: true });
      for (const [i, other] of others.filter((each) => !this.isUsed(each)).entries()) {
        this.#timeline.note(() => `chain: ${authorizationKey(other).slice(-6)} used up for nothing`);
        const used = { kind: "used", transaction, at: this.#timeline.now, logIndex: 2 * (i + 1) } as const;
        this.#states.set(authorizationKey(other), used);
      }
    });
  }

  #delayMs(): number {
    const blocks = this.#random.chance(0.06) ? this.#random.int(10, 40) : this.#random.int(1, 3);
    return blocks * BLOCK_MS - this.#random.int(0, 1999);
  }

  /** What a node answers that has seen everything up to `lagMs` ago; one that forgets keeps the state, but no logs. */
  rpc(method: string, params: unknown[], { lagMs, forgets }: { lagMs: number; forgets: boolean }): unknown {
    const nodeTime = this.#timeline.now - lagMs;
    const seen = ({ at }: Used) => at <= nodeTime;
    if (method === "eth_getBlockByNumber" && params[0] === "0x0")
      return { number: "0x0", hash: `0x${"0".repeat(64)}`, timestamp: "0x1", transactions: [OLDEST.transactionHash] };
    if (method === "eth_getBlockByNumber")
      return {
        number: "0x1000",
        hash: `0x${nodeTime.toString(16).padStart(64, "0")}`,
        timestamp: `0x${Math.floor(nodeTime / 1000).toString(16)}`,
      };
    if (method === "eth_call") {
      const [{ data, to }, { blockHash }] = params as [{ data: string; to: string }, { blockHash: string }];
      // The state as of one block, which another node behind the same address may not have yet.
      if (Number(blockHash) > nodeTime) throw new Error("header not found");
      const seen = ({ at }: Used) => at <= Number(blockHash);
      if (to === PERMIT2) return this.#nonceBitmap(data, seen);
      const state = this.#states.get(`0x${data.slice(34, 74)}:0x${data.slice(74)}`.toLowerCase());
      return `0x${(state && seen(state) ? "1" : "0").padStart(64, "0")}`;
    }
    if (forgets) return method === "eth_getLogs" ? [] : null;
    if (method === "eth_getLogs") {
      const [first, payer = "", nonce = ""] = (params[0] as { topics: string[] }).topics;
      if (first === OLDEST.topics[0]) return [OLDEST];
      if (first === TRANSFER) return this.#transfersBetween(payer, nonce, nodeTime);
      const state = this.#states.get(`0x${payer.slice(26)}:${nonce}`);
      if (!state || !seen(state)) return [];
      const topic = state.kind === "used" ? AUTHORIZATION_USED : AUTHORIZATION_CANCELED;
      return [
        {
          address: ASSET,
          topics: [topic, payer, nonce],
          data: "0x",
          logIndex: `0x${(state.logIndex ?? 0).toString(16)}`,
          transactionHash: state.transaction,
        },
      ];
    }
    if (params[0] === OLDEST.transactionHash) return { status: "0x1", logs: [OLDEST] };
    const transfer = this.transfers.find(({ transaction }) => transaction === params[0]);
    if (method === "eth_getTransactionByHash") return transfer ? callOf(transfer) : null;
    // Nodes know nothing of a transaction that was taken back.
    const isKnown = [...this.#states.values()].some(({ transaction }) => transaction === params[0]);
    if (!transfer) return isKnown ? { status: "0x1", logs: [] } : null;
    const { from, to, value, nonce } = transfer.authorization;
    const log = { address: ASSET, transactionHash: transfer.transaction };
    const mark = { ...log, topics: [AUTHORIZATION_USED, asTopic(from), nonce], data: "0x", logIndex: "0x0" };
    const topics = [TRANSFER, asTopic(from), asTopic(to)];
    return {
      status: "0x1",
      logs: [
        mark,
        { ...log, topics, data: `0x${BigInt(value).toString(16)}`, logIndex: "0x1" },
        ...this.#nothings(transfer.transaction, log),
      ],
    };
  }

  /** A word of a payer's used nonces of Permit2, one bit each. */
  #nonceBitmap(data: string, seen: (used: Used) => boolean): string {
    const [payer, wordPosition] = [`0x${data.slice(34, 74)}`, BigInt(`0x${data.slice(74)}`)];
    let bits = 0n;
    for (const [key, used] of this.#states) {
      const [from, nonce = ""] = key.split(":");
      if (from !== payer || isHex(nonce) || !seen(used) || BigInt(nonce) >> 8n !== wordPosition) continue;
      bits |= 1n << (BigInt(nonce) & 255n);
    }
    return `0x${bits.toString(16).padStart(64, "0")}`;
  }

  #transfersBetween(payer: string, payee: string, nodeTime: number): object[] {
    const all = this.transfers.filter(
      ({ authorization: { from, to }, at }) => asTopic(from) === payer && asTopic(to) === payee && at <= nodeTime,
    );
    return all.map(({ authorization, transaction }) => ({
      address: ASSET,
      topics: [TRANSFER, payer, payee],
      data: `0x${BigInt(authorization.value).toString(16)}`,
      logIndex: "0x1",
      transactionHash: transaction,
    }));
  }

  /** The logs of what was used up for nothing in a transaction. */
  #nothings(transaction: string, log: object): object[] {
    const found = [...this.#states].filter(([, state]) => state.transaction === transaction && state.logIndex);
    return found.flatMap(([key, { logIndex = 0 }]) => {
      const [from = "", nonce] = key.split(":");
      const topics = {
        mark: [AUTHORIZATION_USED, asTopic(from), nonce],
        moved: [TRANSFER, asTopic(from), asTopic(from)],
      };
      return [
        { ...log, topics: topics.mark, data: "0x", logIndex: `0x${logIndex.toString(16)}` },
        { ...log, topics: topics.moved, data: "0x0", logIndex: `0x${(logIndex + 1).toString(16)}` },
      ];
    });
  }
}

/** Of the chain's first block: by it a node shows that it has forgotten no logs. */
const OLDEST = {
  ...{ address: `0x${"01".repeat(20)}`, topics: [`0x${"02".repeat(32)}`], data: "0x", logIndex: "0x0" },
  transactionHash: `0x${"03".repeat(32)}`,
};

const isHex = (nonce: string) => nonce.startsWith("0x");

/** The transaction of a transfer: of a permit, the call of the proxy. */
function callOf({ authorization }: Transfer): object {
  const { from, to, value, validAfter, validBefore, nonce, byPermit }: AuthorizationOrPermit = authorization;
  if (isHex(nonce)) return { to: ASSET, input: "0x" };
  const permit = { permitted: { token: ASSET, amount: value }, nonce, deadline: validBefore };
  if (byPermit) {
    const args = [permit, from, { to, validAfter }, "0x"];
    return { to: EXACT_PROXY, input: encodeFunctionData({ abi: EXACT_ABI as Abi, functionName: "settle", args }) };
  }
  const args = [permit, value, from, { to, facilitator: SETTLER, validAfter }, "0x"];
  return { to: UPTO_PROXY, input: encodeFunctionData({ abi: PROXY_ABI as Abi, functionName: "settle", args }) };
}

const asTopic = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, "0")}`;

export function withResolvers<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
