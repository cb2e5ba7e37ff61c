import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/bench/**"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What hosts are told, where a test gives no logger.
    onConsoleLog: (log) => !log.includes("coinslot: "),
    // Any unhandled rejection fails the run (reliability RES-9).
    dangerouslyIgnoreUnhandledErrors: false,
    typecheck: { enabled: true, include: ["test/**/*.test-d.ts"], tsconfig: "./tsconfig.test.json" },
  },
});
