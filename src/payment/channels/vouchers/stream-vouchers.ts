/**
 * Vouchers of a stream while it runs. Each is kept in the channel's record with the call in flight, so that any
 * instance may take it, and a crash loses none. It charges nothing by itself: the end of the stream does, or what was
 * saved of its progress once its lease is over.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { least, type Micros } from "../../../lib/money.js";
import type { LeaseOwner } from "../../../stores/owner.js";
import type { ChannelMessage } from "../../rails/channel.js";
import { pending } from "../../record/pending.js";
import type { ChannelChainState } from "./chain-state.js";
import { change, sellable } from "./changes.js";
import type { ChannelPurchase, Progress, StreamParts } from "./purchase.js";
import type { ChannelRecord, ChannelRecords, Flight, Versioned } from "./record.js";
import { assertOpen, contested, noStream, notNext, published } from "./refusals.js";

/** Pauses between looks for a voucher that another instance took. */
const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 1000;

/** The part of a sale that concerns its stream. */
interface OpenStream extends StreamParts {
  /** Whether the channel's record was written since the call was reserved. */
  readonly wrote: boolean;
  advance(progress: Progress): Promise<void>;
  end(): void;
}

interface Opening extends Pick<ChannelPurchase, "fingerprint" | "parts"> {
  record: ChannelRecord;
  flight: Flight;
}

export interface StreamVouchers {
  open(sale: Opening): OpenStream;
  /**
   * Takes the next voucher of a stream, and resolves to the sum of all. Rejects with PaymentRefused, and changes nothing
   * then.
   */
  take(message: ChannelMessage, stream: string): Promise<Micros>;
}

interface StreamVoucherOptions {
  records: ChannelRecords;
  chainState: ChannelChainState;
  owner: LeaseOwner;
  now: () => number;
}

type Streaming = ChannelRecord & { flight: Flight & Required<Pick<Flight, "parts" | "voucher">> };

export function createStreamVouchers({ records, chainState, owner, now }: StreamVoucherOptions): StreamVouchers {
  /** Streams of this process: what to call with each new ceiling. */
  const running = new Map<string, (ceiling: Micros) => void>();

  function open({ record, flight, fingerprint, parts }: Opening): OpenStream {
    const { id, voucher } = flight;
    const { most, smallest, waitMs } = parts ?? { most: 0n, smallest: 0n, waitMs: 0 };
    let ceiling = voucher?.ceiling ?? record.charged;
    let wrote = false;
    let leftMs = waitMs;
    let onVoucher = () => {};
    const raise = (seen: Micros) => {
      wrote = true;
      if (seen > ceiling) ceiling = seen;
      onVoucher();
    };
    if (parts) running.set(id, raise);

    const covered = () => ceiling - record.charged;
    const mine = (found: ChannelRecord | undefined): Flight => {
      if (found?.flight?.id !== id) throw pending("This call was taken over by another attempt.");
      return found.flight;
    };

    /** Resolves with the next voucher taken here, after a while, or once the reader has left. */
    async function voucherOrPause(ms: number, signal: AbortSignal): Promise<void> {
      const over = new AbortController();
      const stop = () => over.abort();
      onVoucher = stop;
      signal.addEventListener("abort", stop, { once: true });
      if (!signal.aborted) await sleep(ms, undefined, { signal: over.signal }).catch(() => {});
      signal.removeEventListener("abort", stop);
      onVoucher = () => {};
    }

    return {
      id,
      waitMs,
      get covered() {
        return covered();
      },
      get wrote() {
        return wrote;
      },
      asked(needed) {
        const next = covered() + smallest;
        return next < needed ? needed : least(next, most);
      },
      async await(needed, { ask, signal }) {
        await ask();
        const since = performance.now();
        const rest = () => leftMs - (performance.now() - since);
        for (let pauseMs = FIRST_PAUSE_MS; covered() < needed && rest() > 0 && !signal.aborted; ) {
          await voucherOrPause(Math.min(pauseMs, rest()), signal);
          pauseMs = Math.min(pauseMs * 2, LAST_PAUSE_MS);
          if (covered() < needed) raise(mine((await records.read(record.id))?.value).voucher?.ceiling ?? 0n);
        }
        leftMs = rest();
        return covered() >= needed;
      },
      async advance(progress) {
        wrote = true;
        const saved = await change(records, record.id, (found) =>
          found.flight?.id === id
            ? { ...found, flight: { ...found.flight, progress: { ...progress, fingerprint } } }
            : undefined,
        );
        raise(mine(saved).voucher?.ceiling ?? 0n);
      },
      end: () => running.delete(id),
    };
  }

  /** The channel with this stream under way. */
  async function streaming(id: string, stream: string): Promise<Versioned<Streaming>> {
    const found = await records.read(id);
    const { flight } = found?.value ?? {};
    if (!found || flight?.id !== stream || !flight.parts || !flight.voucher || !flight.reply) throw noStream();
    // Its end is written there, and into the channel's record with the next call only.
    const ended = (await records.readReply(flight.reply))?.value.flight === stream;
    // guard: a voucher for a stream that is over is not taken | gone | stream-parts
    if (ended || !(await owner.isHeld(flight))) throw noStream();
    const record = await chainState.fresh(found.value);
    return { value: { ...record, flight } as Streaming, version: found.version };
  }

  async function take(message: ChannelMessage, stream: string): Promise<Micros> {
    // A deposit beside it is not made: its ceiling has to be covered without.
    if (message.kind === "refund") throw notNext("it asks for a refund");
    for (;;) {
      const { value: record, version } = await streaming(message.id, stream);
      assertNext(record, message.voucher.ceiling, now());
      const next = { ...record, flight: { ...record.flight, voucher: message.voucher } };
      if ((await records.write(next, version)) === undefined) continue;
      running.get(stream)?.(message.voucher.ceiling);
      return message.voucher.ceiling - record.charged;
    }
  }

  return { open, take };
}

/** Throws PaymentRefused unless a voucher pays for the next part of a stream. */
function assertNext(record: Streaming, ceiling: Micros, now: number): void {
  const { parts, voucher } = record.flight;
  const last = record.charged + parts.most;
  const least = voucher.ceiling + parts.smallest;
  if (record.published.includes(ceiling)) throw published();
  if (record.foreign !== undefined) throw contested();
  // guard: a voucher of a stream rises above the last | gone | stream-parts
  if (ceiling <= voucher.ceiling) throw notNext("its ceiling is not above the last one");
  // guard: vouchers of a stream end at its price | last -> 2n * last | stream-parts
  if (ceiling > last) throw notNext("its ceiling is above the price of the whole stream");
  // guard: a voucher of a stream pays for the smallest part at least | least && ceiling < last -> 0n | stream-parts
  if (ceiling < least && ceiling < last) throw notNext("its ceiling is raised by less than extra.minPart of the offer");
  if (ceiling > sellable(record)) throw notNext("the deposit does not cover its ceiling");
  assertOpen(record, now);
}
