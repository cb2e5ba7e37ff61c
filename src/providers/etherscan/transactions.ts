/** Transactions of an account, as explorers with Etherscan's API list them. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { SECOND_MS } from "../../lib/time.js";
import { upstream } from "../../upstream/client.js";
import { figure, flag, identifiedRows, integer, label, number, unixTime, whole } from "../../upstream/fields.js";
import type { Explorer } from "./provider.js";

const wei = () => integer().pipe(z.bigint());

const row = lazySchema(() =>
  whole(
    {
      hash: z.string(),
      blockNumber: figure(),
      timeStamp: unixTime("s"),
      nonce: number(),
      from: z.string(),
      // Empty if a contract is created, whose address is the next field.
      to: label(),
      contractAddress: label(),
      value: wei(),
      gas: wei(),
      gasUsed: wei(),
      gasPrice: integer(),
      isError: flag(),
      // Empty before the fork of Byzantium.
      txreceipt_status: number(),
      input: label(),
      confirmations: number(),
    },
    { functionName: label() },
  ),
);
export type AccountTransaction = z.output<ReturnType<typeof row>>;

export interface TransactionQuery {
  address: string;
  page: number;
  /** Rows of a page. */
  offset: number;
  sort: "asc" | "desc";
  startBlock: number;
  endBlock: number;
}

export async function readTransactions(
  ctx: Context,
  { provider, path, query = {} }: Explorer,
  { address, page, offset, sort, startBlock, endBlock }: TransactionQuery,
): Promise<AccountTransaction[]> {
  const { result } = await upstream(ctx, provider).get(path, {
    query: {
      ...query,
      module: "account",
      action: "txlist",
      address,
      page,
      offset,
      sort,
      startblock: startBlock,
      endblock: endBlock,
    },
    schema: z.object({ result: identifiedRows(row(), ["hash"]) }),
    ttlMs: 30 * SECOND_MS,
  });
  // Some explorers ignore the page size.
  return result.slice(0, offset);
}
