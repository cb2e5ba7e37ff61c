/**
 * Runs suites of others about documents through the built package, and prints what is right of each.
 *
 *   node scripts/suites/documents.mjs <folder> [--peers <folder>] [--each]
 *
 * The folder may have `icdar2013-dataset` (tables of PDFs, from camelot-dev/camelot, tests/files/tabula) and
 * `test-pages` (articles, from mozilla/readability, test). CommonMark's examples come from npm. The folder of peers has
 * libraries that a user would pick instead, installed by npm: see documents-peers.mjs. `--each` prints each PDF's score.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { HtmlRenderer, Parser } from "commonmark";
import { tests as examples } from "commonmark-spec";
import { peersIn } from "./documents-peers.mjs";
import { average, cellsOfRows, relationsOf, scoreOf } from "./table-score.mjs";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { peers: { type: "string" }, each: { type: "boolean", default: false } },
});
const [folder = "."] = positionals;
const group = (name) => import(new URL(`../../dist/capabilities/${name}/index.js`, import.meta.url).href);
const [{ pdfToMarkdown }, { htmlToMarkdown }] = await Promise.all(["pdf", "html"].map(group));

const ours = {
  pdf: { coinslot: async (bytes) => (await pdfToMarkdown({ file: bytes.toString("base64") })).items[0] },
  html: { coinslot: async (html) => (html === "" ? "" : (await htmlToMarkdown({ html })).items[0].markdown) },
};
const peers = values.peers ? await peersIn(values.peers) : { pdf: {}, html: {} };

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

const letters = (text) =>
  text
    .normalize("NFKC")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();
const percent = (share) => `${(share * 100).toFixed(1)} %`;

async function judgeTables(path, [name, convert]) {
  const scores = [];
  const cells = { found: 0, all: 0 };
  for (const file of filesIn(path, ".pdf")) {
    const marked = file.replace(/\.pdf$/, "-str.xml");
    if (!existsSync(marked)) continue;
    const wanted = markedTables(readFileSync(marked, "utf8"));
    const { tables, markdown } = await convert(readFileSync(file));
    const score = scoreOf(
      tables.flatMap(({ rows }) => relationsOf(cellsOfRows(rows))),
      wanted.flatMap(relationsOf),
    );
    scores.push(score);
    const all = letters(markdown);
    const texts = wanted.flat().map(({ text }) => letters(text));
    const there = texts.filter((text) => text !== "");
    const found = there.filter((text) => all.includes(text));
    cells.all += there.length;
    cells.found += found.length;
    if (values.each)
      console.log(
        `  ${basename(file)}: F ${average([score]).f.toFixed(2)}, ${found.length} of ${there.length}; missed ${JSON.stringify(there.filter((text) => !all.includes(text)).slice(0, 5))}`,
      );
  }
  const { precision, recall, f } = average(scores);
  console.log(
    `ICDAR 2013 tables, ${scores.length} documents without given regions, ${name}: precision ${percent(precision)}, recall ${percent(recall)}, F ${f.toFixed(3)}`,
  );
  console.log(`  text of cells found: ${cells.found} of ${cells.all} (${percent(cells.found / cells.all)})`);
}

async function judgeExamples([name, convert]) {
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
  for (const { html } of used) if (normal(render(await convert(html))) === normal(html)) right++;
  console.log(`CommonMark examples, HTML to Markdown and back, ${name}: ${right} of ${used.length}`);
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
    const isRight = Math.abs(page.words - wanted) <= Math.max(5, wanted * 0.03);
    if (isRight) counts.text++;
    else if (values.each) console.log(`  ${basename(join(file, ".."))}: ${page.words} words, not ${wanted}`);
  }
  console.log(
    `Readability's pages: ${counts.pages}; title right ${counts.title}, byline ${counts.byline}, as many words within 3 % ${counts.text}`,
  );
}

for (const one of Object.entries({ ...ours.html, ...peers.html })) await judgeExamples(one);
const [tables, pages] = ["icdar2013-dataset", "test-pages"].map((name) => join(folder, name));
if (existsSync(tables)) for (const one of Object.entries({ ...ours.pdf, ...peers.pdf })) await judgeTables(tables, one);
if (existsSync(pages)) await judgeArticles(pages);
process.exit();
