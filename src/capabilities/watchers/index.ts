// Generated: npx vitest run test/generated.test.ts -u

export { watchersArm } from "./arm.js";
export { watchersCancel } from "./cancel.js";
export { watchersList } from "./list.js";
export { watchersStatus } from "./status.js";
