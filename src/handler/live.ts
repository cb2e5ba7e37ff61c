/** Puts the checks of upstreams into a host, if it wants them, and tells whoever listens. */
import type { Host } from "../host/host.js";
import type { HandlerOptions } from "../host/options.js";
import type { HostWebhooks } from "../host-webhooks/webhooks.js";
import { onLambda, onWorkers } from "../lib/platform.js";
import type { DriftEvent } from "../live/options.js";
import { createLive, type Live } from "../live/service.js";

const ROUND_MS = 60_000;
/** Within which a round of a long-lived process starts its checks. */
const BUDGET_MS = 20_000;

export interface HostLive extends Live {
  close(): Promise<void>;
}

/** The host's own function, and its webhooks. */
export function listenersOf(
  { onDrift }: HandlerOptions,
  webhooks: HostWebhooks | undefined,
  now: () => number,
): Host["driftListeners"] {
  const listeners: Host["driftListeners"] = new Set(onDrift ? [onDrift] : []);
  if (webhooks)
    listeners.add(({ kind, id: endpoint, ...facts }) => {
      const at = now();
      void webhooks.note(kind, { endpoint, ...facts }, { id: `${endpoint}${facts.outcome}${at}`, at });
    });
  return listeners;
}

/** Undefined if the host wants no checks. `name` tells the host from others of the same store. */
export function openLive(host: Host, name: string): HostLive | undefined {
  const { options } = host;
  if (!options.live) return undefined;
  const { fetch, secrets = process.env, dataDir, outbound, logger } = options;
  const setting = (key: string) => secrets[key] || undefined;
  const live = createLive({
    options: options.live,
    capabilities: host.capabilities,
    settings: { secret: setting, setting },
    call: { secrets, ...(fetch ? { fetch } : {}), ...(dataDir ? { dataDir } : {}), ...(outbound ? { outbound } : {}) },
    store: host.store,
    name,
    now: host.now,
    logger,
    emit: (event) => tell(host, event),
  });
  let running: Promise<unknown> = Promise.resolve();
  const round = () => {
    running = live
      .run(performance.now() + BUDGET_MS)
      .catch((error: unknown) => logger.warn({ error }, "live: a round failed"));
  };
  const timer = onLambda() || onWorkers() ? undefined : setInterval(round, ROUND_MS).unref();
  return {
    ...live,
    async close() {
      clearInterval(timer);
      await Promise.all([running, live.settled()]);
    },
  };
}

/** A listener that throws concerns neither the check nor the other listeners. */
function tell({ driftListeners, options }: Host, event: DriftEvent): void {
  const failed = (error: unknown) => options.logger.error({ error, endpoint: event.id }, "onDrift threw");
  for (const listener of driftListeners)
    try {
      const returned: unknown = listener(event);
      if (returned instanceof Promise) returned.catch(failed);
    } catch (error) {
      failed(error);
    }
}
