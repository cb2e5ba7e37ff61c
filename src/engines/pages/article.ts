/** Extracts the readable text of an HTML page. Runs in a thread, because a large page takes seconds. */
import { isProbablyReaderable, Readability } from "@mozilla/readability";
import { type Page, parsePage } from "./parse.js";

export interface ArticleTask {
  html: string;
}

export interface Article {
  /** Empty if the page has none. */
  title: string;
  /** Paragraphs separated by line breaks. */
  text: string;
}

/** A larger page is not an article, and finding its main part takes more than linear time. */
const MAX_ELEMENTS = 20_000;
const BLOCKS = "p,div,section,article,li,h1,h2,h3,h4,h5,h6,tr,blockquote,pre,br,dt,dd,figcaption";
const NO_TEXT =
  "title,script,style,noscript,template,nav,header,footer,aside,iframe,svg,form,[hidden],[aria-hidden=true]";

/** An article as Readability finds it; each is null where the page does not say. */
export interface ArticleHtml {
  title: string | null;
  /** HTML of the article, without scripts. */
  content: string;
  byline: string | null;
  /** As the page writes it. */
  published: string | null;
  language: string | null;
}

/** Undefined for a page that has none, or that is too large. */
export function readArticleHtml({ html }: ArticleTask): ArticleHtml | undefined {
  const document = parsePage(html);
  if (document.querySelectorAll("*").length > MAX_ELEMENTS) return undefined;
  const article = document.documentElement ? articleOf(document) : null;
  if (!article?.content) return undefined;
  const { title, content, byline, publishedTime, lang } = article;
  return {
    ...{ title: title || null, content, byline: byline || null },
    ...{ published: publishedTime || null, language: lang || null },
  };
}

/** Changes the document. Readability expects trees as browsers build them, and loses its way in those of broken pages. */
function articleOf(document: Page): ReturnType<Readability["parse"]> {
  try {
    return new Readability(document as never).parse();
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** The main part as Readability finds it, otherwise everything except menus, scripts and styles. */
export function readArticle({ html }: ArticleTask): Article {
  const document = parsePage(html);
  const title = clean(document.querySelector("title")?.textContent ?? "");
  const small = document.querySelectorAll("*").length <= MAX_ELEMENTS;
  const article = small && isReaderable(document) ? articleOf(document.cloneNode(true) as Page) : null;
  if (article?.content)
    return {
      title: clean(article.title ?? "") || title,
      text: textOfBlocks(parsePage(article.content)),
    };
  for (const element of document.querySelectorAll(NO_TEXT)) element.remove();
  return { title, text: textOfBlocks(document) };
}

/** Whether a page has navigation around a text that is long enough to be an article. */
export function isArticle(html: string): boolean {
  if (!/<nav[\s>]|role=["']?navigation/i.test(html)) return false;
  const document = parsePage(html);
  return document.querySelectorAll("*").length <= MAX_ELEMENTS && isReaderable(document);
}

/** A page whose first tag is broken may have no element at its top. */
const isReaderable = (document: Page): boolean =>
  Boolean(document.documentElement) && isProbablyReaderable(document as never);

/** `textContent` would join paragraphs without a separator. */
function textOfBlocks(document: Page): string {
  for (const block of document.querySelectorAll(BLOCKS)) block.append("\n");
  return clean(document.body?.textContent ?? document.documentElement?.textContent ?? "");
}

const clean = (text: string): string =>
  text
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
