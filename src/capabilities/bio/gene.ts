import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { words } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import type { Context } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import { findGene, type Gene } from "../../providers/mygene/gene.js";
import { mygene } from "../../providers/mygene/provider.js";
import { uniprot } from "../../providers/uniprot/provider.js";
import { toNumber } from "../../upstream/fields.js";
import { optional } from "../../upstream/optional.js";
import { proteinItem } from "./_protein-item.js";
import { bioProtein } from "./protein.js";

const HUMAN = 9606;

const label = () => z.string().nullable();

export const bioGene = /* @__PURE__ */ defineCapability({
  id: "bio.gene",
  summary: "A gene by its symbol or alias, human or of another organism, with the reviewed protein that it encodes.",
  keywords: ["ncbi gene", "ensembl", "entrez", "genome", "chromosome", "omim", "dna", "mygene", "locus"],
  price: "0.00192",
  provider: mygene,
  origins: [mygene, uniprot],
  source: {
    provider: "MyGene.info (NCBI Gene, Ensembl); UniProt",
    url: "https://mygene.info",
    license: "Public domain (NCBI Gene); UniProt CC BY 4.0",
  },
  input: () =>
    z.strictObject({
      symbol: words(1, 30).describe("Gene symbol or alias in any case, such as BRAF or PD-L1"),
      taxid: z.int().min(1).max(9_999_999).default(HUMAN).describe("NCBI taxonomy id of the organism"),
    }),
  output: one(() =>
    z.object({
      symbol: label(),
      name: label(),
      geneId: z.number().nullable().describe("NCBI Gene id"),
      taxId: z.number(),
      organism: label(),
      aliases: z.array(z.string()),
      geneType: label(),
      summary: label(),
      chromosome: label(),
      mapLocation: label(),
      location: z
        .object({ chromosome: z.string(), start: z.number(), end: z.number(), strand: z.number().nullable() })
        .nullable(),
      ensemblIds: z.array(z.string()),
      omimIds: z.array(z.string()),
      matchedBy: z.enum(["symbol", "alias"]),
      ncbiUrl: label(),
      protein: proteinItem().nullable(),
    }),
  ),
  example: { symbol: "BRAF" },
  async run({ symbol, taxid: taxId }, ctx) {
    const { gene, matchedBy } = await findByName(symbol, taxId, ctx);
    const accession = gene.uniprot?.["Swiss-Prot"][0];
    let state: "found" | "none" | "unavailable" = accession ? "found" : lacksProtein(gene) ? "none" : "unavailable";
    const protein = accession ? await optional(findProtein(accession, ctx), null, () => (state = "unavailable")) : null;
    return {
      item: {
        ...toItem(gene),
        taxId: gene.taxid ?? taxId,
        organism: protein?.organism.scientificName ?? null,
        matchedBy,
        protein,
      },
      meta: { protein: state },
    };
  },
});

/**
 * A gene without a protein, or without a reviewed one; MyGene.info does not say which unreviewed protein belongs to it.
 */
const lacksProtein = ({ type_of_gene, uniprot }: Gene): boolean =>
  type_of_gene !== "protein-coding" || (uniprot?.TrEMBL.length ?? 0) > 0;

async function findByName(name: string, taxId: number, ctx: Context) {
  // A symbol of one gene can be an alias of others, so aliases come second.
  for (const field of ["symbol", "alias"] as const) {
    const gene = await findGene({ field, name, taxId }, ctx);
    if (gene) return { gene, matchedBy: field };
  }
  throw new CapabilityError("NOT_FOUND", `MyGene.info has no gene of this symbol in the organism ${taxId}.`);
}

async function findProtein(accession: string, ctx: Context) {
  const { items } = await ctx.call(bioProtein, { accession });
  return items[0] ?? null;
}

function toItem(gene: Gene) {
  // A gene may also be on contigs, which have longer names than its chromosome: CHR_HSCHR6_MHC_APD_CTG1.
  const [place] = gene.genomic_pos.toSorted((a, b) => a.chr.length - b.chr.length);
  // A gene known to NCBI is named by its number, others by Ensembl's id.
  const geneId = toNumber(gene.entrezgene ?? (/^\d+$/.test(gene._id ?? "") ? gene._id : null));
  return {
    symbol: gene.symbol,
    name: gene.name,
    geneId,
    aliases: gene.alias,
    geneType: gene.type_of_gene,
    summary: gene.summary,
    chromosome: place?.chr ?? null,
    mapLocation: gene.map_location,
    location: place ? { chromosome: place.chr, start: place.start, end: place.end, strand: place.strand } : null,
    ensemblIds: gene.ensembl.flatMap((record) => record.gene ?? []),
    omimIds: gene.MIM,
    ncbiUrl: geneId === null ? null : `https://www.ncbi.nlm.nih.gov/gene/${geneId}`,
  };
}
