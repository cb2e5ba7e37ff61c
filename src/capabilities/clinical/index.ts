// Generated: npx vitest run test/generated.test.ts -u

export { clinicalStudyDetail } from "./study-detail.js";
export { clinicalTrialSearch } from "./trial-search.js";
