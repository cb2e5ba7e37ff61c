/** Connects what happens in a host with its webhooks. */
import type { HostOptions } from "../host/host.js";
import { type ToldSales, tellingEmit, tellingLedger } from "../host-webhooks/told.js";
import { createHostWebhooks, type HostWebhooks } from "../host-webhooks/webhooks.js";
import type { Emit } from "../payment/events.js";
import type { Ledger } from "../payment/ledger/ledger.js";
import type { Store } from "../stores/store.js";

interface Sources {
  store: Store;
  host: string;
  slug: string;
  now: () => number;
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
  if (!webhooks) return { ledger, emit };
  const sales: ToldSales = new Map();
  return { ledger: tellingLedger(ledger, webhooks, sales), emit: tellingEmit(emit, webhooks, sales, now) };
}
