import { z } from "zod";
import { defineCapability, one } from "../../capability.js";
import { invalid } from "../../errors.js";
import { sourceOf } from "../../provider.js";
import { uniprot } from "../../providers/uniprot.js";
import { lazySchema } from "../../schema.js";
import { type Entry, readEntry } from "./_uniprot.js";

/** https://www.uniprot.org/help/accession_numbers */
const ACCESSION = /^(?:[OPQ]\d[A-Z\d]{3}\d|[A-NR-Z]\d(?:[A-Z][A-Z\d]{2}\d){1,2})$/;
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

export const bioProtein = /* @__PURE__ */ defineCapability({
  id: "bio.protein",
  summary: "A protein by its UniProt accession: names, genes, organism, function, locations, GO terms, structures.",
  keywords: ["uniprot", "swiss-prot", "enzyme", "gene ontology", "pdb", "alphafold", "amino acid", "proteomics"],
  price: "0.00144",
  provider: uniprot,
  input: () =>
    z.strictObject({
      accession: z
        .string()
        .regex(/^[A-Za-z\d]{2,20}$/, { error: "must be 2 to 20 letters and digits" })
        .describe("UniProt accession, such as P15056"),
    }),
  output: one(proteinItem),
  example: { accession: "P15056" },
  check({ accession }) {
    if (!ACCESSION.test(accession.toUpperCase()))
      throw invalid("accession", "must be a UniProt accession, such as P15056 or A0A024R1R8");
  },
  async run({ accession }, ctx) {
    const item = toItem(await readEntry(accession.toUpperCase(), ctx));
    return { item, source: { ...sourceOf(uniprot), url: `https://www.uniprot.org/uniprotkb/${item.accession}` } };
  },
});

const textOf = ({ value }: { value: string }) => value;

function toItem(entry: Entry) {
  const { recommendedName, alternativeNames = [], submissionNames = [] } = entry.proteinDescription ?? {};
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
    organism: { scientificName, commonName: commonName ?? null, taxId: taxonId },
    length: entry.sequence.length,
    molecularWeight: entry.sequence.molWeight ?? null,
    function: functionOf(entry),
    subcellularLocations: locationsOf(entry),
    goTerms: referencesTo("GO", entry).map(toGoTerm),
    structureIds: idsIn("PDB"),
    alphaFoldId: idsIn("AlphaFoldDB")[0] ?? null,
    keywords: entry.keywords.map((keyword) => keyword.name),
    existence: entry.proteinExistence ?? null,
    annotationScore: entry.annotationScore ?? null,
    lastUpdated: entry.entryAudit?.lastAnnotationUpdateDate ?? null,
  };
}

const referencesTo = (name: string, entry: Entry) =>
  entry.uniProtKBCrossReferences.filter(({ database }) => database === name);

function functionOf({ comments }: Entry): string | null {
  const texts = comments.filter(({ commentType }) => commentType === "FUNCTION").flatMap((comment) => comment.texts);
  return texts.map(textOf).join("\n\n") || null;
}

function locationsOf({ comments }: Entry): string[] {
  const places = comments.flatMap(({ subcellularLocations }) => subcellularLocations);
  return [...new Set(places.flatMap(({ location }) => location?.value ?? []))];
}

/** UniProt writes the aspect before the term: "C:lysosome". */
function toGoTerm({ id, properties }: Entry["uniProtKBCrossReferences"][number]) {
  const term = properties.find(({ key }) => key === "GoTerm")?.value ?? "";
  const [letter, aspect] = [...ASPECTS].find(([prefix]) => term.startsWith(`${prefix}:`)) ?? [];
  return { id, term: letter ? term.slice(2) : term, aspect: aspect ?? null };
}
