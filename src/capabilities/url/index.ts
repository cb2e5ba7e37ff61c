// Generated: npx vitest run test/generated.test.ts -u

export { urlFeed } from "./feed.js";
export { urlRobots } from "./robots.js";
