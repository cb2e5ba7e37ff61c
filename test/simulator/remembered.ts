/** Signatures take milliseconds and worlds repeat each other: what is pure is computed once for all of them. */
import { presentTimeline } from "./timeline.js";

type Result = { value: unknown } | { error: unknown };

const known = new Map<string, Result>();

/** What `make` gives, a moment later in the world's time, whether or not it was known before. */
export async function remembered<T>(key: string, make: () => Promise<T>): Promise<T> {
  const timeline = presentTimeline();
  if (!known.has(key)) {
    const made = make().then(
      (value) => known.set(key, { value }),
      (error: unknown) => known.set(key, { error }),
    );
    timeline.stopFor(made);
  }
  await timeline.sleep(1);
  const result = known.get(key);
  if (result && "value" in result) return result.value as T;
  throw result?.error;
}
