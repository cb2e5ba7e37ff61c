/** Example answers of upstreams: only what belongs to nobody stands in the repository. */
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { capabilities } from "../../src/capabilities/index.js";
import type { AnyCapability } from "../../src/capability/types.js";
import { RECORDED } from "../../src/docs/recorded-answers.js";
import { readRecordings } from "../support/recordings.js";
import { pathFromRoot } from "../support/render-indexes.js";
import { renderRecorded } from "../support/render-recorded.js";

// Other people's data lies beside the repository where it is developed, and is no part of it.
const FOLDER = pathFromRoot("../shared/upstreams/recorded");
const present = existsSync(FOLDER);
if (!present) console.warn(`RECORDED ANSWERS ARE NOT RENDERED: there is no folder ${FOLDER}.`);
const byId = new Map<string, AnyCapability>(capabilities.map((capability) => [capability.id, capability]));

describe("the recorded answers", () => {
  test.skipIf(!present)("are those of the recordings", async () => {
    const { cases } = readRecordings(FOLDER);
    const text = await renderRecorded(capabilities, cases);
    await expect(text).toMatchFileSnapshot(pathFromRoot("src/docs/recorded-answers.ts"));
  });

  test("may be repeated by anybody, and are what their endpoints answer", () => {
    expect(Object.keys(RECORDED).length).toBeGreaterThan(0);
    for (const [id, text] of Object.entries(RECORDED)) {
      const capability = byId.get(id);
      expect(capability?.terms?.resale, id).toBe("allowed");
      const { json } = JSON.parse(text) as { json: { source: { provider: string } } };
      expect(() => capability?.output.parse(json), id).not.toThrow();
    }
  });
});
