/** Measurements as a page in Prometheus' text form, with those of the process and its event loop. */
import type { Counter, Gauge, Histogram, Registry } from "prom-client";
import { without } from "../errors.js";
import { lazy } from "../lib/lazy.js";
import { named } from "../lib/packages/named.js";
import {
  BOUNDS,
  type GaugeReading,
  INSTRUMENTS,
  type Instrument,
  type InstrumentName,
  prometheusName,
} from "./instruments.js";
import type { Sink } from "./recorder.js";

const promClient = lazy(() => import("prom-client").catch(without("prom-client")).then(named));

interface Registered {
  registry: Registry;
  instruments: ReadonlyMap<string, Counter | Histogram | Gauge>;
}

export interface PrometheusPage extends Sink {
  /** The text, with the readings of now. */
  text(read: () => Promise<GaugeReading[]>): Promise<string>;
}

export function createPrometheusPage(): PrometheusPage {
  let registered: Registered | undefined;

  const open = lazy(async (): Promise<Registered> => {
    const client = await promClient();
    const registry = new client.Registry();
    client.collectDefaultMetrics({ register: registry });
    const instruments = new Map<string, Counter | Gauge | Histogram>(
      Object.entries<Instrument>(INSTRUMENTS).map(([name, { kind, about: help, labels }]) => {
        const facts = { name: prometheusName(name as InstrumentName), help, labelNames: labels, registers: [registry] };
        if (kind === "counter" || kind === "total") return [name, new client.Counter(facts)];
        if (kind === "gauge") return [name, new client.Gauge(facts)];
        return [name, new client.Histogram({ ...facts, buckets: BOUNDS })];
      }),
    );
    registered = { registry, instruments };
    return registered;
  });

  function use<T>(name: InstrumentName, work: (instrument: T) => void): Promise<void> | undefined {
    if (registered) return void work(registered.instruments.get(name) as T);
    return open().then(({ instruments }) => work(instruments.get(name) as T));
  }

  return {
    isOn: () => true,
    add: (name, by, labels) => use<Counter>(name, (counter) => counter.inc(labels, by)),
    record: (name, seconds, labels) => use<Histogram>(name, (histogram) => histogram.observe(labels, seconds)),
    async text(read) {
      const { registry, instruments } = await open();
      const readings = await read();
      for (const [name, { kind }] of Object.entries<Instrument>(INSTRUMENTS))
        if (kind === "gauge" || kind === "total") instruments.get(name)?.reset();
      // A total is told whole each time, which is an increase from nothing.
      for (const { name, value, labels } of readings) (instruments.get(name) as Gauge | Counter).inc(labels, value);
      return registry.metrics();
    },
  };
}
