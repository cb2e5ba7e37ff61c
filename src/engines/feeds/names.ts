/** Names of feeds' elements, whatever prefix a feed gives their namespace. */
import { invalid } from "../../errors.js";
import type { XmlElement } from "../../lib/xml/parse.js";

export interface Named {
  /** `title`, `dc:creator`: lower case, with the usual prefix of a namespace that is known. */
  name: string;
  /** By name in lower case, with the prefix as written. */
  attributes: ReadonlyMap<string, string>;
  namespaces: Namespaces;
}

export type Namespaces = ReadonlyMap<string, string>;

/** Elements of these have no prefix. */
const PLAIN = new Set([
  "http://blogs.law.harvard.edu/tech/rss",
  "http://purl.org/rss/1.0/",
  "http://my.netscape.com/rdf/simple/0.9/",
  "http://example.com/newformat#",
  "http://example.com/necho",
  "http://purl.org/echo/",
  "uri/of/echo/namespace#",
  "http://purl.org/pie/",
  "http://purl.org/atom/ns#",
  "http://www.w3.org/2005/atom",
  "http://purl.org/rss/1.0/modules/rss091#",
]);
const PREFIXES: Record<string, string> = {
  "http://purl.org/rss/1.0/modules/content/": "content",
  "http://purl.org/dc/elements/1.1/": "dc",
  "http://purl.org/dc/terms/": "dcterms",
  "http://rssnamespace.org/feedburner/ext/1.0": "feedburner",
  "http://www.itunes.com/dtds/podcast-1.0.dtd": "itunes",
  "http://example.com/dtds/podcast-1.0.dtd": "itunes",
  "http://search.yahoo.com/mrss": "media",
  "http://search.yahoo.com/mrss/": "media",
  "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
  "http://www.w3.org/1999/xhtml": "xhtml",
};

export const ROOT_NAMESPACES: Namespaces = new Map([["xml", "http://www.w3.org/XML/1998/namespace"]]);

/** Each element that declares some has all of them. */
const MAX_NAMESPACES = 200;

/** Reads an element's name and attributes within the namespaces around it. */
export function namedOf(element: XmlElement, around: Namespaces): Named {
  const declared = element.attributes.filter(([name]) => name === "xmlns" || name.startsWith("xmlns:"));
  const namespaces =
    declared.length === 0
      ? around
      : new Map([...around, ...declared.map(([name, uri]): [string, string] => [name.slice(6), uri])]);
  if (namespaces.size > MAX_NAMESPACES) throw invalid("", `declares more than ${MAX_NAMESPACES} namespaces`);
  const attributes = new Map(element.attributes.map(([name, value]) => [name.toLowerCase(), value]));
  return { name: usualName(element.name, namespaces), attributes, namespaces };
}

export function usualName(written: string, namespaces: Namespaces): string {
  const colon = written.indexOf(":");
  const [prefix, local] = colon < 0 ? ["", written] : [written.slice(0, colon), written.slice(colon + 1)];
  const uri = (namespaces.get(prefix) ?? "").toLowerCase();
  const isPlain = PLAIN.has(uri) || uri.includes("backend.userland.com/rss");
  const usual = isPlain ? "" : ((Object.hasOwn(PREFIXES, uri) ? PREFIXES[uri] : undefined) ?? prefix);
  return (usual === "" ? local : `${usual}:${local}`).toLowerCase();
}
