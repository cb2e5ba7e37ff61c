import { CapabilityError } from "../errors.js";
import { atMost } from "../lib/abort.js";
import type { Store } from "./store.js";

/** A store that is frozen would hold every call; what it does in the end is found by the next that looks. */
const STORE_TIMEOUT_MS = 5000;

/** A store that cannot be reached stops the call before anything is given away. */
export function failClosed(store: Store): Store {
  const guard = <T>(work: () => Promise<T>): Promise<T> => {
    const opened = store.opened?.();
    const done = opened ? opened.then(() => atMost(STORE_TIMEOUT_MS, work)) : atMost(STORE_TIMEOUT_MS, work);
    return done.catch((cause: unknown) => {
      // Such as a folder that another process has: to try again helps nobody, and the host's log names it.
      if (CapabilityError.is(cause) && cause.code === "PROVIDER_NOT_CONFIGURED") throw cause;
      const message = "The service cannot reach its own state; try the same request again shortly.";
      throw new CapabilityError("OVERLOADED", message, { retryAfter: 5, cause });
    });
  };
  return {
    shared: store.shared,
    get: (key) => guard(() => store.get(key)),
    put: (key, value, options) => guard(() => store.put(key, value, options)),
    remove: (key, ifVersion) => guard(() => store.remove(key, ifVersion)),
    increment: (key, by, options) => guard(() => store.increment(key, by, options)),
    due: (now, limit) => guard(() => store.due(now, limit)),
    list: (prefix, options) => guard(() => store.list(prefix, options)),
    close: () => store.close(),
  };
}
