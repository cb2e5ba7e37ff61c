/** How long a task is taken for a quick one: by what its thread had of a processor, and not by the clock alone. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLanes, type LaneTask } from "../../../src/lib/threads/lanes.js";

let cpuMs = 0;
beforeEach(() => {
  cpuMs = 0;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  vi.spyOn(process, "cpuUsage").mockImplementation(() => ({ user: cpuMs * 1000, system: 0 }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** How many milliseconds pass until a task on a warm thread is late, where this process has so much of a processor. */
function lateAfter(isQuick: boolean, share: number): number {
  let isLate = false;
  const task: LaneTask = { payer: undefined, isQuick, madeWay: false };
  const lanes = createLanes<LaneTask>(4, () => {
    isLate = true;
  });
  lanes.start(task);
  lanes.began(task, false);
  let ms = 0;
  for (; !isLate && ms < 20_000; ms += 10) {
    cpuMs += 10 * share;
    vi.advanceTimersByTime(10);
  }
  lanes.end(task);
  return ms;
}

test("a quick task is late after 400 ms of a processor, wherever its thread waits for one, and after thrice that in any case", () => {
  expect(lateAfter(true, 1)).toBeLessThanOrEqual(410);
  const halved = lateAfter(true, 0.5);
  expect(halved).toBeGreaterThan(750);
  expect(halved).toBeLessThanOrEqual(810);
  const starved = lateAfter(true, 0);
  expect(starved).toBeGreaterThanOrEqual(1200);
  expect(starved).toBeLessThanOrEqual(1610);
});

test("a slow one has its slice by the clock", () => {
  expect([lateAfter(false, 1), lateAfter(false, 0)]).toEqual([2000, 2000]);
});
