/** The sample lock of a trial. */
import { SAMPLE_TOKEN } from "../fields.js";
import type { WriteScope } from "../scope.js";
import { take } from "./rows.js";

export async function putLock(scope: WriteScope): Promise<void> {
  await take(scope, { key: "nightly-report", ttlSeconds: 3600, holder: "sample", token: SAMPLE_TOKEN });
}
