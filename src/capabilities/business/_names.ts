/** How alike names are, as results show it. */
import { z } from "zod";
import { compareNames, type Judgement } from "../../engines/names/compare.js";
import { type Name, readName } from "../../engines/names/words.js";

export const confidence = () =>
  z
    .enum(["high", "medium", "low"])
    .describe("high from 0.9: the same name; medium from 0.75: a likely variant; low: probably another entity");

/** The nearest of several names of one entity, and why. */
export async function nearestName(asked: Name, names: readonly string[]): Promise<Judgement & { matchedName: string }> {
  const judged = await Promise.all(
    names.map(async (matchedName) => ({ matchedName, ...compareNames(asked, await readName(matchedName)) })),
  );
  const none = { matchedName: names[0] ?? "", score: 0, confidence: "low" as const, reasons: [] };
  return judged.reduce((best, one) => (one.score > best.score ? one : best), judged[0] ?? none);
}
