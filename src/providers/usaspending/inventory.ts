// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"POST","path":"/api/v2/recipient","objects":"\tpage_metadata! o|results! a\tmessages\npage_metadata\tpage! n|limit! n\ttotal|next|previous|hasNext|hasPrevious\nresults[]\tid! s|uei? sz|name! s|recipient_level? s|amount! n\tduns"},
];
