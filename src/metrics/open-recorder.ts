import type { GaugeReading } from "./instruments.js";
import { openTelemetry } from "./otel.js";
import { createPrometheusPage } from "./prometheus.js";
import { createRecorder, type Recorder } from "./recorder.js";

/** The recorder of a host: for OpenTelemetry, and for its page if it has one. */
export function openRecorder(hasPage: boolean, read: () => Promise<GaugeReading[]>): Recorder {
  const page = hasPage ? createPrometheusPage() : undefined;
  return createRecorder([openTelemetry(read), ...(page ? [page] : [])], async () => page?.text(read) ?? "");
}
