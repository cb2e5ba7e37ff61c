/** Entries of UniProt: the parts of them that are read, nearly all of which an unreviewed entry can lack. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import { DAY_MS } from "../../lib/time.js";
import { segments, upstream } from "../../upstream/client.js";
import { uniprot } from "./index.js";

const value = () => z.object({ value: z.string() });
const list = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .nullish()
    .transform((items) => items ?? []);
const proteinName = () =>
  z.object({ fullName: value().nullish(), shortNames: list(value()), ecNumbers: list(value()) });

const entry = lazySchema(() =>
  z.object({
    entryType: z.string(),
    primaryAccession: z.string(),
    uniProtkbId: z.string(),
    organism: z.object({ scientificName: z.string(), commonName: z.string().nullish(), taxonId: z.number() }),
    sequence: z.object({ length: z.number(), molWeight: z.number().nullish() }),
    annotationScore: z.number().nullish(),
    proteinExistence: z.string().nullish(),
    entryAudit: z.object({ lastAnnotationUpdateDate: z.string().nullish() }).nullish(),
    proteinDescription: z
      .object({
        recommendedName: proteinName().nullish(),
        alternativeNames: list(proteinName()),
        submissionNames: list(proteinName()),
      })
      .nullish(),
    genes: list(z.object({ geneName: value().nullish(), synonyms: list(value()) })),
    comments: list(
      z.object({
        commentType: z.string(),
        texts: list(value()),
        subcellularLocations: list(z.object({ location: value().nullish() })),
      }),
    ),
    keywords: list(z.object({ name: z.string() })),
    uniProtKBCrossReferences: list(
      z.object({
        database: z.string(),
        id: z.string(),
        properties: list(z.object({ key: z.string(), value: z.string().nullish() })),
      }),
    ),
  }),
);
export type Entry = z.output<ReturnType<typeof entry>>;

const inactive = lazySchema(() =>
  z.object({
    entryType: z.literal("Inactive"),
    inactiveReason: z.object({ inactiveReasonType: z.string().nullish(), mergeDemergeTo: list(z.string()) }).nullish(),
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
  const { inactiveReasonType, mergeDemergeTo = [] } = answer.inactiveReason ?? {};
  const reason = inactiveReasonType ? ` (${inactiveReasonType.toLowerCase()})` : "";
  const replaced = mergeDemergeTo.length > 0 ? ` It was replaced by ${mergeDemergeTo.join(", ")}.` : "";
  throw new CapabilityError("NOT_FOUND", `UniProt no longer has an entry of this accession${reason}.${replaced}`, {
    issues: mergeDemergeTo.map((successor) => ({ path: "accession", message: `could be ${successor}` })),
  });
}
