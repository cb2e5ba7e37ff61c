/** Parts of the host that the checks of a running service use. */
import type { AnyCapability, CallOptions, Settings } from "../capability/types.js";
import type { Logger } from "../lib/logger.js";
import type { Store } from "../stores/store.js";
import type { Alerts } from "./alerts.js";
import type { LiveOptions } from "./options.js";

export interface LiveDeps extends Alerts {
  options: LiveOptions;
  capabilities: readonly AnyCapability[];
  settings: Settings;
  /** Of the host: network, secrets and folder. */
  call: Omit<CallOptions, "cache" | "clock">;
  store: Store;
  name: string;
  now: () => number;
  logger: Logger;
}
