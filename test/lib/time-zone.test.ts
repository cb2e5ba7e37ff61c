import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { devCron } from "../../src/capabilities/dev/cron.js";
import { timeConvert } from "../../src/capabilities/time/convert.js";
import { isTimeZone, type NamedZone, openZone, openZones } from "../../src/lib/time-zone.js";
import { ZONES, ZONES_RELEASE } from "../../src/lib/zones/zone-table.js";
import { howMany } from "../support/how-many.js";

const judge: { release: string; zones: Record<string, string> } = JSON.parse(
  readFileSync(new URL("../suites/time/zones.json", import.meta.url), "utf8"),
);
const END = Date.UTC(2038, 0);
/** A host whose data is older than any table. */
const OLD = "2000a";

/** Every change of a zone as the judge writes it: see scripts/suites/zones.py. */
function changesOf(zone: NamedZone): string {
  const line = (at: number, before: number) =>
    `${at / 1000} ${zone.offsetAt(at) / 1000} ${zone.lettersAt(at)} ${zone.lettersAt(before)}\n`;
  const lines = [line(0, 0)];
  for (let from = 0; from < END; ) {
    const change = zone.changeBetween(from, END - 1);
    if (change === undefined) break;
    lines.push(line(change, change - 1000));
    from = change;
  }
  return `${lines.length - 1} ${createHash("sha256").update(lines.join("")).digest("hex").slice(0, 16)}`;
}

describe("the table of time zones", () => {
  it("agrees with zoneinfo about every change of every zone from 1970 to 2037", async () => {
    expect(judge.release).toBe(ZONES_RELEASE);
    const zones = await openZones(OLD);
    const names = Object.keys(judge.zones);
    expect(names.length).toBeGreaterThan(590);
    const wrong = names.filter((name) => name !== "Factory" && changesOf(zones.open(name)) !== judge.zones[name]);
    expect(wrong).toEqual([]);
  });

  it.each([
    ["Asia/Gaza", "2073-09-20", 2],
    ["Asia/Hebron", "2080-07-01", 2],
    ["Asia/Gaza", "2080-08-15", 3],
    ["Asia/Gaza", "2086-05-01", 2],
    ["Asia/Gaza", "2086-06-01", 3],
    ["Asia/Gaza", "2090-07-01", 3],
    ["Europe/Berlin", "2099-07-01", 2],
    ["America/New_York", "2099-07-01", -4],
  ])("knows of %s in %s changes that are listed beyond 2037", async (name, date, hours) => {
    expect((await openZones(OLD)).open(name).offsetAt(Date.parse(date))).toBe(hours * 3_600_000);
  });

  it("answers the same for instants one by one as for spans", async () => {
    const zones = await openZones(OLD);
    for (const name of ["Europe/Dublin", "Asia/Gaza", "Australia/Lord_Howe", "America/Havana", "Antarctica/Troll"]) {
      const zone = zones.open(name);
      let before = zone.offsetAt(Date.UTC(2025, 0));
      for (let at = Date.UTC(2025, 0); at < Date.UTC(howMany(2045, 2028), 0); at += 1_800_000) {
        const offset = zone.offsetAt(at);
        if (offset !== before) expect(zone.changeBetween(at - 1_800_000, at)).toBe(at);
        before = offset;
      }
    }
  });

  it("knows every name that the host knows, in any case, and no other", async () => {
    const listed = new Set(
      ZONES.trim()
        .split("\n")
        .flatMap((line) => line.split("|")[0]?.split(" ") ?? []),
    );
    expect(Intl.supportedValuesOf("timeZone").filter((name) => !listed.has(name))).toEqual([]);
    expect((await openZone("america/VANCOUVER")).offsetAt(Date.UTC(2026, 11))).toBe(-7 * 3_600_000);
    expect(isTimeZone("America/Nowhere")).toBe(false);
  });
});

/** The zones whose rules changed in 2026, each with its offset in hours in December. */
const CHANGED = [
  ["America/Vancouver", -7, "MST"],
  ["America/Edmonton", -6, "CST"],
  ["America/Yellowknife", -6, "CST"],
  ["America/Inuvik", -6, "CST"],
  ["America/Winnipeg", -5, "EST"],
  ["America/Rainy_River", -5, "EST"],
  ["America/Havana", -4, "CDT"],
  ["Africa/Casablanca", 0, "+00"],
  ["Africa/El_Aaiun", 0, "+00"],
  ["Canada/Pacific", -7, "MST"],
  ["Cuba", -4, "CDT"],
] as const;

describe("clocks of 2026, on a host whose data is older", () => {
  it.each(CHANGED)("%s is at %i hours in December", async (name, hours, letters) => {
    const offset = `${hours < 0 ? "-" : "+"}0${Math.abs(hours)}:00`;
    const { items, meta } = await timeConvert({ time: "2026-12-15T12:00:00Z", to: name });
    expect(items[0]).toMatchObject({ offset, abbreviation: letters });
    const isHost = (process.versions.tz ?? "") > ZONES_RELEASE;
    expect(items[0]).toMatchObject({ tzdataSource: isHost ? "host" : "package" });
    const data = isHost ? `tzdata ${process.versions.tz} (host)` : `tzdata ${ZONES_RELEASE} (package)`;
    expect(meta).toMatchObject({ method: { data } });
  });

  it("dev.cron runs by the same rules", async () => {
    const from = "2026-12-15T00:00:00Z";
    const { items, meta } = await devCron({ expression: "0 9 * * *", timeZone: "America/Vancouver", from, count: 1 });
    expect(items[0]?.next[0]).toMatchObject({ instant: "2026-12-15T16:00:00Z", offset: "-07:00" });
    const data = expect.stringMatching(/^tzdata \d{4}[a-z] \((?:package|host)\)$/);
    expect(meta).toMatchObject({ method: { data } });
  });
});

describe("which data counts", () => {
  const at = Date.UTC(2026, 11);

  it("is the host's if its release is newer, and the table's if the host does not tell", async () => {
    expect((await openZones("2999a")).dataAt(at)).toEqual({ source: "host", release: "2999a" });
    expect((await openZones(OLD)).dataAt(at)).toEqual({ source: "package", release: ZONES_RELEASE });
    expect((await openZones(ZONES_RELEASE)).dataAt(at)).toEqual({ source: "package", release: ZONES_RELEASE });
    vi.stubGlobal("process", { ...process, versions: {} });
    expect((await openZones()).dataAt(at)).toEqual({ source: "package", release: ZONES_RELEASE });
    vi.unstubAllGlobals();
  });

  it("is the host's before 1970, and both meet there", async () => {
    const zones = await openZones(OLD);
    expect(zones.dataAt(-1)).toEqual({ source: "host", release: OLD });
    const berlin = zones.open("Europe/Berlin");
    expect(berlin.offsetAt(Date.UTC(1945, 5))).toBe(3 * 3_600_000);
    expect(berlin.changeBetween(Date.UTC(1949, 9, 1), Date.UTC(1949, 9, 5))).toBe(Date.UTC(1949, 9, 2, 1));
    expect(berlin.changeBetween(Date.UTC(1969, 11, 31), Date.UTC(1970, 0, 2))).toBeUndefined();
  });

  it("leaves letters to the table on a host of a newer release", async () => {
    const zones = await openZones("2999a");
    expect(zones.open("Europe/Berlin").lettersAt(Date.UTC(2026, 6))).toBe("CEST");
    expect(zones.open("Asia/Kathmandu").lettersAt(at)).toBe("+0545");
  });
});
