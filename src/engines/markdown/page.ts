/** A page of the web as Markdown: the whole of it, or its article. */
import type { Element, Root as HtmlRoot } from "hast";
import { toHtml } from "hast-util-to-html";
import { readArticleHtml } from "../pages/article.js";
import { findElement, type HtmlOptions, parseHtml, toDocument } from "./from-html.js";
import { removeHidden } from "./hidden/hidden.js";
import { countWords } from "./words.js";
import { plainText, writeMarkdown } from "./write.js";

export interface PageTask extends HtmlOptions {
  html: string;
  /** Whether menus and what else surrounds the article are left out. */
  main?: boolean | undefined;
}

export interface MarkdownPage {
  title: string | null;
  markdown: string;
  byline: string | null;
  /** As the page writes it. */
  published: string | null;
  language: string | null;
  words: number;
  hiddenBlocks: number;
  hiddenCharacters: number;
}

export function pageToMarkdown({ html, main = false, ...options }: PageTask): MarkdownPage {
  const page = parseHtml(html);
  const hidden = removeHidden(page);
  const isAllShown = hidden.blocks + hidden.characters === 0;
  const article = main ? readArticleHtml({ html: isAllShown ? html : toHtml(page) }) : undefined;
  const shown = article ? parseHtml(article.content) : page;
  const document = toDocument(bodyOf(shown), {
    ...options,
    ...(article ? { baseUrl: baseOf(page, options.baseUrl) } : {}),
  });
  const facts = factsOf(page);
  return {
    title: article?.title ?? facts.title,
    markdown: writeMarkdown(document),
    byline: article?.byline ?? facts.byline,
    published: article?.published ?? facts.published,
    language: article?.language ?? facts.language,
    words: countWords(plainText(document)),
    hiddenBlocks: hidden.blocks,
    hiddenCharacters: hidden.characters,
  };
}

/** The title of the head is not a part of what a page shows. */
const bodyOf = (page: HtmlRoot): Element | HtmlRoot => findElement(page, "body") ?? page;

function baseOf(page: HtmlRoot, given: string | undefined): string | undefined {
  const href = findElement(page, "base")?.properties.href;
  return typeof href === "string" && URL.canParse(href, given) ? new URL(href, given).href : given;
}

function factsOf(page: HtmlRoot): Omit<MarkdownPage, "markdown" | "words" | "hiddenBlocks" | "hiddenCharacters"> {
  const head = findElement(page, "head");
  const metas = (head?.children ?? []).flatMap((child) =>
    child.type === "element" && child.tagName === "meta" ? [child.properties] : [],
  );
  const meta = (...names: string[]): string | null => {
    const found = metas.find(({ name, property }) => names.includes(String(name ?? property).toLowerCase()));
    return textOrNull(found?.content);
  };
  const title = head && findElement(head, "title");
  return {
    title: textOrNull(title && plainHtml(title)) ?? meta("og:title"),
    byline: meta("author", "article:author"),
    published: meta("article:published_time", "date", "dc.date", "datepublished"),
    language: textOrNull(findElement(page, "html")?.properties.lang),
  };
}

const plainHtml = (element: Element): string =>
  element.children.map((child) => (child.type === "text" ? child.value : "")).join("");

const textOrNull = (text: unknown): string | null =>
  (typeof text === "string" ? text.replace(/\s+/g, " ").trim() : "") || null;
