import { expect, it } from "vitest";
import { scheduled } from "../../src/adapters/lambda/index.js";

it("a clock's function begins nothing in the last seconds of its time", async () => {
  const budgets: number[] = [];
  const tick = scheduled({
    async tick({ budgetMs }) {
      budgets.push(budgetMs);
      return 3;
    },
  });
  for (const remaining of [60_000, 9000])
    expect(await tick({}, { getRemainingTimeInMillis: () => remaining })).toEqual({ done: 3 });
  expect(await tick({})).toEqual({ done: 3 });
  expect(budgets).toEqual([40_000, 3000, 20_000]);
});
