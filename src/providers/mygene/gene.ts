/** Genes of MyGene.info. A field with one value is a scalar there, with several an array. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { DAY_MS } from "../../lib/time.js";
import { upstream } from "../../upstream/client.js";
import { id, key, label, maybe, noneRenamed, number, oneOrMany, whole } from "../../upstream/fields.js";
import { mygene } from "./provider.js";

const FIELDS =
  "symbol,name,summary,alias,type_of_gene,ensembl.gene,entrezgene,taxid,map_location,genomic_pos.chr,genomic_pos.start,genomic_pos.end,genomic_pos.strand,MIM,uniprot";

const gene = lazySchema(() =>
  whole(
    { symbol: label(), name: label(), type_of_gene: label() },
    {
      summary: label(),
      alias: oneOrMany(z.string()),
      ensembl: oneOrMany(whole({ gene: label() })),
      _id: id(),
      entrezgene: id(),
      taxid: number(),
      map_location: label(),
      genomic_pos: oneOrMany(
        z.object({
          chr: key(),
          start: z.number(),
          end: z.number(),
          strand: number(),
        }),
      ),
      MIM: oneOrMany(key()),
      uniprot: maybe(
        z
          .unknown()
          .check(noneRenamed(["Swiss-Prot"], ["TrEMBL"]))
          .pipe(z.object({ "Swiss-Prot": oneOrMany(z.string()), TrEMBL: oneOrMany(z.string()) }))
          .refine((found) => found["Swiss-Prot"].length + found.TrEMBL.length > 0, "has no accession"),
      ),
    },
  ).refine(({ symbol, _id, entrezgene }) => symbol ?? _id ?? entrezgene, "is of no gene"),
);
export type Gene = z.output<ReturnType<typeof gene>>;

export interface GeneQuery {
  field: "symbol" | "alias";
  name: string;
  taxId: number;
}

/** The best match of a gene's symbol or alias, ignoring case, in one organism. */
export async function findGene({ field, name, taxId }: GeneQuery, ctx: Context): Promise<Gene | undefined> {
  const { hits } = await upstream(ctx, mygene).get("/query", {
    query: { q: `${field}:"${escapeLucene(name)}"`, species: taxId, fields: FIELDS, size: 1 },
    schema: z.object({ hits: z.array(gene()) }),
    ttlMs: DAY_MS,
    staleMs: 14 * DAY_MS,
  });
  return hits[0];
}

const escapeLucene = (text: string) => text.replace(/[\\"+\-!(){}[\]^~*?:/]/g, "\\$&");
