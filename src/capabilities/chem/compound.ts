import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { words } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import { CapabilityError, invalid } from "../../errors.js";
import {
  type Compound,
  findCompounds,
  findDescription,
  findSynonyms,
  type Identifier,
} from "../../providers/pubchem/compound.js";
import { pubchem } from "../../providers/pubchem/provider.js";
import { optional } from "../../upstream/optional.js";

const MAX_SYNONYMS = 20;
const MAX_OTHER_CIDS = 10;

const number = () => z.number().nullable();
const label = () => z.string().nullable();

export const chemCompound = /* @__PURE__ */ defineCapability({
  id: "chem.compound",
  summary:
    "A chemical compound by name, SMILES, InChIKey or PubChem CID: formula, mass, structure, properties, synonyms.",
  keywords: ["pubchem", "molecule", "chemistry", "formula", "molecular weight", "drug", "inchi", "iupac", "cas"],
  price: "0.001",
  provider: pubchem,
  input: () =>
    z.strictObject({
      cid: z.int().min(1).max(2_500_000_000).optional().describe("PubChem compound id"),
      name: words(1, 200).optional().describe("A name, synonym or CAS number, such as aspirin or 50-78-2"),
      smiles: words(1, 500).optional().describe("The structure as SMILES"),
      inchikey: z
        .string()
        .regex(/^[A-Z]{14}-[A-Z]{10}-[A-Z]$/, { error: "must look like BSYNRYMUTXBXSQ-UHFFFAOYSA-N" })
        .optional()
        .describe("The structure's InChIKey"),
    }),
  output: one(() =>
    z.object({
      cid: z.number(),
      title: label(),
      iupacName: label(),
      molecularFormula: z.string(),
      molecularWeight: number().describe("In g/mol"),
      exactMass: number().describe("Of the most common isotopes, in Da"),
      smiles: label(),
      connectivitySmiles: label().describe("Without stereochemistry and isotopes"),
      inchi: label(),
      inchiKey: label(),
      xLogP: number(),
      tpsa: number().describe("Topological polar surface area in square angstrom"),
      complexity: number(),
      charge: number(),
      hBondDonorCount: number(),
      hBondAcceptorCount: number(),
      rotatableBondCount: number(),
      heavyAtomCount: number(),
      synonyms: z.array(z.string()),
      description: label(),
      imageUrl: z.string(),
      url: z.string(),
    }),
  ),
  example: { name: "aspirin" },
  read: readIdentifier,
  async run(identifier, ctx) {
    const [best, ...others] = await findCompounds(ctx, identifier);
    if (!best) throw new CapabilityError("NOT_FOUND", "PubChem knows no compound by this identifier.");
    const failed: string[] = [];
    const [synonyms, description] = await Promise.all([
      optional(findSynonyms(ctx, best.CID), [], () => failed.push("synonyms")),
      optional(findDescription(ctx, best.CID), null, () => failed.push("description")),
    ]);
    return {
      item: { ...toItem(best), synonyms: synonyms.slice(0, MAX_SYNONYMS), description },
      meta: {
        matches: 1 + others.length,
        otherCids: others.slice(0, MAX_OTHER_CIDS).map(({ CID }) => CID),
        // Distinguishes an empty list from one that could not be read.
        ...(failed.length > 0 ? { failed: failed.sort() } : {}),
      },
    };
  },
});

function readIdentifier(
  input: { cid?: number | undefined } & { [kind in "name" | "smiles" | "inchikey"]?: string | undefined },
): Identifier {
  const given = (["cid", "name", "smiles", "inchikey"] as const).flatMap((kind) => {
    const value = input[kind];
    return value === undefined ? [] : [{ kind, value: String(value) }];
  });
  const [identifier, second] = given;
  if (!identifier || second) throw invalid("", "give exactly one of cid, name, smiles and inchikey");
  return identifier;
}

function toItem(row: Compound) {
  return {
    cid: row.CID,
    title: row.Title,
    iupacName: row.IUPACName,
    molecularFormula: row.MolecularFormula,
    molecularWeight: row.MolecularWeight,
    exactMass: row.ExactMass,
    smiles: row.SMILES ?? row.IsomericSMILES,
    connectivitySmiles: row.ConnectivitySMILES ?? row.CanonicalSMILES,
    inchi: row.InChI,
    inchiKey: row.InChIKey,
    xLogP: row.XLogP,
    tpsa: row.TPSA,
    complexity: row.Complexity,
    charge: row.Charge,
    hBondDonorCount: row.HBondDonorCount,
    hBondAcceptorCount: row.HBondAcceptorCount,
    rotatableBondCount: row.RotatableBondCount,
    heavyAtomCount: row.HeavyAtomCount,
    imageUrl: `https://pubchem.ncbi.nlm.nih.gov/rest/pug/compound/cid/${row.CID}/PNG`,
    url: `https://pubchem.ncbi.nlm.nih.gov/compound/${row.CID}`,
  };
}
