// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/api/query","objects":"\tfeed! o\t\nfeed\t@xmlns! s|id! s|title! s|opensearch:totalResults! f|entry? a\t@xmlns:opensearch|@xmlns:arxiv|updated|link|opensearch:itemsPerPage|opensearch:startIndex|author|generator|rights|opensearch:Query|@xml:lang\nfeed.entry\tid! s|title! s|summary? s|published? d|author? a\tupdated|link|category|arxiv:comment|arxiv:primary_category|arxiv:journal_ref|arxiv:doi|contributor|rights|source|content|arxiv:affiliation|arxiv:announce_type|@xmlns:arxiv\nfeed.entry.author\tname! s\tarxiv:affiliation|email|uri"},
];
