import type { KnownKeys } from "../../support/render-inventories.js";

export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/rest/pug/compound/cid/*/property/Title,MolecularFormula,MolecularWeight,ExactMass,SMILES,ConnectivitySMILES,InChI,InChIKey,IUPACName,XLogP,TPSA,Complexity,Charge,HBondDonorCount,HBondAcceptorCount,RotatableBondCount,HeavyAtomCount/JSON",
    source: "pubchem.ncbi.nlm.nih.gov/docs/pug-rest, Compound property tables",
    objects: {
      "": "PropertyTable Fault Waiting",
      PropertyTable: "Properties",
      "PropertyTable.Properties[]":
        "CID Title MolecularFormula MolecularWeight CanonicalSMILES IsomericSMILES SMILES ConnectivitySMILES InChI InChIKey IUPACName XLogP ExactMass MonoisotopicMass TPSA Complexity Charge HBondDonorCount HBondAcceptorCount RotatableBondCount HeavyAtomCount IsotopeAtomCount AtomStereoCount DefinedAtomStereoCount UndefinedAtomStereoCount BondStereoCount DefinedBondStereoCount UndefinedBondStereoCount CovalentUnitCount PatentCount PatentFamilyCount AnnotationTypes AnnotationTypeCount SourceCategories LiteratureCount Volume3D FingerPrint2D",
    },
    rare: ["PropertyTable.Properties[].MolecularWeight"],
  },
];
