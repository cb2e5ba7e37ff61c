// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"POST","path":"/api/v1/chat/completions","objects":"\tid! s|created! n|model! s|choices! a|usage! o\tobject|provider|system_fingerprint|service_tier\nchoices[]\tfinish_reason! s|message! o\tindex|logprobs|native_finish_reason\nchoices[].message\trole! s|content! s\trefusal|reasoning\nusage\tprompt_tokens! n|completion_tokens! n|total_tokens! n|prompt_tokens_details! o|completion_tokens_details! o\tcost|is_byok|cost_details\nusage.prompt_tokens_details\tcached_tokens! n\tcache_write_tokens|audio_tokens|video_tokens\nusage.completion_tokens_details\treasoning_tokens! n\timage_tokens|audio_tokens"},
  {"method":"POST","path":"/v1/images/generations","objects":"\tcreated! n|data! a\tbackground|output_format|quality|size|usage\ndata[]\tb64_json! s\t"},
];
