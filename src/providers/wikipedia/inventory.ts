// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/w/api.php","by":"action=query","objects":"\tquery? o\tbatchcomplete|continue|query-continue|error|errors|warnings|servedby|docref|limits|requestid|curtimestamp\nquery\tsearch? a|normalized? a|pages? o\tsearchinfo|converted|redirects|interwiki|pageids|tokens|general\nquery.search[]\ttitle! s\tns|pageid|size|wordcount|snippet|timestamp|titlesnippet|redirecttitle|redirectsnippet|sectiontitle|sectionsnippet|isfilematch|categorysnippet|extensiondata\nquery.normalized[]\tfrom! s\tto|fromencoded\nquery.pages{}\ttitle! s|extract? s\tpageid|ns|missing|known|invalid|invalidreason|special|iw|contentmodel|pagelanguage|pagelanguagehtmlcode|pagelanguagedir|touched|lastrevid|length|redirect|new"},
];
