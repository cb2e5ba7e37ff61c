/** Lengths of time as TIMEX3 writes them. */
import type { TimeUnit } from "./words.js";

/** `PT1H`, `PT2H30M`. */
export function durationTimex(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `PT${hours > 0 ? `${hours}H` : ""}${minutes > 0 ? `${minutes}M` : ""}${rest > 0 ? `${rest}S` : ""}`;
}

/** `PT3H`, `P1DT2H`, of amounts as they were said. */
export function lengthTimex(amounts: [number, TimeUnit][]): string {
  const days = amounts.filter(([, unit]) => !["H", "N", "S"].includes(unit));
  const times = amounts.filter(([, unit]) => ["H", "N", "S"].includes(unit));
  const date = days.map(([amount, unit]) => letter(amount, unit)).join("");
  return `P${date}${times.length > 0 ? `T${times.map(([amount, unit]) => `${shown(amount)}${unit === "N" ? "M" : unit}`).join("")}` : ""}`;
}

function letter(amount: number, unit: TimeUnit): string {
  const [factor, name] = { C: [10, "Y"], F: [2, "W"], Q: [3, "M"], B: [1, "BD"] }[unit as string] ?? [1, unit];
  return `${shown(amount * Number(factor))}${name}`;
}

/** A third has no end. */
const shown = (amount: number): number => Number(amount.toFixed(4));
