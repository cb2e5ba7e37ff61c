// Generated: npx vitest run test/generated.test.ts -u

export { bioGene } from "./gene.js";
export { bioProtein } from "./protein.js";
export { bioSpecies } from "./species.js";
