import { describe, expect, it } from "vitest";
import { bookSearch } from "../../../src/capabilities/book/search.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const numbered = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const found = (...docs: object[]): Exchange => ({ url: "/search.json", body: { numFound: 300, start: 0, docs } });

function open(exchange: Exchange, secrets: Record<string, string> = {}) {
  const fake = fakeUpstream([exchange]);
  const ask = (input: Parameters<typeof bookSearch>[0]) =>
    bookSearch(input, { fetch: fake.fetch, secrets, cache: false });
  return { ...fake, ask };
}

describe("book.search", () => {
  it("gives works with at most some of what their editions have", async () => {
    const { ask } = open(
      found({
        key: "/works/OL1W",
        title: "Dune",
        author_name: ["Frank Herbert", "Somebody"],
        author_key: ["OL79034A"],
        first_publish_year: 1965,
        edition_count: 121,
        cover_i: 11,
        isbn: numbered(200, "97800000000"),
        publisher: numbered(20, "House "),
        language: ["eng", "pol"],
        subject: numbered(50, "Subject "),
        number_of_pages_median: 541,
        ebook_access: "borrowable",
        has_fulltext: true,
        public_scan_b: false,
        ratings_average: 4.3,
        ratings_count: 900,
      }),
    );
    const { items, total, meta, source } = await ask({ q: "Dune", limit: 5 });
    expect(items[0]).toMatchObject({
      key: "/works/OL1W",
      workId: "OL1W",
      subtitle: null,
      authors: [
        { name: "Frank Herbert", key: "OL79034A" },
        { name: "Somebody", key: null },
      ],
      languages: ["eng", "pol"],
      pageCount: 541,
      ebookAccess: "borrowable",
      hasFulltext: true,
      publicScan: false,
      ratingAverage: 4.3,
      coverUrl: "https://covers.openlibrary.org/b/id/11-L.jpg",
      url: "https://openlibrary.org/works/OL1W",
    });
    expect([items[0]?.isbns.length, items[0]?.publishers.length, items[0]?.subjects.length]).toEqual([10, 5, 10]);
    expect({ total, meta }).toEqual({ total: 300, meta: { page: 1, limit: 5 } });
    expect(source.license).toBe("CC0 1.0 (Open Library data)");
  });

  it.each([undefined, "some_new_tier"])("takes the e-book access %s for none", async (ebook_access) => {
    const { items } = await open(found({ key: "/works/OL2W", title: "Bare", ebook_access })).ask({ title: "Bare" });
    expect(items[0]).toMatchObject({
      ebookAccess: "no_ebook",
      authors: [],
      isbns: [],
      coverUrl: null,
      pageCount: null,
    });
  });

  it("shows the cover of the edition that it is taken from where it has no number", async () => {
    const { items } = await open(found({ key: "/works/OL2W", title: "Bare", cover_edition_key: "OL7M" })).ask({
      q: "bare",
    });
    expect(items[0]?.coverUrl).toBe("https://covers.openlibrary.org/b/olid/OL7M-L.jpg");
  });

  it("asks with every parameter, the ISBN without hyphens", async () => {
    const { ask, seen } = open(found());
    await ask({ q: "sand", title: "Dune", author: "Herbert", isbn: "0-8044-2957-x", limit: 50, page: 100 });
    const { fields, ...query } = Object.fromEntries(seen[0]?.url.searchParams ?? []);
    expect(query).toEqual({
      q: "sand",
      title: "Dune",
      author: "Herbert",
      isbn: "080442957X",
      limit: "50",
      page: "100",
    });
    expect(fields?.split(",")).toHaveLength(19);
  });

  it("says who asks, with the host's contact where there is one", async () => {
    const [anonymous, known] = [open(found()), open(found(), { OPENLIBRARY_CONTACT: "me@example.com\r\n" })];
    await anonymous.ask({ title: "Dune" });
    await known.ask({ title: "Dune" });
    const agents = [anonymous, known].map(({ seen }) => seen[0]?.headers.get("user-agent"));
    expect(agents).toEqual(["Coinslot", "Coinslot (me@example.com)"]);
  });

  it("has no books where none match, and none behind the last page", async () => {
    const { ask } = open({ url: "", body: { numFound: 0, docs: [] } });
    expect(await ask({ q: "zzzzzzzz" })).toMatchObject({ items: [], total: 0 });
  });

  it.each<[string, Parameters<typeof bookSearch>[0]]>([
    ["", {}],
    ["", { page: 2 }],
    ["q", { q: "a" }],
    ["q", { q: "ab" }],
    ["q", { q: " The " }],
    ["title", { title: "x".repeat(201) }],
    ["isbn", { isbn: "12345678" }],
    ["isbn", { isbn: "12345678901" }],
    ["isbn", { isbn: "X234567890" }],
    ["page", { q: "dune", page: 101 }],
    ["limit", { q: "dune", limit: 51 }],
  ])("refuses a bad %s without asking (%#)", async (path, input) => {
    const { ask, seen } = open(found());
    await expect(ask(input)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
    expect(seen).toEqual([]);
  });

  it.each<[string, Partial<Exchange>, string]>([
    ["a refused search", { status: 422, body: { detail: [{ msg: "too short" }] } }, "INVALID_INPUT"],
    ["too many requests", { status: 429, headers: { "retry-after": "60" } }, "UPSTREAM_RATE_LIMIT"],
    ["a maintenance page", { body: "<html></html>" }, "UPSTREAM_ERROR"],
    ["a work without key", { body: { numFound: 1, docs: [{ title: "Dune" }] } }, "UPSTREAM_SCHEMA"],
  ])("UP-2 %s is no empty list", async (_, exchange, code) => {
    await expect(open({ url: "", ...exchange }).ask({ q: "dune" })).rejects.toMatchObject({ code });
  });
});
