/** Searches the titles of a classification. */
import type { Item } from "./classification.js";

export interface Match {
  item: Item;
  /** Share of the title's words that are in the query. */
  score: number;
}

/**
 * Items whose titles match every word of the query by its beginning; without any, those that match some. Titles with
 * the phrase come first, then those with the larger share of matching words, then deeper levels.
 */
export function searchTitles(items: readonly Item[], query: string, depthOf: (code: string) => number): Match[] {
  const wanted = wordsOf(query);
  if (wanted.length === 0) return [];
  const phrase = wanted.join(" ");
  const scored = items.map((item) => {
    const words = wordsOf(item.title ?? "");
    const hits = wanted.filter((prefix) => words.some((word) => word.startsWith(prefix))).length;
    const matched = words.filter((word) => wanted.some((prefix) => word.startsWith(prefix))).length;
    const score = words.length === 0 ? 0 : Math.round((matched / words.length) * 1000) / 1000;
    return { item, hits, score, exact: words.join(" ").includes(phrase) };
  });
  const all = scored.filter(({ hits }) => hits === wanted.length);
  const found = all.length > 0 ? all : scored.filter(({ hits }) => hits > 0);
  found.sort(
    (a, b) =>
      Number(b.exact) - Number(a.exact) ||
      b.hits - a.hits ||
      b.score - a.score ||
      depthOf(b.item.code) - depthOf(a.item.code) ||
      a.item.code.localeCompare(b.item.code),
  );
  return found.map(({ item, score }) => ({ item, score }));
}

/** Lower case, without accents, and without the s of a plural. */
function wordsOf(text: string): string[] {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return (plain.match(/[a-z0-9]+/g) ?? []).map((word) => (word.length > 3 ? word.replace(/s$/, "") : word));
}
