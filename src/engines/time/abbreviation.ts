/** Letters of a zone at an instant, such as CEST; Intl of hosts knows them for a few countries only. */
import { lazy } from "../../lib/lazy.js";

const table = /* @__PURE__ */ lazy(async () => {
  const { ABBREVIATIONS } = await import("./abbreviation-table.js");
  const byZone = new Map<string, string>();
  for (const line of ABBREVIATIONS.trim().split("\n")) {
    const [letters = "", zones = ""] = line.split(": ");
    for (const zone of zones.split(" ")) byZone.set(zone, letters);
  }
  return byZone;
});

/** Release of the table of letters. */
export const ABBREVIATIONS_RELEASE = "2025b";

/** A function, because several instants of one zone are asked for. The offset is in milliseconds. */
export async function abbreviationsOf(timeZone: string): Promise<(offset: number) => string> {
  if (/^(?:Etc\/)?(?:UTC|UCT|Zulu|Universal|GMT|Greenwich)$/i.test(timeZone)) {
    const letters = /GMT|Greenwich/i.test(timeZone) ? "GMT" : "UTC";
    return () => letters;
  }
  const zones = await table();
  const letters = zones.get(timeZone) ?? zones.get(canonical(timeZone)) ?? "";
  const byMinutes = new Map(
    letters.split(",").flatMap((part): [number, string][] => {
      const [, name, minutes] = /^([A-Za-z]+)([+-]\d+)$/.exec(part) ?? [];
      return name === undefined ? [] : [[Number(minutes), name]];
    }),
  );
  return (offset) => byMinutes.get(offset / 60_000) ?? numeric(offset);
}

const canonical = (timeZone: string): string => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;
  } catch {
    return timeZone;
  }
};

/** As tzdata writes zones without letters: `+03`, `+0545`. */
function numeric(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const two = (value: number) => String(value).padStart(2, "0");
  const rest = minutes % 60 === 0 ? "" : two(minutes % 60);
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}${rest}`;
}
