/** What a filer has told the SEC of itself. Of persons nothing but the name is read. */
import { z } from "zod";
import type { Context } from "../../capability/types.js";
import { padCik } from "../../engines/identifiers/cik.js";
import { DAY_MS, HOUR_MS } from "../../lib/time.js";
import { upstream } from "../../upstream/client.js";
import { label, list } from "../../upstream/fields.js";
import { sec } from "./index.js";

const submissions = (cik: string) =>
  z.object({
    cik: z.union([z.string(), z.number()]).refine((value) => Number(value) === Number(cik)),
    name: z.string().min(1),
    entityType: label(),
    sic: label(),
    sicDescription: label(),
    tickers: list(z.string().nullable()),
    exchanges: list(z.string().nullable()),
    ein: label(),
    lei: label(),
    stateOfIncorporation: label(),
    category: label(),
    fiscalYearEnd: label(),
    formerNames: list(z.object({ name: z.string() })),
  });
export type Submissions = z.output<ReturnType<typeof submissions>>;

/** A filer by its plain CIK; undefined where the SEC has none. */
export async function findSubmissions(cik: string, ctx: Context): Promise<Submissions | undefined> {
  return upstream(ctx, sec).get(`/submissions/CIK${padCik(cik)}.json`, {
    schema: submissions(cik),
    absent: [404],
    ttlMs: 6 * HOUR_MS,
    staleMs: 14 * DAY_MS,
  });
}
