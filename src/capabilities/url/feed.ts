import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { limit, uri } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import type { Context } from "../../capability/types.js";
import { CapabilityError, invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";

const MAX_FEED_BYTES = 3_000_000;
const MAX_BODY_BYTES = 4_200_000;

const workers = /* @__PURE__ */ lazy(() => import("../../engines/worker-tasks/pool.js"));
const outbound = /* @__PURE__ */ lazy(() => import("../../upstream/outbound/outbound.js"));
const charset = /* @__PURE__ */ lazy(() => import("../../lib/text/charset.js"));

const instant = (what: string) => z.string().nullable().describe(`${what}, as an instant in UTC`);

export const urlFeed = /* @__PURE__ */ defineCapability({
  id: "url.feed",
  method: "POST",
  summary: "Read a feed: RSS in all versions, RDF, Atom, CDF or JSON Feed, with times in UTC and HTML cleaned.",
  keywords: [
    "rss",
    "atom feed",
    "news feed",
    "feed parser",
    "blog posts",
    "podcast episodes",
    "syndication",
    "rdf site summary",
    "feedparser",
  ],
  price: "0.001",
  offline: true,
  source: {
    provider: "built-in",
    url: "https://github.com/kurtmckee/feedparser",
    license: "MIT (own code); what HTML may have is after feedparser (BSD-2-Clause)",
  },
  maxBodyBytes: MAX_BODY_BYTES,
  input: () =>
    z.strictObject({
      text: z
        .string()
        .max(MAX_FEED_BYTES, { error: "must be at most 3 MB" })
        .describe("The feed as text, at most 3 MB; or url")
        .optional(),
      url: uri(2048).describe("Address of the feed, http or https, at most 3 MB; or text").optional(),
      limit: limit(100, 500).describe("How many entries to return"),
    }),
  output: one(() =>
    z.object({
      format: z.enum(["rss", "atom", "rdf", "cdf", "jsonfeed"]),
      title: z.string().nullable(),
      url: z.string().nullable().describe("The site that it is of"),
      description: z.string().nullable(),
      language: z.string().nullable(),
      updated: instant("When it last changed"),
      entries: z
        .array(
          z.object({
            id: z.string().nullable(),
            title: z.string().nullable().describe("Text, or cleaned HTML where the feed has some"),
            url: z.string().nullable(),
            published: instant("When it came out"),
            updated: instant("When it last changed"),
            author: z.string().nullable(),
            summary: z.string().nullable().describe("Text, or cleaned HTML; the content where a summary is missing"),
            html: z.string().nullable().describe("Content as HTML of an allow list, with absolute addresses"),
            enclosures: z.array(
              z.object({
                url: z.string(),
                type: z.string().nullable(),
                length: z.int().nullable().describe("Bytes, as the feed says"),
              }),
            ),
          }),
        )
        .describe("In the order of the feed"),
    }),
  ),
  example: {
    text: '<rss version="2.0"><channel><title>Tea news</title><link>https://example.com/</link><item><title>First flush</title><link>https://example.com/1</link><pubDate>Mon, 06 Apr 2026 09:00:00 +0200</pubDate><description>&lt;b&gt;Fresh&lt;/b&gt; leaves</description></item></channel></rss>',
  },
  async check({ text, url }, ctx) {
    if (text === undefined && url === undefined) throw missing();
    if (text !== undefined && url !== undefined) throw invalid("url", "must be left out where text is given");
    if (text?.trim() === "") throw invalid("text", "must not be empty");
    if (url !== undefined) (await outbound()).assertAllowedUrl(ctx, url, {});
  },
  async run({ text, url, limit: most }, ctx) {
    const source = text === undefined ? await fetchFeed(url ?? "", ctx) : { text, base: undefined };
    const field = text === undefined ? "url" : "text";
    const item = await (await workers()).runInWorker(ctx, "url.feed", { ...source, limit: most }, { field });
    return { item, meta: method() };
  },
});

function missing(): CapabilityError {
  const message = "is missing: send the feed as text or url";
  return new CapabilityError("INVALID_INPUT", `text: ${message}`, {
    issues: ["text", "url"].map((path) => ({ path, message })),
  });
}

async function fetchFeed(url: string, ctx: Context): Promise<{ text: string; base: string }> {
  const [{ fetchOutbound }, { decodeXml }] = await Promise.all([outbound(), charset()]);
  const accept = "application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5";
  const { bytes, contentType, finalUrl } = await fetchOutbound(ctx, url, { maxBytes: MAX_FEED_BYTES, accept });
  return { text: decodeXml(bytes, contentType), base: finalUrl };
}
