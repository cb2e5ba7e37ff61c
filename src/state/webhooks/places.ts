/** Which running deliveries leave room for which others. */

/** At once, of those that may still answer at once: what hangs must not keep the others waiting. */
const MAX_QUICK = 32;
const QUICK_MS = 400;
const BUSY_WALLET = 8;
/** Open deliveries to receivers that answered their last message, and as many to all others. */
const MAX_OPEN = 128;

export interface DeliveryTask {
  origin: string;
  wallet: string;
  /** Whether its receiver answered its last message. */
  isWell: boolean;
  /** On the clock of `performance.now()`. */
  since: number;
}

/** Places for receivers of one kind. */
export interface Share {
  limit: number;
  /** Wallets that have their part of the places. */
  busyWallets: string[];
}

export interface Room {
  /** Number of deliveries that may start beside the running ones. */
  limit: number;
  busyOrigins: string[];
  /** Wallets that may start nothing before one of their deliveries ends or turns out to be slow. */
  busyWallets: string[];
  /** For receivers that answered their last message. */
  well: Share;
  /** For all others: new ones, and those that failed. */
  doubtful: Share;
}

/** A destination's few places stay taken while its deliveries run. */
export function roomBeside(tasks: Iterable<DeliveryTask>, now: number): Room {
  const all = [...tasks];
  const quick = all.filter(({ since }) => now - since < QUICK_MS);
  const well = shareBeside(all, quick, { isWell: true, maxQuick: MAX_QUICK });
  const doubtful = shareBeside(all, quick, { isWell: false, maxQuick: MAX_QUICK / 2 });
  return {
    limit: Math.max(0, Math.min(MAX_QUICK - quick.length, well.limit + doubtful.limit)),
    busyOrigins: [...new Set(all.map(({ origin }) => origin))],
    busyWallets: walletsWith(BUSY_WALLET, quick),
    well,
    doubtful,
  };
}

/**
 * A wallet has its part when it holds as many places as are free: one alone may take half of them, several divide them,
 * and however many there are, those that hold none come before those that hold some.
 */
function shareBeside(
  all: readonly DeliveryTask[],
  quick: readonly DeliveryTask[],
  { isWell, maxQuick }: { isWell: boolean; maxQuick: number },
): Share {
  const open = all.filter((one) => one.isWell === isWell);
  const free = MAX_OPEN - open.length;
  const quickFree = maxQuick - quick.filter((one) => one.isWell === isWell).length;
  return { limit: Math.max(0, Math.min(free, quickFree)), busyWallets: walletsWith(Math.max(1, free), open) };
}

function walletsWith(least: number, tasks: readonly DeliveryTask[]): string[] {
  const counts = new Map<string, number>();
  for (const { wallet } of tasks) counts.set(wallet, (counts.get(wallet) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= least).map(([wallet]) => wallet);
}
