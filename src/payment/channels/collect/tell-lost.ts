/** Tells of a channel's loss before the record says that it was told: a repetition after a crash has the same id. */
import { createHash } from "node:crypto";
import { fromMicros, type Micros } from "../../../lib/money.js";
import type { DurableEvents } from "../../events/durable-events.js";
import type { ChannelRecord, ChannelRecords } from "../vouchers/record.js";

export interface TellLostOptions {
  network: string;
  records: Pick<ChannelRecords, "read">;
  durable?: Pick<DurableEvents, "tell"> | undefined;
  now: () => number;
}

/** The loss when it was last told, and now. */
type Sums = (record: ChannelRecord) => { before: Micros; after: Micros };

/** Resolves to the loss that the record may count as told; undefined if nobody is told. */
export async function tellLost(
  { network, records, durable, now }: TellLostOptions,
  id: string,
  sums: Sums,
): Promise<Micros | undefined> {
  const found = durable && (await records.read(id));
  if (!durable || !found) return undefined;
  const { charged, balance } = found.value;
  const { before, after } = sums(found.value);
  if (after <= before) return after;
  const name = createHash("sha256").update([id, before, after, charged, balance].join(" ")).digest("hex").slice(0, 32);
  const data = { endpoint: "channels", network, channel: id, channelUsd: fromMicros(after - before) };
  await durable.tell("channel.loss", data, { id: `loss${name}`, at: 0, happenedAt: now() });
  return after;
}
