/** Reads which form of an answer a caller prefers. */

/** Whether an `Accept` header prefers events to JSON; of equal weights the first counts. */
export function acceptsEvents(accept: string | null): boolean {
  if (!accept?.includes("event-stream")) return false;
  const { weight, place } = preferenceFor(accept, "text/event-stream");
  const other = preferenceFor(accept, "application/json");
  return weight > other.weight || (weight > 0 && weight === other.weight && place < other.place);
}

/** Weight of a media type that an `Accept` header names, and its place; 0 if it is not named. */
function preferenceFor(accept: string, type: string): { weight: number; place: number } {
  // Without a pattern, which would take a time that grows with the square of the header's blanks.
  const ranges = accept
    .toLowerCase()
    .split(",")
    .map((range) => range.split(";").map((part) => part.trim()));
  const place = ranges.findIndex(([name]) => name === type);
  const quality = ranges[place]?.find((parameter) => parameter.startsWith("q="));
  const weight = place < 0 ? 0 : quality === undefined ? 1 : Number(quality.slice(2)) || 0;
  return { weight, place };
}

/**
 * Whether an `Accept` header prefers a page to JSON, as those of browsers do. Programs name JSON, or take anything alike: they get
 * JSON (RFC 9110, 12.5.1: the most specific range counts).
 */
export function prefersHtml(accept: string | null): boolean {
  if (!accept || !/html|text\/\*/i.test(accept)) return false;
  return qualityOf(accept, "text/html") > qualityOf(accept, "application/json");
}

function qualityOf(accept: string, type: string): number {
  for (const range of [type, `${type.split("/", 1)[0]}/*`, "*/*"]) {
    const { weight, place } = preferenceFor(accept, range);
    if (place >= 0) return weight;
  }
  return 0;
}
