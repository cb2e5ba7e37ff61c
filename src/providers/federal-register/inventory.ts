// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/api/v1/documents.json","objects":"\tcount! n|results! a\tdescription|total_pages|next_page_url\nresults[]\tdocument_number! s|type! s|title! s|abstract! s|publication_date! d|html_url! s|agencies! a|agency_names! a|topics! a\taction|dates|effective_on|citation|significant|excerpts\nresults[].agencies[]\tname s|id n|url s\traw_name|json_url|parent_id|slug"},
];
