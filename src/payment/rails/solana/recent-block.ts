/** A recent block of the chain, told to those who sign a payment and may ask no node: the page of a shop in a browser. */
import { z } from "zod";
import { CapabilityError } from "../../../errors.js";
import { lazy, once } from "../../../lib/lazy.js";
import type { RecentBlock } from "../rail.js";
import type { Rpc } from "../rpc.js";
import { findAccount, type Holding, isSolanaAddress } from "./token.js";

/** Of the minute that a transaction lives. However many ask, the node is asked once in this time. */
const KEEP_MS = 2000;

const latest = once(() =>
  z.object({ value: z.object({ blockhash: z.string().refine(isSolanaAddress), lastValidBlockHeight: z.int() }) }),
);

/** `treasury` is who is paid, in which token. The result rejects with a CapabilityError while nobody could pay. */
export function recentBlocks(rpc: Rpc, treasury: Holding): () => Promise<RecentBlock> {
  /** An account that exists stays, and its token's program never changes. */
  const account = lazy(async () => {
    const found = await findAccount(treasury, rpc);
    if (!found.exists) throw new CapabilityError("NOT_FOUND", NO_ACCOUNT);
    return found;
  });

  async function ask(): Promise<RecentBlock> {
    try {
      const [{ program }, answer] = await Promise.all([
        account(),
        rpc("getLatestBlockhash", [{ commitment: "confirmed" }]),
      ]);
      const { blockhash, lastValidBlockHeight } = latest().parse(answer).value;
      return {
        recentBlockhash: blockhash,
        lastValidBlockHeight: String(lastValidBlockHeight),
        tokenProgram: program,
      };
    } catch (error) {
      if (error instanceof CapabilityError) throw error;
      throw new CapabilityError("UPSTREAM_ERROR", "The service's Solana node tells no recent block.", { cause: error });
    }
  }

  let last: { at: number; block: Promise<RecentBlock> } | undefined;
  return () => {
    const at = performance.now();
    // Counted from the question, so that a failure is kept as long, and one without an end no longer.
    if (!last || at - last.at >= KEEP_MS) last = { at, block: ask() };
    return last.block;
  };
}

const NO_ACCOUNT = "The service's Solana wallet has no account for this token yet, so nobody can pay into it.";
