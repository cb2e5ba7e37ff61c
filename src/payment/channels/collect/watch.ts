/** Reports channels that another service claims with the host's key. */
import type { Logger } from "../../../lib/logger.js";
import { fromMicros, least } from "../../../lib/money.js";
import { change } from "../vouchers/changes.js";
import type { EmitChannelEvent } from "../vouchers/emit.js";
import type { ChannelRecord, ChannelRecords } from "../vouchers/record.js";
import { type TellLostOptions, tellLost } from "./tell-lost.js";

export interface WatchOptions extends TellLostOptions {
  records: ChannelRecords;
  logger: Logger;
  emitChannelEvent: EmitChannelEvent;
}

/**
 * Reports all such channels in each round: the loss once, the cause at each start of a process and for each new
 * channel.
 */
export function createWatch(options: WatchOptions) {
  const { network, records, logger, emitChannelEvent } = options;
  let warned = 0;

  /** The amount that others claimed by the record, reported first if it grew. */
  async function takenOf({ id, foreign = 0n, foreignTold }: ChannelRecord): Promise<bigint | undefined> {
    if (foreignTold === foreign) return foreign;
    let taken: bigint | undefined;
    let news = 0n;
    const most = await tellLost(options, id, (record) => ({
      before: record.foreignTold ?? 0n,
      after: record.foreign ?? 0n,
    }));
    await change(records, id, (record) => {
      taken = record.foreign === undefined ? undefined : least(record.foreign, most ?? record.foreign);
      news = (taken ?? 0n) - (record.foreignTold ?? 0n);
      return taken !== undefined && taken !== record.foreignTold ? { ...record, foreignTold: taken } : undefined;
    });
    if (news > 0n) emitChannelEvent("lost", news, { channel: id });
    return taken;
  }

  return async (seen: ChannelRecord[]): Promise<void> => {
    let [channels, usd] = [0, 0n];
    for (const record of seen) {
      const taken = await takenOf(record);
      if (taken === undefined) continue;
      channels++;
      usd += taken;
    }
    if (channels > warned)
      logger.error(
        { network, channels, usd: fromMicros(usd) },
        "channels: another service claims with the same key, out of a store of its own, and buyers spend one deposit at both; these channels buy nothing here any more. Give each service a payment.channels.signer of its own, or let all that share one use the same store.",
      );
    warned = channels;
  };
}
