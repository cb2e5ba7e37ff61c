/**
 * The measurements of a host, recorded where they are wanted: OpenTelemetry, if the host registered it, and its own page. The
 * recorder is loaded by the first measurement; while nobody wants any, nothing is loaded.
 */
import { lazy } from "../lib/lazy.js";
import type { EndedCallEvent } from "../payment/events/events.js";
import type { GaugeReading, HistogramName, Labels } from "./instruments.js";
import type { Recorder } from "./recorder.js";
import { isRegistered } from "./registered.js";

export interface Metrics {
  /** Whether anybody wants them. */
  isOn(): boolean;
  /** Undefined if there is nothing to wait for. */
  call(event: EndedCallEvent): Promise<unknown> | undefined;
  steps(durations: ReadonlyMap<string, number>): void;
  time(name: HistogramName, ms: number, labels: Labels): void;
  /** The page in Prometheus' text form. */
  text(): Promise<string>;
}

/** `hasPage` says whether the host serves them itself. `read` reads the gauges, whenever somebody looks at them. */
export function createMetrics(
  hasPage: boolean,
  read: () => Promise<GaugeReading[]>,
  onError: (error: unknown) => void,
): Metrics {
  let isTold = false;
  /** A measurement that fails must fail no call. */
  const failed = (error: unknown) => {
    if (!isTold) onError(error);
    isTold = true;
  };
  let loaded: Recorder | undefined;
  const load = lazy(async () => {
    const { openRecorder } = await import("./open-recorder.js");
    loaded = openRecorder(hasPage, read);
    return loaded;
  });
  const isOn = () => hasPage || isRegistered("metrics");
  const use = (work: (recorder: Recorder) => Promise<unknown> | undefined) => {
    if (loaded) return work(loaded)?.catch(failed);
    return load().then(work).catch(failed);
  };
  const time: Metrics["time"] = (name, ms, labels) => {
    if (isOn()) void use((recorder) => recorder.time(name, ms, labels));
  };
  return {
    isOn,
    time,
    call: (event) => (isOn() ? use((recorder) => recorder.call(event)) : undefined),
    steps(durations) {
      if (isOn()) for (const [step, ms] of durations) time("coinslot.step.duration", ms, { step });
    },
    text: async () => (await load()).text(),
  };
}
