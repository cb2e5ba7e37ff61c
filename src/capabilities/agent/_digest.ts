/** The model's part for fetched rows: choosing sources, ranking, and a sentence on each row. */
import { z } from "zod";
import type { Context } from "../../capability/types.js";
import type { EventRow } from "../../engines/events/event-row.js";
import { plainProse } from "../../engines/models/prose.js";
import { CapabilityError } from "../../errors.js";
import { SECOND_MS } from "../../lib/time.js";
import { answer, formOf } from "../../providers/ai-gateway/answer.js";
import { modelFor } from "../../providers/ai-gateway/provider.js";
import type { ModelSpending } from "../../providers/ai-gateway/spending.js";
import { SOURCE_IDS, SOURCES, type SourceId } from "./_sources.js";

export interface DigestRow extends EventRow {
  source: SourceId;
}

export interface Event {
  title: string;
  summary: string;
  date: string | null;
  source: SourceId;
  sourceLabel: string;
  sourceUrl: string | null;
  /** From 1 to 5. */
  significance: number;
}

export interface DigestSearch {
  source: SourceId;
  words: string;
}

const ROUTING_MS = 10 * SECOND_MS;
const DIGEST_MS = 30 * SECOND_MS;
/** Maximum characters of a row's own text for the model. */
const ABSTRACT = 400;
const MIDDLE = 3;

/** Searches for each source. All sources search for the topic itself if the model chooses none. */
export async function route(topic: string, spending: ModelSpending, ctx: Context): Promise<DigestSearch[]> {
  const all = SOURCE_IDS.map((source) => ({ source, words: topic }));
  const choices = SOURCE_IDS.map((id) => `${id}: ${SOURCES[id].what}`).join("; ");
  const asked = answer(
    {
      model: modelFor("fast", ctx),
      task: `Choose which sources can have recent events on the topic, with 1 to 5 search words for each. Sources: ${choices}.`,
      data: topic,
      form: formOf("routing", routing()),
      maxTokens: 500,
      timeoutMs: ROUTING_MS,
      spending,
    },
    ctx,
  );
  const { sources } = await orWithout(asked, { sources: [] }, ctx);
  const chosen = new Map(
    sources.map(({ id, query }) => [id, { source: id, words: query.trim().slice(0, 100) || topic }]),
  );
  return chosen.size > 0 ? [...chosen.values()] : all;
}

/** Ranked events, all of which are among the rows. Without the model they are the rows, newest first. */
export async function digest(
  topic: string,
  rows: readonly DigestRow[],
  maxEvents: number,
  spending: ModelSpending,
  ctx: Context,
): Promise<Event[]> {
  const named = new Map(rows.map((row, index) => [`R${index + 1}`, row]));
  const material = [...named].map(
    ([ref, { source, date, title, abstract }]) =>
      `${ref} | ${SOURCES[source].label} | ${date ?? "no date"} | ${title}\n${abstract.slice(0, ABSTRACT)}`,
  );
  const asked = answer(
    {
      model: modelFor("strong", ctx),
      task:
        `From the numbered rows choose at most ${maxEvents} events that matter most for the topic, the most significant ` +
        "first. Leave out rows that are not about it, and all but one of rows about the same thing. Say in one or two " +
        "sentences what happened, only from the row itself.",
      data: `Topic: ${topic}\n\n${material.join("\n\n")}`,
      form: formOf("digest", digested()),
      maxTokens: 300 + maxEvents * 120,
      timeoutMs: DIGEST_MS,
      spending,
    },
    ctx,
  );
  const reply = await orWithout(asked, undefined, ctx);
  if (!reply)
    return rows
      .map((row) => toEvent(row))
      .sort(newestFirst)
      .slice(0, maxEvents);
  const chosen = new Map(reply.events.map((event) => [event.ref, event]));
  return [...chosen.values()]
    .flatMap(({ ref, ...words }) => {
      const row = named.get(ref);
      return row ? [toEvent(row, words)] : [];
    })
    .sort((a, b) => b.significance - a.significance)
    .slice(0, maxEvents);
}

/** Date and address come from the row, never from the model. */
function toEvent(row: DigestRow, words: { title?: string; summary?: string; significance?: number } = {}): Event {
  const { source, title, abstract, date, url } = row;
  return {
    title: words.title || plainProse(title),
    summary: words.summary || plainProse(abstract).slice(0, 600),
    date,
    source,
    sourceLabel: SOURCES[source].label,
    sourceUrl: url,
    significance: words.significance ?? MIDDLE,
  };
}

const newestFirst = (a: Event, b: Event) => (b.date ?? "").localeCompare(a.date ?? "");

/** Continues without the model's part if it fails, but not if the caller left. */
async function orWithout<T, Instead>(asked: Promise<T>, instead: Instead, ctx: Context): Promise<T | Instead> {
  try {
    return await asked;
  } catch (error) {
    if (ctx.signal.aborted || !CapabilityError.is(error)) throw error;
    ctx.logger.info({ error }, "agent.knowledge-delta goes on without a model");
    return instead;
  }
}

const routing = () =>
  z.object({ sources: z.array(z.object({ id: z.enum(SOURCE_IDS), query: z.string().describe("Search words") })) });

const prose = () => z.string().transform(plainProse);
const digested = () =>
  z.object({
    events: z.array(
      z.object({
        ref: z.string().describe("R and the number of its row"),
        title: prose(),
        summary: prose(),
        significance: z
          .number()
          .transform((value) => Math.min(5, Math.max(1, Math.round(value))))
          .describe("1, a detail, to 5, a turning point"),
      }),
    ),
  });
