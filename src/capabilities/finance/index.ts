// Generated: npx vitest run test/generated.test.ts -u

export { financeAmortize } from "./amortize.js";
export { financeIrr } from "./irr.js";
export { financeOption } from "./option.js";
