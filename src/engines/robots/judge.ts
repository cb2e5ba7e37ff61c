/** Whether a crawler may fetch a path: the longest rule of its group decides, and allow where two are as long. */
import { type RobotsLine, robotsLines } from "./lines.js";
import { comparablePattern, matches, pathOf } from "./pattern.js";
import type { ROBOTS_REASONS } from "./reasons.js";

export interface RobotsVerdict {
  allowed: boolean;
  rule: string | null;
  line: number | null;
  group: string | null;
  crawlDelay: number | null;
  sitemaps: string[];
  reason: (typeof ROBOTS_REASONS)[number];
}

/** Rules of the groups of one kind: those that name the crawler, or those of everybody. */
interface Rules {
  group: string | null;
  best: { line: RobotsLine; length: number } | undefined;
  crawlDelay: number | null;
}

/** Lines that hold for the same names. */
interface Group {
  names: string[];
  rules: RobotsLine[];
  delays: string[];
}

const MAX_SITEMAPS = 1_000;

export function judgeRobots(robots: string, userAgent: string, url: string): RobotsVerdict {
  const path = pathOf(url);
  const { groups, sitemaps } = readGroups(robots);
  const agents = tokensOf(userAgent);
  const own = rulesFor(path, groups, (name) => agents.includes(productToken(name)));
  const isOwn = own.group !== null;
  const isForAll = (name: string) => /^\*(?:\s|$)/.test(name);
  const { group, best, crawlDelay } = isOwn ? own : rulesFor(path, groups, isForAll);
  const said = { group: isOwn || group === null ? group : "*", crawlDelay, sitemaps };
  if (/^\/robots\.txt(?:\?|$)/.test(path))
    return { allowed: true, rule: null, line: null, ...said, reason: "robots-file" };
  if (!best) return { allowed: true, rule: null, line: null, ...said, reason: group === null ? "no-group" : "no-rule" };
  const { key, text, number } = best.line;
  return { allowed: key === "allow", rule: text, line: number, ...said, reason: "rule" };
}

/** The work of a thread: long files. */
export const robotsTask = ({
  robots,
  userAgent,
  url,
}: {
  robots: string;
  userAgent: string;
  url: string;
}): RobotsVerdict => judgeRobots(robots, userAgent, url);

function readGroups(robots: string): { groups: Group[]; sitemaps: string[] } {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  for (const line of robotsLines(robots)) {
    if (line.key === "sitemap") sitemaps.push(line.value);
    else if (line.key === "user-agent") nameGroup(groups, line.value);
    else if (line.key === "crawl-delay") groups.at(-1)?.delays.push(line.value);
    else groups.at(-1)?.rules.push(line);
  }
  return { groups, sitemaps: sitemaps.filter((address) => address !== "").slice(0, MAX_SITEMAPS) };
}

/** Names in a row share one group, which its first rule ends. */
function nameGroup(groups: Group[], name: string): void {
  const last = groups.at(-1);
  if (last && last.rules.length === 0) last.names.push(name);
  else groups.push({ names: [name], rules: [], delays: [] });
}

/** Of all groups for a name that is meant. */
function rulesFor(path: string, groups: Group[], isMeant: (name: string) => boolean): Rules {
  const rules: Rules = { group: null, best: undefined, crawlDelay: null };
  for (const group of groups) {
    const name = group.names.find(isMeant);
    if (name === undefined) continue;
    rules.group ??= name;
    const delay = group.delays.find((seconds) => /^\d{1,6}(?:\.\d{1,6})?$/.test(seconds));
    if (delay !== undefined) rules.crawlDelay ??= Number(delay);
    for (const rule of group.rules) apply(rule, path, rules);
  }
  return rules;
}

function apply(line: RobotsLine, path: string, rules: Rules): void {
  const length = matchedLength(line, path);
  const least = rules.best?.length ?? 0;
  const isBetter = length > least || (length === least && length > 0 && line.key === "allow");
  if (isBetter && !(length === least && rules.best?.line.key === "allow")) rules.best = { line, length };
}

/** Length of the pattern if it matches, which is its weight; 0 if not. An empty pattern says nothing. */
function matchedLength({ key, value }: RobotsLine, path: string): number {
  const pattern = comparablePattern(value);
  if (matches(path, pattern)) return pattern.length;
  const slash = pattern.lastIndexOf("/");
  // Who allows a folder's index page allows the folder.
  const isIndex = key === "allow" && slash >= 0 && pattern.startsWith("/index.htm", slash);
  return isIndex && matches(path, `${pattern.slice(0, slash + 1)}$`) ? slash + 2 : 0;
}

/** The name alone, as groups are found by: letters, hyphens and underscores. */
const productToken = (value: string): string => (/^[a-z_-]*/i.exec(value)?.[0] ?? "").toLowerCase();

/** A crawler is known by its whole name, or by what precedes its version. */
function tokensOf(userAgent: string): string[] {
  const name = userAgent.trim().toLowerCase();
  return [...new Set([name, name.split("/", 1)[0] ?? ""])].filter((token) => token !== "");
}
