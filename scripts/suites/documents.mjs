/**
 * Runs suites of others about documents through the built package, and prints what is right of each.
 *
 *   node scripts/suites/documents.mjs <folder>
 *
 * The folder may have `icdar2013-dataset` (tables of PDFs, from camelot-dev/camelot, tests/files/tabula) and
 * `test-pages` (articles, from mozilla/readability, test). CommonMark's examples come from npm.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { HtmlRenderer, Parser } from "commonmark";
import { tests as examples } from "commonmark-spec";
import { average, cellsOfRows, relationsOf, scoreOf } from "./table-score.mjs";

const [folder = "."] = process.argv.slice(2);
const group = (name) => import(new URL(`../../dist/capabilities/${name}/index.js`, import.meta.url).href);
const [{ pdfToMarkdown }, { htmlToMarkdown }] = await Promise.all(["pdf", "html"].map(group));

function* filesIn(path, ending) {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) yield* filesIn(inner, ending);
    else if (entry.name.endsWith(ending)) yield inner;
  }
}

const ENTITIES = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
const numberIn = (attributes, name) => {
  const found = new RegExp(`${name}=["'](-?\\d+)["']`).exec(attributes);
  return found ? Number(found[1]) : undefined;
};

/** The cells of each table that the competition's judges marked. */
function markedTables(xml) {
  return [...xml.matchAll(/<region[^>]*>([\s\S]*?)<\/region>/g)].map(([, region]) =>
    [...region.matchAll(/<cell([^>]*)>([\s\S]*?)<\/cell>/g)].map(([, attributes, body]) => {
      const [row = 0, column = 0] = [numberIn(attributes, "start-row"), numberIn(attributes, "start-col")];
      const content = /<content>([\s\S]*?)<\/content>/.exec(body)?.[1] ?? "";
      return {
        text: content.replace(/&(\w+);/g, (all, name) => ENTITIES[name] ?? all),
        ...{ row, column },
        rows: (numberIn(attributes, "end-row") ?? row) - row + 1,
        columns: (numberIn(attributes, "end-col") ?? column) - column + 1,
      };
    }),
  );
}

async function judgeTables(path) {
  const scores = [];
  const cells = { found: 0, all: 0 };
  for (const file of filesIn(path, ".pdf")) {
    const marked = file.replace(/\.pdf$/, "-str.xml");
    if (!existsSync(marked)) continue;
    const wanted = markedTables(readFileSync(marked, "utf8"));
    const answer = await pdfToMarkdown({ file: readFileSync(file).toString("base64") });
    const { tables, markdown } = answer.items[0];
    scores.push(
      scoreOf(
        tables.flatMap(({ rows }) => relationsOf(cellsOfRows(rows))),
        wanted.flatMap(relationsOf),
      ),
    );
    const letters = (text) =>
      text
        .normalize("NFKC")
        .replace(/[^\p{L}\p{N}]/gu, "")
        .toLowerCase();
    const all = letters(markdown);
    for (const { text } of wanted.flat()) {
      if (letters(text) === "") continue;
      cells.all++;
      if (all.includes(letters(text))) cells.found++;
    }
  }
  const { precision, recall, f } = average(scores);
  const percent = (share) => `${(share * 100).toFixed(1)} %`;
  console.log(
    `ICDAR 2013 tables, ${scores.length} documents without given regions: precision ${percent(precision)}, recall ${percent(recall)}, F ${f.toFixed(3)}`,
  );
  console.log(`  text of cells found: ${cells.found} of ${cells.all} (${percent(cells.found / cells.all)})`);
}

async function judgeExamples() {
  const render = (text) => new HtmlRenderer().render(new Parser().parse(text));
  const normal = (html) =>
    html
      .replace(/ alt=""/g, "")
      .replace(/\s*\/>/g, ">")
      .replace(/>\s+</g, "><")
      .replace(/\s+/g, " ")
      .trim();
  const used = examples.filter(({ section }) => !/^(?:Raw HTML|HTML blocks)$/.test(section));
  let right = 0;
  for (const { html } of used) {
    const { items } = await htmlToMarkdown({ html });
    if (normal(render(items[0].markdown)) === normal(html)) right++;
  }
  console.log(`CommonMark examples, HTML to Markdown and back: ${right} of ${used.length}`);
}

async function judgeArticles(path) {
  const counts = { pages: 0, title: 0, byline: 0, text: 0 };
  for (const file of filesIn(path, "source.html")) {
    const html = readFileSync(file, "utf8").slice(0, 2_000_000);
    const expected = JSON.parse(readFileSync(file.replace("source.html", "expected-metadata.json"), "utf8"));
    const wanted = (await htmlToMarkdown({ html: readFileSync(file.replace("source.html", "expected.html"), "utf8") }))
      .items[0].words;
    const [page] = (await htmlToMarkdown({ html, main: true, baseUrl: "http://fakehost/test/page.html" })).items;
    counts.pages++;
    if (page.title === expected.title) counts.title++;
    if ((page.byline ?? null) === (expected.byline ?? null)) counts.byline++;
    if (Math.abs(page.words - wanted) <= Math.max(5, wanted * 0.03)) counts.text++;
  }
  console.log(
    `Readability's pages: ${counts.pages}; title right ${counts.title}, byline ${counts.byline}, as many words within 3 % ${counts.text}`,
  );
}

await judgeExamples();
if (existsSync(join(folder, "icdar2013-dataset"))) await judgeTables(join(folder, "icdar2013-dataset"));
if (existsSync(join(folder, "test-pages"))) await judgeArticles(join(folder, "test-pages"));
process.exit();
