/** When a watcher fires, over scripted answers. */
import { expect, it } from "vitest";
import { type Condition, judge, type Seen, Unusable } from "../../src/state/watchers/conditions.js";

/** Which of the answers after the first one fires, by its value at `/items`. */
function firing(condition: Omit<Condition, "path"> & { path?: string }, values: unknown[]): number[] {
  let seen: Seen | undefined;
  const fired: number[] = [];
  for (const [at, items] of values.entries()) {
    const verdict = judge({ path: "/items", ...condition }, JSON.parse(JSON.stringify({ items })), seen);
    if (verdict.fires) fired.push(at);
    seen = JSON.parse(JSON.stringify(verdict.seen)) as Seen;
  }
  return fired;
}

it("WAL-54 changed: another value, and not another order of its members", () => {
  const [one, same, other] = [
    { a: 1, b: { c: 2, d: [1] } },
    { b: { d: [1], c: 2 }, a: 1 },
    { a: 1, b: { c: 2, d: [2] } },
  ];
  expect(firing({ type: "changed" }, [one, one, same, other, other, one])).toEqual([3, 5]);
  expect(
    firing({ type: "changed" }, [
      [1, 2],
      [2, 1],
    ]),
  ).toEqual([1]);
  expect(firing({ type: "changed" }, [null, null, 0, "0"])).toEqual([2, 3]);
});

it("WAL-54 above, below and equals: on becoming so, and not while it stays or where it began so", () => {
  expect(firing({ type: "above", threshold: 10 }, [11, 12, 10, 10.1, 11, "9", "12.5"])).toEqual([3, 6]);
  expect(firing({ type: "below", threshold: -1 }, [0, -2, -3, 5, "-1.5", -1])).toEqual([1, 4]);
  expect(
    firing({ type: "equals", value: { a: [1], b: null } }, [1, { b: null, a: [1] }, { b: null, a: [1] }, 2]),
  ).toEqual([1]);
});

it("WAL-54 percentages: against the value that fired last", () => {
  expect(firing({ type: "pct_up", threshold: 10 }, [100, 109, 110, 120, 121, 50, 121, 133.1])).toEqual([2, 4, 7]);
  expect(firing({ type: "pct_down", threshold: 50 }, [-10, -14, -15, 0, 100, 50])).toEqual([2]);
  // Nothing has no percentage: the next value is where it begins.
  expect(firing({ type: "pct_up", threshold: 1 }, [0, 5, 5, 6])).toEqual([3]);
});

it("WAL-54 new_items: rows that were not there, told apart by their key, however they come and go", () => {
  const rows = (...ids: number[]) => ids.map((id) => ({ id, seen: Math.random() }));
  expect(
    firing({ type: "new_items", itemKey: "/id" }, [rows(1, 2), rows(2, 1), rows(3, 1), rows(2), rows(4, 4)]),
  ).toEqual([2, 4]);
  expect(firing({ type: "new_items" }, [[{ a: 1 }], [{ a: 1 }, { a: 1 }], [{ a: 2 }]])).toEqual([2]);
  const many = (from: number, to: number) => rows(...Array.from({ length: to - from }, (_, i) => from + i));
  // More than are remembered: what is there now is no news in any case.
  expect(firing({ type: "new_items", itemKey: "/id" }, [many(0, 3000), many(0, 3000), many(0, 3001)])).toEqual([2]);
});

it("WAL-54 tells at most 50 new rows and 16 KB of a value, and says where there is more", () => {
  const first = judge({ type: "new_items", path: "/items" }, { items: [] });
  const many = judge(
    { type: "new_items", path: "/items" },
    { items: Array.from({ length: 51 }, (_, i) => i) },
    first.seen,
  );
  expect([many.fires, many.items?.length, many.truncated]).toEqual([true, 50, true]);
  const large = judge(
    { type: "new_items", path: "/items" },
    { items: ["x".repeat(60_000), "y".repeat(60_000)] },
    first.seen,
  );
  expect([large.items?.length, large.current, large.truncated]).toEqual([1, null, true]);
  const small = judge({ type: "changed", path: "/items" }, { items: "x".repeat(16_000) }, first.seen);
  expect([small.current, small.truncated]).toEqual(["x".repeat(16_000), false]);
});

it("WAL-54 an answer without what is watched says nothing", () => {
  for (const [type, items] of [
    ["above", "1e"],
    ["above", null],
    ["above", "Infinity"],
    ["new_items", {}],
  ] as const)
    expect(() => judge({ type, path: "/items", threshold: 1 }, { items }), `${type} ${items}`).toThrow(Unusable);
  for (const path of ["/items/1", "/items/length", "/none", "/items/0/constructor", "/items/-"])
    expect(() => judge({ type: "changed", path }, { items: [{ a: 1 }] }), path).toThrow(Unusable);
  expect(judge({ type: "changed", path: "/items/0/a~1b~0" }, { items: [{ "a/b~": 7 }] }).current).toBe(7);
});
