/** A source's report: one row of material, from which events are made. */

export interface EventRow {
  /** The source's own id, unique within it. */
  id: string;
  title: string;
  /** The source's summary; empty if it has none. */
  abstract: string;
  /** YYYY-MM-DD. */
  date: string | null;
  url: string | null;
}

export interface Window {
  /** Inclusive days, YYYY-MM-DD. */
  since: string;
  until: string;
}

/** Removes rows reported twice, by id, address or title; the first one stays. */
export function distinct<Row extends EventRow & { source: string }>(rows: readonly Row[]): Row[] {
  const seen = new Set<string>();
  return rows.filter(({ source, id, title, url }) => {
    const names = [`${source} ${id}`, `title ${fold(title)}`, ...(url ? [`url ${url.split(/[?#]/)[0]}`] : [])];
    const known = names.some((name) => seen.has(name));
    for (const name of names) seen.add(name);
    return !known;
  });
}

/** Sources search by other dates than those that they show. */
export const within = <Row extends EventRow>(rows: readonly Row[], { since, until }: Window): Row[] =>
  rows.filter(({ date }) => date === null || (date >= since && date <= until));

const fold = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** The share of the search words that a text contains. */
export function wordOverlap(text: string, query: string): number {
  const words = new Set(
    fold(query)
      .split(" ")
      .filter((word) => word.length > 2),
  );
  if (words.size === 0) return 0;
  const folded = ` ${fold(text)} `;
  let found = 0;
  // The beginning of a word is enough: "tariffs" match "tariff".
  for (const word of words) if (folded.includes(` ${word.replace(/(?:es|s)$/, "")}`)) found++;
  return found / words.size;
}
