/** HTML taken apart into tags, references and text in one pass, whatever is wrong with it. */

export type FeedToken =
  | { kind: "start"; name: string; attributes: Map<string, string>; isClosed: boolean }
  | { kind: "end"; name: string }
  | { kind: "text"; text: string }
  | { kind: "reference"; text: string };

const NAME = /[a-z][-_.:a-z0-9]*/iy;
const BLANKS = /[\s/]*/y;
const ATTRIBUTE = /([^\s=<>/"'][^\s=<>/]*)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s<>"']*))?/y;
const END_TAG = /<\/([a-z][-_.:a-z0-9]*)[^<>]*>?/iy;
const REFERENCE = /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]*);/iy;
/** Whose text is not HTML. */
const RAW = /^(?:script|style)$/;
const MAX_ATTRIBUTES = 100;

export function* tokensOf(html: string): Generator<FeedToken> {
  const source = { html, lastComment: html.lastIndexOf("-->") };
  for (let at = 0; at < html.length; ) {
    const { token, end } = readToken(source, at);
    if (token) yield token;
    at = end;
  }
}

interface Source {
  html: string;
  /** Where the last comment ends, so that nobody looks for an end that there is not. */
  lastComment: number;
}

interface Read {
  token?: FeedToken;
  end: number;
}

function readToken(source: Source, at: number): Read {
  const { html } = source;
  if (beginsMarkup(html, at)) return readMarkup(source, at);
  const reference = html[at] === "&" ? matchAt(REFERENCE, html, at)?.[0] : undefined;
  if (reference !== undefined) return { token: { kind: "reference", text: reference }, end: at + reference.length };
  const end = nextMark(html, at + 1);
  return { token: { kind: "text", text: html.slice(at, end) }, end };
}

function nextMark(html: string, from: number): number {
  for (let at = from; at < html.length; at++) if (html[at] === "&" || beginsMarkup(html, at)) return at;
  return html.length;
}

/** Whether a tag, a comment or such may begin here. */
const beginsMarkup = (html: string, at: number): boolean => html[at] === "<" && /[a-z/!?]/i.test(html[at + 1] ?? "");

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function readMarkup(source: Source, at: number): Read {
  const { html } = source;
  if (html.startsWith("<!--", at)) return { end: endOfComment(source, at + 4) };
  if (/^<!(?:doctype|\[)/i.test(html.slice(at, at + 9)) || html.startsWith("<?", at))
    return { end: endAfter(html, ">", at) };
  const end = matchAt(END_TAG, html, at);
  if (end) return { token: { kind: "end", name: (end[1] ?? "").toLowerCase() }, end: at + end[0].length };
  const name = matchAt(NAME, html, at + 1)?.[0];
  if (name === undefined) return { token: { kind: "text", text: "<" }, end: at + 1 };
  return readStart(html, name.toLowerCase(), at + 1 + name.length);
}

/** A comment that does not end ends where one might have been meant. */
function endOfComment({ html, lastComment }: Source, from: number): number {
  if (from <= lastComment) return endAfter(html, "-->", from);
  const dashes = html.indexOf("--", from);
  return dashes < 0 ? html.length : endAfter(html, ">", dashes);
}

const endAfter = (html: string, mark: string, from: number): number => {
  const found = html.indexOf(mark, from);
  return found < 0 ? html.length : found + mark.length;
};

function readStart(html: string, name: string, from: number): Read {
  const attributes = new Map<string, string>();
  let at = from;
  for (;;) {
    at += matchAt(BLANKS, html, at)?.[0].length ?? 0;
    const found = matchAt(ATTRIBUTE, html, at);
    if (!found) break;
    const [whole, key = "", value] = found;
    const bare = value === undefined ? key : value.replace(/^(["'])([\s\S]*)\1$/, "$2");
    if (attributes.size < MAX_ATTRIBUTES) attributes.set(key.toLowerCase(), bare);
    at += whole.length;
  }
  // Anything else is passed over, up to the end of the tag or the beginning of another.
  while (at < html.length && html[at] !== ">" && html[at] !== "<") at++;
  const isClosed = html[at - 1] === "/";
  const end = html[at] === ">" ? at + 1 : at;
  return {
    token: { kind: "start", name, attributes, isClosed },
    end: RAW.test(name) && !isClosed ? rawEnd(html, end, name) : end,
  };
}

/** The place of the end tag; the end of the text where there is none. */
function rawEnd(html: string, from: number, name: string): number {
  const pattern = new RegExp(`</${name}`, "gi");
  pattern.lastIndex = from;
  return pattern.exec(html)?.index ?? html.length;
}
