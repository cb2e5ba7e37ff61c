/** The sample watcher of a trial. */
import type { WriteScope } from "../wallet/scope.js";
import { addWatcher } from "./rows.js";

const WATCHER = {
  endpoint: "crypto.fear-greed",
  params: {},
  everySeconds: 21_600,
  callbackUrl: "https://example.com/hooks/fear",
  condition: { type: "below" as const, path: "/items/0/value", threshold: 20 },
  maxFires: 1,
  expiresInSeconds: 2_592_000,
};

export async function putWatcher(scope: WriteScope): Promise<void> {
  await addWatcher(scope, "wat_00000000000000000000000000000001", WATCHER, { value: 42, holds: false });
}
