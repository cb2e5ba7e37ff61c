/** Votes of both chambers of the US Congress. They have no word search: all votes of a period are read and scored. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { type EventRow, type Window, wordOverlap } from "../../engines/events/event-row.js";
import { DAY_MS, HOUR_MS } from "../../lib/time.js";
import { upstream } from "../../upstream/client.js";
import { day, key, label, number, rowsInPlace } from "../../upstream/fields.js";
import { govTrack } from "./provider.js";

const PAGE = 300;
const MAX_PAGES = 3;
/** Half of the words is enough, because a question is short. */
const MIN_OVERLAP = 0.5;
const MAX_ROWS = 40;

const answer = lazySchema(() =>
  z.object({
    objects: rowsInPlace(
      z.object({
        id: key(),
        created: day(),
        chamber: label(),
        question: z.string(),
        result: label(),
        total_plus: number(),
        total_minus: number(),
        related_bill: z.object({ title: label() }).nullish(),
        link: label(),
      }),
      ["id", "question"],
    ),
  }),
);
type Vote = NonNullable<z.output<ReturnType<typeof answer>>["objects"][number]>;

/** The votes that match best, best first. Rejects with UPSTREAM_*. */
export async function findVotes(words: string, { since, until }: Window, ctx: Context): Promise<EventRow[]> {
  const after = new Date(Date.parse(until) + DAY_MS).toISOString().slice(0, 10);
  const votes: Vote[] = [];
  for (let page = 0; page < MAX_PAGES; page++) {
    const { objects } = await upstream(ctx, govTrack).get("/vote", {
      query: {
        created__gte: since,
        created__lt: after,
        sort: "-created",
        limit: PAGE,
        offset: page * PAGE || undefined,
      },
      schema: answer(),
      ttlMs: HOUR_MS,
    });
    votes.push(...objects.filter((vote) => vote !== null));
    if (objects.length < PAGE) break;
  }
  return votes
    .map((vote) => ({ vote, score: wordOverlap(`${vote.question} ${vote.related_bill?.title ?? ""}`, words) }))
    .filter(({ score }) => score >= MIN_OVERLAP)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_ROWS)
    .map(({ vote }) => toRow(vote));
}

function toRow({
  id,
  created,
  chamber,
  question,
  result,
  total_plus: yeas,
  total_minus: nays,
  related_bill: bill,
  link,
}: Vote): EventRow {
  const tally = yeas !== null && nays !== null ? `${yeas}-${nays}` : "";
  const outcome = [result, tally].filter(Boolean).join(" ");
  return {
    id,
    title: bill?.title && !question.includes(bill.title) ? `${question} (${bill.title})` : question,
    abstract: `${chamber === "senate" ? "Senate" : "House"} vote${outcome ? `: ${outcome}` : ""}.`,
    date: created,
    url: link,
  };
}
