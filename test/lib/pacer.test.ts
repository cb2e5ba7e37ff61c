import { afterEach, expect, it, vi } from "vitest";
import { createPacer } from "../../src/lib/pacer.js";

afterEach(() => vi.useRealTimers());

it("RES-1 rests as many times as long as a slice took, so that the work keeps to its share", async () => {
  vi.useFakeTimers();
  const pacer = createPacer(1, 3);
  expect(pacer.isDue()).toBe(false);
  for (const slice of [1, 20]) {
    vi.advanceTimersByTime(slice);
    expect(pacer.isDue()).toBe(true);
    let rested = false;
    void pacer.rest().then(() => {
      rested = true;
    });
    await vi.advanceTimersByTimeAsync(3 * slice - 1);
    expect(rested).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect([rested, pacer.isDue()]).toEqual([true, false]);
  }
});
