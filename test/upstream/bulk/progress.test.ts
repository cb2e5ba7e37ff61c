import { once } from "node:events";
import { expect, it } from "vitest";
import { silent } from "../../../src/lib/logger.js";
import { reportProgress } from "../../../src/upstream/bulk/bulk-streams.js";

it("tells how far a download is by facts, so that a terminal need not read the words", async () => {
  const told: object[] = [];
  const stream = reportProgress({ ...silent, info: (facts) => void told.push(facts) }, "airports.csv");
  stream.resume();
  for (let i = 0; i < 40; i++) stream.write(new Uint8Array(1_000_000));
  stream.end();
  await once(stream, "end");
  expect(told.slice(0, -1).every((facts) => "download" in facts && facts.download === "running")).toBe(true);
  expect(told.length).toBeGreaterThan(1);
  expect(told.at(-1)).toEqual({ download: "done", file: "airports.csv", bytes: 40_000_000 });
});
