// Generated: npx vitest run test/generated.test.ts -u

export { paymentQr } from "./qr.js";
