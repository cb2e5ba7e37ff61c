// Generated: npx vitest run test/generated.test.ts -u

export { webhooksRedeliver } from "./redeliver.js";
export { webhooksRotate } from "./rotate.js";
