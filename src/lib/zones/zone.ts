/** A time zone as the rest of the house sees it. Times are milliseconds since 1970. */

export interface Zone {
  /** Local time minus UTC. */
  offsetAt(instant: number): number;
  /**
   * The first instant after `from`, up to `to`, with another offset. By the host's data it finds a single change, so
   * search days, not years.
   */
  changeBetween(from: number, to: number): number | undefined;
}

/** A zone of the tz database, or a fixed offset. */
export interface NamedZone extends Zone {
  /** Letters such as CEST; `+03` where the zone has none. */
  lettersAt(instant: number): string;
}

/** As the tz database writes zones without letters: `+03`, `+0545`. */
export function numericLetters(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const two = (value: number) => String(value).padStart(2, "0");
  const rest = minutes % 60 === 0 ? "" : two(minutes % 60);
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}${rest}`;
}

/** A zone that never changes its clocks. */
export const fixedZone = (offset: number): NamedZone => ({
  offsetAt: () => offset,
  changeBetween: () => undefined,
  lettersAt: () => numericLetters(offset),
});
