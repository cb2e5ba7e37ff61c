/** Suggestions for a mistyped name. */
import { z } from "zod";
import type { Context } from "../../capability/types.js";
import { DAY_MS, HOUR_MS } from "../../lib/time.js";
import { upstream } from "../../upstream/client.js";
import { identifiedRows } from "../../upstream/fields.js";
import { gleif } from "./provider.js";

const completion = () =>
  z.object({
    relationships: z
      .object({ "lei-records": z.object({ data: z.object({ id: z.string() }).nullish() }).nullish() })
      .nullish(),
  });

/** LEIs with similar legal names, about ten. Names that belong to several LEIs are left out. */
export async function similarNames(name: string, ctx: Context): Promise<string[]> {
  const { data } = await upstream(ctx, gleif).get("/fuzzycompletions", {
    query: { field: "entity.legalName", q: name },
    schema: z.object({ data: identifiedRows(completion(), []) }),
    ttlMs: 6 * HOUR_MS,
    staleMs: 7 * DAY_MS,
  });
  return data.flatMap(({ relationships }) => relationships?.["lei-records"]?.data?.id ?? []);
}
