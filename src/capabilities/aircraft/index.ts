// Generated: npx vitest run test/generated.test.ts -u

export { aircraftLookup } from "./lookup.js";
export { aircraftProfile } from "./profile.js";
