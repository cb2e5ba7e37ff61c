/** Sums of a day: booked before anything is signed, and lowered to the cost once it is known. */
import { CapabilityError } from "../../errors.js";
import { fromMicros, least, type Micros } from "../../lib/money.js";
import { emptyRecord, type ReadLimits, type SpendingBook, type SpendingRecord } from "../buyer-limits.js";

export interface Booking {
  amount: Micros;
  /** Sum of this day with it. */
  today: Micros;
  /** Lowers it to so much. */
  lower(to: Micros): void;
}

interface Booked {
  seller: string;
  endpoint: string | undefined;
}

/** The record of all clients of this process that name no other one. */
export function memoryBook(): SpendingBook {
  const record = emptyRecord();
  return { change: (edit) => edit(record) };
}

interface Cap {
  key: string;
  option: string;
  most: Micros | undefined;
}

function capsOf(limits: ReadLimits, { seller, endpoint }: Booked): Cap[] {
  const all: Cap[] = [
    { key: "all", option: "limits.usdPerDay", most: limits.day },
    { key: `seller ${seller}`, option: "limits.sellerUsdPerDay", most: limits.sellerDay },
  ];
  if (endpoint === undefined) return all;
  const own = limits.endpoints.get(endpoint)?.day;
  const option = own === undefined ? "limits.endpointUsdPerDay" : `limits.endpoints.${endpoint}.usdPerDay`;
  return [...all, { key: `endpoint ${seller} ${endpoint}`, option, most: own ?? limits.endpointDay }];
}

const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

const sumOf = ({ sums }: SpendingRecord, key: string): Micros =>
  Object.hasOwn(sums, key) ? BigInt(sums[key] ?? 0) : 0n;

/**
 * Books an amount, or with `atMost` as much of it as the limits leave; an undefined one is all that they leave. Rejects
 * with SPENDING_LIMIT.
 */
export async function bookDay(
  book: SpendingBook,
  limits: ReadLimits,
  asked: Booked & { amount: Micros | undefined; atMost?: boolean; now: number },
): Promise<Booking> {
  const caps = capsOf(limits, asked);
  const { day, amount, today } = await book.change((record) => {
    const day = dayOf(asked.now);
    // A clock that goes back begins no day anew.
    if (day > record.day) Object.assign(record, { day, sums: {} });
    const lefts = caps.flatMap(({ key, most }) => (most === undefined ? [] : most - sumOf(record, key)));
    const left = lefts.length === 0 ? undefined : lefts.reduce(least);
    const wanted = asked.amount ?? left ?? 0n;
    const amount = asked.atMost && left !== undefined ? least(wanted, left > 0n ? left : 0n) : wanted;
    // guard: client: a day has its limit, over all calls at once | gone | client/limits
    for (const cap of caps) assertWithin(record, cap, amount);
    for (const { key } of caps) record.sums[key] = (sumOf(record, key) + amount).toString();
    return { day: record.day, amount, today: sumOf(record, "all") };
  });
  let booked = amount;
  return {
    amount,
    today,
    lower(to) {
      const freed = booked - (to < 0n ? 0n : least(to, booked));
      booked -= freed;
      if (freed === 0n) return;
      const lower = (record: SpendingRecord) => {
        if (record.day !== day) return;
        for (const { key } of caps) {
          const sum = sumOf(record, key) - freed;
          record.sums[key] = (sum > 0n ? sum : 0n).toString();
        }
      };
      // A book that fails keeps counting what was not spent.
      Promise.resolve(book.change(lower)).catch(() => {});
    },
  };
}

function assertWithin(record: SpendingRecord, { key, option, most }: Cap, amount: Micros): void {
  const spent = sumOf(record, key);
  if (most === undefined || spent + amount <= most) return;
  const left = most > spent ? most - spent : 0n;
  throw aboveLimit(
    option,
    `allows ${fromMicros(most)} USD`,
    `This call costs ${fromMicros(amount)} USD, above what ${option}, ${fromMicros(most)} USD, leaves today: ${fromMicros(left)} USD.`,
  );
}

export const aboveLimit = (path: string, allows: string, message: string) =>
  new CapabilityError("SPENDING_LIMIT", message, { issues: [{ path, message: allows }] });
