/** Articles of the English Wikipedia, by words. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import { DAY_MS } from "../../lib/time.js";
import { upstream } from "../../upstream/client.js";
import { identifiedRows } from "../../upstream/fields.js";
import { wikipedia } from "./provider.js";

export interface Article {
  title: string;
  url: string;
  /** Plain, with headings as `== so ==`. */
  text: string;
}

const failure = () => ({ error: z.object({ code: z.string() }).nullish() });
const found = lazySchema(() =>
  z.object({
    ...failure(),
    query: z.object({ search: identifiedRows(z.object({ title: z.string() }), ["title"]) }).nullish(),
  }),
);
const page = () => z.object({ title: z.string(), extract: z.string().nullish() });
/** Version 1 of the interface returns pages by id, version 2 an array. */
const extracts = lazySchema(() =>
  z.object({
    ...failure(),
    query: z
      .object({
        pages: z.union([z.array(page()), z.record(z.string(), page()).transform((pages) => Object.values(pages))]),
      })
      .nullish(),
  }),
);

const KEPT = { ttlMs: DAY_MS, staleMs: 7 * DAY_MS };

/** The articles that match best, at most `limit`. Rejects with UPSTREAM_*; without matches the list is empty. */
export async function findArticles(words: string, limit: number, ctx: Context): Promise<Article[]> {
  const { query, error } = await upstream(ctx, wikipedia).get("/api.php", {
    query: {
      action: "query",
      list: "search",
      srsearch: words,
      srlimit: limit,
      srnamespace: 0,
      format: "json",
      formatversion: 2,
    },
    schema: found(),
    ...KEPT,
  });
  if (error || !query) throw refused(error?.code);
  const articles = await Promise.all(query.search.map(({ title }) => readArticle(title, ctx)));
  return articles.flatMap((article) => article ?? []);
}

async function readArticle(title: string, ctx: Context): Promise<Article | undefined> {
  const { query, error } = await upstream(ctx, wikipedia).get("/api.php", {
    query: {
      action: "query",
      prop: "extracts",
      titles: title,
      explaintext: 1,
      exsectionformat: "wiki",
      redirects: 1,
      format: "json",
      formatversion: 2,
    },
    schema: extracts(),
    ...KEPT,
  });
  if (error || !query) throw refused(error?.code);
  const [article] = query.pages;
  const text = article?.extract?.trim();
  return article && text ? { title: article.title, url: addressOf(article.title), text } : undefined;
}

const addressOf = (title: string): string =>
  `https://en.wikipedia.org/wiki/${encodeURIComponent(title.replaceAll(" ", "_"))}`;

const refused = (code = "no answer") =>
  new CapabilityError("UPSTREAM_ERROR", `Wikipedia answered with the error "${code}".`);
