/**
 * Runs suites of others about time through the built package, and prints right, wrong and refused of each.
 *
 *   node scripts/suites/time.mjs [folder] [--peers <folder>] [--show 10]
 *
 * The suites of `test/suites/time` always run. A folder may have `recurrence-rules.json` (random rules with the dates of
 * dateutil). Peers: croner, and rrule and chrono-node where peers.mjs finds them. With `zdump` on this machine the clock changes of fifty zones are compared, too.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loaderOf } from "./peers.mjs";

const { positionals, values: flags } = parseArgs({
  allowPositionals: true,
  options: { peers: { type: "string" }, show: { type: "string", default: "5" } },
});
const [folder] = positionals;
const load = loaderOf(flags.peers);
const [rules, chrono] = await Promise.all(["rrule", "chrono-node"].map(load));
const group = (name) => import(new URL(`../../dist/capabilities/${name}/index.js`, import.meta.url).href);
const [{ calendarIcs }, { devCron }, { timeConvert, timeParse }] = await Promise.all(
  ["calendar", "dev", "time"].map(group),
);
const { Cron } = await import("croner");
const suite = (name) =>
  JSON.parse(readFileSync(new URL(`../../test/suites/time/${name}.json`, import.meta.url), "utf8"));
const first = async (call) => (await call).items[0];

const table = [];
const findings = [];
async function judge(name, rows, isRight, peer) {
  const row = { suite: name, right: 0, wrong: 0, refused: 0, peer: peer ? 0 : undefined };
  const missed = [];
  for (const one of rows) {
    const how = await isRight(one).then(
      (right) => (right ? "right" : "wrong"),
      () => "refused",
    );
    row[how] += 1;
    if (how !== "right") missed.push(`${name}, ${how}: ${JSON.stringify(one).slice(0, 200)}`);
    if (peer) row.peer += (await peer(one)) ? 1 : 0;
  }
  table.push(row);
  findings.push(...missed.slice(0, Number(flags.show)));
}

const orFalse = (call) => {
  try {
    return call();
  } catch {
    return false;
  }
};

const cron = suite("cron");
const utc = (text) => Date.parse(`${text} UTC`);
await judge(
  "robfig/cron, due or not (peer: croner)",
  cron.activation,
  async ([time, expression, isDue]) => {
    const from = new Date(utc(time) - 1000).toISOString();
    const { next } = await first(devCron({ expression, from, count: 1 }));
    return (Date.parse(next[0]?.instant) === utc(time)) === isDue;
  },
  ([time, expression, isDue]) =>
    orFalse(() => {
      const next = new Cron(expression, { timezone: "UTC", paused: true }).nextRun(new Date(utc(time) - 1000));
      return (next?.getTime() === utc(time)) === isDue;
    }),
);
await judge("cron-expression-descriptor, English", cron.descriptions, async ([expression, description]) => {
  const item = await first(devCron({ expression, count: 1 }));
  return item.description === description;
});

const expand = async (rule, start, limit) => {
  const text = `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:${start.replace(/[-:]/g, "")}\nRRULE:${rule}\nEND:VEVENT\nEND:VCALENDAR`;
  const { occurrences } = await first(calendarIcs({ text, expand: { limit } }));
  return occurrences.map(({ local }) => local).join();
};
/** Some rules never end there, and are left out by the years that it may look through. */
const expandByPeer = (rule, start, limit) => {
  const options = { ...rules.RRule.parseString(rule), dtstart: new Date(`${start}Z`) };
  const dates = [];
  new rules.RRule(options).all((date) => {
    dates.push(date.toISOString().slice(0, 19));
    return dates.length < limit;
  });
  return dates.join();
};
await judge(
  "dateutil, tests of one rule (peer: rrule)",
  suite("rrule"),
  async ([, start, rule, dates]) => (await expand(rule, start, Math.min(1000, dates.length + 1))) === dates.join(),
  rules &&
    (([, start, rule, dates]) =>
      orFalse(() => expandByPeer(rule, start, Math.min(1000, dates.length + 1)) === dates.join())),
);
const random = folder && join(folder, "recurrence-rules.json");
if (random && existsSync(random))
  await judge("dateutil, random rules", JSON.parse(readFileSync(random, "utf8")), async ({ rule, dates }) => {
    return (await expand(rule, "1997-09-02T09:00:00", 12)) === dates.join();
  });

const english = suite("english");
for (const kinds of [
  ["date", "datetime"],
  ["time"],
  ["daterange", "timerange", "datetimerange"],
  ["duration"],
  ["set"],
])
  await judge(
    `Recognizers-Text, ${kinds.join(" and ")}, one reading`,
    english.filter(([, , , type, readings]) => kinds.includes(type) && readings.length === 1),
    async ([text, reference, , type, [[timex, value, start, end]]]) => {
      const { matches } = await first(timeParse({ text, reference }));
      const match = matches.find((one) => one.type === type && one.readings.length === 1);
      const wanted = [timex, value === "not resolved" ? null : value, start, end];
      return match && JSON.stringify([match.timex, match.value, match.start, match.end]) === JSON.stringify(wanted);
    },
    chrono && kinds.includes("date")
      ? ([text, reference, , , [[, value]]]) => {
          const found = chrono.parseDate(text, new Date(reference));
          return found?.toLocaleString("sv").startsWith(value?.slice(0, 16)) ?? false;
        }
      : undefined,
  );

/** The changes of a zone from 2020 to 2037, as zdump prints them. */
function changes(zone) {
  const lines = execFileSync("zdump", ["-v", "-c", "2020,2037", zone], { encoding: "utf8" }).split("\n");
  return lines.flatMap((line) => {
    const [, time, , offset] = /\s\s(\w{3} \w{3} +\d+ [\d:]+ \d+) UT = (.*) isdst=\d gmtoff=(-?\d+)/.exec(line) ?? [];
    return time ? [{ at: utc(time), offset: Number(offset) }] : [];
  });
}
if (existsSync("/usr/bin/zdump")) {
  const zones = Intl.supportedValuesOf("timeZone").filter((_, at) => at % 8 === 0);
  const rows = zones.flatMap((zone) => changes(zone).map((change) => ({ zone, ...change })));
  await judge("zdump, offsets around clock changes", rows, async ({ zone, at, offset }) => {
    const item = await first(timeConvert({ time: new Date(at).toISOString(), to: zone }));
    const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)/.exec(item.offset);
    return (Number(hours) * 3600 + Number(minutes) * 60) * (sign === "-" ? -1 : 1) === offset;
  });
}
console.table(table);
for (const one of findings) console.log(one);
