/** The table of measurements in docs/operating.md. */
import { INSTRUMENTS, type Instrument, type InstrumentName, prometheusName } from "../../src/metrics/instruments.js";
import { withBetween } from "./render-indexes.js";

/** A text with the table between `<!-- metrics -->` and `<!-- /metrics -->`. */
export function withMetricsTable(text: string): string {
  const rows = Object.entries<Instrument>(INSTRUMENTS).map(([name, { about, labels }]) => {
    const named = labels.map((label) => `\`${label}\``).join(", ") || "none";
    return `| \`${name}\` | \`${prometheusName(name as InstrumentName)}\` | ${named} | ${about} |`;
  });
  const head = ["| OpenTelemetry | Prometheus | labels | what it tells |", "| --- | --- | --- | --- |"];
  return withBetween(text, "metrics", [...head, ...rows].join("\n"));
}
