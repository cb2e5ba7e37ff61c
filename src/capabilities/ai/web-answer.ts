import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { lazySchema, text } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import { attosToMicros, timesFactor, toAttos } from "../../engines/models/price.js";
import { plainProse } from "../../engines/models/prose.js";
import { isUrl } from "../../lib/http/url.js";
import { fromMicros } from "../../lib/money.js";
import { MINUTE_MS } from "../../lib/time.js";
import { markupOf } from "../../providers/ai-gateway/spending.js";
import { tavily } from "../../providers/tavily/provider.js";
import { upstream } from "../../upstream/client.js";
import { label, number, sparseRows } from "../../upstream/fields.js";

/** Price of a basic search, as Tavily lists it. */
const CREDIT_USD = "0.008";

const answer = lazySchema(() =>
  z.object({
    answer: label(),
    results: sparseRows(
      z.object({ title: label(), url: label(), content: label(), score: number() }),
      ["title", "url", "content", "score"],
      1,
    ),
  }),
);

export const aiWebAnswer = /* @__PURE__ */ defineCapability({
  id: "ai.web-answer",
  method: "POST",
  summary: "Answer a question from a live web search, with the pages that the answer rests on.",
  keywords: ["web search", "current events", "google", "latest news", "look up online", "search the internet", "cited"],
  price: "0.033",
  billing: "upto",
  provider: tavily,
  input: () =>
    z.strictObject({
      query: text(2, 400).describe("The question"),
      topic: z.enum(["general", "news"]).default("general").describe("news prefers recent reporting"),
      maxResults: z.int().min(1).max(10).default(5).describe("How many pages to name"),
    }),
  output: one(() =>
    z.object({
      answer: z.string().nullable(),
      sources: z.array(
        z.object({
          title: z.string().nullable(),
          url: z.string().nullable(),
          content: z.string().nullable().describe("The passage that fits"),
          score: z.number().nullable().describe("From 0 to 1"),
        }),
      ),
    }),
  ),
  example: { query: "Who won the last football world cup?" },
  async run({ query, topic, maxResults }, ctx) {
    const { answer: said, results } = await upstream(ctx, tavily).ask("/search", {
      body: {
        query,
        topic,
        search_depth: "basic",
        max_results: maxResults,
        include_answer: "basic",
        include_raw_content: false,
        include_images: false,
      },
      schema: answer(),
      ttlMs: 10 * MINUTE_MS,
    });
    const credit = toAttos(ctx.setting("TAVILY_CREDIT_USD")) ?? toAttos(CREDIT_USD) ?? 0n;
    ctx.meter.add(fromMicros(attosToMicros(timesFactor(credit, markupOf(ctx)))));
    // A cached answer is sold as any, and used none of the host's allowance.
    if (ctx.reads.fresh === 0) ctx.meter.owe("0");
    const sources = results.map(({ title, url, content, score }) => ({
      title: title && plainProse(title),
      url: url && isWebAddress(url) ? url : null,
      content: content && plainProse(content),
      score,
    }));
    return { item: { answer: said && plainProse(said), sources } };
  },
});

const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url) && isUrl(url);
