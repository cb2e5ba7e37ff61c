/** Connects the budgets of a host's upstreams with what the host hears. */

import type { HostOptions } from "../../host/host.js";
import type { HostWebhooks } from "../../host-webhooks/webhooks.js";
import { type BudgetEvent, type Budgets, createBudgets } from "../../metering/budgets.js";
import type { Emit } from "../../payment/events/events.js";
import type { Store } from "../../stores/store.js";

interface Sources {
  store: Store;
  host: string;
  formerNames: readonly string[];
  emit: Emit;
  webhooks: HostWebhooks | undefined;
  settingOf: (name: string) => string | undefined;
  now: () => number;
}

/** Undefined if the host set none. */
export function openBudgets(
  { budgets, logger }: HostOptions,
  { webhooks, settingOf, emit, ...shared }: Sources,
): Budgets | undefined {
  if (!budgets) return undefined;
  const setting = { secret: settingOf, setting: settingOf };
  return createBudgets({
    ...shared,
    budgets,
    logger,
    secretsOf: (capability) => capability.requiresAt(setting),
    tell(event) {
      const { secret, percent } = event;
      logger.warn(event, `budgets: ${percent} percent of the day's budget of ${secret} are spent`);
      emit({ kind: "budget", outcome: percent === 100 ? "spent" : "near", id: secret, ...event });
    },
    ...(webhooks ? { storeEvent: (event) => webhooks.tell("budget", event, namedBy(event, shared.now())) } : {}),
  });
}

const namedBy = ({ secret, percent, day }: BudgetEvent, happenedAt: number) => ({
  ...{ id: `${secret}_${percent}`, at: Date.parse(day), happenedAt },
});
