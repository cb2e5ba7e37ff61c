const GROUP = 5;

/** Reads a few at a time, so that a source that is down is not requested for every part. */
export async function readInGroups<Part, T>(parts: Part[], read: (part: Part) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let start = 0; start < parts.length; start += GROUP)
    results.push(...(await Promise.all(parts.slice(start, start + GROUP).map(read))));
  return results;
}
