import "../../support/typescript-workers.js";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { countdownGif } from "../../../src/capabilities/countdown/gif.js";
import { type CountdownInput, delaysOf, END, NOW, render, TEMPLATES } from "../../support/countdown.js";
import { readGif } from "../../support/gif.js";

const LARGEST = {
  ...{ seconds: 60, fps: 10, width: 1600, height: 800 },
  ...{ padding: 0, digitFontSize: 300, labelFontSize: 80 },
} satisfies Partial<CountdownInput>;
const MEGABYTE = 1024 * 1024;

/** Runs `work` and tells how far the process grew over its size before, at worst. */
async function peakGrowth(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  await work().finally(() => clearInterval(timer));
  return Math.max(peak, process.memoryUsage.rss()) - before;
}

test.each([...TEMPLATES.map((template) => ({ template })), { bg: "transparent" }])(
  "RES-4 600 frames of 1600 x 800 are a small file and need little memory: %j",
  async (looks) => {
    await render({ seconds: 1 });
    let bytes = new Uint8Array();
    const growth = await peakGrowth(async () => {
      bytes = new Uint8Array(await render({ ...LARGEST, ...looks }));
    });
    expect(growth).toBeLessThan(150 * MEGABYTE);
    expect(bytes.length).toBeLessThan(4 * MEGABYTE);
    expect(delaysOf(readGif(bytes)).reduce((sum, delay) => sum + delay, 0)).toBe(6000);
  },
);

test("RES-4 many in a row need no more memory than one", async () => {
  await render({ ...LARGEST, template: "corporate" });
  const growth = await peakGrowth(async () => {
    for (let round = 0; round < 10; round++) await render({ ...LARGEST, template: "corporate" });
  });
  expect(growth).toBeLessThan(150 * MEGABYTE);
});

test("RES-1 the event loop turns while a picture is drawn", async () => {
  await render({ seconds: 1 });
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  await render({ ...LARGEST, template: "neon" }).finally(() => clearInterval(timer));
  expect(turns).toBeGreaterThan(50);
});

test("RES-3 a burst is refused beyond the queue, and what was taken is drawn", async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 260 }, () => render({ seconds: 1 })));
  const refused = outcomes.filter(({ status }) => status === "rejected");
  expect(refused.length).toBeGreaterThan(0);
  expect(outcomes.length - refused.length).toBeGreaterThan(200);
  for (const outcome of refused)
    expect(outcome).toMatchObject({ reason: { code: "OVERLOADED", retryAfter: expect.any(Number) } });
});

test("RES-5 callers who leave free the threads for others, again and again", async () => {
  for (let round = 0; round < 10; round++) {
    const controller = new AbortController();
    const options = { clock: () => NOW, signal: controller.signal };
    const left = Array.from({ length: 6 }, () => countdownGif({ endDate: END, ...LARGEST, template: "neon" }, options));
    const outcomes = Promise.allSettled(left);
    await sleep(round * 20);
    controller.abort();
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { code: "UPSTREAM_ERROR" } });
  }
  expect(readGif(await render({ seconds: 1 })).frames).toHaveLength(1);
});
