/**
 * Debts of a host to wallets and accounts, summed over their records by one instance in ten minutes and told to the
 * others in the store.
 */
import { z } from "zod";
import type { Host } from "../../host/host.js";
import { once } from "../../lib/lazy.js";
import { DAY_MS, MINUTE_MS } from "../../lib/time.js";
import type { Debts } from "../../payment/payments.js";

const EVERY_MS = 10 * MINUTE_MS;
/** Accounts, and wallets of each treasury, that are summed. */
const MOST = 10_000;

const stored = once(() =>
  z.object({
    at: z.number(),
    /** Absent until the first instance is done. Micro-dollars, those of credit by network. */
    sums: z.object({ credit: z.record(z.string(), z.number()), owed: z.number(), overdrawn: z.number() }).optional(),
    failed: z.literal(true).optional(),
  }),
);
type Stored = z.infer<ReturnType<typeof stored>>;
export type DebtSums = NonNullable<Stored["sums"]>;

/** Undefined while the first sum is being made. Rejects if it could not be made. */
export async function readDebts({ store, storeName, payments, now }: Host): Promise<DebtSums | undefined> {
  const key = `debts:${storeName}`;
  const put = (record: Stored, ifVersion: number) =>
    store.put(key, JSON.stringify(record), { ttlMs: DAY_MS, ifVersion });
  const found = await store.get(key);
  const known = found && stored().safeParse(JSON.parse(found.value)).data;
  const isNew = known !== undefined && Math.abs(now() - known.at) < EVERY_MS;
  if (isNew && known.failed)
    throw new Error("another instance could not read all accounts; the next try is in ten minutes");
  if (isNew) return known.sums;
  // Taken before it is made, so that one instance alone reads all accounts.
  const begun: Stored = { at: now(), sums: known?.sums };
  const version = await put(begun, found?.version ?? 0);
  // guard: metrics: one instance alone sums what is owed | never | host/money-readings
  if (version === undefined) return known?.sums;
  try {
    const sums = sumsOf(await payments.debts(MOST));
    await put({ at: begun.at, sums }, version);
    return sums;
  } catch (error) {
    await put({ ...begun, failed: true }, version);
    throw error;
  }
}

const sumsOf = ({ credit, balances }: Debts): DebtSums => ({
  credit: Object.fromEntries([...credit].map(([network, owed]) => [network, Number(owed)])),
  owed: Number(balances?.owed ?? 0n),
  overdrawn: Number(balances?.overdrawn ?? 0n),
});
