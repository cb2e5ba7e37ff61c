// Generated: npx vitest run test/generated.test.ts -u

export { countdownGif } from "./gif.js";
