/** Reads a host's gauges: money that is open, owed or left, the networks and facilitators that answer, threads and connections. */
import type { Host } from "../../host/host.js";
import type { HostWebhooks } from "../../host-webhooks/webhooks.js";
import { toMicros } from "../../lib/money.js";
import { poolLoads } from "../../lib/threads/pool-loads.js";
import { HOUR_MS } from "../../lib/time.js";
import type { Budgets } from "../../metering/budgets.js";
import type { GaugeReading, ReadName } from "../../metrics/instruments.js";
import { readDebts } from "./debts.js";

/** Money is read from the store of all instances, so each of them asks for it this seldom. */
const MONEY_MS = 60_000;

/** Events of one receiver that are counted. */
const MOST_WAITING = 1000;

const reading = (name: ReadName, value: number, labels: GaugeReading["labels"] = {}): GaugeReading => ({
  name,
  value,
  labels,
});

/** Reads as often as it is asked, but for the money. What cannot be read has no value, and is read again later. */
export function createReadings(host: Host): () => Promise<GaugeReading[]> {
  let money: { at: number; readings: Promise<GaugeReading[]> } | undefined;
  const readMoney = createMoneyReader(host);
  return async () => {
    if (!money || host.now() - money.at >= MONEY_MS) money = { at: host.now(), readings: readMoney() };
    return [...(await money.readings), ...(await reachOf(host)), ...threadsOf(), ...connectionsOf(host)];
  };
}

/** Never rejects: a part that cannot be read is left out, and the log has a line when that begins and when it ends. */
function createMoneyReader(host: Host): () => Promise<GaugeReading[]> {
  const { payments, budgets, webhooks } = host;
  const parts: Record<string, () => Promise<GaugeReading[]>> = {
    ...(budgets ? { budgets: () => budgetsOf(budgets) } : {}),
    ...(webhooks ? { webhooks: () => webhooksOf(webhooks) } : {}),
    ...(payments.charges
      ? {
          settlements: () => settlementsOf(host),
          refunds: () => refundsOf(host),
          channels: () => channelsOf(host),
          debts: () => debtsOf(host),
          trials: () => trialsOf(host),
        }
      : {}),
  };
  const unread = new Set<string>();
  async function read([name, part]: [string, () => Promise<GaugeReading[]>]): Promise<GaugeReading[]> {
    try {
      const readings = await part();
      if (unread.delete(name)) host.options.logger.info({ part: name }, "metrics: these figures can be read again");
      return readings;
    } catch (error) {
      if (!unread.has(name))
        host.options.logger.error({ part: name, error }, "metrics: these figures cannot be read, so they are missing");
      unread.add(name);
      return [];
    }
  }
  return async () => {
    const all = await Promise.all(Object.entries(parts).map(read));
    return [...all.flat(), reading("coinslot.money.readable", unread.size === 0 ? 1 : 0)];
  };
}

const ofMicros = (micros: bigint | number) => Number(micros) / 1e6;
const ofUsd = (amount: string) => ofMicros(toMicros(amount));

async function settlementsOf({ payments, now }: Host): Promise<GaugeReading[]> {
  const settling = new Map<string, { count: number; oldest: number }>();
  for (const { network, since } of await payments.openPayments()) {
    const { count, oldest } = settling.get(network) ?? { count: 0, oldest: now() };
    settling.set(network, { count: count + 1, oldest: Math.min(oldest, since ? Date.parse(since) : oldest) });
  }
  return [...settling].flatMap(([network, { count, oldest }]) => [
    reading("coinslot.settlements.open", count, { network }),
    reading("coinslot.settlements.open.age", Math.max(0, now() - oldest) / 1000, { network }),
  ]);
}

async function refundsOf({ payments }: Host): Promise<GaugeReading[]> {
  const owed = new Map<string, number>();
  for (const { network, owedUsd } of await payments.overdueRefunds())
    owed.set(network, (owed.get(network) ?? 0) + ofUsd(owedUsd));
  return [...owed].map(([network, sum]) => reading("coinslot.refunds.overdue", sum, { network }));
}

async function channelsOf({ payments }: Host): Promise<GaugeReading[]> {
  const channels = await payments.channelSums();
  if (!channels) return [];
  return [
    reading("coinslot.channels.unclaimed", ofUsd(channels.unclaimedUsd)),
    reading("coinslot.channels.at_risk", ofUsd(channels.atRiskUsd)),
  ];
}

async function debtsOf(host: Host): Promise<GaugeReading[]> {
  const sums = await readDebts(host);
  if (!sums) return [];
  const credit = Object.entries(sums.credit).map(([network, owed]) =>
    reading("coinslot.credit.owed", ofMicros(owed), { network }),
  );
  if (!host.payments.accounts) return credit;
  return [
    ...credit,
    reading("coinslot.balances.owed", ofMicros(sums.owed)),
    reading("coinslot.balances.overdrawn", ofMicros(sums.overdrawn)),
  ];
}

async function trialsOf({ store, options: { trial } }: Host): Promise<GaugeReading[]> {
  if (trial === false) return [];
  const budget = ofUsd(trial?.deploymentBudgetUsd ?? "1");
  const spent = await store.increment("trial-worth", 0, { ttlMs: HOUR_MS });
  return [reading("coinslot.trials.budget.left", Math.max(0, Math.round((budget - ofMicros(spent ?? 0)) * 1e6) / 1e6))];
}

const budgetsOf = async (budgets: Budgets): Promise<GaugeReading[]> =>
  [...(await budgets.left())].map(([secret, left]) =>
    reading("coinslot.upstream.budget.left", ofMicros(left), { secret }),
  );

const webhooksOf = async (webhooks: HostWebhooks): Promise<GaugeReading[]> =>
  [...(await webhooks.waiting(MOST_WAITING))].map(([receiver, count]) =>
    reading("coinslot.webhooks.waiting", count, { receiver }),
  );

function connectionsOf({ store }: Host): GaugeReading[] {
  const known = store.connections?.();
  if (!known) return [];
  return [
    reading("coinslot.store.connections", known.idle, { state: "idle" }),
    reading("coinslot.store.connections", known.used, { state: "used" }),
    reading("coinslot.store.requests.waiting", known.waiting),
  ];
}

async function reachOf({ payments, live }: Host): Promise<GaugeReading[]> {
  const rails = (await payments.rails()) ?? {};
  return [
    ...Object.entries(rails).map(([network, state]) =>
      reading("coinslot.network.payable", state === "ok" ? 1 : 0, { network }),
    ),
    ...(payments.facilitators() ?? []).map(({ name, status }) =>
      reading("coinslot.facilitator.available", status === "ok" ? 1 : 0, { facilitator: name }),
    ),
    ...(live?.failing() ?? []).map(({ id }) => reading("coinslot.upstream.drift", 1, { endpoint: id })),
  ];
}

const threadsOf = (): GaugeReading[] =>
  poolLoads().flatMap(({ name: pool, running, waiting, ended }) => [
    reading("coinslot.threads.running", running, { pool }),
    reading("coinslot.threads.waiting", waiting, { pool }),
    reading("coinslot.threads.ended", ended, { pool }),
  ]);
