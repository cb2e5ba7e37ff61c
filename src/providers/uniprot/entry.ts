/** Entries of UniProt: the parts of them that are read, nearly all of which an unreviewed entry can lack. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import { DAY_MS } from "../../lib/time.js";
import { segments, upstream } from "../../upstream/client.js";
import { label, list, maybe, number, part } from "../../upstream/fields.js";
import { uniprot } from "./index.js";

const value = () => z.object({ value: z.string() });
const proteinName = () => z.object({ fullName: maybe(value()), shortNames: list(value()), ecNumbers: list(value()) });

const entry = lazySchema(() =>
  z.object({
    entryType: z.string(),
    primaryAccession: z.string(),
    uniProtkbId: z.string(),
    organism: z.object({ scientificName: z.string(), commonName: label(), taxonId: z.number() }),
    sequence: z.object({ length: z.number(), molWeight: number() }),
    annotationScore: number(),
    proteinExistence: label(),
    entryAudit: part({ lastAnnotationUpdateDate: label() }),
    proteinDescription: part({
      recommendedName: maybe(proteinName()),
      alternativeNames: list(proteinName()),
      submissionNames: list(proteinName()),
    }),
    genes: list(z.object({ geneName: maybe(value()), synonyms: list(value()) })),
    comments: list(
      z.object({
        commentType: z.string(),
        texts: list(value()),
        subcellularLocations: list(z.object({ location: maybe(value()) })),
      }),
    ),
    keywords: list(z.object({ name: z.string() })),
    uniProtKBCrossReferences: list(
      z.object({
        database: z.string(),
        id: z.string(),
        properties: list(z.object({ key: z.string(), value: label() })),
      }),
    ),
  }),
);
export type Entry = z.output<ReturnType<typeof entry>>;

const inactive = lazySchema(() =>
  z.object({
    entryType: z.literal("Inactive"),
    inactiveReason: part({ inactiveReasonType: label(), mergeDemergeTo: list(z.string()) }),
  }),
);

/** The entry of an accession, or of the one that it was merged into. Rejects with NOT_FOUND when it is no longer one. */
export async function readEntry(accession: string, ctx: Context): Promise<Entry> {
  const answer = await upstream(ctx, uniprot).get(segments("uniprotkb", `${accession}.json`), {
    schema: z.union([inactive(), entry()]),
    ttlMs: DAY_MS,
    staleMs: 14 * DAY_MS,
  });
  if ("primaryAccession" in answer) return answer;
  const { inactiveReasonType, mergeDemergeTo } = answer.inactiveReason;
  const reason = inactiveReasonType ? ` (${inactiveReasonType.toLowerCase()})` : "";
  const replaced = mergeDemergeTo.length > 0 ? ` It was replaced by ${mergeDemergeTo.join(", ")}.` : "";
  throw new CapabilityError("NOT_FOUND", `UniProt no longer has an entry of this accession${reason}.${replaced}`, {
    issues: mergeDemergeTo.map((successor) => ({ path: "accession", message: `could be ${successor}` })),
  });
}
