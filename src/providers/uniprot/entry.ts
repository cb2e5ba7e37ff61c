/** Entries of UniProt: the parts that are read, most of which may be missing in an unreviewed entry. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import { DAY_MS } from "../../lib/time.js";
import { segments, upstream } from "../../upstream/client.js";
import {
  chosen,
  identifiedRows,
  label,
  list,
  maybe,
  named,
  noneRenamed,
  number,
  part,
  whole,
  wholeOrNone,
} from "../../upstream/fields.js";
import { uniprot } from "./provider.js";

const value = () => z.object({ value: z.string() });
const values = () => named(z.object({ value: label() }), "value");
/** Entries of a list that may be missing. */
const entries = <Entry extends z.ZodType>(entry: Entry, names: readonly string[]) =>
  maybe(identifiedRows(entry, names)).transform((found) => found ?? []);
const proteinName = () =>
  z
    .object({ fullName: maybe(value()), shortNames: values(), ecNumbers: values() })
    .refine(({ fullName, shortNames }) => fullName || shortNames.length > 0, "has no name");

const OTHER_NAMES = [
  "recommendedName",
  "submissionNames",
  "flag",
  "includes",
  "contains",
  "allergenName",
  "biotechName",
  "cdAntigenNames",
  "innNames",
];

/** Reviewed entries have a recommended name, others submitted ones, and some none at all. */
const description = () =>
  z.preprocess(
    (value, payload) => {
      if (typeof value === "object" && value && !("recommendedName" in value || "submissionNames" in value))
        payload.addIssue("has no name");
      return value ?? {};
    },
    z
      .unknown()
      .check(noneRenamed(["alternativeNames"], OTHER_NAMES))
      .pipe(
        z.object({
          recommendedName: maybe(proteinName()),
          alternativeNames: entries(proteinName(), []),
          submissionNames: entries(proteinName(), []),
        }),
      ),
  );

const comment = () =>
  z
    .object({
      commentType: z.string(),
      texts: values(),
      note: z.unknown().optional(),
      subcellularLocations: list(whole({ location: maybe(value()) })),
    })
    .refine(({ commentType, texts }) => commentType !== "FUNCTION" || texts.length > 0, "has no text")
    .refine(
      ({ commentType, subcellularLocations, note }) =>
        commentType !== "SUBCELLULAR LOCATION" || subcellularLocations.length > 0 || note !== undefined,
      "has no location",
    );

const crossReference = () =>
  z
    .object({
      database: z.string(),
      id: z.string(),
      properties: named(whole({ key: label(), value: label() }), "key"),
    })
    .refine(({ database, properties }) => database !== "GO" || properties.length > 0, "has no properties");

const has = (value: unknown, name: string) => typeof value === "object" && value !== null && Object.hasOwn(value, name);
const isUnreviewed = (value: unknown) =>
  !String((value as { entryType?: unknown } | null)?.entryType).includes("Swiss-Prot");

const entry = lazySchema(() =>
  z
    .unknown()
    .refine((value) => isUnreviewed(value) || has(value, "proteinDescription"), "has no name")
    .pipe(
      whole(
        {
          entryType: z.string(),
          primaryAccession: z.string(),
          uniProtkbId: z.string(),
          organism: z.object({ scientificName: z.string(), commonName: label(), taxonId: z.number() }),
          sequence: z.object({ length: z.number(), molWeight: number() }),
        },
        {
          proteinDescription: description(),
          annotationScore: number(),
          proteinExistence: label(),
          entryAudit: wholeOrNone({ lastAnnotationUpdateDate: label() }),
          genes: list(z.object({ geneName: maybe(value()), synonyms: values() })),
          comments: entries(comment(), ["commentType"]),
          keywords: named(z.object({ name: label() }), "name"),
          uniProtKBCrossReferences: entries(crossReference(), ["database", "id"]),
        },
      ),
    ),
);
export type UniprotEntry = z.output<ReturnType<typeof entry>>;

const inactive = lazySchema(() =>
  z.object({
    entryType: z.literal("Inactive"),
    inactiveReason: part({ inactiveReasonType: label(), mergeDemergeTo: list(z.string()) }),
  }),
);

const isInactive = (value: unknown): boolean => (value as { entryType?: unknown } | null)?.entryType === "Inactive";

/** The entry of an accession, or of its merged successor. Rejects with NOT_FOUND if it was removed. */
export async function readEntry(accession: string, ctx: Context): Promise<UniprotEntry> {
  const answer = await upstream(ctx, uniprot).get(segments("uniprotkb", `${accession}.json`), {
    schema: chosen<z.output<ReturnType<typeof inactive>> | UniprotEntry>((value) =>
      isInactive(value) ? inactive() : entry(),
    ),
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
