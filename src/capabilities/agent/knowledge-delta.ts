import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { isoDate, text } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import type { Context } from "../../capability/types.js";
import { distinct, type Window, within } from "../../engines/events/event-row.js";
import { CapabilityError, invalid, toCapabilityError } from "../../errors.js";
import { deadline } from "../../lib/abort.js";
import { daysFrom, SECOND_MS } from "../../lib/time.js";
import { aiGateway, modelFor } from "../../providers/ai-gateway/provider.js";
import { trackSpending } from "../../providers/ai-gateway/spending.js";
import { arxiv } from "../../providers/arxiv/provider.js";
import { courtListener } from "../../providers/courtlistener/provider.js";
import { federalRegister } from "../../providers/federal-register/provider.js";
import { govTrack } from "../../providers/govtrack/provider.js";
import { type DigestRow, type DigestSearch, digest, route } from "./_digest.js";
import { SOURCE_IDS, SOURCES, type SourceId } from "./_sources.js";

const SOURCE_MS = 15 * SECOND_MS;

export const agentKnowledgeDelta = /* @__PURE__ */ defineCapability({
  id: "agent.knowledge-delta",
  method: "POST",
  summary:
    "What happened on a topic since a date: US rules, votes in Congress, papers and federal court opinions, ranked.",
  keywords: [
    "what changed",
    "news since",
    "recent developments",
    "regulation",
    "legislation",
    "research",
    "rulings",
    "monitor",
  ],
  price: "0.06",
  origins: [federalRegister, govTrack, arxiv, courtListener, aiGateway],
  source: {
    provider: "Federal Register, GovTrack, arXiv, CourtListener (Free Law Project)",
    url: "https://www.federalregister.gov",
    license: "Mixed: public domain (U.S. Government, opinions), CC0 (arXiv metadata); generated summaries",
  },
  requires: ["AI_GATEWAY_API_KEY"],
  timeoutMs: 75_000,
  input: () =>
    z.strictObject({
      topic: text(2, 200).describe("What to look for"),
      since: isoDate().describe("Earliest day, YYYY-MM-DD"),
      until: isoDate().optional().describe("Latest day, YYYY-MM-DD; today when left out"),
      maxEvents: z.int().min(1).max(50).default(20).describe("How many events at most"),
    }),
  output: one(() =>
    z.object({
      query: z.object({ topic: z.string(), since: z.string(), until: z.string(), maxEvents: z.int() }),
      sourcesQueried: z.array(z.string()),
      events: z.array(
        z.object({
          title: z.string(),
          summary: z.string(),
          date: z.string().nullable(),
          source: z.string(),
          sourceLabel: z.string(),
          sourceUrl: z.string().nullable(),
          significance: z.int().min(1).max(5).describe("From 1, a detail, to 5, a turning point"),
        }),
      ),
    }),
  ),
  example: { topic: "artificial intelligence in hiring", since: "2026-06-01" },
  live: { input: (now) => ({ topic: "artificial intelligence in hiring", since: daysFrom(now, -120) }) },
  read({ topic, since, until, maxEvents }, ctx) {
    const today = ctx.clock().toISOString().slice(0, 10);
    if (since > today) throw invalid("since", "must not be in the future");
    const window = { since, until: until ?? today };
    if (since > window.until) throw invalid("until", "must not be before since");
    return { topic, maxEvents, ...window };
  },
  async run(query, ctx) {
    const { topic, since, until, maxEvents } = query;
    const spending = trackSpending(ctx);
    const searches = await route(topic, spending, ctx);
    const reports = await Promise.all(searches.map((search) => ask(search, { since, until }, ctx)));
    const hits = reports.flatMap(({ rows }) => rows);
    if (reports.every(({ error }) => error)) throw allFailed(reports);
    const rows = within(distinct(hits), { since, until });
    const events = rows.length > 0 ? await digest(topic, rows, maxEvents, spending, ctx) : [];
    return {
      item: {
        query: { topic, since, until, maxEvents },
        sourcesQueried: searches.map(({ source }) => source),
        events,
      },
      meta: { rawHits: hits.length, sources: statusOf(reports), model: modelFor("strong", ctx) },
    };
  },
});

interface Report {
  source: SourceId;
  rows: DigestRow[];
  error?: CapabilityError;
}

/** Each source has its own timer, so that a hanging one costs only its own rows. */
async function ask({ source, words }: DigestSearch, window: Window, ctx: Context): Promise<Report> {
  const limit = deadline(SOURCE_MS, ctx.signal);
  try {
    const found = await SOURCES[source].find(words, window, { ...ctx, signal: limit.signal });
    return { source, rows: found.map((row) => ({ ...row, source })) };
  } catch (thrown) {
    if (ctx.signal.aborted) throw thrown;
    const error = toCapabilityError(thrown);
    if (error.code === "INTERNAL") throw error;
    return { source, rows: [], error };
  } finally {
    limit.clear();
  }
}

/** Every source, whether it was asked, and the outcome. */
function statusOf(reports: readonly Report[]): Record<string, { status: string; hits: number; error?: string }> {
  return Object.fromEntries(
    SOURCE_IDS.map((id) => {
      const report = reports.find(({ source }) => source === id);
      if (!report) return [id, { status: "skipped", hits: 0 }];
      if (report.error) return [id, { status: "error", hits: 0, error: report.error.code }];
      return [id, { status: report.rows.length > 0 ? "ok" : "empty", hits: report.rows.length }];
    }),
  );
}

/** The first source's code, unless all of them only ask to wait. */
function allFailed(reports: readonly Report[]): CapabilityError {
  const code = reports.every(({ error }) => error?.code === "UPSTREAM_TIMEOUT") ? "UPSTREAM_TIMEOUT" : "UPSTREAM_ERROR";
  return new CapabilityError(code, "None of the sources could be read.", { cause: reports[0]?.error });
}
