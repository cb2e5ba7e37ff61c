import { defineConfig } from "vitest/config";

/** What takes minutes: processes that are killed, thousands of simulated worlds, days of callbacks. */
export const PROOFS = [
  "test/proofs/**/*.test.ts",
  "test/simulator/**/*.test.ts",
  "test/wallet/callbacks.test.ts",
  "test/wallet/every-operation.test.ts",
  "test/wallet/faults.test.ts",
  "test/wallet/kill.test.ts",
];

export const shared = {
  // All processors: by default one is left idle, which on a machine of two is half of it.
  maxWorkers: "100%",
  testTimeout: 30_000,
  hookTimeout: 60_000,
  // What is waited for comes; on a busy machine it takes its time.
  expect: { poll: { timeout: 15_000 } },
  // What hosts are told, where a test gives no logger.
  onConsoleLog: (log: string) => !log.includes("coinslot: "),
  // Any unhandled rejection fails the run (reliability RES-9).
  dangerouslyIgnoreUnhandledErrors: false,
};

export default defineConfig({
  test: {
    ...shared,
    include: ["test/**/*.test.ts"],
    // Whoever names a proof by its file says PROOFS=1.
    exclude: ["test/bench/**", ...(process.env.PROOFS ? [] : PROOFS)],
    typecheck: { enabled: true, include: ["test/**/*.test-d.ts"], tsconfig: "./tsconfig.test.json" },
  },
});
