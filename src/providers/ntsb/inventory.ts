// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"POST","path":"/carol-main-public/api/Query/Main","objects":"\tResults! a|ResultListCount! n\tColumns|MaxResultCountReached|SessionId|QueryGroups\nResults[]\tFields! a\tEntryId\nResults[].Fields[]\tFieldName! s|Values! a\tExportName|DisplayText|ColumnId"},
];
