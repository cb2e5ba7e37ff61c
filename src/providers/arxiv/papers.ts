/** Preprints by words and day of submission, from arXiv's Atom feed. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import type { EventRow, Window } from "../../engines/events/event-row.js";
import { HOUR_MS } from "../../lib/time.js";
import { upstream } from "../../upstream/client.js";
import { day, label, oneOrMany } from "../../upstream/fields.js";
import { arxiv } from "./provider.js";

const feed = lazySchema(() =>
  z.object({
    feed: z.object({
      // Present even without results; another page lacks it. Feeds that declare its namespace there have an object.
      "opensearch:totalResults": z.union([z.string(), z.object({ "#text": z.string() })]),
      entry: oneOrMany(z.object({ id: z.string(), title: label(), summary: label(), published: day() })),
    }),
  }),
);

/** The newest papers that have all the words, at most 30. Rejects with UPSTREAM_*. */
export async function findPapers(words: string, { since, until }: Window, ctx: Context): Promise<EventRow[]> {
  const days = `submittedDate:[${compact(since)}0000 TO ${compact(until)}2359]`;
  const terms = words
    .replace(/[^\p{L}\p{N}\s-]+/gu, " ")
    .trim()
    .split(/\s+/)
    .map((word) => `all:${word}`);
  const { feed: answered } = await upstream(ctx, arxiv).get("/query", {
    query: {
      search_query: [...terms, days].join(" AND "),
      sortBy: "submittedDate",
      sortOrder: "descending",
      start: 0,
      max_results: 30,
    },
    format: "xml",
    schema: feed(),
    ttlMs: HOUR_MS,
  });
  return answered.entry.flatMap(({ id, title, summary, published }) =>
    // arXiv reports its errors as papers.
    !title || id.includes("/api/errors")
      ? []
      : [
          {
            id,
            title: oneLine(title),
            abstract: oneLine(summary ?? ""),
            date: published,
            url: id.replace(/^http:/, "https:"),
          },
        ],
  );
}

const compact = (isoDay: string): string => isoDay.replaceAll("-", "");
const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
