// Generated: npx vitest run test/generated.test.ts -u

export { geoConvert } from "./convert.js";
export { geoDistance } from "./distance.js";
