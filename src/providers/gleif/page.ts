const MAX_SIZE = 200;

/** GLEIF shows the first 10,000 matches of a search. Up to this offset the page of any limit ends within them. */
export const MAX_OFFSET = 9800;

/**
 * GLEIF numbers its pages and has no offset. Computes the smallest page that contains all rows from `offset` to
 * `offset + limit`, and their position in it: one request for any offset.
 */
export function pageAround(offset: number, limit: number): { number: number; size: number; skip: number } {
  for (let size = limit; size <= MAX_SIZE; size++) {
    const before = Math.floor(offset / size);
    if (before === Math.floor((offset + limit - 1) / size))
      return { number: before + 1, size, skip: offset - before * size };
  }
  throw new RangeError(`no page of at most ${MAX_SIZE} rows holds ${limit} from ${offset} on`);
}
