/** The heavy proofs alone, and the tests of channels on each store: `npm run proofs`, and CI after the tests. */
import { defineConfig } from "vitest/config";
import { experimental, globalSetup, maxWorkers, PROOFS, shared, sharing } from "./vitest.config.js";

const channelsOn = (store: string) => ({
  test: {
    ...shared,
    name: `channels on ${store}`,
    include: ["test/payment/channels/**/*.test.ts"],
    env: { CHANNEL_STORE: store },
    ...sharing,
  },
});

export default defineConfig({
  test: {
    globalSetup,
    maxWorkers,
    experimental,
    projects: [{ test: { ...shared, name: "proofs", include: PROOFS } }, channelsOn("redis"), channelsOn("postgres")],
  },
});
