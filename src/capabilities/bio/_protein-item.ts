/** A protein in results, alone or as part of its gene. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { UniprotEntry } from "../../providers/uniprot/entry.js";

const ASPECTS = new Map([
  ["P", "biological_process"],
  ["F", "molecular_function"],
  ["C", "cellular_component"],
] as const);

export const proteinItem = lazySchema(() =>
  z.object({
    accession: z.string(),
    entryName: z.string(),
    reviewed: z.boolean().describe("From Swiss-Prot, curated by hand"),
    name: z.string().nullable(),
    shortNames: z.array(z.string()),
    alternativeNames: z.array(z.string()),
    ecNumbers: z.array(z.string()),
    genes: z.array(z.object({ name: z.string().nullable(), synonyms: z.array(z.string()) })),
    organism: z.object({ scientificName: z.string(), commonName: z.string().nullable(), taxId: z.number() }),
    length: z.number().describe("In amino acids"),
    molecularWeight: z.number().nullable().describe("In Da"),
    function: z.string().nullable(),
    subcellularLocations: z.array(z.string()),
    goTerms: z.array(
      z.object({
        id: z.string(),
        term: z.string(),
        aspect: z.enum([...ASPECTS.values()]).nullable(),
      }),
    ),
    structureIds: z.array(z.string()).describe("PDB ids"),
    alphaFoldId: z.string().nullable(),
    keywords: z.array(z.string()),
    existence: z.string().nullable(),
    annotationScore: z.number().nullable().describe("1 to 5"),
    lastUpdated: z.string().nullable(),
  }),
);

const textOf = ({ value }: { value: string }) => value;

/** The result of an entry; every list may be empty. */
export function toProteinItem(entry: UniprotEntry) {
  const { recommendedName, alternativeNames, submissionNames } = entry.proteinDescription;
  // Unreviewed entries have the names that their submitters gave.
  const name = recommendedName ?? submissionNames[0];
  const { scientificName, commonName, taxonId } = entry.organism;
  const idsIn = (database: string) => referencesTo(database, entry).map(({ id }) => id);
  return {
    accession: entry.primaryAccession,
    entryName: entry.uniProtkbId,
    reviewed: entry.entryType.includes("Swiss-Prot"),
    name: name?.fullName?.value ?? null,
    shortNames: name?.shortNames.map(textOf) ?? [],
    alternativeNames: alternativeNames.flatMap(({ fullName }) => fullName?.value ?? []),
    ecNumbers: name?.ecNumbers.map(textOf) ?? [],
    genes: entry.genes.map(({ geneName, synonyms }) => ({
      name: geneName?.value ?? null,
      synonyms: synonyms.map(textOf),
    })),
    organism: { scientificName, commonName, taxId: taxonId },
    length: entry.sequence.length,
    molecularWeight: entry.sequence.molWeight,
    function: functionOf(entry),
    subcellularLocations: locationsOf(entry),
    goTerms: referencesTo("GO", entry).map(toGoTerm),
    structureIds: idsIn("PDB"),
    alphaFoldId: idsIn("AlphaFoldDB")[0] ?? null,
    keywords: entry.keywords.map((keyword) => keyword.name),
    existence: entry.proteinExistence,
    annotationScore: entry.annotationScore,
    lastUpdated: entry.entryAudit.lastAnnotationUpdateDate,
  };
}

const referencesTo = (name: string, entry: UniprotEntry) =>
  entry.uniProtKBCrossReferences.filter(({ database }) => database === name);

function functionOf({ comments }: UniprotEntry): string | null {
  const texts = comments.filter(({ commentType }) => commentType === "FUNCTION").flatMap((comment) => comment.texts);
  return texts.map(textOf).join("\n\n") || null;
}

function locationsOf({ comments }: UniprotEntry): string[] {
  const places = comments.flatMap(({ subcellularLocations }) => subcellularLocations);
  return [...new Set(places.flatMap(({ location }) => location?.value ?? []))];
}

/** UniProt writes the aspect before the term: "C:lysosome". */
function toGoTerm({ id, properties }: UniprotEntry["uniProtKBCrossReferences"][number]) {
  const term = properties.find(({ key }) => key === "GoTerm")?.value ?? "";
  const [letter, aspect] = [...ASPECTS].find(([prefix]) => term.startsWith(`${prefix}:`)) ?? [];
  return { id, term: letter ? term.slice(2) : term, aspect: aspect ?? null };
}
