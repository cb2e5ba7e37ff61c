/** GS1 Digital Links: web addresses whose path has a primary key and its qualifiers, and whose query has attributes. */
import { type DictionaryEntry, entryOf } from "./dictionary.js";
import { type Element, type ElementFault, MAX_ELEMENTS, unreadable, wholeValueFinding } from "./element.js";
import type { ReadElements } from "./syntaxes.js";

const ILLEGAL_IN_URI = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]/;
const ILLEGAL_IN_DOMAIN = /[_~?#@!$&'()*+,;=%]/;
const STEM = "https://id.gs1.org";

export const isLink = (data: string): boolean => /^https?:\/\//i.test(data);

/** Throws Unreadable for what is not a digital link, or one that has an element where it may not stand. */
export function readLink(data: string, year: number): ReadElements {
  const illegal = data.search(ILLEGAL_IN_URI);
  if (illegal >= 0) throw unreadable("URI_CONTAINS_ILLEGAL_CHARACTERS", illegal);
  const scheme = /^(?:https?|HTTPS?):\/\//.exec(data)?.[0];
  if (!scheme) throw unreadable("URI_CONTAINS_ILLEGAL_SCHEME", 0);
  const slash = data.indexOf("/", scheme.length);
  const domain = data.slice(scheme.length, slash < 0 ? undefined : slash);
  const wrong = domain.search(ILLEGAL_IN_DOMAIN);
  if (wrong >= 0) throw unreadable("DOMAIN_CONTAINS_ILLEGAL_CHARACTERS", scheme.length + wrong);
  if (slash < 0 || domain === "") throw unreadable("URI_MISSING_DOMAIN_AND_PATH_INFO", scheme.length);
  const [address = ""] = data.split("#", 1);
  const mark = address.indexOf("?", slash);
  const path = pathElements(address.slice(0, mark < 0 ? undefined : mark), slash);
  const attributes = mark < 0 ? [] : queryElements(address, mark + 1);
  if (path.length + attributes.length > MAX_ELEMENTS) throw unreadable("TOO_MANY_AIS", mark);
  assertPlaces(path, attributes);
  return judge([...path, ...attributes], year);
}

function judge(elements: Element[], year: number): ReadElements {
  const faults: ElementFault[] = [];
  for (const { entry, value, at } of elements) {
    const found = wholeValueFinding(entry, value, year);
    if (found) faults.push({ code: found.code, ai: entry.ai, position: at + found.at });
  }
  return { elements, faults };
}

/** The pairs from the last primary key to the end; what stands before it belongs to the domain's owner. */
function pathElements(path: string, from: number): Element[] {
  const parts = path.slice(from + 1).split("/");
  const pairs: Element[] = [];
  let end = path.length;
  while (parts.length >= 2) {
    const value = parts.pop() ?? "";
    const entry = entryOf(parts.pop() ?? "");
    if (!entry) break;
    pairs.unshift({ entry, value, at: end - value.length });
    if (entry.qualifiers) return pairs.map(decodedInPath);
    end -= value.length + entry.ai.length + 2;
  }
  throw unreadable("NO_GS1_DL_KEYS_FOUND_IN_PATH_INFO", from);
}

function decodedInPath({ entry, value, at }: Element): Element {
  if (value === "") throw unreadable("AI_VALUE_PATH_ELEMENT_IS_EMPTY", at, entry.ai);
  return { entry, value: unescaped(value, { at, ai: entry.ai, plus: "+" }), at };
}

/** The attributes of the query that are elements; words are the domain owner's own. */
function queryElements(address: string, from: number): Element[] {
  const elements: Element[] = [];
  let at = from;
  for (const parameter of address.slice(from).split("&")) {
    const equals = parameter.indexOf("=");
    const ai = parameter.slice(0, Math.max(equals, 0));
    const valueAt = at + equals + 1;
    at += parameter.length + 1;
    if (equals < 0 || !/^\d+$/.test(ai)) continue;
    const entry = entryOf(ai);
    if (!entry) throw unreadable("UNKNOWN_AI_IN_QUERY_PARAMS", valueAt - equals - 1, ai.slice(0, 4));
    const value = parameter.slice(equals + 1);
    if (value === "") throw unreadable("AI_VALUE_QUERY_ELEMENT_IN_EMPTY", valueAt, ai);
    elements.push({ entry, value: unescaped(value, { at: valueAt, ai, plus: " " }), at: valueAt });
  }
  return elements;
}

/** A percent sign without two hexadecimal digits is meant as it stands. */
function unescaped(text: string, { at, ai, plus }: { at: number; ai: string; plus: string }): string {
  if (text.includes("%00")) throw unreadable("DECODED_AI_VALUE_CONTAINS_ILLEGAL_NULL", at, ai);
  return text
    .replaceAll("+", plus)
    .replace(/%([0-9A-Fa-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Refuses qualifiers out of order, elements that stand twice, and attributes that belong in the path. */
function assertPlaces(path: Element[], attributes: Element[]): void {
  const sequence = path.map(({ entry }) => entry.ai);
  if (!isSequence(path[0]?.entry, sequence.slice(1)))
    throw unreadable("INVALID_KEY_QUALIFIER_SEQUENCE", path[0]?.at ?? 0, sequence[0]);
  const seen = new Set(sequence);
  for (const { entry, at } of attributes) {
    if (seen.has(entry.ai)) throw unreadable("DUPLICATE_AI", at, entry.ai);
    seen.add(entry.ai);
    if (!entry.attribute) throw unreadable("AI_IS_NOT_VALID_DATA_ATTRIBUTE", at, entry.ai);
    for (let place = 1; place <= sequence.length; place++)
      if (isSequence(path[0]?.entry, [...sequence.slice(1, place), entry.ai, ...sequence.slice(place)]))
        throw unreadable("AI_SHOULD_BE_IN_PATH_INFO", at, entry.ai);
  }
}

/** Whether qualifiers stand in the order of one of the key's sequences, from which any may be missing. */
function isSequence(key: DictionaryEntry | undefined, qualifiers: string[]): boolean {
  return (key?.qualifiers ?? []).some((sequence) => {
    let next = 0;
    for (const ai of sequence) if (ai === qualifiers[next]) next++;
    return next === qualifiers.length;
  });
}

/** The canonical link of elements; null without a primary key, or with an element that no link may carry. */
export function writeLink(elements: readonly Element[]): string | null {
  const key = elements.find(({ entry }) => entry.qualifiers);
  if (!key) return null;
  const byAi = new Map(elements.map((element) => [element.entry.ai, element]).reverse() as [string, Element][]);
  const path = [key, ...hoisted(key.entry, byAi)];
  const rest = [...byAi.values()].filter((element) => !path.some(({ entry }) => entry.ai === element.entry.ai));
  if (rest.some(({ entry }) => !entry.attribute)) return null;
  const inOrder = elements.filter((element) => rest.includes(element));
  const attributes = [false, true].flatMap((separator) => inOrder.filter(({ entry }) => entry.separator === separator));
  const query = attributes.map(({ entry, value }) => `${entry.ai}=${percentEncoded(value).replaceAll("%20", "+")}`);
  return `${STEM}${path.map(({ entry, value }) => `/${entry.ai}/${percentEncoded(value)}`).join("")}${query.length > 0 ? `?${query.join("&")}` : ""}`;
}

/** The qualifiers of that sequence of which most are there. */
function hoisted({ qualifiers = [] }: DictionaryEntry, byAi: ReadonlyMap<string, Element>): Element[] {
  const found = qualifiers.map((sequence) => sequence.flatMap((ai) => byAi.get(ai) ?? []));
  return found.reduce((most, one) => (one.length > most.length ? one : most), []);
}

const percentEncoded = (value: string): string =>
  encodeURIComponent(value).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
