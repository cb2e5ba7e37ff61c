/** Connects what happens in a host with its webhooks. */
import type { HostOptions } from "../../host/host.js";
import { tellingEmit, tellingLedger } from "../../host-webhooks/event-sources.js";
import type { HostWebhooks, HostWebhooksOptions } from "../../host-webhooks/webhooks.js";
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
  return whenUsed({ ...sources, webhooks, logger, fetch, userAgent: `${slug}-Webhooks` });
}

/** Loaded by the first request of a host that asks for webhooks: others start without them. */
function whenUsed(options: HostWebhooksOptions): HostWebhooks {
  let opening: Promise<HostWebhooks> | undefined;
  let opened: HostWebhooks | undefined;
  const open = () => {
    opening ??= import("../../host-webhooks/webhooks.js").then(({ createHostWebhooks }) => {
      opened = createHostWebhooks(options);
      return opened;
    });
    return opening;
  };
  return {
    tell: async (...event) => (await open()).tell(...event),
    run: async (endsAt) => (await open()).run(endsAt),
    note: (...event) => (opened ? opened.note(...event) : void open().then((webhooks) => webhooks.note(...event))),
    waiting: async (most) => (await open()).waiting(most),
    begin: () => (opened ? opened.begin() : void open().then((webhooks) => webhooks.begin())),
    planEvent(of) {
      if (opened) return opened.planEvent(of);
      const planned = open().then((webhooks) => webhooks.planEvent(of));
      return {
        stored: planned.then(({ stored }) => stored),
        confirm: () => void planned.then((plan) => plan.confirm()),
        cancel: () => void planned.then((plan) => plan.cancel()),
      };
    },
    close: async () => (await opening)?.close(),
  };
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
