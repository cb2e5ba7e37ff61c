// News of a site for a model's index: what robots may read, without doubles, private data masked, in pieces by heading.
import { pathToFileURL } from "node:url";
import { htmlExtract, htmlToMarkdown } from "coinslot/capabilities/html";
import { textChunk, textDiff, textRedact, textSimilarity } from "coinslot/capabilities/text";
import { tldInfo } from "coinslot/capabilities/tld";
import { urlFeed, urlRobots } from "coinslot/capabilities/url";
import * as site from "./site.js";

const only = ({ items: [item] }) => item;

/** Pieces of all entries of a feed; `pages` has the HTML of each address. */
export async function piecesOf({ feed, robots, pages, userAgent }) {
  const { entries, url: home } = only(await urlFeed({ text: feed }));
  const ownDomain = async (url) => only(await tldInfo({ domain: new URL(url).hostname })).registrable;
  const site = await ownDomain(home);
  const [kept, pieces] = [[], []];
  for (const { url } of entries) {
    if ((await ownDomain(url)) !== site || !only(await urlRobots({ url, userAgent, robots })).allowed) continue;
    const { fields } = only(await htmlExtract({ html: pages[url], baseUrl: url, fields: { title: "h1" } }));
    const { markdown } = only(await htmlToMarkdown({ html: pages[url], baseUrl: url }));
    const { text } = only(await textRedact({ text: markdown }));
    const like = async (a) => only(await textSimilarity({ a, b: text, measures: ["token-set"] })).scores["token-set"];
    const alike = await Promise.all(kept.map((one) => like(one.text)));
    const double = kept[alike.findIndex((score) => score > 0.9)];
    if (double) {
      const { added, removed } = only(await textDiff({ a: double.text, b: text }));
      console.log(`${fields.title} is left out: ${added} and ${removed} lines differ.`);
      continue;
    }
    kept.push({ text });
    const { chunks } = only(await textChunk({ text, by: "markdown", max: 60 }));
    pieces.push(...chunks.map((chunk) => ({ url, under: chunk.headings.join(" / "), text: chunk.text.trim() })));
  }
  return pieces;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  console.dir(await piecesOf({ ...site, userAgent: "TeaBot" }));
}
