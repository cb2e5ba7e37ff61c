// Generated: npx vitest run test/generated.test.ts -u

export { scheduleCancel } from "./cancel.js";
export { scheduleCreate } from "./create.js";
export { scheduleList } from "./list.js";
export { scheduleStatus } from "./status.js";
