/** The measurements of a host, and the page that serves them. */
import type { Host, HostOptions } from "../../host/host.js";
import { lazy } from "../../lib/lazy.js";
import { isInstalled, toInstall } from "../../lib/packages/installed.js";
import { measuredFacilitator, measuredStore } from "../../metrics/measured.js";
import { createMetrics, type Metrics } from "../../metrics/metrics.js";
import type { MetricsOptions } from "../../metrics/options.js";
import type { MeasuredFacilitator } from "../../payment/x402/facilitators.js";
import type { Store } from "../../stores/store.js";

const readings = lazy(() => import("./readings.js"));
const pages = lazy(() => import("./metrics-page.js"));
const ports = lazy(() => import("./metrics-port.js"));

export interface OpenMetrics {
  metrics: Metrics;
  /** The same store, timed where somebody measures. */
  store(store: Store): Store;
  /** Absent where nobody measures. */
  facilitator: MeasuredFacilitator | undefined;
  /** Serves the page, if the host wants one. */
  mount(host: Host): void;
}

/** Throws a TypeError if the library of the page is not installed. */
export function openMetrics(
  { metrics: page, logger }: Pick<HostOptions, "metrics" | "logger">,
  hostOf: () => Host,
): OpenMetrics {
  if (page && !isInstalled("prom-client"))
    throw new TypeError(`metrics needs the package prom-client: ${toInstall("prom-client")}`);
  const reader = lazy(async () => (await readings()).createReadings(hostOf()));
  const metrics = createMetrics(
    page !== undefined,
    async () => (await reader())(),
    (error) => logger.error({ error }, "metrics: cannot be recorded"),
  );
  const isMeasured = metrics.isOn();
  return {
    metrics,
    store: (store) => (isMeasured ? measuredStore(store, metrics) : store),
    facilitator: isMeasured ? (client, name) => measuredFacilitator(client, name, metrics) : undefined,
    mount(host) {
      if (page) mountPage(host, page === true ? {} : page);
    },
  };
}

/** Adds the page to the service, or opens its port. */
function mountPage(host: Host, { token, path, port, address = "127.0.0.1" }: MetricsOptions): void {
  const { text } = host.metrics;
  if (port === undefined) {
    host.routes.add(path ?? `${host.basePath}/metrics`, {
      kind: "service",
      methods: ["GET"],
      async answer({ headers }, { info }) {
        const { metricsPage, isNear } = await pages();
        const reader = { authorization: headers.get("authorization"), isNear: isNear(headers, info.clientAddress) };
        return metricsPage(reader, { token, text });
      },
    });
    return;
  }
  const open = async () => {
    const [{ openPort }, { metricsPage }] = await Promise.all([ports(), pages()]);
    // Who reaches this port is the host's to say, by the address that it listens at.
    return openPort({ port, address, path: path ?? "/metrics" }, (authorization) =>
      metricsPage({ authorization, isNear: true }, { token, text }),
    );
  };
  const { logger } = host.options;
  host.resources
    .use("metrics port", open, (opened) => opened.close())
    .then(
      ({ url }) => logger.info({ url }, `metrics: served at ${url}`),
      (error: unknown) => logger.error({ error }, `metrics: port ${port} of ${address} cannot be opened`),
    );
}
