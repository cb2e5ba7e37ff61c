/** What the host is told: one event a call, and one for each return of money. */
import type { CallEvent, HandlerOptions } from "../options.js";

export type Emit = (event: CallEvent) => void;

/** The host's own code must not spoil an answer that was paid for, neither at once nor later. */
export function createEmit({ onCall, logger }: Pick<HandlerOptions, "onCall" | "logger">): Emit {
  if (!onCall) return () => {};
  const failed = ({ requestId }: CallEvent, error: unknown) => logger?.error({ requestId, error }, "onCall threw");
  return (event) => {
    try {
      // Its type says that nothing comes back, but an async function fits that type too.
      const returned: unknown = onCall(event);
      if (returned instanceof Promise) returned.catch((error: unknown) => failed(event, error));
    } catch (error) {
      failed(event, error);
    }
  };
}
