/** Looks up on chain whether a Permit2 authorization was used. */
import { z } from "zod";
import { once } from "../../../../lib/lazy.js";
import { amountOf, type PaymentToSettle } from "../../../x402/facilitator.js";
import type { ChainStatus } from "../../rail.js";
import type { Rpc } from "../../rpc.js";
import {
  type Block,
  blockAt,
  hexWord,
  type Log,
  logsBack,
  readWord,
  receiptOf,
  remembersLogs,
  TRANSFER,
  toTopic,
} from "./chain.js";
import { EXACT_PROXY, PERMIT2 } from "./permit2-contracts.js";
import { sameAddress } from "./signature.js";

/** nonceBitmap(address,uint256) */
const NONCE_BITMAP = "0x4fe02b44";
/** Settled() and SettledWithPermit(), which a proxy emits behind the transfer. */
const SETTLED = [
  "0x97088ec3606cfe8cc112180570d03fcde05f9b8e1bfef8e27784eaf5dd5691b6",
  "0xde5b89d10fc800c459329c382fabfcad0be0ed7e5328e01fae04e507b09ef5d8",
];
/** Maximum lag between nodes behind one address; before that, a node may not have seen the settlement yet. */
const NODE_LAG_SECONDS = 600;
/** Permits of one payer in one transaction that are told apart: each takes two reads. */
const MOST_PERMITS = 64;

/**
 * The proxies' ways to settle, by their selectors: settle(permit, [amount,] owner, witness, signature) and
 * settleWithPermit(permit2612, …the same). All before the signature is of fixed size, so each field has its place: the word
 * of the permit's nonce, and of the owner.
 */
const SETTLE: Readonly<Record<string, { nonce: number; owner: number }>> = {
  "0x13cd3b53": { nonce: 2, owner: 4 },
  "0xfa340378": { nonce: 7, owner: 9 },
  "0xff11e7b4": { nonce: 2, owner: 5 },
  "0x016c1748": { nonce: 7, owner: 10 },
};

const sent = once(() =>
  z.object({ permit2Authorization: z.object({ nonce: z.string(), deadline: z.string(), spender: z.string() }) }),
);
const transaction = once(() => z.object({ from: z.string().optional(), to: z.string().nullable(), input: z.string() }));

/**
 * Permit2 records that a nonce was used, but no event names the transaction: it is the call of the proxy with this
 * nonce and payer. A transaction that merely contains the nonce proves nothing.
 */
export async function findPermit(rpc: Rpc, payment: PaymentToSettle): Promise<ChainStatus> {
  const { data } = sent().safeParse(payment.payload);
  if (!data) return { kind: "unreadable" };
  const { nonce, deadline, spender } = data.permit2Authorization;
  const wanted = { nonce: BigInt(nonce), payer: payment.payer, spender };
  const search = { deadline: BigInt(deadline), amount: BigInt(amountOf(payment)) };
  return findUse(rpc, payment, { ...wanted, ...search, isBy: (log) => settles(rpc, log, wanted) });
}

interface Search extends Wanted {
  deadline: bigint;
  /** Of the transfer to the payee. */
  amount: bigint;
  /** Whether a transfer was made for this permit. */
  isBy(log: Log): Promise<boolean>;
}

/** How the nonce of a permit was used, and whether it was for the payment. */
export async function findUse(
  rpc: Rpc,
  { requirements, since }: PaymentToSettle,
  { nonce, payer, deadline, amount, isBy }: Search,
): Promise<ChainStatus> {
  try {
    const head = await blockAt(rpc, "latest");
    const expiredFor = BigInt(head.timestamp) - deadline;
    // Permit2 accepts a permit up to and including its deadline.
    if (!(await isUsedAt(rpc, head, { payer, nonce }))) return { kind: expiredFor > 0n ? "cancelled" : "absent" };

    const topics = [TRANSFER, toTopic(payer), toTopic(requirements.payTo)];
    const search = logsBack(rpc, { head, filter: { address: requirements.asset, topics }, since });
    for (let next = await search.next(); ; next = await search.next()) {
      if (next.done) {
        // The payer used the nonce in another way, unless the node no longer has the logs that would show how.
        const isGone =
          next.value && expiredFor > NODE_LAG_SECONDS && (await remembersLogs(rpc, next.value, since ?? 0));
        return { kind: isGone ? "cancelled" : "unreadable" };
      }
      const log = next.value;
      if (BigInt(log.data) !== amount || !(await isBy(log))) continue;
      return { kind: "paid", transaction: log.transactionHash, proof: `${log.transactionHash}:${log.logIndex}` };
    }
  } catch {
    // The node does not answer, or does not have the block that it reported.
  }
  return { kind: "unreadable" };
}

async function isUsedAt(rpc: Rpc, block: Block, { payer, nonce }: { payer: string; nonce: bigint }): Promise<boolean> {
  const data = NONCE_BITMAP + toTopic(payer).slice(2) + hexWord(nonce >> 8n);
  const used = await readWord(rpc, { to: PERMIT2, data }, block);
  return ((used >> (nonce & 0xffn)) & 1n) === 1n;
}

interface Wanted {
  nonce: bigint;
  payer: string;
  /** The proxy that was permitted. */
  spender: string;
}

/** Whether the permitted proxy made a transfer in its call for this permit alone. */
async function settles(rpc: Rpc, log: Log, wanted: Wanted): Promise<boolean> {
  const { to, input } = transaction().parse(await rpc("eth_getTransactionByHash", [log.transactionHash]));
  if (to === null) return false;
  if (!sameAddress(to, wanted.spender)) return isWithin(rpc, log, wanted, input);
  const call = settledPermit(input);
  if (!call || call.nonce !== wanted.nonce || !sameAddress(call.owner, wanted.payer)) return false;
  return (await receiptOf(rpc, log.transactionHash)).status === "0x1";
}

/**
 * Anybody may call the exact proxy, through a contract of their own as well, and the payer's money arrives all the same.
 * The proxy's event stands behind each transfer, and the permits stand in the transaction's data in their order, among
 * others that failed or that nobody signed.
 */
async function isWithin(rpc: Rpc, log: Log, { nonce, spender }: Wanted, input: string): Promise<boolean> {
  if (!sameAddress(spender, EXACT_PROXY)) return false;
  const named = permitsWithin(input, log);
  if (!named.includes(nonce) || named.length > MOST_PERMITS) return false;
  const { status, logs, blockNumber } = await receiptOf(rpc, log.transactionHash);
  if (status !== "0x1") return false;
  const transfers = transfersOf(logs, { log, spender });
  const isPlain = named.length <= transfers.length || blockNumber === undefined;
  const taken = isPlain ? named : await usedIn(rpc, blockNumber, { payer: payerOf(log), nonces: named });
  // guard: permit2: each permit within a stranger's transaction has its own transfer |
  //   [taken.indexOf(nonce)] === log.logIndex -> .includes(log.logIndex) | permit2
  return transfers[taken.indexOf(nonce)] === log.logIndex;
}

/** The nonces that were used in one block, and not before it. */
async function usedIn(
  rpc: Rpc,
  number: number,
  { payer, nonces }: { payer: string; nonces: readonly bigint[] },
): Promise<bigint[]> {
  const [at, before] = await Promise.all([blockAt(rpc, number), blockAt(rpc, number - 1)]);
  const isUsed = await Promise.all(
    nonces.map(
      // guard: permit2: a permit that was used before a transaction has no transfer in it |
      //   - && !(await isUsedAt(rpc, before, { payer, nonce })) | permit2
      async (nonce) => (await isUsedAt(rpc, at, { payer, nonce })) && !(await isUsedAt(rpc, before, { payer, nonce })),
    ),
  );
  return nonces.filter((_, index) => isUsed[index]);
}

/** permitWitnessTransferFrom, and permitBatchWitnessTransferFrom as this package encodes it: nonce and owner as above. */
const TAKE: typeof SETTLE = {
  "0x137c29fe": { nonce: 2, owner: 6 },
  "0x3cdca69b": { nonce: 7, owner: 2 },
};

/** Whether a transfer was made by the permitted account's own call of Permit2, for this permit. */
export async function takes(rpc: Rpc, log: Log, { nonce, payer, spender }: Wanted): Promise<boolean> {
  const { from, to, input } = transaction().parse(await rpc("eth_getTransactionByHash", [log.transactionHash]));
  if (from === undefined || to === null || !sameAddress(to, PERMIT2) || !sameAddress(from, spender)) return false;
  const call = permitIn(input, TAKE);
  if (!call || call.nonce !== nonce || !sameAddress(call.owner, payer)) return false;
  return (await receiptOf(rpc, log.transactionHash)).status === "0x1";
}

const payerOf = ({ topics: [, payer = ""] }: Log) => `0x${payer.slice(-40)}`;

/** The nonces of the permits for a transfer's token, amount, payer and payee, wherever they stand in a call. */
function permitsWithin(input: string, { address, data, topics: [, payer = "", payTo = ""] }: Log): bigint[] {
  const word = (hex: string) => hex.slice(2).toLowerCase().padStart(64, "0");
  const any = "[0-9a-f]{64}";
  const permit = [word(address), word(data), `(${any})`, any, word(payer), word(payTo)].join("");
  const found = [...input.toLowerCase().matchAll(new RegExp(permit, "g"))];
  return [...new Set(found.map(([, nonce]) => BigInt(`0x${nonce}`)))];
}

/** The places of a proxy's transfers that are like one of them. */
function transfersOf(logs: Log[], { log, spender }: { log: Log; spender: string }): number[] {
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
  const settled = logs.filter(({ address, topics }) => same(address, spender) && SETTLED.includes(topics[0] ?? ""));
  const behind = settled.map(({ logIndex }) =>
    logs.findLast((one) => one.logIndex < logIndex && one.topics[0]?.toLowerCase() === TRANSFER),
  );
  const isLike = (one: Log | undefined): one is Log =>
    one !== undefined &&
    same(one.address, log.address) &&
    same(one.data, log.data) &&
    one.topics.join().toLowerCase() === log.topics.join().toLowerCase();
  return behind.filter(isLike).map(({ logIndex }) => logIndex);
}

/** The permit of a call of the proxy; undefined for any other call. */
export const settledPermit = (input: string) => permitIn(input, SETTLE);

function permitIn(input: string, calls: typeof SETTLE): { nonce: bigint; owner: string } | undefined {
  const places = calls[input.slice(0, 10).toLowerCase()];
  const word = (index: number) => input.slice(10 + 64 * index, 10 + 64 * (index + 1));
  // guard: upto: an owner is an address and nothing more |
  //   - || !/^0{24}[0-9a-f]{40}$/i.test(word(places.owner)) | encodings
  if (!places || !/^[0-9a-f]{64}$/i.test(word(places.nonce)) || !/^0{24}[0-9a-f]{40}$/i.test(word(places.owner)))
    return undefined;
  return { nonce: BigInt(`0x${word(places.nonce)}`), owner: `0x${word(places.owner).slice(24)}` };
}
