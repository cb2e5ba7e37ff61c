/**
 * Writes src/lib/zones/zone-table.ts: the clock changes of all time zones since 1970 and the rules after them, from the
 * tz database (public domain). It needs `zic`, and tzdata.zi of a release: Debian's package tzdata and Python's have it
 * in their folder zoneinfo, `make tzdata.zi` makes it of https://www.iana.org/time-zones. Then the judge is renewed:
 *
 *   node scripts/generate-zone-table.mjs <tzdata.zi>
 *   python3 scripts/suites/zones.py <tzdata.zi> > test/suites/time/zones.json
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

const [source] = process.argv.slice(2);
if (!source) throw new Error("usage: node scripts/generate-zone-table.mjs <tzdata.zi>");
const [, release] = /^# version (\d{4}[a-z]+)/.exec(readFileSync(source, "utf8")) ?? [];
if (!release) throw new Error(`${source} names no release`);

/** Names that some distributions keep as zones of their own: links since release 2024b. */
const LINKS = {
  ...{ EST: "America/Panama", MST: "America/Phoenix", HST: "Pacific/Honolulu", CET: "Europe/Brussels" },
  ...{ EST5EDT: "America/New_York", CST6CDT: "America/Chicago", MST7MDT: "America/Denver" },
  ...{ PST8PDT: "America/Los_Angeles", EET: "Europe/Athens", MET: "Europe/Brussels", WET: "Europe/Lisbon" },
};
/**
 * Slim files leave out changes that the rule at their end gives, and by some releases of zic others behind them: Gaza's from 2073
 * on. Fat ones list those of a rule until 2037, so that a later change is one that no rule gives.
 */
const FAT_END = Date.UTC(2038, 0) / 1000;
/** Seconds of a unit: the finest that any change since 1970 needs. */
const UNIT = 30;

/** Reads a TZif file (RFC 9636) from 1970 on: kinds of local time, changes, and the rule after the last. */
function readZone(file) {
  const bytes = readFileSync(file);
  const headerAt = (at) => [20, 24, 28, 32, 36, 40].map((place) => bytes.readUInt32BE(at + place));
  const [ut1, std1, leap1, times1, types1, letters1] = headerAt(0);
  const header = 44 + times1 * 5 + types1 * 6 + letters1 + leap1 * 8 + std1 + ut1;
  const [ut, std, leap, times, types, letters] = headerAt(header);
  const [start, kinds] = [header + 44, header + 44 + times * 8];
  const typesAt = kinds + times;
  const text = bytes.toString("latin1", typesAt + types * 6, typesAt + types * 6 + letters);
  const kindOf = (index) => {
    const at = typesAt + index * 6;
    const [name] = text.slice(bytes[at + 5]).split("\0");
    return `${/^[A-Za-z]+$|^-00$/.test(name) ? name : ""}${signed(bytes.readInt32BE(at) / 60)}`;
  };
  const rule = bytes.toString("latin1", typesAt + types * 6 + letters + leap * 12 + std + ut).trim();
  if (rule === "" || /,J?\d/.test(rule)) throw new Error(`${file}: the rule "${rule}" cannot be packed`);
  let first = kindOf(0);
  const changes = [];
  for (let index = 0; index < times; index++) {
    const at = Number(bytes.readBigInt64BE(start + index * 8));
    const kind = kindOf(bytes[kinds + index]);
    if (at <= 0) first = kind;
    // Fat files have a change that is none, at the last second of 32 bits.
    if (at <= 0 || kind === (changes.at(-1)?.kind ?? first)) continue;
    if (at % UNIT !== 0) throw new Error(`${file}: a change lies between two units`);
    changes.push({ at: at / UNIT, kind });
  }
  return { first, changes, rule };
}

const signed = (minutes) => (minutes < 0 ? String(minutes) : `+${minutes}`);

function packed({ first, changes, rule }) {
  const kinds = [...new Set([first, ...changes.map(({ kind }) => kind)])];
  const sequence = [first, ...changes.map(({ kind }) => kind)].map((kind) => kinds.indexOf(kind).toString(36)).join("");
  const steps = changes.map(({ at }, index) => at - (changes[index - 1]?.at ?? 0));
  return { head: [kinds.join(" "), sequence].join("|"), steps, rule };
}

const folder = mkdtempSync(join(tmpdir(), "zones-"));
const groups = new Map();
try {
  for (const kind of ["slim", "fat"]) execFileSync("zic", ["-b", kind, "-d", join(folder, kind), source]);
  const slim = join(folder, "slim");
  const files = readdirSync(slim, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const name of files.map((entry) => relative(slim, join(entry.parentPath, entry.name))).sort()) {
    const [short, long] = ["slim", "fat"].map((kind) => readZone(join(folder, kind, LINKS[name] ?? name)));
    const zone = packed(long.changes.at(-1)?.at * UNIT > FAT_END ? long : short);
    const key = JSON.stringify(zone);
    groups.set(key, { ...zone, names: [...(groups.get(key)?.names ?? []), name] });
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** Most steps are a few dozen lengths, each written as one sign. */
const counts = new Map();
for (const { steps } of groups.values()) for (const step of steps) counts.set(step, (counts.get(step) ?? 0) + 1);
const SIGNS = "!#%&()*+,-./:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_{}~";
const common = [...counts].sort(([, a], [, b]) => b - a).slice(0, SIGNS.length);
const signs = new Map(common.map(([step], index) => [step, SIGNS[index]]));
const stepsText = (steps) => steps.map((step) => signs.get(step) ?? ` ${step.toString(36)}`).join("");
const lines = [...groups.values()].map(({ names, head, steps, rule }) =>
  [names.join(" "), head, stepsText(steps), rule].join("|"),
);

writeFileSync(
  "src/lib/zones/zone-table.ts",
  `/**
 * Time zones: names, kinds of local time (letters and minutes from UTC), which of them follow each other, the time
 * between, and the rule after the last change. From the tz database of IANA (public domain).
 * Generated by scripts/generate-zone-table.mjs.
 */
export const ZONES_RELEASE = "${release}";

/** Seconds of the unit that steps are counted in. */
export const STEP_UNIT = ${UNIT};

/** The commonest steps, each with the sign that stands for it; others are numbers of base 36 behind a blank. */
export const STEP_SIGNS = ${JSON.stringify(SIGNS.slice(0, common.length))};
export const STEPS = "${common.map(([step]) => step.toString(36)).join(" ")}";

export const ZONES = \`
${lines.join("\n")}
\`;
`,
);
console.log(
  `${[...groups.values()].flatMap(({ names }) => names).length} names, ${lines.length} groups, release ${release}`,
);
