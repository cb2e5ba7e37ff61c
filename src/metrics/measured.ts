/** Wraps what a host asks, so that each question is timed. Nothing is wrapped where nobody measures. */
import type { FacilitatorClient } from "../payment/x402/facilitator.js";
import type { Store } from "../stores/store.js";
import type { HistogramName, Labels } from "./instruments.js";
import type { Metrics } from "./metrics.js";

/** Times work; `outcomeOf` reads how a result ended, and a rejection is `failed`. */
async function timed<T>(
  { time }: Pick<Metrics, "time">,
  name: HistogramName,
  { labels, outcomeOf = () => "ok" }: { labels: Labels; outcomeOf?: (result: T) => string },
  work: () => Promise<T>,
): Promise<T> {
  const from = performance.now();
  let outcome = "failed";
  try {
    const result = await work();
    outcome = outcomeOf(result);
    return result;
  } finally {
    time(name, performance.now() - from, { ...labels, outcome });
  }
}

type Timer = Pick<Metrics, "time">;

/** The same store, timed. */
export function measuredStore(store: Store, metrics: Timer): Store {
  const ask = <T>(operation: string, work: () => Promise<T>) =>
    timed(metrics, "coinslot.store.duration", { labels: { operation } }, work);
  return {
    ...store,
    get: (key) => ask("get", () => store.get(key)),
    put: (key, value, options) => ask("put", () => store.put(key, value, options)),
    remove: (key, ifVersion) => ask("remove", () => store.remove(key, ifVersion)),
    increment: (key, by, options) => ask("increment", () => store.increment(key, by, options)),
    due: (now, limit) => ask("due", () => store.due(now, limit)),
    list: (prefix, options) => ask("list", () => store.list(prefix, options)),
  };
}

/** The same facilitator, timed; a settlement without a certain outcome is `pending`. */
export function measuredFacilitator(client: FacilitatorClient, facilitator: string, metrics: Timer): FacilitatorClient {
  const ask = <T>(operation: string, work: () => Promise<T>, outcomeOf?: (result: T) => string) =>
    timed(
      metrics,
      "coinslot.facilitator.duration",
      { labels: { facilitator, operation }, ...(outcomeOf ? { outcomeOf } : {}) },
      work,
    );
  return {
    ...client,
    verify: (payment) => ask("verify", () => client.verify(payment)),
    settle: (payment) =>
      ask(
        "settle",
        () => client.settle(payment),
        ({ kind }) => (kind === "pending" ? kind : "ok"),
      ),
    supported: () => ask("supported", () => client.supported()),
  };
}
