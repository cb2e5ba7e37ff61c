const MAX_SIZE = 200;

/** GLEIF shows the first 10,000 matches of a search. Up to this offset the page of any limit ends within them. */
export const MAX_OFFSET = 9800;

/**
 * GLEIF numbers its pages and knows no offset. This is the smallest page that holds all rows from `offset` to
 * `offset + limit`, and where they begin in it: one request, whatever the offset.
 */
export function pageAround(offset: number, limit: number): { number: number; size: number; skip: number } {
  for (let size = limit; size <= MAX_SIZE; size++) {
    const before = Math.floor(offset / size);
    if (before === Math.floor((offset + limit - 1) / size))
      return { number: before + 1, size, skip: offset - before * size };
  }
  throw new RangeError(`no page of at most ${MAX_SIZE} rows holds ${limit} from ${offset} on`);
}
