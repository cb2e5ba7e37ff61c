// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/api/rest/v4/search","objects":"\tresults! a\tcount|next|previous|document_count\nresults[]\tabsolute_url? s|caseName! s|citation? a|cluster_id! n|court! s|court_id! s|dateFiled! d|meta? o|opinions? a|sibling_ids? a|source! s|status! s|syllabus? s\tattorney|caseNameFull|citeCount|court_citation_string|dateArgued|dateReargued|dateReargumentDenied|docketNumber|docket_id|judge|lexisCite|neutralCite|non_participating_judge_ids|panel_ids|panel_names|posture|procedural_history|scdb_id|suitNature|court_exact|snippet|timestamp|pacer_case_id|type\nresults[].opinions[]\tid! n|meta! o|snippet? s|type! s\tauthor_id|cites|download_url|joined_by_ids|local_path|per_curiam|sha1|ordering_key"},
];
