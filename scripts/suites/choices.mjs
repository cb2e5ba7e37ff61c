/**
 * Scores small libraries beside our engines, for docs/choices.md: versions of Python, licences, feeds, Word documents.
 *
 *   npm install feedsmith mammoth spdx-satisfies @renovatebot/pep440     # in a folder of their own
 *   node scripts/suites/choices.mjs <folder> --peers <that folder>
 *
 * The folder has pep440.json (of `pep440.py`) and spdx-satisfies.json (`examples.json` of jslicense/spdx-satisfies.js). A
 * peer of feeds is right if any field that could hold the wanted text has it. It cleans no HTML: the second row has the
 * feeds that need no cleaning.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { loaderOf } from "./peers.mjs";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { peers: { type: "string" } } });
const [folder = "."] = positionals;
const group = (name) => import(new URL(`../../dist/capabilities/${name}/index.js`, import.meta.url).href);
const [{ devVersion, devLicense }, { urlFeed }, { docToMarkdown }] = await Promise.all(
  ["dev", "url", "doc"].map(group),
);
const load = loaderOf(values.peers);
const names = ["@renovatebot/pep440", "spdx-satisfies", "feedsmith", "mammoth"];
const [pep440, spdx, feedsmith, mammoth] = await Promise.all(names.map(load));
const json = (name) => JSON.parse(readFileSync(join(folder, name), "utf8"));
const suite = (name) => new URL(`../../test/suites/${name}`, import.meta.url);

const table = {};
const isRight = async (ask) =>
  Boolean(
    await Promise.resolve()
      .then(ask)
      .catch(() => false),
  );
async function judge(name, own, peer) {
  table[name] ??= { cases: 0, here: 0, peer: 0 };
  table[name].cases += 1;
  table[name].here += Number(await isRight(own));
  table[name].peer += Number(await isRight(peer));
}

const version = async (question) => (await devVersion({ scheme: "pep440", ...question })).items[0];
const cases = json("pep440.json");
for (const [at, one] of cases.order.entries())
  for (const other of cases.order.slice(at + 1))
    await judge(
      "PEP 440, order",
      async () => (await version({ operation: "compare", version: one, other })).order === -1,
      () => pep440.compare(one, other) < 0,
    );
for (const [text, normal] of cases.normalized)
  await judge(
    "PEP 440, normal forms",
    async () => (await version({ operation: "parse", version: text })).parsed?.normalized === normal,
    () => pep440.clean(text) === normal || pep440.explain(text)?.public === normal,
  );
for (const text of cases.invalid)
  await judge(
    "PEP 440, no versions",
    async () => (await version({ operation: "parse", version: text })).valid === false,
    () => !pep440.valid(text),
  );
for (const [text, range, wanted] of cases.specifiers)
  await judge(
    "PEP 440, specifiers",
    async () => (await version({ operation: "satisfies", version: text, range })).satisfies === wanted,
    () => pep440.satisfies(text, range, { prereleases: true }) === wanted,
  );
for (const range of cases.invalidSpecifiers)
  await judge(
    "PEP 440, no specifiers",
    async () => (await version({ operation: "satisfies", version: "1.0", range })).valid === false,
    () => !pep440.validRange(range),
  );

const { returnTrue, returnFalse } = json("spdx-satisfies.json");
for (const [examples, wanted] of [
  [returnTrue, true],
  [returnFalse, false],
])
  for (const [expression, allowed] of examples)
    await judge(
      "licences",
      async () => (await devLicense({ expression, allowed })).items[0].satisfied === wanted,
      () => spdx.default(expression, allowed) === wanted,
    );

const textOf = (value) => (typeof value === "object" && value !== null ? (value.value ?? value.name) : value);
const pathIn = (value, path) =>
  path
    .split(/[.[\]]+/)
    .filter(Boolean)
    .reduce((inner, key) => inner?.[key], value);
const isSame = (found, wanted) =>
  isDeepStrictEqual(found, wanted) || (/^\d{4}-/.test(wanted) && Date.parse(found) === Date.parse(wanted));

/** Every text, link and date of a feed or entry, under the names that each format has for it. */
function fieldsOf(part) {
  const { dc = {}, content, links = [] } = part;
  const own = [part.title, part.description, part.subtitle, part.summary, content, content?.encoded, part.content_html];
  const others = [part.id, part.guid, part.link, part.url, part.language, part.author, part.authors?.[0], dc.title];
  const dates = [part.pubDate, part.published, part.updated, part.lastBuildDate, part.date_published, dc.date];
  const of = [dc.creator, dc.language, dc.titles?.[0], dc.creators?.[0], dc.dates?.[0], part.enclosures?.[0]?.url];
  return [...own, ...others, ...dates, ...of, part.enclosures?.[0]?.type, ...links.map(({ href }) => href)].map(textOf);
}
const feeds = readFileSync(suite("domains/feeds.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
for (const { file, path, expected, text } of feeds) {
  const own = async () => isSame(pathIn((await urlFeed({ text })).items[0], path), expected);
  const peer = () => {
    const { format, feed } = feedsmith.parseFeed(text);
    const part = path.startsWith("entries") ? (feed.items ?? feed.entries)[0] : feed;
    return [format, ...fieldsOf(part)].some((found) => isSame(found, expected));
  };
  await judge("feeds", own, peer);
  const needsCleaning =
    /^(?:sanitize|sgml)/.test(file) || /<script|&lt;script|\bon[a-z]+=|style=|iframe|<object|embed/i.test(text);
  if (!needsCleaning) await judge("feeds without cleaning", own, peer);
}

/** The content of mammoth's documents, as Markdown would have it. */
const WORD = [
  ["single-paragraph", /^Walking on imported air\s*$/],
  ["utf8-bom", /^This XML has a byte order mark\\?\.\s*$/],
  ["strict-format", /^Test\s*$/],
  ["simple-list", /^[-*] Apple\n[-*] Banana\s*$/],
  ["underline", /^(?:\*\*|__)The Sunset Tree(?:\*\*|__)\s*$/],
  ["text-box", /^Datum plane\s*$/],
  ["tiny-picture", /^!\[\]\([^)]+\)\s*$/],
  ["tiny-picture-target-base-relative", /^!\[\]\([^)]+\)\s*$/],
  ["empty", /^\s*$/],
  ["comments", /^Ouch\\?\.\s*$/],
  ["tables", /\| Top left \| Top right \|/],
  ["strikethrough", /~~Today's Special: Salmon~~/],
  ["footnotes", /Ouch\[\^1\]/],
  ["endnotes", /Ouch\[\^1\]/],
  ["footnote-hyperlink", /\[Example\]\(http:\/\/www\.example\.com\)/],
];
for (const [name, wanted] of WORD) {
  const bytes = readFileSync(suite(`documents/mammoth/${name}.docx`));
  await judge(
    "Word documents as Markdown",
    async () => wanted.test((await docToMarkdown({ file: bytes.toString("base64") })).items[0].markdown),
    async () => wanted.test((await mammoth.convertToMarkdown({ buffer: bytes })).value),
  );
}
console.table(table);
