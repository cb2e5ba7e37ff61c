/** The header `Accept-Payment`: which methods and intents of the Machine Payments Protocol a caller pays by. */

/** How much a caller likes to pay so: 0 is not at all, undefined is not named. */
export type Preference = (method: string, intent: string) => number | undefined;

interface Range {
  method: string;
  intent: string;
  weight: number;
}

/** Longer ones, and those with more ranges, are not read. */
const MAX_LENGTH = 1_000;
const MAX_RANGES = 50;
const RANGE = /^([a-z]+|\*)\/([a-z0-9-]+|\*)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/;

/** Undefined without the header, and for one that cannot be read, which counts as none. */
export function readPreference(header: string | null): Preference | undefined {
  const ranges = header === null ? undefined : rangesOf(header);
  if (!ranges) return undefined;
  return (method, intent) => {
    // The closest range counts, whatever the others say.
    const closest =
      ranges.find((range) => range.method === method && range.intent === intent) ??
      ranges.find((range) => range.method === method && range.intent === "*") ??
      ranges.find((range) => range.method === "*" && range.intent === intent) ??
      ranges.find((range) => range.method === "*" && range.intent === "*");
    return closest?.weight;
  };
}

function rangesOf(header: string): Range[] | undefined {
  if (header.length > MAX_LENGTH) return undefined;
  const texts = header
    .toLowerCase()
    .split(",")
    .map((text) => text.trim());
  const named = texts.filter((text) => text !== "");
  if (named.length === 0 || named.length > MAX_RANGES) return undefined;
  const ranges: Range[] = [];
  for (const text of named) {
    const [whole, method = "", intent = "", weight = "1"] = RANGE.exec(text) ?? [];
    if (whole === undefined) return undefined;
    ranges.push({ method, intent, weight: Number(weight) });
  }
  return ranges;
}

/** The offers that a caller takes, best liked first, in our order where it likes several alike; all, if it takes none of them. */
export function preferred<T extends { method: string; intent: string }>(
  offers: readonly T[],
  preference: Preference | undefined,
): readonly T[] {
  if (!preference) return offers;
  const liked = offers.map((offer) => ({ offer, weight: preference(offer.method, offer.intent) ?? 0 }));
  const taken = liked.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  return taken.length > 0 ? taken.map(({ offer }) => offer) : offers;
}
