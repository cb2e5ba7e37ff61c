/** Values of a page by selectors, and its tables. Runs in a thread, since selectors may take for ever. */
import { CapabilityError, invalid } from "../../errors.js";
import { isUrl } from "../../lib/http/url.js";
import { type Page, type PageNode, parsePage } from "./parse.js";
import { standardHtml } from "./standard.js";
import { type PageTable, readTables } from "./tables.js";
import { visibleTextOf } from "./text.js";

export interface FieldRule {
  selector: string;
  /** Its value in place of the text. */
  attribute?: string | undefined;
  /** All matches in place of the first. */
  many?: boolean | undefined;
  /** The content, as HTML. */
  html?: boolean | undefined;
}

export interface ExtractTask {
  html: string;
  baseUrl: string | undefined;
  fields: Record<string, FieldRule>;
  tables: boolean;
}

export interface Extracted {
  fields: Record<string, string | string[] | null>;
  tables: PageTable[];
  missing: string[];
}

const MAX_VALUES = 1_000;
const MAX_LENGTH = 4_000_000;
/** Attributes that hold an address. */
const ADDRESSES = new Set(["href", "src", "action", "formaction", "poster", "cite", "data", "background", "longdesc"]);

export function extract({ html, baseUrl, fields: rules, tables }: ExtractTask): Extracted {
  const page = parsePage(standardHtml(html));
  const base = baseOf(page, baseUrl);
  const room = { left: MAX_LENGTH };
  const missing: string[] = [];
  const fields: [string, string | string[] | null][] = [];
  for (const [name, rule] of Object.entries(rules)) {
    const values = find(page, name, rule)
      .map((element) => valueFrom(element, rule, base))
      .filter((value) => value !== null);
    for (const value of values) room.left -= value.length;
    if (room.left < 0) throw tooLarge(name);
    if (values.length === 0) missing.push(name);
    fields.push([name, rule.many ? values : (values[0] ?? null)]);
  }
  return { fields: Object.fromEntries(fields), tables: tables ? readTables(page) : [], missing };
}

function find(page: Page, name: string, { selector, many }: FieldRule): PageNode[] {
  try {
    if (many) return [...page.querySelectorAll(selector)].slice(0, MAX_VALUES);
    const found = page.querySelector(selector);
    return found ? [found] : [];
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw invalid(`fields.${name}`, "is not a CSS selector that is known here");
  }
}

function valueFrom(element: PageNode, { attribute, html }: FieldRule, base: string | undefined): string | null {
  if (attribute === undefined) return html ? element.innerHTML : visibleTextOf(element);
  const value = element.getAttribute(attribute);
  return value !== null && ADDRESSES.has(attribute.toLowerCase()) ? resolved(value, base) : value;
}

/** A relative address in full; what is none stays as it was written. */
function resolved(address: string, base: string | undefined): string {
  const trimmed = address.trim();
  return base !== undefined && isUrl(trimmed, base) ? new URL(trimmed, base).href : trimmed;
}

/** Where the page says that its addresses begin. */
function baseOf(page: Page, given: string | undefined): string | undefined {
  const own = page.querySelector("base[href]")?.getAttribute("href")?.trim();
  if (own === undefined || !isUrl(own, given)) return given;
  return new URL(own, given).href;
}

function tooLarge(name: string): CapabilityError {
  const message = "makes more than 4 MB of values: choose fewer elements";
  return new CapabilityError("RESULT_TOO_LARGE", `fields.${name} ${message}`, {
    issues: [{ path: `fields.${name}`, message }],
  });
}
