/** Opinions of the US Supreme Court and the federal courts of appeals, by words and day. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import type { EventRow, Window } from "../../engines/events/event-row.js";
import { HOUR_MS } from "../../lib/time.js";
import { upstream } from "../../upstream/client.js";
import { day, identifiedRows, key, label, labels, list } from "../../upstream/fields.js";
import { courtListener } from "./provider.js";

const COURTS = ["scotus", ...Array.from({ length: 11 }, (_, index) => `ca${index + 1}`), "cadc", "cafc"];

const answer = lazySchema(() =>
  z.object({
    results: identifiedRows(
      z.object({
        cluster_id: key(),
        caseName: z.string(),
        citation: labels(),
        court: label(),
        court_id: label(),
        dateFiled: day(),
        absolute_url: label(),
        syllabus: label(),
        opinions: list(z.object({ snippet: label() })),
      }),
      ["cluster_id", "caseName"],
    ),
  }),
);

/** The newest opinions that fit, at most 20. Rejects with UPSTREAM_*. */
export async function findOpinions(words: string, { since, until }: Window, ctx: Context): Promise<EventRow[]> {
  const { results } = await upstream(ctx, courtListener).get("/search/", {
    query: {
      type: "o",
      // Unbalanced quotes fail the request.
      q: words.replaceAll('"', " "),
      filed_after: since,
      filed_before: until,
      order_by: "dateFiled desc",
      stat_Published: "on",
      court: COURTS.join(" "),
    },
    schema: answer(),
    ttlMs: HOUR_MS,
  });
  return results
    .filter(({ court_id: court }) => court === null || COURTS.includes(court))
    .map(({ cluster_id: id, caseName, citation, court, dateFiled, absolute_url: path, syllabus, opinions }) => ({
      id,
      title: [caseName, citation[0]].filter(Boolean).join(", "),
      abstract: [court, plain(syllabus ?? opinions[0]?.snippet ?? "")].filter(Boolean).join(": "),
      date: dateFiled,
      url: path?.startsWith("/") ? `https://www.courtlistener.com${path}` : null,
    }));
}

/** Removes the highlighting from snippets. */
const plain = (snippet: string): string =>
  snippet
    .replace(/<[^>]{0,100}>/g, "")
    .replace(/\s+/g, " ")
    .trim();
