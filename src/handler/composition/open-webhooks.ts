/** Connects what happens in a host with its webhooks. */
import type { HostOptions } from "../../host/host.js";
import { tellingEmit, tellingLedger } from "../../host-webhooks/event-sources.js";
import { createHostWebhooks, type HostWebhooks, type HostWebhooksOptions } from "../../host-webhooks/webhooks.js";
import type { Emit } from "../../payment/events/events.js";
import type { Ledger } from "../../payment/ledger/ledger.js";

interface Sources extends Pick<HostWebhooksOptions, "find" | "formerNames" | "review" | "host" | "now" | "store"> {
  slug: string;
}

/** Undefined if the host asks for none. */
export function openWebhooks(options: HostOptions, { slug, ...sources }: Sources): HostWebhooks | undefined {
  const { webhooks, logger } = options;
  if (!webhooks?.length) return undefined;
  const fetch = options.fetch ?? ((...args: Parameters<typeof globalThis.fetch>) => globalThis.fetch(...args));
  return createHostWebhooks({ ...sources, webhooks, logger, fetch, userAgent: `${slug}-Webhooks` });
}

/** The ledger and the events of a host, which its webhooks follow. */
export function toldTo(
  webhooks: HostWebhooks | undefined,
  ledger: Ledger,
  emit: Emit,
  now: () => number,
): { ledger: Ledger; emit: Emit } {
  return webhooks
    ? { ledger: tellingLedger(ledger, webhooks), emit: tellingEmit(emit, webhooks, now) }
    : { ledger, emit };
}
