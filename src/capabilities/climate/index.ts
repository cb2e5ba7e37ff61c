// Generated: npx vitest run test/generated.test.ts -u

export { climateStationHistory } from "./station-history.js";
export { climateStationNear } from "./station-near.js";
