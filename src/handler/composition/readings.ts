/** Reads a host's gauges: the money that is open, the networks and facilitators that answer, and threads. */
import type { Host } from "../../host/host.js";
import { toMicros } from "../../lib/money.js";
import { poolLoads } from "../../lib/threads/pool-loads.js";
import type { GaugeReading, ReadName } from "../../metrics/instruments.js";

/** Money is read from the store of all instances, so each of them asks for it this seldom. */
const MONEY_MS = 60_000;

const reading = (name: ReadName, value: number, labels: GaugeReading["labels"] = {}): GaugeReading => ({
  name,
  value,
  labels,
});

/** Reads as often as it is asked, but for the money. What cannot be read has no value, and is read again later. */
export function createReadings(host: Host): () => Promise<GaugeReading[]> {
  let money: { at: number; readings: Promise<GaugeReading[]> } | undefined;
  return async () => {
    if (!money || host.now() - money.at >= MONEY_MS) money = { at: host.now(), readings: moneyOf(host) };
    const kept = money;
    const open = await kept.readings.catch(() => {
      if (money === kept) money = undefined;
      return [];
    });
    return [...open, ...(await reachOf(host)), ...threadsOf()];
  };
}

async function moneyOf({ payments, now }: Host): Promise<GaugeReading[]> {
  if (!payments.charges) return [];
  const [open, overdue, channels] = await Promise.all([
    payments.openPayments(),
    payments.overdueRefunds(),
    payments.channelSums(),
  ]);
  const usd = (amount: string) => Number(toMicros(amount)) / 1e6;
  const owed = new Map<string, number>();
  for (const { network, owedUsd } of overdue) owed.set(network, (owed.get(network) ?? 0) + usd(owedUsd));
  const settling = new Map<string, { count: number; oldest: number }>();
  for (const { network, since } of open) {
    const { count, oldest } = settling.get(network) ?? { count: 0, oldest: now() };
    settling.set(network, { count: count + 1, oldest: Math.min(oldest, since ? Date.parse(since) : oldest) });
  }
  return [
    ...[...settling].flatMap(([network, { count, oldest }]) => [
      reading("coinslot.settlements.open", count, { network }),
      reading("coinslot.settlements.open.age", Math.max(0, now() - oldest) / 1000, { network }),
    ]),
    ...[...owed].map(([network, sum]) => reading("coinslot.refunds.overdue", sum, { network })),
    ...(channels
      ? [
          reading("coinslot.channels.unclaimed", usd(channels.unclaimedUsd)),
          reading("coinslot.channels.at_risk", usd(channels.atRiskUsd)),
        ]
      : []),
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
