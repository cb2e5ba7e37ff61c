import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { unavailableIn } from "../../capability/facts.js";
import { one } from "../../capability/output.js";
import { sourceOf } from "../../capability/provider.js";
import { readEntry } from "../../providers/uniprot/entry.js";
import { uniprot } from "../../providers/uniprot/provider.js";
import { proteinItem, toProteinItem } from "./_protein-item.js";

/** https://www.uniprot.org/help/accession_numbers */
const ACCESSION = /^(?:[OPQ]\d[A-Z\d]{3}\d|[A-NR-Z]\d(?:[A-Z][A-Z\d]{2}\d){1,2})$/;

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
        .regex(/^[A-Za-z\d]{2,20}$/, { error: "must be 2 to 20 letters and digits", abort: true })
        .toUpperCase()
        .refine((value) => ACCESSION.test(value), {
          error: "must be a UniProt accession, such as P15056 or A0A024R1R8",
        })
        .describe("UniProt accession, such as P15056"),
    }),
  output: one(proteinItem),
  example: { accession: "P15056" },
  async run({ accession }, ctx) {
    const entry = await readEntry(accession, ctx);
    const item = toProteinItem(entry);
    return {
      item,
      source: { ...sourceOf(uniprot), url: `https://www.uniprot.org/uniprotkb/${item.accession}` },
      // Almost every reviewed entry has both, so a missing one means unknown.
      meta: item.reviewed
        ? unavailableIn([entry], { comments: ["comments"], references: ["uniProtKBCrossReferences"] })
        : {},
    };
  },
});
