/** Twelve ways in which upstreams break, at every recorded call: each is classified rightly, and nothing healthy is drift. */
import { expect, test } from "vitest";
import { documented } from "./documented.js";
import { measure } from "./measure.js";
import { cases, present } from "./recorded-runs.js";
import { WAYS } from "./ways.js";

test.skipIf(!present)(
  "twelve ways of breaking are classified rightly at 95 % of all places, and healthy answers are never drift",
  async () => {
    const { judged, healthy, healthyRuns, notApplicable } = await measure([...cases, ...documented], {
      pick: Number(process.env.PICK ?? 0.5),
    });
    const right = judged.filter(({ expected, got }) => expected === got);
    const byWay = WAYS.map(({ name, expects }) => {
      const own = judged.filter(({ way }) => way === name);
      const ok = own.filter(({ expected, got }) => expected === got).length;
      return `${name} -> ${expects}: ${ok} of ${own.length}, not applicable ${notApplicable.get(name) ?? 0}`;
    });
    const providers = new Set(judged.map(({ provider }) => provider));
    console.info(
      [
        ...byWay,
        `${providers.size} providers, ${right.length} of ${judged.length} right (${((100 * right.length) / judged.length).toFixed(1)} %), ${healthy.length} of ${healthyRuns} healthy runs called drift`,
      ].join("\n"),
    );
    if (process.env.WRONG)
      for (const one of judged)
        if (one.expected !== one.got)
          console.info(`${one.way}: ${one.provider} ${one.call}, ${one.got} for ${one.expected} (${one.file})`);
    if (process.env.WRONG) console.info(JSON.stringify(healthy, null, 1).slice(0, 6000));
    expect(healthy).toEqual([]);
    expect(right.length / judged.length).toBeGreaterThanOrEqual(0.95);
  },
  600_000,
);
