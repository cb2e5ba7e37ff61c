/** Whether a signed transaction reached the chain, read from the chain itself. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { once } from "../../../lib/lazy.js";
import type { PaymentToSettle } from "../../x402/facilitator.js";
import type { PaymentRequirements } from "../../x402/wire.js";
import type { Sighting } from "../rail.js";
import type { Rpc } from "../rpc.js";
import { MEMO_PROGRAM, TRANSFER_POSITION } from "./layout.js";
import { readTransaction, type SolanaTransaction } from "./transaction.js";

const PAGE = 200;
/** Public nodes count requests. Of a payment everything is recent; a refund may be looked for after an outage. */
const LIMITS = { payment: { pages: 5, reads: 20 }, refund: { pages: 20, reads: 100 } };

const entry = once(() =>
  z.object({
    signature: z.string(),
    err: z.unknown(),
    memo: z.string().nullish(),
    slot: z.int().optional(),
    /** Epoch seconds. */
    blockTime: z.int().nullish(),
  }),
);
type Entry = z.infer<ReturnType<typeof entry>>;
const listing = once(() => z.array(entry()));
const landed = once(() => z.object({ transaction: z.tuple([z.string(), z.literal("base64")]) }).nullable());
/**
 * A transaction lives for 150 slots after its blockhash, so one that was good when it was taken is over after this.
 * Slots take 0.4 s; when the network is slow, more than twice as long.
 */
const LIFE_SECONDS = 180;
/** A payment may have been taken a little before our clock says so. */
const CLOCK_SLACK_SECONDS = 600;
const epochInfo = once(() => z.object({ absoluteSlot: z.int(), blockHeight: z.int() }));

/** When a transaction can land: after a slot, and up to a block. The requirements of a refund say so; a payment's do not. */
const lifetime = once(() => z.object({ minContextSlot: z.int(), lastValidBlockHeight: z.int() }));

/** What part of the chain to search, and whether that is all that can ever have the transaction. */
interface Search {
  kind: "payment" | "refund";
  fromSlot: number;
  /** Epoch seconds. */
  fromTime: number;
  /** How far the node that answers must have come. */
  minContextSlot?: number;
  isOver: boolean;
}

/**
 * The transaction's own id is the fee payer's signature, which we learn only from the facilitator. So the transactions
 * of the account that the money comes from are searched; a stranger cannot hide one there by sending to the treasury.
 *
 * One is `cancelled` also once the last block that could have it is final and none up to it has it, and `paid` by whichever of those
 * that were signed for the same order.
 */
export async function findTransaction(rpc: Rpc, { payload, requirements, since }: PaymentToSettle): Promise<Sighting> {
  try {
    const wanted = await readTransaction(payload);
    const search = await searchFor(rpc, requirements, since);
    const { entries, isWhole } = await list(rpc, wanted, search);
    const memo = memoOf(wanted);
    const candidates = entries.filter((entry) => !entry.memo || (memo !== undefined && entry.memo.includes(memo)));
    const { reads } = LIMITS[search.kind];
    let unread = 0;
    for (const { signature, err } of candidates.slice(0, reads)) {
      const bytes = await readLanded(rpc, signature);
      const hasFailed = err !== null && err !== undefined;
      if (!bytes) unread++;
      else if (isSame(bytes, wanted)) return hasFailed ? CANCELLED : paidBy(signature);
      else if (search.kind === "refund" && !hasFailed && (await doesSame(bytes, wanted))) return paidBy(signature);
    }
    if (!isWhole || candidates.length > reads) return { kind: "unreadable" };
    return search.isOver && unread === 0 ? CANCELLED : { kind: "absent" };
  } catch {
    return { kind: "unreadable" };
  }
}

const balance = once(() => z.object({ value: z.object({ amount: z.string().regex(/^\d{1,20}$/) }) }));

/** Whether the account that a transaction pays from holds less than it is to pay. */
export async function lacksFunds(rpc: Rpc, { payload, requirements }: PaymentToSettle): Promise<boolean> {
  try {
    const { instructions } = await readTransaction(payload);
    const source = instructions[TRANSFER_POSITION]?.accounts[0];
    const { value } = balance().parse(await rpc("getTokenAccountBalance", [source, { commitment: "confirmed" }]));
    return BigInt(value.amount) < BigInt(requirements.amount);
  } catch {
    return false;
  }
}

async function searchFor(rpc: Rpc, { extra }: PaymentRequirements, since?: number): Promise<Search> {
  const { data: life } = lifetime().safeParse(extra);
  if (!life) return searchForPayment(rpc, since);
  // Asked before the search, which must then be answered by a node that has come as far.
  const final = epochInfo().parse(await rpc("getEpochInfo", [{ commitment: "finalized" }]));
  const isOver = final.blockHeight > life.lastValidBlockHeight;
  const { minContextSlot: fromSlot } = life;
  return { kind: "refund", fromSlot, fromTime: 0, minContextSlot: final.absoluteSlot, isOver };
}

/** What was not taken yet cannot have landed, and what was taken long enough ago cannot land any more. */
async function searchForPayment(rpc: Rpc, since: number | undefined): Promise<Search> {
  if (since === undefined) return { kind: "payment", fromSlot: 0, fromTime: 0, isOver: false };
  const { absoluteSlot } = epochInfo().parse(await rpc("getEpochInfo", [{ commitment: "finalized" }]));
  const finalTime = z.int().parse(await rpc("getBlockTime", [absoluteSlot]));
  const isOver = finalTime > since + LIFE_SECONDS;
  const fromTime = since - CLOCK_SLACK_SECONDS;
  return { kind: "payment", fromSlot: 0, fromTime, minContextSlot: absoluteSlot, isOver };
}

const paidBy = (signature: string): Sighting => ({ kind: "paid", transaction: signature, proof: signature });

/** One that failed on chain cannot be sent again. */
const CANCELLED: Sighting = { kind: "cancelled" };

/** The transactions of the account that the money comes from, newest first. */
async function list(
  rpc: Rpc,
  { instructions }: SolanaTransaction,
  { kind, fromSlot, fromTime, minContextSlot }: Search,
) {
  const source = instructions[TRANSFER_POSITION]?.accounts[0];
  const options = { limit: PAGE, commitment: "confirmed", ...(minContextSlot === undefined ? {} : { minContextSlot }) };
  const entries: Entry[] = [];
  for (let page = 0; page < LIMITS[kind].pages; page++) {
    const before = entries.at(-1)?.signature;
    const request = [source, before === undefined ? options : { ...options, before }];
    const listed = listing().parse(await rpc("getSignaturesForAddress", request));
    const recent = listed.filter(
      ({ slot = fromSlot, blockTime }) => slot >= fromSlot && (blockTime ?? fromTime) >= fromTime,
    );
    entries.push(...recent);
    if (recent.length < PAGE) return { entries, isWhole: true };
  }
  return { entries, isWhole: false };
}

async function readLanded(rpc: Rpc, signature: string): Promise<Buffer | undefined> {
  const options = { encoding: "base64", commitment: "confirmed", maxSupportedTransactionVersion: 0 };
  const found = landed().parse(await rpc("getTransaction", [signature, options]));
  return found ? Buffer.from(found.transaction[0], "base64") : undefined;
}

/** All but the fee payer's signature, which was still missing in what we have: the buyer's own is among the rest. */
const isSame = (bytes: Buffer, wanted: SolanaTransaction): boolean =>
  bytes.subarray(1 + 64).equals(Buffer.from(wanted.bytes).subarray(1 + 64));

/** The same transfer with the same memo: its owner has signed it, or it would not have landed. */
async function doesSame(bytes: Buffer, wanted: SolanaTransaction): Promise<boolean> {
  const found = await readTransaction({ transaction: bytes.toString("base64") }).catch(() => undefined);
  return found !== undefined && isDeepStrictEqual(found.instructions.map(plain), wanted.instructions.map(plain));
}

const plain = ({ program, accounts, data }: SolanaTransaction["instructions"][number]) => [
  program,
  accounts,
  Buffer.from(data).toString("hex"),
];

/** Nodes list a transaction's memos with it, which saves reading those of other payments. */
function memoOf({ instructions }: SolanaTransaction): string | undefined {
  const memo = instructions.find(({ program }) => program === MEMO_PROGRAM);
  return memo && Buffer.from(memo.data).toString("utf8");
}
