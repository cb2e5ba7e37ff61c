/** The meaning of a value: dates, quantities, amounts, countries and the parts of keys. */

import { fullYear } from "./date-tests.js";
import { componentsOf, type Element } from "./element.js";

export type Fields = Record<string, string | string[]>;

/** `digits` with `places` of them behind the point. */
function decimal(digits: string, places: number): string {
  const padded = digits.padStart(places + 1, "0");
  const whole = padded.slice(0, padded.length - places).replace(/^0+(?=\d)/, "");
  return places > 0 ? `${whole}.${padded.slice(-places)}` : whole;
}

/** The day 00 means the month as a whole. */
function isoDate(text: string, present: number): string {
  const at = text.length - 4;
  const year = at === 2 ? fullYear(Number(text.slice(0, 2)), present) : text.slice(0, 4);
  const [month, day] = [text.slice(at, at + 2), text.slice(at + 2)];
  return `${year}-${month}${day === "00" ? "" : `-${day}`}`;
}

const isoTime = (text: string): string => text.match(/../g)?.join(":") ?? text;
const places = (ai: string): number => Number(ai[3]);

function quantity({ entry: { ai, title }, value }: Element): Fields {
  const unit = /\(([^()]*(?:\([^()]*\))?)\)/.exec(title)?.[1] ?? (ai.startsWith("337") ? "kg/m²" : "");
  return { quantity: decimal(value, places(ai)), unit };
}

function amount(element: Element): Fields {
  const { ai } = element.entry;
  const parts = componentsOf(element.entry, element.value);
  if (parts.length === 2) return { currency: parts[0] ?? "", amount: decimal(parts[1] ?? "", places(ai)) };
  return { [ai.startsWith("394") ? "percent" : "amount"]: decimal(element.value, places(ai)) };
}

/** Latitude is counted from the south pole, longitude eastwards from Greenwich, in ten-millionths of a degree. */
function position([south = "", east = ""]: string[]): Fields {
  const [latitude, longitude] = [Number(south) - 900_000_000, Number(east)];
  const written = (units: number) => `${units < 0 ? "-" : ""}${decimal(String(Math.abs(units)), 7)}`;
  const wrapped = ((longitude + 1_800_000_000) % 3_600_000_000) - 1_800_000_000;
  return { latitude: written(latitude), longitude: written(wrapped) };
}

/** Names of components, for identifiers that have several. */
const NAMES: Record<string, readonly string[]> = {
  "253": ["key", "serial"],
  "255": ["key", "serial"],
  "7030": ["country", "processor"],
  "7040": ["conversion", "uic", "extension1", "importer"],
  "7230": ["scheme", "certificate"],
  "8001": ["width", "length", "diameter", "winding", "splices"],
  "8003": ["padding", "key", "serial"],
  "8043": ["sim", "suffix"],
  "421": ["country", "postalCode"],
};

function named({ entry, value }: Element): Fields {
  const { ai } = entry;
  const names = NAMES[ai] ?? NAMES[`${ai.slice(0, 3)}0`];
  if (!names) return {};
  const parts = componentsOf(entry, value);
  return Object.fromEntries(names.flatMap((name, at) => (parts[at] ? [[name, parts[at]]] : [])));
}

/** Facts that the test of a component tells about it. */
const MEANINGS: Record<string, (part: string, present: number) => [name: string, value: string][]> = {
  yymmdd: (part, present) => [["date", isoDate(part, present)]],
  yymmd0: (part, present) => [["date", isoDate(part, present)]],
  yyyymmdd: (part, present) => [["date", isoDate(part, present)]],
  hhmi: (part) => [["time", isoTime(part)]],
  hh: (part) => [["time", part]],
  mi: (part) => [["time", part]],
  ss: (part) => [["time", part]],
  iso3166: (part) => [["country", part]],
  iso3166alpha2: (part) => [["country", part]],
  csum: (part) => [["checkDigit", part.slice(-1)]],
  csumalpha: (part) => [["checkPair", part.slice(-2)]],
  pieceoftotal: (part) => [
    ["piece", part.slice(0, 2)],
    ["total", part.slice(2)],
  ],
};

/** Values by name, in their order. */
function grouped(pairs: [name: string, value: string][]): Record<string, string[]> {
  const lists: Record<string, string[]> = {};
  for (const [name, value] of pairs) lists[name] = [...(lists[name] ?? []), value];
  return lists;
}

function tested({ entry, value }: Element, present: number): Fields {
  const found = componentsOf(entry, value).flatMap((part, at) =>
    part === "" ? [] : (entry.components[at]?.tests ?? []).flatMap((name) => MEANINGS[name]?.(part, present) ?? []),
  );
  const { date = [], time, country = [], ...single } = grouped(found);
  const [from, until] = date;
  const isList = entry.components.filter(({ tests }) => tests.includes("iso3166")).length > 1;
  return {
    ...Object.fromEntries(Object.entries(single).map(([name, [value = ""]]) => [name, value])),
    ...(from && { date: from }),
    ...(until && { until }),
    ...(time && { time: time.join(":") }),
    ...(isList ? { countries: country } : country[0] && { country: country[0] }),
  };
}

/** Fields of a right value; `present` is the year that years of two digits lie around. */
export function fieldsOf(element: Element, present: number): Fields {
  const { ai } = element.entry;
  if (/^3[1-6]\d\d$/.test(ai)) return quantity(element);
  if (/^39\d\d$/.test(ai)) return amount(element);
  if (ai === "4309") return position(componentsOf(element.entry, element.value));
  if (/^433[0-3]$/.test(ai))
    return {
      temperature: `${element.value.endsWith("-") ? "-" : ""}${decimal(element.value.slice(0, 6), 2)}`,
      unit: Number(ai) % 2 === 0 ? "°F" : "°C",
    };
  return { ...tested(element, present), ...named(element) };
}
