// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/w/api.php","by":"action=query","objects":"\tquery! o\tbatchcomplete|continue|error|errors|warnings|servedby|docref|limits\nquery\tsearch a|normalized a|pages o\tsearchinfo\nquery.search[]\ttitle! s\tns|pageid|size|wordcount|snippet|timestamp\nquery.normalized[]\tfrom! s\tto\nquery.pages{}\ttitle! s|extract! s\tpageid|ns"},
];
