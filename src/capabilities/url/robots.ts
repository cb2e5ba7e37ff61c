import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text, uri, words } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import type { Context } from "../../capability/types.js";
import { ROBOTS_REASONS } from "../../engines/robots/reasons.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { decodePage } from "../../lib/text/charset.js";

const MAX_ROBOTS = 500_000;
const MAX_FETCHED_BYTES = 3_000_000;

const workers = /* @__PURE__ */ lazy(() => import("../../engines/worker-tasks/pool.js"));
/** Longer files are judged in a thread. */
const SMALL = 4_000;
const outbound = /* @__PURE__ */ lazy(() => import("../../upstream/outbound/outbound.js"));

export const urlRobots = /* @__PURE__ */ defineCapability({
  id: "url.robots",
  method: "POST",
  summary: "Whether a crawler may fetch an address by robots.txt (RFC 9309), and the line and group that decide.",
  keywords: [
    "robots.txt",
    "crawler",
    "user agent",
    "disallow",
    "scraping allowed",
    "googlebot",
    "crawl delay",
    "sitemap",
    "rep",
    "robots exclusion",
    "may I crawl",
  ],
  price: "0.001",
  offline: true,
  source: {
    provider: "built-in",
    url: "https://www.rfc-editor.org/rfc/rfc9309",
    license: "MIT (own code)",
  },
  maxBodyBytes: 1_100_000,
  input: () =>
    z.strictObject({
      url: uri(2048).describe("Address that the crawler would fetch, http or https, percent-encoded"),
      userAgent: words(1, 200).describe("Name of the crawler, such as Googlebot or MyBot/1.0"),
      robots: text(0, MAX_ROBOTS)
        .optional()
        .describe("The robots.txt, at most 500,000 characters. Left out: that of the site is fetched"),
    }),
  output: one(() =>
    z.object({
      allowed: z.boolean(),
      rule: z.string().nullable().describe("The line that decides, as it was written; null if none does"),
      line: z.int().nullable().describe("Its number, from 1"),
      group: z.string().nullable().describe("Name of the group that holds for the crawler: its own, or *"),
      crawlDelay: z.number().nullable().describe("Seconds that the group asks to wait between requests"),
      sitemaps: z.array(z.string()).describe("At most 1,000"),
      reason: z
        .enum(ROBOTS_REASONS)
        .describe(
          "rule: a line decides; no-rule, no-group: none matches; robots-file: robots.txt itself is free; unavailable: the site has none (4xx); unreachable: the site could not say (5xx, 429), so nothing is allowed",
        ),
    }),
  ),
  example: {
    url: "https://example.com/shop/cart?item=1",
    userAgent: "MyBot",
    robots: "User-agent: *\nDisallow: /shop/cart\nAllow: /shop/\nSitemap: https://example.com/sitemap.xml\n",
  },
  async check({ url, robots }, ctx) {
    if (!/^https?:\/\/[^/?#]/i.test(url)) throw invalid("url", "must be an absolute http or https URL");
    if (robots === undefined) (await outbound()).assertAllowedUrl(ctx, url, {});
  },
  async run({ url, userAgent, robots }, ctx) {
    const found = robots === undefined ? await fetchRobots(url, ctx) : { text: robots };
    const { runInWorker } = await workers();
    const task = { robots: found.text, userAgent, url };
    const verdict = await runInWorker(ctx, "url.robots", task, {
      field: "robots",
      isSmall: found.text.length <= SMALL,
    });
    const item =
      found.reason === undefined
        ? verdict
        : { ...verdict, allowed: found.reason === "unavailable", reason: found.reason };
    return { item, meta: method() };
  },
});

type Fetched = { text: string; reason?: "unavailable" | "unreachable" };

/** RFC 9309 section 2.3.1: a site without the file allows everything, and one that cannot answer allows nothing. */
async function fetchRobots(url: string, ctx: Context): Promise<Fetched> {
  const { fetchOutbound } = await outbound();
  const { status, bytes, contentType } = await fetchOutbound(ctx, new URL("/robots.txt", url).href, {
    maxBytes: MAX_FETCHED_BYTES,
    accept: "text/plain, */*;q=0.5",
    anyStatus: true,
  });
  if (status >= 200 && status <= 299) return { text: decodePage(bytes, contentType).slice(0, MAX_ROBOTS) };
  return { text: "", reason: status >= 400 && status <= 499 && status !== 429 ? "unavailable" : "unreachable" };
}
