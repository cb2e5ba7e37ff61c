// Generated: npx vitest run test/generated.test.ts -u

export { businessBrCnpj } from "./br-cnpj.js";
export { businessEntityMatch } from "./entity-match.js";
export { businessEntityProfile } from "./entity-profile.js";
export { businessEntityScreen } from "./entity-screen.js";
export { businessFiCompanies } from "./fi-companies.js";
export { businessFrCompanies } from "./fr-companies.js";
export { businessIdResolve } from "./id-resolve.js";
export { businessKyb360 } from "./kyb-360.js";
export { businessLei } from "./lei.js";
export { businessLeiHierarchy } from "./lei-hierarchy.js";
export { businessLeiIsins } from "./lei-isins.js";
export { businessNaics } from "./naics.js";
export { businessNoCompanies } from "./no-companies.js";
export { businessPlKrs } from "./pl-krs.js";
export { businessSosSearch } from "./sos-search.js";
export { businessUkCompanies } from "./uk-companies.js";
