/** Measurements for hosts that registered OpenTelemetry's metrics. If none did, nothing is loaded or recorded. */
import type { Counter, Histogram, MeterProvider, Observable } from "@opentelemetry/api";
import { BOUNDS, type GaugeReading, INSTRUMENTS, type Instrument, type InstrumentName } from "./instruments.js";
import type { Sink } from "./recorder.js";
import { api, isRegistered, type Otel } from "./registered.js";

const NAME = "coinslot";

type Made = Map<string, Counter | Histogram>;

/** The instruments of the registered provider, which may be another one later. */
export function openTelemetry(read: () => Promise<GaugeReading[]>): Sink {
  const made = new WeakMap<MeterProvider, Made>();
  let otel: Otel | undefined;

  function instrumentsOf({ metrics }: Otel): Made {
    const provider = metrics.getMeterProvider();
    const known = made.get(provider);
    if (known) return known;
    const instruments: Made = new Map();
    made.set(provider, instruments);
    const meter = provider.getMeter(NAME);
    const observed = new Map<string, Observable>();
    for (const [name, { kind, unit, about: description }] of Object.entries<Instrument>(INSTRUMENTS)) {
      if (kind === "counter") instruments.set(name, meter.createCounter(name, { unit, description }));
      else if (kind === "gauge") observed.set(name, meter.createObservableGauge(name, { unit, description }));
      else if (kind === "total") observed.set(name, meter.createObservableCounter(name, { unit, description }));
      else {
        const advice = { explicitBucketBoundaries: BOUNDS };
        instruments.set(name, meter.createHistogram(name, { unit, description, advice }));
      }
    }
    meter.addBatchObservableCallback(
      async (result) => {
        for (const { name, value, labels } of await read()) {
          const instrument = observed.get(name);
          if (instrument) result.observe(instrument, value, labels);
        }
      },
      [...observed.values()],
    );
    return instruments;
  }

  function use(name: InstrumentName, work: (instrument: Counter & Histogram) => void): Promise<void> | undefined {
    const record = (loaded: Otel) => {
      const instrument = instrumentsOf(loaded).get(name);
      if (instrument) work(instrument as Counter & Histogram);
    };
    if (otel) return void record(otel);
    return api().then((loaded) => {
      otel = loaded;
      if (loaded) record(loaded);
    });
  }

  return {
    isOn: () => isRegistered("metrics"),
    add: (name, by, labels) => use(name, (counter) => counter.add(by, labels)),
    record: (name, seconds, labels) => use(name, (histogram) => histogram.record(seconds, labels)),
  };
}
