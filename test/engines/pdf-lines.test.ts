import { expect, test } from "vitest";
import { linesOf } from "../../src/engines/pdf/page/lines.js";
import type { Span } from "../../src/engines/pdf/page/spans.js";

/** A span that counts how often its size is read. */
function counted(count: number): { spans: Span[]; reads: () => number } {
  let reads = 0;
  const spans = Array.from({ length: count }, (_, i): Span => {
    const span = { text: "a", x: i * 5, y: 100, w: 5, h: 10, size: 10, font: "f", isRtl: false, angle: 0 };
    return Object.defineProperty(span, "size", {
      enumerable: true,
      get: () => {
        reads++;
        return 10;
      },
    });
  });
  return { spans, reads: () => reads };
}

test("a row of many letters, each on its own, takes work in proportion to their number", () => {
  const { spans, reads } = counted(20_000);
  const [line] = linesOf(spans);
  expect(line?.segments[0]?.text).toBe("a".repeat(20_000));
  expect(reads()).toBeLessThan(20_000 * 12);
});

test("more letters than a call has arguments have bounds", () => {
  const { spans } = counted(150_000);
  expect(linesOf(spans)[0]).toMatchObject({ x: 0, right: 750_000, y: 100, bottom: 110 });
});
