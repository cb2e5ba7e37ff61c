/**
 * A node's list of an account's transactions, newest first, and the node's progress, which tells whether an absent
 * transaction is really absent.
 */
import { z } from "zod";
import { once } from "../../../lib/lazy.js";
import type { PaymentToSettle } from "../../x402/facilitator.js";
import type { Rpc } from "../rpc.js";
import { MEMO_PROGRAM } from "./layout.js";

const PAGE = 200;
/** Anybody can add entries to an account's list for the fee of a transaction, so a full page is followed by another. */
const MAX_PAGES = 25;
/** Number of entries of the memo program's own list to check; one with a memo is enough. */
const SAMPLE = 10;
/**
 * A transaction lives for 150 slots after its blockhash, so one that was valid on arrival has expired after this. Slots
 * take 0.4 s, and more than twice as long when the network is slow.
 */
const LIFE_SECONDS = 180;
/** The chain's clock may be behind ours. */
const CLOCK_SLACK_SECONDS = 600;

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
export type ListedTransaction = z.infer<ReturnType<typeof entry>>;
const listing = once(() => z.array(entry()));
const epochInfo = once(() => z.object({ absoluteSlot: z.int(), blockHeight: z.int() }));
/**
 * When a transaction can be included: after a slot, and up to a block. Requirements of a refund contain this; those of
 * a payment do not.
 */
const lifetime = once(() => z.object({ minContextSlot: z.int(), lastValidBlockHeight: z.int() }));

/** The part of the chain that can contain a transaction. */
export interface TransactionSearch {
  kind: "payment" | "refund";
  fromSlot: number;
  toSlot: number;
  /** Epoch seconds. */
  fromTime: number;
  /** Minimum progress of the node that answers. */
  minContextSlot?: number;
  /** Whether the transaction can no longer be included later. */
  isOver: boolean;
  /** Whether the node reported its progress as far as needed. Otherwise nothing counts as absent. */
  isKnown: boolean;
}

/**
 * Decides where to look for a transaction. Called before the search, which a node with at least this progress must
 * answer.
 */
export async function searchFor(rpc: Rpc, { requirements, since }: PaymentToSettle): Promise<TransactionSearch> {
  const { data: life } = lifetime().safeParse(requirements.extra);
  const fromTime = life || since === undefined ? 0 : since - CLOCK_SLACK_SECONDS;
  const fromSlot = life?.minContextSlot ?? 0;
  const kind = life ? "refund" : "payment";
  const search: TransactionSearch = {
    kind,
    fromSlot,
    fromTime,
    toSlot: Number.POSITIVE_INFINITY,
    isOver: false,
    isKnown: true,
  };
  if (!life && since === undefined) return search;
  try {
    const final = epochInfo().parse(await rpc("getEpochInfo", [{ commitment: "finalized" }]));
    search.minContextSlot = final.absoluteSlot;
    if (life) {
      const blocksSince = final.blockHeight - life.lastValidBlockHeight;
      search.isOver = blocksSince > 0;
      // Each block took at least one slot.
      // guard: solana: what is later than a refund's life does not count | gone | LOOKUP
      if (search.isOver) search.toSlot = final.absoluteSlot - blocksSince;
    } else if (since !== undefined) {
      const finalTime = z.int().parse(await rpc("getBlockTime", [final.absoluteSlot]));
      search.isOver = finalTime > since + LIFE_SECONDS;
    }
  } catch {
    // guard: solana: what is listed counts although the node does not say how far it has come |
    //   search.isKnown = false -> throw new Error("unknown") | LOOKUP
    search.isKnown = false;
  }
  return search;
}

/** The transactions that mention an account, newest first, as far as the node lists them; complete if it listed all. */
export async function list(
  rpc: Rpc,
  account: string,
  search: TransactionSearch,
): Promise<{ entries: ListedTransaction[]; isWhole: boolean }> {
  const { fromSlot, toSlot, fromTime, minContextSlot } = search;
  const entries: ListedTransaction[] = [];
  // guard: solana: nothing is absent where the node does not say how far it has come | = true | LOOKUP
  let isWhole = search.isKnown;
  let least = minContextSlot === undefined ? {} : { minContextSlot };
  let before = {};
  async function next(): Promise<ListedTransaction[]> {
    const options = { limit: PAGE, commitment: "confirmed", ...least, ...before };
    return listing().parse(await rpc("getSignaturesForAddress", [account, options]));
  }
  /** A node that is behind may still show the transaction; it only cannot prove that others are absent. */
  async function nextAnyhow(): Promise<ListedTransaction[]> {
    isWhole = false;
    least = {};
    return next().catch(() => []);
  }
  for (let page = 0; page < MAX_PAGES; page++) {
    const listed = await next().catch(() => (page === 0 && minContextSlot !== undefined ? nextAnyhow() : undefined));
    if (!listed) return { entries, isWhole: false };
    const recent = listed.filter(
      ({ slot = fromSlot, blockTime }) => slot >= fromSlot && (blockTime ?? fromTime) >= fromTime,
    );
    entries.push(...recent.filter(({ slot }) => slot === undefined || slot <= toSlot));
    if (recent.length < PAGE) return { entries, isWhole };
    before = { before: listed.at(-1)?.signature };
  }
  return { entries, isWhole: false };
}

/** Whether the node lists memos. If it does, a transaction listed without a memo has none. */
export async function tellsMemos(rpc: Rpc): Promise<boolean> {
  const options = { limit: SAMPLE, commitment: "confirmed" };
  const listed = await rpc("getSignaturesForAddress", [MEMO_PROGRAM, options]).catch(() => []);
  return (
    listing()
      .safeParse(listed)
      .data?.some(({ memo }) => memo) ?? false
  );
}
