/**
 * Runs suites of others about the web and the mail of domains through the built package, and prints right, wrong and refused.
 *
 *   node scripts/suites/web.mjs <folder> [--only feed] [--show 10] [--peers <folder>]
 *
 * The folder has robots.json, public-suffix.json and spf.json, and a checkout of feedparser. What is not there is told and left
 * out. Of feedparser's tests those are asked that are about what url.feed tells; "refused" counts refusals of what should have an
 * answer, such as four expectations of robotstxt for a crawler or an address without a name. Peers: see peers.mjs; rss-parser cleans
 * no HTML, which many of the feeds are about; mailauth
 * asks a resolver of the caller's, and is not asked for explanations.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { countPeer, loaderOf } from "./peers.mjs";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...{ only: { type: "string", default: "" }, show: { type: "string", default: "5" } },
    peers: { type: "string" },
  },
});
const [folder] = positionals;
if (!folder) throw new Error("usage: node scripts/suites/web.mjs <folder>");
const group = (name) => import(new URL(`../../dist/capabilities/${name}/index.js`, import.meta.url).href);
const [{ urlFeed, urlRobots }, { tldInfo }, { emailSpf }] = await Promise.all(["url", "tld", "email"].map(group));
const load = loaderOf(options.peers);
const [suffixes, robotsParser, rssParser, mailSpf] = await Promise.all(
  ["tldts", "robots-parser", "rss-parser", "mailauth/lib/spf"].map(load),
);
const json = (name) => JSON.parse(readFileSync(join(folder, name), "utf8"));

const table = [];
const findings = [];

/**
 * A case is `{ name, ask, wanted }`: `wanted(item)` tells whether the answer is right. `peer`, where there is one, is its name
 * and asks it, `[name, () => isRight]`.
 */
async function judge(suite, needs, cases) {
  if (!suite.includes(options.only)) return;
  if (!existsSync(join(folder, needs))) return void console.log(`${suite}: ${needs} is not there`);
  const row = { suite, cases: 0, right: 0, wrong: 0, refused: 0 };
  for (const { name, ask, wanted, peer } of cases()) {
    const how = await ask().then(
      ({ items }) => (wanted(items[0]) ? "right" : "wrong"),
      (error) => (error.status === 400 ? "refused" : "wrong"),
    );
    row.cases += 1;
    row[how] += 1;
    if (peer) await countPeer(row, ...peer);
    if (how !== "right") findings.push(`${suite}, ${how}: ${name}`);
  }
  table.push(row);
}

await judge("publicsuffix/list", "public-suffix.json", () =>
  json("public-suffix.json").map(([domain, registrable]) => ({
    name: domain,
    ask: () => tldInfo({ domain }),
    wanted: (item) => item.registrable === registrable,
    peer: suffixes && ["tldts", () => suffixes.getDomain(domain, { allowPrivateDomains: true }) === registrable],
  })),
);

/** It has no verdict on addresses of other hosts, which robots.txt does not forbid. */
const isAllowedByPeer = (url, robots, userAgent) =>
  robotsParser.default(new URL("/robots.txt", url).href, robots).isAllowed(url, userAgent) ?? true;

await judge("google/robotstxt", "robots.json", () =>
  json("robots.json").map(({ test, robots, ua, url, allowed }) => ({
    name: `${test} ${ua} ${url}`,
    ask: () => urlRobots({ robots, userAgent: ua, url }),
    wanted: (item) => item.allowed === allowed,
    peer: robotsParser && ["robots-parser", () => isAllowedByPeer(url, robots, ua) === allowed],
  })),
);

const recordOf = (entry) => {
  if (typeof entry === "string") return { type: entry };
  const [[type, value]] = Object.entries(entry);
  return { type, value };
};
const dnsError = (code) => Object.assign(new Error(code), { code });
const SHAPES = {
  TXT: (value) => [value].flat(),
  MX: ([priority, exchange]) => ({ priority, exchange }),
};

/** Answers of a zone in the shapes of node:dns; records of the type SPF stand for TXT where a name has no TXT. */
function resolverOf(zone) {
  const names = new Map(Object.entries(zone).map(([name, entries]) => [name.toLowerCase(), entries]));
  return async function resolve(name, type, depth = 0) {
    const entries = names.get(name.toLowerCase().replace(/\.$/, ""));
    if (!entries) throw dnsError("ENOTFOUND");
    const valuesOf = (wanted) => entries.filter((one) => Object.hasOwn(one, wanted)).map((one) => one[wanted]);
    const alias = valuesOf("CNAME")[0];
    if (alias && depth < 10) return resolve(alias, type, depth + 1);
    const own = valuesOf(type);
    const found = (own.length > 0 || type !== "TXT" ? own : valuesOf("SPF")).filter((value) => value !== "NONE");
    if (found.length === 0) throw dnsError(entries.includes("TIMEOUT") ? "ETIMEOUT" : "ENODATA");
    return found.map(SHAPES[type] ?? ((value) => value));
  };
}

await judge("sdgathman/pyspf", "spf.json", () =>
  json("spf.json").map(({ name, host, mailfrom, helo, result, explanation, zone }) => ({
    name,
    ask: () => {
      const records = Object.entries(zone).map(([domain, entries]) => [domain, entries.map(recordOf)]);
      return emailSpf({ ip: host, mailFrom: mailfrom, helo, zone: Object.fromEntries(records) });
    },
    wanted: (item) =>
      [result].flat().includes(item.result) &&
      (explanation === undefined || item.explanation === (explanation === "DEFAULT" ? null : explanation)),
    peer: mailSpf && [
      "mailauth",
      async () => {
        const asked = { sender: mailfrom, ip: host, helo, mta: "mta.example", resolver: resolverOf(zone) };
        return [result].flat().includes((await mailSpf.spf(asked)).status.result);
      },
    ],
  })),
);

/** Names that feedparser gives the fields of feeds and entries. */
const OF_FEED = {
  ...{ title: "title", link: "url", description: "description", tagline: "description", subtitle: "description" },
  ...{ language: "language", updated_parsed: "updated", modified_parsed: "updated" },
};
const OF_ENTRY = {
  ...{
    title: "title",
    link: "url",
    id: "id",
    guid: "id",
    description: "summary",
    summary: "summary",
    author: "author",
  },
  ...{
    updated_parsed: "updated",
    modified_parsed: "updated",
    published_parsed: "published",
    issued_parsed: "published",
  },
};
const EXPECTATION =
  /Expect:\s*(?:not bozo and )?(feed|entries\[(\d+)\])\[["'](\w+)["']\](\[0\])?(?:\[["'](\w+)["']\])?\s*==\s*(u?'(?:[^'\\]|\\.)*'|u?"(?:[^"\\]|\\.)*"|\([\d, ]+\))\s*-->/;

/** Texts and times of Python. */
function pythonValue(literal) {
  if (literal.startsWith("(")) {
    const [year, month, ...rest] = literal.match(/\d+/g).map(Number);
    return new Date(Date.UTC(year, month - 1, ...rest.slice(0, 4))).toISOString().replace(".000Z", "Z");
  }
  const inner = literal.replace(/^u?.|.$/g, "");
  const signs = { n: "\n", t: "\t", r: "\r" };
  return inner.replace(/\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|(.))/gi, (_, two, four, sign) =>
    sign === undefined ? String.fromCharCode(Number.parseInt(two ?? four, 16)) : (signs[sign] ?? sign),
  );
}

function pathOf([, scope, entry, name, isFirst, inner]) {
  const fields = scope === "feed" ? OF_FEED : OF_ENTRY;
  const plain = name.replace(/_detail$/, "");
  const isPlain = isFirst === undefined && (inner === undefined ? plain === name : inner === "value" && plain !== name);
  if (scope !== "feed" && name === "content" && isFirst && inner === "value") return ["entries", entry, "html"];
  if (!isPlain || !Object.hasOwn(fields, plain)) return undefined;
  return scope === "feed" ? [fields[plain]] : ["entries", entry, fields[plain]];
}

/** Fields of rss-parser for ours. */
const PEER_FIELDS = {
  ...{ title: ["title"], url: ["link"], description: ["description", "subtitle"], language: ["language"] },
  ...{ updated: ["isoDate", "lastBuildDate", "updated"], published: ["isoDate"], id: ["guid", "id"] },
  ...{ author: ["creator", "author"], summary: ["summary", "contentSnippet", "content"], html: ["content"] },
};

function peerValue(feed, path) {
  const [field, holder] = path.length === 1 ? [path[0], feed] : [path[2], feed.items?.[Number(path[1] ?? 0)]];
  const value = PEER_FIELDS[field]?.map((name) => holder?.[name]).find((one) => typeof one === "string") ?? null;
  return value !== null && (field === "updated" || field === "published")
    ? new Date(value).toISOString().replace(".000Z", "Z")
    : value;
}

function* feeds() {
  const tests = join(folder, "feedparser", "tests", "wellformed");
  for (const file of readdirSync(tests, { recursive: true, encoding: "utf8" })) {
    // Those of base/http_ need the address that a feed came from, and its headers.
    if (!file.endsWith(".xml") || /^(?:http|base)[\\/](?:http_|headers)/.test(file)) continue;
    const text = readFileSync(join(tests, file), "utf8");
    const found = EXPECTATION.exec(text);
    const path = found ? pathOf(found) : undefined;
    if (!path) continue;
    const wanted = pythonValue(found[6]) || null;
    yield {
      name: file,
      ask: () => urlFeed({ text }),
      wanted: (item) => path.reduce((value, key) => value?.[key], item) === wanted,
      peer: rssParser && [
        "rss-parser",
        async () => peerValue(await new rssParser.default().parseString(text), path) === wanted,
      ],
    };
  }
}
await judge("kurtmckee/feedparser", "feedparser", feeds);

console.table(table);
for (const finding of findings.slice(0, Number(options.show))) console.log(finding);
