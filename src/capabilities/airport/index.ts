// Generated: npx vitest run test/generated.test.ts -u

export { airportLookup } from "./lookup.js";
export { airportNear } from "./near.js";
