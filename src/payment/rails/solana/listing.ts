/** What a node lists of an account, newest first, and how far it has come: of what it does not show nothing else tells. */
import { z } from "zod";
import { once } from "../../../lib/lazy.js";
import type { PaymentToSettle } from "../../x402/facilitator.js";
import type { Rpc } from "../rpc.js";
import { MEMO_PROGRAM } from "./layout.js";

const PAGE = 200;
/** Anybody can fill an account's list for the price of a transaction an entry; a page that is full is followed by another. */
const MAX_PAGES = 25;
/** How many entries of the memo program's own list are looked at: one with a memo is enough. */
const SAMPLE = 10;
/**
 * A transaction lives for 150 slots after its blockhash, so one that was good when it was taken is over after this.
 * Slots take 0.4 s; when the network is slow, more than twice as long.
 */
const LIFE_SECONDS = 180;
/** A payment may have been taken a little before our clock says so. */
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
/** When a transaction can land: after a slot, and up to a block. The requirements of a refund say so; a payment's do not. */
const lifetime = once(() => z.object({ minContextSlot: z.int(), lastValidBlockHeight: z.int() }));

/** What part of the chain can have a transaction. */
export interface TransactionSearch {
  kind: "payment" | "refund";
  fromSlot: number;
  toSlot: number;
  /** Epoch seconds. */
  fromTime: number;
  /** How far the node that answers must have come. */
  minContextSlot?: number;
  /** Whether that is all that can ever have it. */
  isOver: boolean;
  /** Whether the node told how far it has come, as far as that is asked. Else nothing can be said to be absent. */
  isKnown: boolean;
}

/** Where to look for a transaction. Asked before the search, which must then be answered by a node that has come as far. */
export async function searchFor(rpc: Rpc, { requirements, since }: PaymentToSettle): Promise<TransactionSearch> {
  const { data: life } = lifetime().safeParse(requirements.extra);
  const fromTime = life || since === undefined ? 0 : since - CLOCK_SLACK_SECONDS;
  const fromSlot = life?.minContextSlot ?? 0;
  const kind = life ? "refund" : "payment";
  const search: TransactionSearch = {
    ...{ kind, fromSlot, fromTime },
    ...{ toSlot: Number.POSITIVE_INFINITY, isOver: false, isKnown: true },
  };
  if (!life && since === undefined) return search;
  try {
    const final = epochInfo().parse(await rpc("getEpochInfo", [{ commitment: "finalized" }]));
    search.minContextSlot = final.absoluteSlot;
    if (life) {
      const blocksSince = final.blockHeight - life.lastValidBlockHeight;
      search.isOver = blocksSince > 0;
      // Each block took a slot at least.
      if (search.isOver) search.toSlot = final.absoluteSlot - blocksSince;
    } else if (since !== undefined) {
      const finalTime = z.int().parse(await rpc("getBlockTime", [final.absoluteSlot]));
      search.isOver = finalTime > since + LIFE_SECONDS;
    }
  } catch {
    search.isKnown = false;
  }
  return search;
}

/** The transactions that mention an account, newest first, as far as the node tells; whole when it told them all. */
export async function list(
  rpc: Rpc,
  account: string,
  search: TransactionSearch,
): Promise<{ entries: ListedTransaction[]; isWhole: boolean }> {
  const { fromSlot, toSlot, fromTime, minContextSlot } = search;
  const entries: ListedTransaction[] = [];
  let isWhole = search.isKnown;
  let least = minContextSlot === undefined ? {} : { minContextSlot };
  let before = {};
  async function next(): Promise<ListedTransaction[]> {
    const options = { limit: PAGE, commitment: "confirmed", ...least, ...before };
    return listing().parse(await rpc("getSignaturesForAddress", [account, options]));
  }
  /** A node that is behind may show the transaction all the same; only that others are missing is not for it to say. */
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

/** Whether the node lists transactions with their memos: then one that it lists without has none. */
export async function tellsMemos(rpc: Rpc): Promise<boolean> {
  const options = { limit: SAMPLE, commitment: "confirmed" };
  const listed = await rpc("getSignaturesForAddress", [MEMO_PROGRAM, options]).catch(() => []);
  return (
    listing()
      .safeParse(listed)
      .data?.some(({ memo }) => memo) ?? false
  );
}
