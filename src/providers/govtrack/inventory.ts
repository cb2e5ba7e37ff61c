// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/api/v2/vote/*","objects":"\tchamber! s|created! d|id! n|link! s|number! n|options! a|question! s|related_bill? z|result? s|source! s|total_minus? n|total_plus? n\tcategory|category_label|chamber_label|congress|margin|missing_data|percent_plus|question_details|related_amendment|required|session|source_label|total_other|vote_type|voteview_extra_data|is_on_passage\noptions[]\tid! n|key! fs|vote! n\tvalue|winner"},
];
