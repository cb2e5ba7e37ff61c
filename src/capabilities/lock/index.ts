// Generated: npx vitest run test/generated.test.ts -u

export { lockAcquire } from "./acquire.js";
export { lockRelease } from "./release.js";
export { lockRenew } from "./renew.js";
