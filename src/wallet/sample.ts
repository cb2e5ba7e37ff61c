/** What a trial finds: a little of everything, under the names that the examples of the operations use. */
import { writeValue } from "./kv-rows.js";
import type { Account } from "./view.js";

const VALUES = { greeting: { text: "hello" }, farewell: { text: "bye" }, visits: 3 };

/** Each kind adds its own; all of it is rolled back. */
export async function putSamples(account: Account): Promise<void> {
  for (const [key, value] of Object.entries(VALUES)) await writeValue(account, { ns: "memory", key, value }, 0);
}
