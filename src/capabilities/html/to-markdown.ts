import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import { checkPage, loadPage, MAX_PAGE_BODY_BYTES, pageFields } from "./_page.js";

const workers = /* @__PURE__ */ lazy(() => import("../../engines/worker-tasks/pool.js"));

export const htmlToMarkdown = /* @__PURE__ */ defineCapability({
  id: "html.to-markdown",
  method: "POST",
  summary:
    "A page of HTML, sent or by its address, as Markdown: what it shows, without hidden text, or its article alone.",
  keywords: [
    "html to markdown",
    "webpage to text",
    "convert html",
    "clean page",
    "article extraction",
    "readability",
    "reader mode",
    "strip html",
    "turndown",
    "scrape page",
  ],
  price: "0.001",
  offline: true,
  source: { provider: "built-in", url: "", license: "MIT" },
  maxBodyBytes: MAX_PAGE_BODY_BYTES,
  input: () =>
    z.strictObject({
      ...pageFields(),
      main: z
        .boolean()
        .default(false)
        .describe("Whether only the article is taken, without menus, footers and banners"),
      links: z
        .enum(["keep", "text", "none"])
        .default("keep")
        .describe(
          "keep writes links with their addresses, text their words alone; none leaves links out with their words",
        ),
    }),
  output: one(() =>
    z.object({
      title: z.string().nullable(),
      markdown: z
        .string()
        .describe(
          "CommonMark, with GitHub's tables; paragraphs of a cell stand in one line, and tables within tables are text",
        ),
      byline: z.string().nullable().describe("Who wrote it, as the page says"),
      published: z.string().nullable().describe("When, as the page writes it"),
      language: z.string().nullable().describe("Language tag that the page declares"),
      words: z.int().describe("Words of the text that is left"),
      hiddenBlocks: z
        .int()
        .describe(
          "Elements whose text was left out, for the page hides it: by an attribute, a style, size, color or place",
        ),
      hiddenCharacters: z.int().describe("Characters that nobody sees, and that were left out"),
    }),
  ),
  example: { html: "<h1>Tea</h1><p>Boil <b>fresh</b> water.</p><ul><li>Green: 80 °C</li><li>Black: 100 °C</li></ul>" },
  check: checkPage,
  async run(input, ctx) {
    const { main, links } = input;
    const { html, field, baseUrl } = await loadPage(input, ctx);
    const item = await (await workers()).runInWorker(
      ctx,
      "html.to-markdown",
      { html, baseUrl, main, links },
      { field },
    );
    return { item, meta: method() };
  },
});
