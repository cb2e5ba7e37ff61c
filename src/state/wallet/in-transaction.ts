/** Runs several changes of one call, all or none. */
import { z } from "zod";
import { withTransaction } from "../../capability/context.js";
import type { Context } from "../../capability/types.js";
import { mutate } from "./account.js";
import { type KeptChange, OpenTransaction } from "./open-transaction.js";

/** Fifty changes may each leave this much. */
const MAX_RECEIPT_BYTES = 50 * 64 * 1024;
const keptOnes = z.array(z.object({ endpoint: z.string(), result: z.unknown() }));

/**
 * One transaction, one receipt: `work` makes its changes in sequence with the context that it is given, and each sees the earlier ones.
 * An error undoes all. If the call was done before, `work` gets the results of that time.
 */
export async function inTransaction<T>(ctx: Context, endpoint: string, work: (ctx: Context) => Promise<T>): Promise<T> {
  if (!ctx.wallet) return work(ctx);
  const workIn = (transaction: OpenTransaction) => work(withTransaction(ctx, transaction));
  const done = await mutate<{ result: T; kept: KeptChange[] }>(ctx, {
    endpoint,
    async work(scope) {
      const kept: KeptChange[] = [];
      return { result: await workIn(new OpenTransaction(scope, kept)), kept };
    },
    receipt: {
      maxBytes: MAX_RECEIPT_BYTES,
      keep: ({ kept }) => kept,
      async restore(scope, found) {
        const kept = keptOnes.parse(found);
        return { result: await workIn(new OpenTransaction(scope, kept, kept.values())), kept };
      },
    },
  });
  return done.result;
}
