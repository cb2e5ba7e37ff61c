// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/search.json","objects":"\tnumFound! n|docs! a\tstart|numFoundExact|num_found|documentation_url|q|offset\ndocs[]\tauthor_key! a|author_name! a|cover_i! n|ebook_access! s|edition_count! n|first_publish_year! n|has_fulltext! b|key! s|language! a|public_scan_b! b|title! s\tcover_edition_key|ia|lending_edition_s|lending_identifier_s|id_standard_ebooks"},
];
