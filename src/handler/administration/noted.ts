/** Acts of a host on its own service, each with its entry in the audit log. */
import type { Act, Ending } from "../../audit/entry.js";
import { CapabilityError } from "../../errors.js";
import type { Host } from "../../host/host.js";

/** Makes an act, and notes who did it and what it found and left. */
export type Noted = <T>(
  act: Omit<Act, "by">,
  work: () => Promise<T>,
  facts?: (result: T) => Pick<Ending, "before" | "after">,
) => Promise<T>;

const MOST = 200;

/** The log is asked first: an act that cannot be noted is not made. */
export function notedBy({ audit }: Pick<Host, "audit">, by: string): Noted {
  return async (act, work, facts) => {
    const of = act.of === undefined ? {} : { of: String(act.of).slice(0, MOST) };
    const begun = await (await audit()).begin({ ...act, ...of, by });
    try {
      const result = await work();
      await begun.end({ outcome: "done", ...facts?.(result) });
      return result;
    } catch (error) {
      await begun.end(endingOf(error));
      throw error;
    }
  };
}

/** A refusal changed nothing; of any other error it is not known. */
function endingOf(error: unknown): Ending {
  if (CapabilityError.is(error)) return { outcome: error.status < 500 ? "failed" : "unknown", error: error.code };
  const name = error instanceof Error ? error.name : "Error";
  return { outcome: error instanceof TypeError ? "failed" : "unknown", error: name };
}
