import { CapabilityError } from "../errors.js";
import { atMost } from "../lib/abort.js";
import type { Retries } from "../lib/retry.js";
import type { Store } from "./store.js";

/** A frozen store would hold every call. The outcome of a late write is found by the next read. */
const STORE_TIMEOUT_MS = 5000;

/** For a change that is made once, however often it is repeated, and must not be given up at the first silence. */
export const WHILE_SILENT: Retries = {
  attempts: 3,
  isPassing: (error) => CapabilityError.is(error) && error.code === "OVERLOADED",
  pauseMs: (attempt) => 50 * attempt,
};

/** Turns failures of the store into errors, so that a call stops before anything is given away. */
export function failClosed(store: Store): Store {
  const guard = <T>(work: () => Promise<T>): Promise<T> => {
    const opened = store.opened?.();
    // guard: a store that is frozen ends a call | : atMost(STORE_TIMEOUT_MS, work) -> : work() | budgets
    const done = opened ? opened.then(() => atMost(STORE_TIMEOUT_MS, work)) : atMost(STORE_TIMEOUT_MS, work);
    return done.catch((cause: unknown) => {
      // For example a folder that another process holds: a retry does not help, and the host's log names the folder.
      if (CapabilityError.is(cause) && cause.code === "PROVIDER_NOT_CONFIGURED") throw cause;
      const message = "The service cannot reach its own state; try the same request again shortly.";
      throw new CapabilityError("OVERLOADED", message, { retryAfter: 5, cause });
    });
  };
  return {
    shared: store.shared,
    room: store.room,
    get: (key) => guard(() => store.get(key)),
    put: (key, value, options) => guard(() => store.put(key, value, options)),
    remove: (key, ifVersion) => guard(() => store.remove(key, ifVersion)),
    increment: (key, by, options) => guard(() => store.increment(key, by, options)),
    due: (now, limit) => guard(() => store.due(now, limit)),
    list: (prefix, options) => guard(() => store.list(prefix, options)),
    connections: () => store.connections?.(),
    close: () => store.close(),
  };
}
