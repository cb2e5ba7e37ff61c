import { readdirSync } from "node:fs";
import { configDefaults, defineConfig } from "vitest/config";

/**
 * What takes long: processes that are killed, thousands of simulated worlds, days of callbacks, a browser's attackers, years of
 * holidays beside another library, codes that are read back, receivers that never end.
 */
export const PROOFS = [
  "test/proofs/**/*.test.ts",
  "test/renamed-fields.test.ts",
  "test/simulator/**/*.test.ts",
  "test/capabilities/barcode/readback.test.ts",
  "test/engines/browser/attacks.test.ts",
  "test/engines/holidays/reference.test.ts",
  "test/state/callbacks.test.ts",
  "test/state/every-operation.test.ts",
  "test/state/faults.test.ts",
  "test/state/kill.test.ts",
  "test/state/slow-receivers.test.ts",
  "test/state/watchers.test.ts",
];

/**
 * Files that replace a module, start processes, or look at what their process has loaded or keeps alive. All others share the
 * modules of their process: most of their time was the same imports again. So they leave no global thing changed behind.
 */
const OWN_MODULES = [
  "adapters/direct",
  "adapters/lambda",
  "bench/",
  // What is said of an endpoint that nobody imported.
  "capabilities/batch/",
  "capabilities/calendar/time-zones",
  "capabilities/countdown/resources",
  "eager-schemas",
  "engines/browser/",
  // The readings that pinyin-pro is given hold for its whole process.
  "engines/chinese/",
  "handler/retry-bound",
  "handler/what-hosts-learn",
  "host/operating",
  "payment/rails/third-rail",
  "payment/x402/supported",
  "proofs/",
  "simulator/",
  "state/embedded",
  "state/heavy-values",
  "upstream/addresses",
].map((path) => `test/${path}`);

const together = readdirSync("test", { recursive: true, encoding: "utf8" })
  .map((path) => `test/${path}`)
  .filter((path) => path.endsWith(".test.ts") && !OWN_MODULES.some((own) => path.startsWith(own)));

export const shared = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // What is waited for comes; on a busy machine it takes its time.
  expect: { poll: { timeout: 15_000 } },
  // What hosts are told, where a test gives no logger.
  onConsoleLog: (log: string) => !log.includes("coinslot: "),
  // Any unhandled rejection fails the run (reliability RES-9).
  dangerouslyIgnoreUnhandledErrors: false,
};

/** Of the whole run, not of its projects: one Postgres for all of them. */
export const globalSetup = "test/support/run-postgres.ts";

/** Half of the tests wait for something most of the time: more workers than processors keep these busy. */
export const maxWorkers = "150%";

// Whoever names a proof by its file says PROOFS=1.
const heavy = process.env.PROOFS ? [] : PROOFS;
const never = [...configDefaults.exclude, "test/bench/**", ...heavy];
const project = (name: string, more: object) => ({ test: { ...shared, name, exclude: never, ...more } });

export default defineConfig({
  test: {
    globalSetup,
    maxWorkers,
    projects: [
      project("own modules", { include: ["test/**/*.test.ts"], exclude: [...never, ...together] }),
      project("shared modules", { include: together, isolate: false }),
    ],
  },
});
