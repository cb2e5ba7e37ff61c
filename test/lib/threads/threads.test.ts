import { expect, it } from "vitest";
import { Worker } from "../../../src/lib/threads/threads.js";

it("starts threads from source in a process that test files share, whichever of them was loaded first", () => {
  expect(Worker.name).toBe("SourceWorker");
});
