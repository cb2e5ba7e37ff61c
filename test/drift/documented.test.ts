/** Answers made up after documentation are read as real ones would be, or shapes derived from them would tell nothing. */
import { expect, it } from "vitest";
import { forgetBulk } from "../../src/upstream/bulk/bulk.js";
import { documented } from "./documented.js";
import { runRecorded } from "./recorded-runs.js";

it.each(documented.map((recorded) => [recorded.file, recorded] as const))("%s gives a result", async (_, recorded) => {
  const { error, result, served } = await runRecorded(recorded);
  forgetBulk();
  expect(error).toBeUndefined();
  expect((result as { items: unknown[] }).items.length).toBeGreaterThan(0);
  expect(new Set(served.map(({ exchange }) => exchange.url)).size).toBe(recorded.exchanges.length);
});
