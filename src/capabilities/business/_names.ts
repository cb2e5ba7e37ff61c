/** Similarity of names in results. */
import { z } from "zod";
import { type Explained, explainNames } from "../../engines/names/compare.js";
import type { WordMatch } from "../../engines/names/explain.js";
import { type Name, readName } from "../../engines/names/words.js";

export const confidence = () =>
  z
    .enum(["high", "medium", "low"])
    .describe("high from 0.9: the same name; medium from 0.75: a likely variant; low: probably another entity");

/** The words behind a score. */
export const wordMatches = () =>
  z
    .array(
      z.object({
        asked: z.string().nullable().describe("Word of the requested name; null if only the found name has it"),
        found: z.string().nullable(),
        similarity: z.number().describe("0 to 1; 0 without a counterpart"),
        weight: z.number().describe("Weight of the word: by its kind and its rarity in the list"),
        names: z.number().int().nullable().describe("How many names of the list have it"),
      }),
    )
    .describe("The paired words, in Latin letters, then those without a counterpart");

/** Rarity of the matching words, rarest first. */
export const rarity = () =>
  z.object({
    listNames: z.number().int().describe("Names and aliases of the list"),
    words: z.array(
      z.object({ word: z.string(), names: z.number().int(), share: z.number().describe("Of the names of the list") }),
    ),
  });

export type Rarity = z.output<ReturnType<typeof rarity>>;

export function rarityOf(listNames: number, matches: readonly { words: readonly WordMatch[] }[]): Rarity {
  const counts = new Map<string, number>();
  for (const { asked, found, names } of matches.flatMap(({ words }) => words))
    if (asked !== null && found !== null && names !== null) counts.set(found, names);
  const words = [...counts].map(([word, names]) => ({
    word,
    names,
    share: Number((names / listNames).toPrecision(3)),
  }));
  return { listNames, words: words.sort((a, b) => a.names - b.names) };
}

/** The most similar of several names of one entity, and why. */
export async function nearestName(asked: Name, names: readonly string[]): Promise<Explained & { matchedName: string }> {
  const judged = await Promise.all(
    names.map(async (matchedName) => ({ matchedName, ...explainNames(asked, await readName(matchedName)) })),
  );
  const none = { matchedName: names[0] ?? "", score: 0, confidence: "low" as const, reasons: [], words: [] };
  return judged.reduce((best, one) => (one.score > best.score ? one : best), judged[0] ?? none);
}
