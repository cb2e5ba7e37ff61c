// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/rest/pug/compound/cid/*/property/Title,MolecularFormula,MolecularWeight,ExactMass,SMILES,ConnectivitySMILES,InChI,InChIKey,IUPACName,XLogP,TPSA,Complexity,Charge,HBondDonorCount,HBondAcceptorCount,RotatableBondCount,HeavyAtomCount/JSON","objects":"\tPropertyTable! o\tFault|Waiting\nPropertyTable\tProperties! a\t\nPropertyTable.Properties[]\tCID! n|MolecularFormula! s|MolecularWeight? f\tTitle|CanonicalSMILES|IsomericSMILES|SMILES|ConnectivitySMILES|InChI|InChIKey|IUPACName|XLogP|ExactMass|MonoisotopicMass|TPSA|Complexity|Charge|HBondDonorCount|HBondAcceptorCount|RotatableBondCount|HeavyAtomCount|IsotopeAtomCount|AtomStereoCount|DefinedAtomStereoCount|UndefinedAtomStereoCount|BondStereoCount|DefinedBondStereoCount|UndefinedBondStereoCount|CovalentUnitCount|PatentCount|PatentFamilyCount|AnnotationTypes|AnnotationTypeCount|SourceCategories|LiteratureCount|Volume3D|FingerPrint2D"},
];
