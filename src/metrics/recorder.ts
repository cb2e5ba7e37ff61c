/** Records measurements with OpenTelemetry, if the host registered it, and for its own page. */
import type { EndedCallEvent } from "../payment/events/events.js";
import { type CounterName, type HistogramName, INSTRUMENTS, type Labels } from "./instruments.js";

/** Takes measurements. Labels are complete and bounded. */
export interface Sink {
  isOn(): boolean;
  /** A promise while its library is being loaded. */
  add(name: CounterName, by: number, labels: Labels): Promise<void> | undefined;
  record(name: HistogramName, seconds: number, labels: Labels): Promise<void> | undefined;
}

/** Takes a host's measurements. */
export interface Recorder {
  /** Undefined if there is nothing to wait for. */
  call(event: EndedCallEvent): Promise<unknown> | undefined;
  time(name: HistogramName, ms: number, labels: Labels): Promise<unknown> | undefined;
  /** The page in Prometheus' text form. */
  text(): Promise<string>;
}

/** Series of one instrument in one process: beyond them, what is new counts as `other`. */
const MAX_SERIES = 3000;

export function createRecorder(sinks: readonly Sink[], text: () => Promise<string>): Recorder {
  const series = new Map<string, Set<string>>();

  /** The labels of an instrument, complete; an endless number of series would fill the host's memory and its database. */
  function bounded(name: CounterName | HistogramName, given: Labels): Labels {
    const labels: readonly string[] = INSTRUMENTS[name].labels;
    const known = series.get(name) ?? new Set<string>();
    series.set(name, known);
    const values = labels.map((label) => String(given[label] ?? "none"));
    const key = values.join("\n");
    // guard: metrics: series of an instrument are bounded | never | host/metrics
    if (!known.has(key) && known.size >= MAX_SERIES) values.fill("other");
    else known.add(key);
    return Object.fromEntries(labels.map((label, i) => [label, values[i] ?? "none"]));
  }

  /** Undefined if there is nothing to wait for. */
  function each(tell: (sink: Sink) => Promise<void> | undefined): Promise<unknown> | undefined {
    const waits = sinks.filter((sink) => sink.isOn()).flatMap((sink) => tell(sink) ?? []);
    return waits.length > 0 ? Promise.all(waits) : undefined;
  }

  const add = (name: CounterName, by: number, given: Labels) => {
    const labels = bounded(name, given);
    return each((sink) => sink.add(name, by, labels));
  };
  const record = (name: HistogramName, ms: number, given: Labels) => {
    const labels = bounded(name, given);
    return each((sink) => sink.record(name, ms / 1000, labels));
  };
  return {
    text,
    time: record,
    call(event) {
      const { id: endpoint, outcome, status, caller, network, durationMs, chargedUsd } = event;
      const waits = [
        add("coinslot.calls", 1, { endpoint, outcome, status, caller, ...(network ? { network } : {}) }),
        record("coinslot.call.duration", durationMs, { endpoint, outcome, status }),
        outcome === "paid" ? add("coinslot.charged", Number(chargedUsd ?? 0), { endpoint }) : undefined,
      ].filter((wait) => wait !== undefined);
      return waits.length > 0 ? Promise.all(waits) : undefined;
    },
  };
}
