/** Whether a host registered OpenTelemetry, known without loading its API. */
import { lazy } from "../lib/lazy.js";

export type Otel = typeof import("@opentelemetry/api");

/** Every copy of the OpenTelemetry API registers its providers here, so this symbol tells whether there are any. */
const REGISTERED = Symbol.for("opentelemetry.js.api.1");

export const isRegistered = (kind: "trace" | "metrics"): boolean =>
  (globalThis as { [REGISTERED]?: Record<string, unknown> })[REGISTERED]?.[kind] !== undefined;

/** Resolves to undefined if the package is not installed. */
export const api = lazy(() => import("@opentelemetry/api").catch(() => undefined));
