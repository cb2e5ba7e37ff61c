/** Rules, proposed rules and presidential documents of the US government, by words and day of publication. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import type { EventRow, Window } from "../../engines/events/event-row.js";
import { HOUR_MS } from "../../lib/time.js";
import { upstream } from "../../upstream/client.js";
import { day, identifiedRows, label, maybe } from "../../upstream/fields.js";
import { federalRegister } from "./provider.js";

const TYPES = ["RULE", "PRORULE", "PRESDOCU", "NOTICE"];
const FIELDS = ["document_number", "type", "title", "abstract", "publication_date", "html_url"];
/** List parameters are repeated in the address. */
const FIXED: [string, string][] = [
  ...TYPES.map((type): [string, string] => ["conditions[type][]", type]),
  ...FIELDS.map((field): [string, string] => ["fields[]", field]),
];

const answer = lazySchema(() =>
  z.object({
    count: z.number(),
    // Omitted without results.
    results: maybe(
      identifiedRows(
        z.object({
          document_number: z.string(),
          type: label(),
          title: z.string(),
          abstract: label(),
          publication_date: day(),
          html_url: label(),
        }),
        ["document_number", "title"],
      ),
    ),
  }),
);

/** The documents that fit best, at most 40. Rejects with UPSTREAM_*. */
export async function findDocuments(words: string, { since, until }: Window, ctx: Context): Promise<EventRow[]> {
  const found = await upstream(ctx, federalRegister).get(`/documents.json?${new URLSearchParams(FIXED)}`, {
    query: {
      "conditions[term]": words,
      "conditions[publication_date][gte]": since,
      "conditions[publication_date][lte]": until,
      per_page: 40,
      order: "relevance",
    },
    schema: answer(),
    // It also answers 404 to searches without a match.
    absent: [404],
    ttlMs: HOUR_MS,
  });
  return (found?.results ?? []).map(
    ({ document_number: id, type, title, abstract, publication_date: date, html_url: url }) => ({
      id,
      title,
      date,
      url,
      abstract: [type, abstract].filter(Boolean).join(": "),
    }),
  );
}
