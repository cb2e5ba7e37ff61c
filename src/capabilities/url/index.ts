// Generated: npx vitest run test/generated.test.ts -u

export { urlRobots } from "./robots.js";
