// Generated: npx vitest run test/generated.test.ts -u

export { chemCompound } from "./compound.js";
