// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"POST","path":"/search","objects":"\tanswer? sz|results! a\tfollow_up_questions|images|query|request_id|response_time|failed_results|auto_parameters|usage\nresults[]\tcontent? s|score? n|title? s|url! s\traw_content|favicon|images|published_date|id|language"},
];
