// Generated: npx vitest run test/generated.test.ts -u

export { queueAck } from "./ack.js";
export { queueDeadLetters } from "./dead-letters.js";
export { queueEnqueue } from "./enqueue.js";
export { queueExtend } from "./extend.js";
export { queueLease } from "./lease.js";
export { queueNack } from "./nack.js";
export { queueRedrive } from "./redrive.js";
export { queueStats } from "./stats.js";
