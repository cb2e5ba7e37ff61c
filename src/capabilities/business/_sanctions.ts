/** Matches with the OFAC list in results. */
import { z } from "zod";
import { confidenceOf } from "../../engines/names/compare.js";
import type { Explanation } from "../../engines/names/explain.js";
import type { FoundName, Listed } from "../../engines/names/name-list.js";
import type { Match, SanctionsList } from "../../providers/ofac/list.js";
import { confidence, wordMatches } from "./_names.js";

/** A business and its people are neither vessels nor aircraft. */
export const PARTIES = ["individual", "organization"] as const;

export const sanctionMatch = () =>
  z.object({
    score: z.number(),
    confidence: confidence(),
    reasons: z.array(z.string()).describe("How the two names differ"),
    words: wordMatches(),
    name: z.string(),
    matchedName: z.string(),
    aliasType: z.enum(["aka", "fka", "nka", "weak"]).nullable(),
    listName: z.literal("SDN"),
    entNum: z.number().int(),
    type: z.enum(["individual", "organization", "vessel", "aircraft"]),
    programs: z.array(z.string()),
    remarks: z.string().nullable(),
    url: z.string(),
  });

export async function toSanctionMatch(list: SanctionsList, asked: string, { score, ...found }: Match) {
  const explanation = await list.explain(asked, found);
  return { score, confidence: confidenceOf(score), ...explanation, ...found, listName: "SDN" as const };
}

/** Explains a score of a list, with its parts. */
export async function explain<L extends Listed<unknown>>(
  list: { explain: (name: string, listed: L) => Promise<Explanation> },
  asked: string,
  { listed, score }: FoundName<L>,
) {
  return { score, confidence: confidenceOf(score), ...(await list.explain(asked, listed)), matchedName: listed.text };
}
