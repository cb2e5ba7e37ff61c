import { readFileSync } from "node:fs";
import { Cron } from "croner";
import { describe, expect, it } from "vitest";
import { devCron } from "../../../src/capabilities/dev/cron.js";
import { parseCron } from "../../../src/engines/time/cron-expression.js";
import { localTimes } from "../../../src/engines/time/cron-times.js";
import { LANGUAGES } from "../../../src/engines/time/cron-words.js";
import { howMany } from "../../support/how-many.js";

const SUITE: {
  activation: [time: string, spec: string, isDue: boolean][];
  next: [time: string, spec: string, expected: string][];
  nextWithTimeZone: [time: string, spec: string, expected: string][];
  refused: string[];
  descriptions: [expression: string, description: string][];
} = JSON.parse(readFileSync(new URL("../../suites/time/cron.json", import.meta.url), "utf8"));

type Query = Parameters<typeof devCron>[0];
const explain = async (input: Query) => {
  const [item] = (await devCron(input, { clock: () => new Date("2026-01-01T00:00:00Z") })).items;
  if (!item) throw new Error("no item");
  return item;
};
const instants = async (input: Query) => (await explain(input)).next.map(({ instant }) => instant);

describe("dev.cron", () => {
  it("ends where clocks skip every run to come", async () => {
    const always = { expression: "30 2 ? 3 SUN#L", timeZone: "Europe/Berlin", from: "2026-01-01T00:00:00Z" };
    const item = await explain({ ...always, gap: "skip" });
    expect(item.next).toEqual([]);
    expect(item.previous?.instant).toBe("1980-03-30T01:30:00Z");
    expect(item.warnings.join()).toContain("never runs");
    const distant = { expression: "0 0 0 1 1 ? 2199", from: "0001-01-01T00:00:00Z" };
    expect(await instants(distant)).toEqual(["2199-01-01T00:00:00Z"]);
  });

  it("explains an expression and lists its runs across a clock change", async () => {
    const berlin = { expression: "30 2 * * *", timeZone: "Europe/Berlin", from: "2026-03-28T00:00:00Z", count: 3 };
    const item = await explain(berlin);
    expect(item.description).toBe("At 02:30 AM");
    expect(item.next).toEqual([
      { instant: "2026-03-28T01:30:00Z", local: "2026-03-28T02:30:00", offset: "+01:00", note: null },
      {
        ...{ instant: "2026-03-29T01:00:00Z", local: "2026-03-29T03:00:00", offset: "+02:00" },
        note: "Its local time is skipped by a clock change: runs at the first moment after the gap.",
      },
      { instant: "2026-03-30T00:30:00Z", local: "2026-03-30T02:30:00", offset: "+02:00", note: null },
    ]);
    expect(item.previous?.instant).toBe("2026-03-27T01:30:00Z");
    expect(item.warnings).toEqual([
      "2026-03-29T02:30:00 does not exist in Europe/Berlin, where clocks skip it (gap): this run takes place at the first moment after the gap.",
    ]);
    expect(await instants({ ...berlin, gap: "skip" })).toEqual([
      ...["2026-03-28T01:30:00Z", "2026-03-30T00:30:00Z", "2026-03-31T00:30:00Z"],
    ]);
  });

  it("runs a fixed time of a doubled hour once, stars and steps twice", async () => {
    const from = { timeZone: "America/New_York", from: "2026-11-01T04:30:00Z", count: 4 };
    expect(await instants({ ...from, expression: "30 1 * * *" })).toEqual([
      ...["2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z", "2026-11-03T06:30:00Z", "2026-11-04T06:30:00Z"],
    ]);
    const twice = ["2026-11-01T05:00:00Z", "2026-11-01T05:30:00Z", "2026-11-01T06:00:00Z", "2026-11-01T06:30:00Z"];
    expect(await instants({ ...from, expression: "*/30 1 * * *" })).toEqual(twice);
    expect(await instants({ ...from, expression: "0/30 * * * *" })).toEqual(twice);
    const { next } = await explain({ ...from, expression: "0 * * * *" });
    expect(next.slice(0, 2).map(({ note }) => note)).toEqual([
      "Its local time comes twice because of a clock change: this is the first time.",
      "Its local time comes twice because of a clock change: this is the second time.",
    ]);
  });

  it("warns of days by month and week together, of what never runs, and of steps that are too long", async () => {
    expect((await explain({ expression: "0 0 13 * FRI" })).warnings[0]).toMatch(/^Day of month \(13\) and day of week/);
    const never = await explain({ expression: "0 0 30 2 *" });
    expect(never).toMatchObject({ next: [], previous: null, warnings: [expect.stringMatching(/never runs/)] });
    expect((await explain({ expression: "*/90 * * * *" })).warnings).toEqual([
      "The step of */90 is longer than its field: only the first value remains.",
    ]);
  });

  it("reads the fields by name, and a zone before them", async () => {
    const item = await explain({ expression: "CRON_TZ=Asia/Tokyo 0 15 10 ? JAN-MAR MON#2 2027" });
    expect(item.timeZone).toBe("Asia/Tokyo");
    expect(item.fields).toEqual({
      ...{ second: "0", minute: "15", hour: "10", dayOfMonth: "?", month: "JAN-MAR", dayOfWeek: "MON#2", year: "2027" },
    });
    expect(item.next.map(({ local }) => local)).toEqual([
      ...["2027-01-11T10:15:00", "2027-02-08T10:15:00", "2027-03-08T10:15:00"],
    ]);
    expect(item.previous).toBeNull();
  });

  it("speaks every language that it names, also by usual tags", async () => {
    for (const language of [...LANGUAGES, "pt", "zh-TW", "de-AT", "no"])
      expect((await explain({ expression: "30 9 * * MON-FRI", language, count: 1 })).description).toMatch(/\S/);
    expect((await explain({ expression: "30 9 * * *", language: "de" })).description).toBe("Um 09:30");
  });

  it.each([
    ["0 0 L * *", "2026-01-31"],
    ["0 0 L-2 * *", "2026-01-29"],
    ["0 0 LW * *", "2026-01-30"],
    ["0 0 15W 2 *", "2026-02-16"],
    ["0 0 1W 8 *", "2026-08-03"],
    ["0 0 * * 5L", "2026-01-30"],
    ["0 0 * * FRI#5", "2026-01-30"],
    ["0 0 * * 7", "2026-01-04"],
    ["0 0 * * FRI-SUN", "2026-01-02"],
    ["0 0 29 2 *", "2028-02-29"],
    ["@weekly", "2026-01-04"],
    ["0 0 1 1 * 2030", "2030-01-01"],
  ])("%s comes on %s", async (expression, day) => {
    expect((await instants({ expression, count: 1 }))[0]).toBe(`${day}T00:00:00Z`);
  });

  it.each([
    [{ expression: " " }, "expression"],
    [{ expression: "@reboot" }, "expression"],
    [{ expression: "* * * *" }, "expression"],
    [{ expression: "* * * * * * * *" }, "expression"],
    [{ expression: "61 * * * *" }, "expression"],
    [{ expression: "0 24 * * *" }, "expression"],
    [{ expression: "0 22-2 * * *" }, "expression"],
    [{ expression: "*/0 * * * *" }, "expression"],
    [{ expression: "0 0 * * MON#6" }, "expression"],
    [{ expression: "0 0 32W * *" }, "expression"],
    [{ expression: "0 0 * FOO *" }, "expression"],
    [{ expression: "TZ=Nowhere 0 0 * * *" }, "expression"],
    [{ expression: "0 0 * * *", timeZone: "Nowhere" }, "timeZone"],
    [{ expression: "0 0 * * *", language: "klingon" }, "language"],
    [{ expression: "0 0 * * *", count: 101 }, "count"],
    [{ expression: "0 0 * * *", from: "tomorrow" }, "from"],
    [{ expression: "*".repeat(201) }, "expression"],
  ])("refuses %j at %s", async (input, path) => {
    await expect(devCron(input)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
  });

  it("finds a hundred rare runs, and none at all, in a few steps", () => {
    const rare = localTimes(parseCron("59 59 23 29 2 ? *"));
    let at: number | undefined = Date.UTC(1971, 0);
    for (let run = 0; run < 100; run++) at = rare((at ?? 0) + 1);
    expect(new Date(at ?? 0).getUTCFullYear()).toBe(2380);
    expect(localTimes(parseCron("0 0 0 31 2,4 ?"))(0)).toBeUndefined();
  });
});

describe("the table of robfig/cron", () => {
  const timeIn = (text: string) => {
    const [, zone, rest = ""] = /^(?:TZ=(\S+) )?(.*)$/.exec(text) ?? [];
    const isIso = /^\d{4}-/.test(rest);
    return { zone, at: Date.parse(isIso ? rest.replace(/(\d\d)$/, ":$1") : `${rest} UTC`) };
  };
  const iso = (at: number) => new Date(at).toISOString().replace(".000Z", "Z");

  it.each(SUITE.activation)("at %s, %s is due: %s", async (time, expression, isDue) => {
    const { at } = timeIn(time);
    const next = await instants({ expression, from: iso(at - 1000), count: 1 });
    expect(next[0] === iso(at)).toBe(isDue);
  });

  // There a fixed time of the hour that comes twice runs twice, here once.
  const twice = (spec: string, expected: string) =>
    / 0? ?0 1 \* \* \?|0 30 1 04 Nov/.test(` ${spec}`) && expected === "2012-11-04T01:00:00-0500";

  it.each(SUITE.next.filter(([, spec, expected]) => !twice(spec, expected) && !spec.includes("30 1 04 Nov")))(
    "after %s, %s comes at %s",
    async (time, expression, expected) => {
      const { at, zone } = timeIn(time);
      const input = { expression, from: iso(at), count: 1, gap: "skip" as const, ...(zone ? { timeZone: zone } : {}) };
      expect((await instants(input))[0]).toBe(expected === "" ? undefined : iso(timeIn(expected).at));
    },
  );

  it.each(SUITE.nextWithTimeZone)("after %s, %s comes at %s", async (time, expression, expected) => {
    const next = await instants({ expression, from: iso(timeIn(time).at), timeZone: "Asia/Kolkata", count: 1 });
    expect(next[0]).toBe(iso(timeIn(expected).at));
  });

  it.each(SUITE.refused)("refuses %s", async (expression) => {
    await expect(devCron({ expression })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });
});

describe("the descriptions of cron-expression-descriptor", () => {
  /** There a step of a weekday counts weeks, as no cron does; and it writes "1 minutes". */
  const OTHER = ["0 0 12 ? * FRI/2", "0 0 12 ? * WED-FRI/3", "0 0 12 ? * TUE,FRI/4", "1 1,3-4 * * *"];
  it.each(SUITE.descriptions.filter(([expression]) => !OTHER.includes(expression)))(
    "%s is: %s",
    async (expression, description) => {
      expect((await explain({ expression, count: 1 })).description).toBe(description);
    },
  );
});

it("agrees with croner on random local times", () => {
  let state = 7;
  const below = (limit: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
  const field = (min: number, max: number, stars: number) => {
    if (below(3) < stars) return "*";
    const [a, b] = [min + below(max - min + 1), min + below(max - min + 1)].sort((x, y) => x - y) as [number, number];
    return (
      [`${a}`, `${a},${b}`, `${a}-${b}`, `*/${2 + below(max - min - 1)}`, `${a}-${max}/${1 + below(7)}`][below(5)] ??
      "*"
    );
  };
  for (let round = 0; round < howMany(1_000, 200); round++) {
    const expression = `${field(0, 59, 0)} ${field(0, 59, 1)} ${field(0, 23, 1)} ${field(1, 31, 2)} ${field(1, 12, 2)} ${field(0, 6, 2)}`;
    const theirs = safely(expression);
    if (!theirs) continue;
    const ours = localTimes(parseCron(expression));
    let at = Date.UTC(2020 + below(20), below(12), 1 + below(28), below(24), below(60), below(60));
    for (let run = 0; run < 10; run++) {
      const expected = theirs.nextRun(new Date(at))?.getTime();
      expect([expression, at, ours(at + 1)]).toEqual([expression, at, expected]);
      if (expected === undefined) break;
      at = expected;
    }
  }
});

/** Croner refuses steps longer than a field. */
function safely(expression: string): Cron | undefined {
  try {
    return new Cron(expression, { timezone: "UTC", paused: true, mode: "6-part" });
  } catch {
    return undefined;
  }
}
