import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { onWorkers } from "../../lib/packages/platform.js";
import { checkPage, loadPage, MAX_PAGE_BODY_BYTES, pageFields } from "./_page.js";

const workers = /* @__PURE__ */ lazy(() => import("../../engines/worker-tasks/pool.js"));
const selectors = /* @__PURE__ */ lazy(() => import("../../engines/pages/selectors.js"));

const MAX_FIELDS = 50;
/** Beside the time that a large page needs to be read at all. */
const SELECT_MS = 2_000;
const CHARACTERS_A_MS = 500;
/** Where no thread can be ended. */
const MAX_ON_WORKERS = 300_000;

const rule = () =>
  z.strictObject({
    selector: z
      .string()
      .describe(
        "CSS selector, of the page as browsers read it; one of more than 50,000 elements is read as it is written",
      ),
    attribute: text(1, 100).describe("Attribute whose value is wanted, such as href, in place of the text").optional(),
    many: z.boolean().describe("True for a list of all matches").optional(),
    html: z.boolean().describe("True for what stands inside, as HTML").optional(),
  });

export const htmlExtract = /* @__PURE__ */ defineCapability({
  id: "html.extract",
  method: "POST",
  summary: "Read named values from a page of HTML by CSS selectors, and its tables as rows.",
  keywords: [
    "css selector",
    "scrape",
    "web scraping",
    "html table to json",
    "parse html",
    "query selector",
    "extract data from page",
    "cheerio",
    "beautifulsoup",
    "page fields",
    "price of a product page",
  ],
  price: "0.001",
  offline: true,
  source: {
    provider: "built-in",
    url: "https://www.w3.org/TR/selectors-4/",
    license: "linkedom: ISC; css-select: BSD-2-Clause",
  },
  maxBodyBytes: MAX_PAGE_BODY_BYTES,
  input: () =>
    z.strictObject({
      ...pageFields(),
      fields: z
        .record(z.string().min(1).max(100), z.union([z.string(), rule()]))
        .default({})
        .describe(
          "What to read, by name: a CSS selector for the text of its first match, or an object; at most 50, of 500 characters and 8 combinators each",
        ),
      tables: z.boolean().default(false).describe("Whether all tables are read"),
    }),
  output: one(() =>
    z.object({
      fields: z
        .record(z.string(), z.union([z.string(), z.array(z.string()), z.null()]))
        .describe(
          "Values by name: blanks are made one, addresses absolute; null for what is missing, at most 1,000 of many",
        ),
      tables: z
        .array(
          z.object({
            caption: z.string().nullable(),
            rows: z.array(z.array(z.string())).describe("All rows; cells that span others are repeated"),
            header: z.boolean().describe("Whether the first row names the columns"),
          }),
        )
        .describe("At most 200"),
      missing: z.array(z.string()).describe("Names of fields without a match"),
    }),
  ),
  example: {
    html: '<h1>Green tea</h1><p class="price">4.50 EUR</p><a href="/buy">Buy</a><table><tr><th>Water</th><td>80 °C</td></tr></table>',
    baseUrl: "https://example.com/tea/",
    fields: { name: "h1", price: ".price", link: { selector: "a", attribute: "href" } },
    tables: true,
  },
  async check(input, ctx) {
    await checkPage(input, ctx);
    if (input.html !== undefined && input.html.length > MAX_ON_WORKERS && onWorkers())
      throw invalid("html", `must be at most ${MAX_ON_WORKERS} characters long here`);
    const { selectorObjection } = await selectors();
    const rules = Object.entries(input.fields);
    if (rules.length === 0 && !input.tables) throw invalid("fields", "must name a value, or tables be true");
    if (rules.length > MAX_FIELDS) throw invalid("fields", `must be at most ${MAX_FIELDS}`);
    for (const [name, wanted] of rules) {
      const objection = selectorObjection(typeof wanted === "string" ? wanted : wanted.selector);
      if (objection !== undefined) throw invalid(`fields.${name}`, objection);
    }
  },
  async run({ fields, tables, ...source }, ctx) {
    const { html, baseUrl } = await loadPage(source, ctx);
    const rules = Object.entries(fields).map(([name, wanted]) => [
      name,
      typeof wanted === "string" ? { selector: wanted } : wanted,
    ]);
    const task = { html, baseUrl, fields: Object.fromEntries(rules), tables };
    const taskMs = SELECT_MS + html.length / CHARACTERS_A_MS;
    const item = await (await workers()).runInWorker(ctx, "html.extract", task, { field: "fields", taskMs });
    return { item, meta: method() };
  },
});
