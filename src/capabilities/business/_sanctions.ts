/** Matches with the OFAC list, as results show them. */
import { z } from "zod";
import { compareNames, confidenceOf } from "../../engines/names/compare.js";
import { readName } from "../../engines/names/words.js";
import type { Match } from "../../providers/ofac/list.js";
import { confidence } from "./_names.js";

/** A business and its people are no vessel and no aircraft. */
export const PARTIES = ["individual", "organization"] as const;

export const sanctionMatch = () =>
  z.object({
    score: z.number(),
    confidence: confidence(),
    reasons: z.array(z.string()).describe("How the two names differ"),
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

export async function toSanctionMatch(asked: string, { score, ...found }: Match) {
  return { ...(await explain(asked, found.matchedName, score)), ...found, listName: "SDN" as const };
}

/** A score of a list with what it says and how the names differ. */
export async function explain(asked: string, matchedName: string, score: number) {
  const { reasons } = compareNames(await readName(asked), await readName(matchedName));
  return { score, confidence: confidenceOf(score), reasons };
}
