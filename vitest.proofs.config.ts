/** The heavy proofs alone, and the tests of channels on each store: `npm run proofs`, and CI after the tests. */
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { experimental, globalSetup, longProjects, OTHER_PROOFS, patient, shared, sharing } from "./vitest.config.js";

const channelsOn = (store: string) => ({
  test: {
    ...shared,
    ...patient,
    name: `channels on ${store}`,
    include: ["test/payment/channels/**/*.test.ts"],
    env: { CHANNEL_STORE: store },
    ...sharing,
  },
});

/** One of these that begins last would run alone for minutes. */
const LONGEST = [
  ...["discovery/listable", "cli/init", "discovery/being-found", "capabilities/barcode/readback"],
  ...["simulator/simulator", "simulator/channels", "proofs/types", "proofs/contracts", "proofs/leaks"],
  ...["drift/broken-ways", "proofs/start", "invoices/thousand-lines", "state/watchers"],
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((name) => moduleId.includes(`/test/${name}.test`));
      return place < 0 ? LONGEST.length : place;
    };
    return (await super.sort(files)).sort((a, b) => placeOf(a) - placeOf(b));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    globalSetup,
    // The others of CI's programs have some of the processors.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    experimental,
    projects: [
      { test: { ...shared, ...patient, name: "proofs", include: OTHER_PROOFS } },
      ...longProjects,
      channelsOn("redis"),
      channelsOn("postgres"),
    ],
  },
});
