import { z } from "zod";
import type { Context } from "../../capability/types.js";
import { DAY_MS } from "../../lib/time.js";
import { upstream } from "../../upstream/client.js";
import { identifiedRows, label, number } from "../../upstream/fields.js";
import { usaspending } from "./provider.js";

const recipient = () =>
  z.object({ id: z.string(), uei: label(), name: label(), recipient_level: label(), amount: number() });

export interface Recipient {
  id: string;
  name: string;
  uei: string | null;
  /** In the last twelve months, in USD. */
  amountUsd: number | null;
  url: string;
}

/**
 * Recipients whose names contain a text, by amount. Subsidiaries are listed beside a company: only the company itself
 * is returned.
 */
export async function findRecipients(name: string, ctx: Context): Promise<Recipient[]> {
  const { results } = await upstream(ctx, usaspending).ask("/recipient/", {
    body: { keyword: name, order: "desc", sort: "amount", page: 1, limit: 10, award_type: "all" },
    schema: z.object({ results: identifiedRows(recipient(), ["id"]) }),
    ttlMs: DAY_MS,
    staleMs: 7 * DAY_MS,
  });
  return results.flatMap(({ id, uei, name, recipient_level, amount }) =>
    name === null || recipient_level === "C"
      ? []
      : [
          {
            id,
            name,
            uei,
            amountUsd: amount,
            url: `https://www.usaspending.gov/recipient/${encodeURIComponent(id)}/latest`,
          },
        ],
  );
}
