/** Puts the checks of upstreams into a host, if it wants them, and tells whoever listens. */

import type { LiveDeps } from "../../drift/deps.js";
import type { DriftEvent } from "../../drift/options.js";
import type { Live } from "../../drift/service.js";
import type { Host } from "../../host/host.js";
import type { HostWebhooks } from "../../host-webhooks/webhooks.js";
import { onLambda, onWorkers } from "../../lib/packages/platform.js";

const ROUND_MS = 60_000;
/** Within which a round of a long-lived process starts its checks. */
const BUDGET_MS = 20_000;

export interface HostLive extends Live {
  close(): Promise<void>;
}

/** Undefined if the host wants no checks. `name` tells the host from others of the same store. */
export function openLive(host: Host, name: string): HostLive | undefined {
  const { options, webhooks } = host;
  if (!options.live) return undefined;
  const { fetch, secrets = process.env, dataDir, outbound, logger } = options;
  const setting = (key: string) => secrets[key] || undefined;
  const live = whenUsed({
    options: options.live,
    capabilities: host.capabilities,
    settings: { secret: setting, setting },
    call: { secrets, ...(fetch ? { fetch } : {}), ...(dataDir ? { dataDir } : {}), ...(outbound ? { outbound } : {}) },
    store: host.store,
    name,
    now: host.now,
    logger,
    emit: (event) => tell(host, event),
    storeEvent: webhooks && ((event, named) => storeEvent(webhooks, event, { ...named, happenedAt: host.now() })),
  });
  let running: Promise<unknown> = Promise.resolve();
  const round = () => {
    running = live
      .run(performance.now() + BUDGET_MS)
      .catch((error: unknown) =>
        logger.warn({ error }, "live: a round of checks of upstreams failed; the next one checks them again"),
      );
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

function storeEvent(
  webhooks: HostWebhooks,
  { kind, id: endpoint, ...facts }: DriftEvent,
  named: Parameters<HostWebhooks["tell"]>[2],
): Promise<void> {
  return webhooks.tell(kind, { endpoint, ...facts }, named);
}

/** A listener that throws does not concern the check. */
function tell({ options }: Host, event: DriftEvent): void {
  const failed = (error: unknown) => options.logger.error({ error, endpoint: event.id }, "onDrift threw");
  try {
    const returned: unknown = options.onDrift?.(event);
    if (returned instanceof Promise) returned.catch(failed);
  } catch (error) {
    failed(error);
  }
}

/** Loaded by the first call of a host that asks for checks; until then nothing is known, as before the first reading. */
function whenUsed(deps: LiveDeps): Live {
  let opening: Promise<Live> | undefined;
  let opened: Live | undefined;
  const open = () => {
    opening ??= import("../../drift/service.js").then(({ createLive }) => {
      opened = createLive(deps);
      return opened;
    });
    return opening;
  };
  return {
    fresh: () => (opened ? opened.fresh() : open().then((live) => live.fresh())),
    assertSound: (id) => opened?.assertSound(id),
    reasonOf: (id) => opened?.reasonOf(id),
    failing: () => opened?.failing() ?? [],
    run: async (endsAt) => (await open()).run(endsAt),
    note: (event) => (opened ? opened.note(event) : void open().then((live) => live.note(event))),
    watches: (id, payer) => (seen) =>
      opened ? opened.watches(id, payer)(seen) : void open().then((live) => live.watches(id, payer)(seen)),
    settled: async () => (await opening)?.settled(),
  };
}
