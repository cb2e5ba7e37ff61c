import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { lazySchema, limit, text } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { DAY_MS } from "../../lib/time.js";
import { openLibrary } from "../../providers/open-library/provider.js";
import { upstream } from "../../upstream/client.js";
import { flag, identifiedRows, label, labels, list, number } from "../../upstream/fields.js";

const EBOOK_ACCESS = ["public", "borrowable", "printdisabled", "no_ebook"] as const;
const LIMITS = { isbns: 10, publishers: 5, subjects: 10 };

/** A work, not an edition: fields of editions are lists of hundreds. */
const work = lazySchema(() =>
  z.object({
    key: z.string(),
    title: z.string(),
    subtitle: label(),
    author_name: list(label()),
    author_key: list(label()),
    first_publish_year: number(),
    edition_count: number(),
    cover_i: number(),
    cover_edition_key: label(),
    isbn: labels(),
    publisher: labels(),
    language: labels(),
    subject: labels(),
    number_of_pages_median: number(),
    ebook_access: z.enum(EBOOK_ACCESS).nullish().catch("no_ebook"),
    has_fulltext: flag(),
    public_scan_b: flag(),
    ratings_average: number(),
    ratings_count: number(),
  }),
);
const answer = lazySchema(() =>
  z.object({
    numFound: z.number(),
    docs: identifiedRows(
      work(),
      ["key", "title"],
      ["author_name", "author_key", "first_publish_year", "edition_count"],
    ),
  }),
);

export const bookSearch = /* @__PURE__ */ defineCapability({
  id: "book.search",
  summary: "Search books by words, title, author or ISBN: authors, years, editions, covers, ratings, e-book access.",
  keywords: ["isbn", "author", "novel", "library", "open library", "ebook", "reading", "literature", "publisher"],
  price: "0.0012",
  provider: openLibrary,
  input: () =>
    z.strictObject({
      q: text(2, 200).optional().describe("Words to search for anywhere, at least three characters of them"),
      title: text(2, 200).optional().describe("Words of the title"),
      author: text(2, 200).optional().describe("The author's name"),
      isbn: text(9, 17).optional().describe("ISBN of 10 or 13 digits, with or without hyphens"),
      limit: limit(10, 50).describe("How many books to return"),
      page: z.int().min(1).max(100).default(1).describe("Which page of the results"),
    }),
  output: rows(() =>
    z.object({
      key: z.string(),
      workId: z.string(),
      title: z.string(),
      subtitle: z.string().nullable(),
      authors: z.array(z.object({ name: z.string(), key: z.string().nullable() })),
      firstPublishYear: z.number().nullable(),
      editionCount: z.number().nullable(),
      isbns: z.array(z.string()).describe(`Of some editions, at most ${LIMITS.isbns}`),
      publishers: z.array(z.string()),
      languages: z.array(z.string()).describe("ISO 639-2/B codes"),
      subjects: z.array(z.string()),
      pageCount: z.number().nullable().describe("Median of the editions"),
      ebookAccess: z.enum(EBOOK_ACCESS),
      hasFulltext: z.boolean(),
      publicScan: z.boolean(),
      ratingAverage: z.number().nullable(),
      ratingCount: z.number().nullable(),
      coverUrl: z.string().nullable(),
      url: z.string(),
    }),
  ),
  example: { title: "Dune", author: "Frank Herbert", limit: 5 },
  read({ q, title, author, isbn, limit, page }) {
    if (q === undefined && title === undefined && author === undefined && isbn === undefined)
      throw invalid("", "give at least one of q, title, author and isbn");
    if (q !== undefined && isTooCommon(q))
      throw invalid("q", "must have at least three characters and be more than an article");
    return { q, title, author, isbn: isbn && readIsbn(isbn), limit, page };
  },
  async run(query, ctx) {
    const { docs, numFound } = await upstream(ctx, openLibrary).get("/search.json", {
      query: { ...query, fields: Object.keys(work().shape).join(",") },
      schema: answer(),
      ttlMs: DAY_MS,
      staleMs: 7 * DAY_MS,
    });
    return { items: docs.map(toItem), total: numFound, meta: { page: query.page, limit: query.limit } };
  },
});

/** Words that the search refuses. */
function isTooCommon(words: string): boolean {
  const trimmed = words.trim();
  return trimmed.length < 3 || trimmed.toLowerCase() === "the";
}

function readIsbn(isbn: string): string {
  const digits = isbn.replace(/[\s-]/g, "").toUpperCase();
  if (!/^(?:\d{9}[\dX]|\d{13})$/.test(digits))
    throw invalid("isbn", "must have 10 or 13 digits; the last of 10 may be X");
  return digits;
}

const COVERS = "https://covers.openlibrary.org/b";

/** By number, or by the edition that it is taken from. */
function coverOf({ cover_i, cover_edition_key: edition }: z.output<ReturnType<typeof work>>): string | null {
  if (cover_i) return `${COVERS}/id/${cover_i}-L.jpg`;
  return edition ? `${COVERS}/olid/${edition}-L.jpg` : null;
}

function toItem(row: z.output<ReturnType<typeof work>>) {
  return {
    key: row.key,
    workId: row.key.split("/").at(-1) ?? row.key,
    title: row.title,
    subtitle: row.subtitle,
    // The lists of names and of keys can differ in length.
    authors: row.author_name.flatMap((name, index) => (name ? { name, key: row.author_key[index] ?? null } : [])),
    firstPublishYear: row.first_publish_year,
    editionCount: row.edition_count,
    isbns: row.isbn.slice(0, LIMITS.isbns),
    publishers: row.publisher.slice(0, LIMITS.publishers),
    languages: row.language,
    subjects: row.subject.slice(0, LIMITS.subjects),
    pageCount: row.number_of_pages_median,
    ebookAccess: row.ebook_access ?? ("no_ebook" as const),
    hasFulltext: row.has_fulltext ?? false,
    publicScan: row.public_scan_b ?? false,
    ratingAverage: row.ratings_average,
    ratingCount: row.ratings_count,
    coverUrl: coverOf(row),
    url: `https://openlibrary.org${row.key}`,
  };
}
