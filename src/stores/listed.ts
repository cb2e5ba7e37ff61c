import type { ListedRecord, Store } from "./store.js";

const PAGE = 100;

/** The first `most` records whose keys start with `prefix`, read page by page. */
export async function* listed(store: Store, prefix: string, most: number): AsyncGenerator<ListedRecord> {
  let left = most;
  for (let after: string | undefined; left > 0; ) {
    const limit = Math.min(PAGE, left);
    const page = await store.list(prefix, { limit, ...(after === undefined ? {} : { after }) });
    yield* page;
    if (page.length < limit) return;
    left -= page.length;
    after = page.at(-1)?.key;
  }
}
