/** The budget of a client whose buyer has limits, and the judgement of a purchase before it is signed. */
import { fromMicros, least, type Micros } from "../../lib/money.js";
import type { Budget, CallLimits, Hold } from "../budget.js";
import type { BuyerLimits, Guard, GuardOptions, ReadLimits } from "../buyer-limits.js";
import { readUsd } from "../options.js";
import { aboveLimit, type Booking, bookDay, memoryBook } from "./days.js";
import { createTerms } from "./terms.js";

const shared = memoryBook();

function readLimits(limits: BuyerLimits): ReadLimits {
  const of = (name: string, usd: string | number | undefined) => readUsd(`limits.${name}`, usd);
  return {
    day: of("usdPerDay", limits.usdPerDay),
    sellerDay: of("sellerUsdPerDay", limits.sellerUsdPerDay),
    endpointDay: of("endpointUsdPerDay", limits.endpointUsdPerDay),
    endpoints: new Map(
      Object.entries(limits.endpoints ?? {}).map(([id, { usdPerDay, maxPerCallUsd }]) => [
        id,
        {
          day: of(`endpoints.${id}.usdPerDay`, usdPerDay),
          call: of(`endpoints.${id}.maxPerCallUsd`, maxPerCallUsd),
        },
      ]),
    ),
    askAbove: of("askAboveUsd", limits.askAboveUsd),
  };
}

export function createGuard({ limits, budget, baseUrl, fetch, maxBytes, now = Date.now }: GuardOptions): Guard {
  const read = readLimits(limits);
  const book = limits.book ?? shared;
  const seller = baseUrl;
  const terms = createTerms(limits, { baseUrl, fetch, maxBytes, book, now });
  const bookings = new WeakMap<Hold, Booking>();
  const bookedFor = ({ endpoint }: CallLimits) => ({ seller, endpoint: endpoint?.id, now: now() });

  /** One hold of both: of the client's budget, and of the day. */
  function joined(hold: Hold, booking: Booking): Hold {
    const both: Hold = {
      get amount() {
        return hold.amount;
      },
      lower(amount) {
        hold.lower(amount);
        booking.lower(hold.amount);
      },
      settle(cost) {
        hold.settle(cost);
        booking.lower(cost);
      },
      // A payment that may have been made counts in its day.
      keep: (until) => hold.keep(until),
      resume: () => hold.resume(),
    };
    bookings.set(both, booking);
    return both;
  }

  function assertCall(amount: Micros, id: string | undefined): void {
    const most = id === undefined ? undefined : read.endpoints.get(id)?.call;
    if (most === undefined || amount <= most) return;
    const option = `limits.endpoints.${id}.maxPerCallUsd`;
    throw aboveLimit(
      option,
      `allows ${fromMicros(most)} USD`,
      `This call costs ${fromMicros(amount)} USD, above ${option}, ${fromMicros(most)} USD.`,
    );
  }

  const guarded: Budget = {
    limits: (asked) => {
      const own = asked.endpoint && read.endpoints.get(asked.endpoint.id);
      const bounds = [read.day, read.sellerDay, read.endpointDay, read.askAbove, own?.day, own?.call];
      return budget.limits(asked) || bounds.some((one) => one !== undefined);
    },
    spending: () => budget.spending(),
    async reserve(amount, asked = {}) {
      assertCall(amount, asked.endpoint?.id);
      const hold = await budget.reserve(amount, asked);
      try {
        return joined(hold, await bookDay(book, read, { ...bookedFor(asked), amount }));
      } catch (error) {
        hold.settle(0n);
        throw error;
      }
    },
    async reserveMost(asked = {}) {
      const own = asked.endpoint && read.endpoints.get(asked.endpoint.id)?.call;
      // Nobody can be asked about a price that another party signs for.
      const bounds = [asked.most, own, read.askAbove].filter((one) => one !== undefined);
      const most = bounds.length === 0 ? undefined : bounds.reduce(least);
      const isBounded = budget.limits(asked) || most !== undefined;
      const hold = isBounded ? await budget.reserveMost({ ...asked, most }) : undefined;
      try {
        const booking = await bookDay(book, read, { ...bookedFor(asked), amount: hold?.amount, atMost: true });
        const held = hold ?? (await budget.reserve(booking.amount, asked));
        held.lower(booking.amount);
        return joined(held, booking);
      } catch (error) {
        hold?.settle(0n);
        throw error;
      }
    },
  };

  return {
    ...terms,
    budget: guarded,
    async approve(hold, { endpoint: { id: endpoint }, offers, signal }) {
      const { askAbove } = read;
      if (askAbove === undefined || hold.amount <= askAbove) return;
      const usd = fromMicros(hold.amount);
      const purchase = {
        ...{ seller, endpoint, usd, todayUsd: fromMicros(bookings.get(hold)?.today ?? 0n) },
        networks: [...new Set(offers.map(({ network }) => network))],
        payTo: [...new Set(offers.map(({ payTo = "" }) => payTo))],
        ...(signal ? { signal } : {}),
      };
      // guard: client: a person is asked above the bound | gone | client/limits
      if ((await limits.ask?.(purchase)) !== true)
        throw aboveLimit(
          "limits.askAboveUsd",
          `allows ${fromMicros(askAbove)} USD unless somebody agrees`,
          `This call costs ${usd} USD, and ${limits.ask ? "was not approved" : "nobody can be asked (limits.ask)"}: nothing was signed.`,
        );
    },
  };
}
