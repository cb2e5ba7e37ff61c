/** Reads HTML into a document whose elements selectors find. */
import { parseHTML } from "linkedom";

/** The used part of a document: the parser's own types need those of a browser, which only some projects have. */
export interface PageNode {
  nodeType: number;
  localName: string;
  textContent: string | null;
  innerHTML: string;
  readonly childNodes: Iterable<PageNode> & { length: number };
  readonly parentNode: PageNode | null;
  append(text: string): void;
  remove(): void;
  getAttribute(name: string): string | null;
  querySelectorAll(selector: string): Iterable<PageNode> & { length: number };
}
export interface Page {
  body: PageNode | null;
  documentElement: PageNode | null;
  querySelector(selector: string): PageNode | null;
  querySelectorAll(selector: string): Iterable<PageNode> & { length: number };
  cloneNode(deep: boolean): Page;
}

export const parsePage = (html: string): Page => (parseHTML(withBody(html)) as unknown as { document: Page }).document;

/** The parser needs a body, which many pages omit. */
function withBody(html: string): string {
  if (/<body[\s>]/i.test(html)) return html;
  const inner = html.replace(/<!doctype[^>]{0,500}>|<\/?(?:html|head)(?:\s[^>]{0,500})?>/gi, "");
  return `<!doctype html><html><head></head><body>${inner}</body></html>`;
}
