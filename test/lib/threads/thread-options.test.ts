import { expect, it } from "vitest";
import { threadOptions } from "../../../src/lib/threads/thread-options.js";

it.each([
  [[], {}],
  [["--max-old-space-size=100"], {}],
  [["--input-type=module", "--eval", "code();", "--no-warnings"], { execArgv: ["--no-warnings"] }],
  [["--no-warnings", "--input-type", "module", "-p", "1"], { execArgv: ["--no-warnings"] }],
  [["--eval=code();"], { execArgv: [] }],
  [undefined, {}],
])("a process started with %j starts its threads with %j", (switches, options) => {
  expect(threadOptions(switches ? { switches } : {})).toEqual(options);
});

it("a thread with limits of its own keeps them beside the switches", () => {
  const resourceLimits = { maxOldGenerationSizeMb: 256 };
  expect(threadOptions({ switches: [], resourceLimits })).toEqual({ resourceLimits });
  expect(threadOptions({ switches: ["--eval=code();"], resourceLimits })).toEqual({ execArgv: [], resourceLimits });
});
