/**
 * The measurements of a host, named by OpenTelemetry's conventions; Prometheus has the same names with underscores and units.
 * Every label has few values: mounted endpoints, codes of our own tables, and names from the host's options.
 */

export interface Instrument {
  /** A `gauge` and a `total` are read when somebody looks; a total only grows. */
  readonly kind: "counter" | "histogram" | "gauge" | "total";
  /** In OpenTelemetry's form: `s` for seconds, braces around a thing that is counted. */
  readonly unit:
    | "s"
    | "{USD}"
    | "{call}"
    | "{payment}"
    | "{event}"
    | "{connection}"
    | "{request}"
    | "{thread}"
    | "{task}"
    | "1";
  readonly about: string;
  readonly labels: readonly string[];
}

export const INSTRUMENTS = {
  "coinslot.calls": {
    kind: "counter",
    unit: "{call}",
    about: "Calls by how they ended; a 402 with a quote is `challenged`.",
    labels: ["endpoint", "outcome", "status", "caller", "network"],
  },
  "coinslot.call.duration": {
    kind: "histogram",
    unit: "s",
    about: "Time from a request to its answer.",
    labels: ["endpoint", "outcome", "status"],
  },
  "coinslot.charged": {
    kind: "counter",
    unit: "{USD}",
    about: "Revenue of paid calls.",
    labels: ["endpoint"],
  },
  "coinslot.step.duration": {
    kind: "histogram",
    unit: "s",
    about: "Time of a step of a call: `authorize`, `prepare`, `run`, `settle`.",
    labels: ["step"],
  },
  "coinslot.facilitator.duration": {
    kind: "histogram",
    unit: "s",
    about: "Questions to a facilitator, by whether it gave a clear answer.",
    labels: ["facilitator", "operation", "outcome"],
  },
  "coinslot.store.duration": {
    kind: "histogram",
    unit: "s",
    about: "Operations of the store, by whether they failed.",
    labels: ["operation", "outcome"],
  },
  "coinslot.upstream.duration": {
    kind: "histogram",
    unit: "s",
    about: "Requests to upstreams, repetitions included, by `ok` or the code of their error.",
    labels: ["upstream", "outcome"],
  },
  "coinslot.settlements.open": {
    kind: "gauge",
    unit: "{payment}",
    about: "Payments whose settlement is not certain yet, of all instances; at most 1000 are counted.",
    labels: ["network"],
  },
  "coinslot.settlements.open.age": {
    kind: "gauge",
    unit: "s",
    about: "Age of the oldest payment whose settlement is not certain yet.",
    labels: ["network"],
  },
  "coinslot.refunds.overdue": {
    kind: "gauge",
    unit: "{USD}",
    about: "Refunds that are owed for more than an hour.",
    labels: ["network"],
  },
  "coinslot.channels.unclaimed": {
    kind: "gauge",
    unit: "{USD}",
    about: "Signed by vouchers of channels and not claimed on chain yet.",
    labels: [],
  },
  "coinslot.channels.at_risk": {
    kind: "gauge",
    unit: "{USD}",
    about: "The part of it that may be lost: a withdrawal has begun, or the claim is long overdue.",
    labels: [],
  },
  "coinslot.credit.owed": {
    kind: "gauge",
    unit: "{USD}",
    about: "Credit that wallets have here: refunds that were not returned on chain.",
    labels: ["network"],
  },
  "coinslot.balances.owed": {
    kind: "gauge",
    unit: "{USD}",
    about: "What accounts have in their balances, grants of money included.",
    labels: [],
  },
  "coinslot.balances.overdrawn": {
    kind: "gauge",
    unit: "{USD}",
    about: "What accounts owe, because a payment for a balance that is spent was lost.",
    labels: [],
  },
  "coinslot.money.readable": {
    kind: "gauge",
    unit: "1",
    about: "1 if the measurements of money could be read, 0 if some of them are missing.",
    labels: [],
  },
  "coinslot.trials.budget.left": {
    kind: "gauge",
    unit: "{USD}",
    about: "What free trials of all callers may still be worth in this hour.",
    labels: [],
  },
  "coinslot.upstream.budget.left": {
    kind: "gauge",
    unit: "{USD}",
    about: "What is left of the day's budget of an upstream, by the name of its secret (option `budgets`).",
    labels: ["secret"],
  },
  "coinslot.webhooks.waiting": {
    kind: "gauge",
    unit: "{event}",
    about: "Events that wait to be delivered to a receiver of `webhooks`; at most 1000 are counted.",
    labels: ["receiver"],
  },
  "coinslot.store.connections": {
    kind: "gauge",
    unit: "{connection}",
    about: "Connections of this process to the store's database, by `idle` and `used`.",
    labels: ["state"],
  },
  "coinslot.store.requests.waiting": {
    kind: "gauge",
    unit: "{request}",
    about: "Requests of this process that wait for a connection to the store.",
    labels: [],
  },
  "coinslot.network.payable": {
    kind: "gauge",
    unit: "1",
    about: "1 if a network can be paid now, 0 if not, as `/readyz` tells.",
    labels: ["network"],
  },
  "coinslot.facilitator.available": {
    kind: "gauge",
    unit: "1",
    about: "1 if a facilitator answers, 0 while it is passed over; only of several.",
    labels: ["facilitator"],
  },
  "coinslot.upstream.drift": {
    kind: "gauge",
    unit: "1",
    about: "1 for an endpoint whose upstream changed or fails (option `live`).",
    labels: ["endpoint"],
  },
  "coinslot.threads.running": {
    kind: "gauge",
    unit: "{thread}",
    about: "Threads of this process that work on a call.",
    labels: ["pool"],
  },
  "coinslot.threads.waiting": {
    kind: "gauge",
    unit: "{task}",
    about: "Tasks of this process that wait for a thread.",
    labels: ["pool"],
  },
  "coinslot.threads.ended": {
    kind: "total",
    unit: "{thread}",
    about: "Threads that were ended during a task: out of time or memory, or their caller left.",
    labels: ["pool"],
  },
} as const satisfies Record<string, Instrument>;

export type InstrumentName = keyof typeof INSTRUMENTS;
type Kind<K extends Instrument["kind"]> = {
  [N in InstrumentName]: (typeof INSTRUMENTS)[N]["kind"] extends K ? N : never;
}[InstrumentName];
export type CounterName = Kind<"counter">;
export type HistogramName = Kind<"histogram">;
export type ReadName = Kind<"gauge" | "total">;

export type Labels = Readonly<Record<string, string | number>>;

/** A gauge or a total as it stands. */
export interface GaugeReading {
  name: ReadName;
  value: number;
  labels: Labels;
}

/** Bounds of histograms, in seconds: from a read of a memory store to the longest run of an endpoint. */
export const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** The name in Prometheus' text: `coinslot.call.duration` is `coinslot_call_duration_seconds`. */
export function prometheusName(name: InstrumentName): string {
  const { kind, unit } = INSTRUMENTS[name];
  const units: Partial<Record<Instrument["unit"], string>> = { s: "_seconds", "{USD}": "_usd" };
  return `${name.replaceAll(".", "_")}${units[unit] ?? ""}${kind === "counter" || kind === "total" ? "_total" : ""}`;
}
