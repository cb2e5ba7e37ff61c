/** PubChem's answers about a compound, and their addresses. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { DAY_MS } from "../../lib/time.js";
import { segments, upstream } from "../../upstream/client.js";
import { identifiedRows, label, labels, number } from "../../upstream/fields.js";
import { pubchem } from "./provider.js";

const PROPERTIES =
  "Title,MolecularFormula,MolecularWeight,ExactMass,SMILES,ConnectivitySMILES,InChI,InChIKey,IUPACName,XLogP,TPSA,Complexity,Charge,HBondDonorCount,HBondAcceptorCount,RotatableBondCount,HeavyAtomCount";
const KEPT = { absent: [404], ttlMs: 7 * DAY_MS, staleMs: 30 * DAY_MS };

const compound = lazySchema(() =>
  z.object({
    CID: z.number(),
    MolecularFormula: z.string(),
    Title: label(),
    MolecularWeight: number(),
    ExactMass: number(),
    // Both kinds of SMILES were renamed in 2025.
    SMILES: label(),
    IsomericSMILES: label(),
    ConnectivitySMILES: label(),
    CanonicalSMILES: label(),
    InChI: label(),
    InChIKey: label(),
    IUPACName: label(),
    XLogP: number(),
    TPSA: number(),
    Complexity: number(),
    Charge: number(),
    HBondDonorCount: number(),
    HBondAcceptorCount: number(),
    RotatableBondCount: number(),
    HeavyAtomCount: number(),
  }),
);
export type Compound = z.output<ReturnType<typeof compound>>;

const properties = lazySchema(() =>
  z.object({ PropertyTable: z.object({ Properties: identifiedRows(compound(), ["CID", "MolecularFormula"]) }) }),
);
const information = <Row extends z.ZodType>(row: Row) =>
  z.object({ InformationList: z.object({ Information: z.array(row) }) });
const synonyms = lazySchema(() => information(z.object({ Synonym: labels() })));
const descriptions = lazySchema(() => information(z.object({ Description: label() })));

export type Identifier = { kind: "cid" | "name" | "smiles" | "inchikey"; value: string };

/** The compounds of an identifier, best match first; empty if unknown. */
export async function findCompounds(ctx: Context, identifier: Identifier): Promise<Compound[]> {
  const { kind, value } = identifier;
  // The service ends the identifier at a slash, encoded or not.
  const inQuery = kind === "smiles" || /\/|^\.+$/.test(value);
  const path = `/compound/${kind}${inQuery ? "" : segments(value)}/property/${PROPERTIES}/JSON`;
  const options = { schema: properties(), query: inQuery ? { [kind]: value } : {}, ...KEPT };
  const answer = await upstream(ctx, pubchem).get(path, options);
  // For a valid structure that PubChem does not have, the answer is compound 0 with computed figures.
  return answer?.PropertyTable.Properties.filter(({ CID }) => CID > 0) ?? [];
}

/** The compound's other names, best known first. */
export async function findSynonyms(ctx: Context, cid: number): Promise<string[]> {
  const answer = await upstream(ctx, pubchem).get(`/compound/cid/${cid}/synonyms/JSON`, {
    schema: synonyms(),
    ...KEPT,
  });
  return answer?.InformationList.Information[0]?.Synonym ?? [];
}

/** Description of the compound, in a paragraph. */
export async function findDescription(ctx: Context, cid: number): Promise<string | null> {
  const options = { schema: descriptions(), ...KEPT };
  const answer = await upstream(ctx, pubchem).get(`/compound/cid/${cid}/description/JSON`, options);
  return answer?.InformationList.Information.find(({ Description }) => Description)?.Description ?? null;
}
