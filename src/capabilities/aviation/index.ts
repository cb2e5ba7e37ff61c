// Generated: npx vitest run test/generated.test.ts -u

export { aviationAccidents } from "./accidents.js";
export { aviationMetar } from "./metar.js";
export { aviationSigmet } from "./sigmet.js";
export { aviationTaf } from "./taf.js";
