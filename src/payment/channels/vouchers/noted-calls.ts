/** Calls by voucher, found again by their request ids, so that a host can give the price of a single one back. */
import { z } from "zod";
import { once } from "../../../lib/lazy.js";
import { DAY_MS } from "../../../lib/time.js";
import type { Store } from "../../../stores/store.js";
import type { SaleEntry } from "../../ledger/sales.js";
import { CHANNEL_SCHEME } from "../../rails/channel.js";
import { provenBuyer } from "./changes.js";
import type { ChannelRecords } from "./record.js";

/** As long as replies are kept, which are the charges. */
const KEPT_MS = 7 * DAY_MS;

const keyOf = (requestId: string) => `voucher-call:${requestId}`;

const noted = once(() =>
  z.object({
    network: z.string(),
    channel: z.string(),
    reply: z.string(),
    flight: z.string(),
    endpoint: z.string(),
  }),
);
export type NotedVoucher = z.infer<ReturnType<typeof noted>>;

export async function noteVoucher(store: Store, requestId: string, call: NotedVoucher): Promise<void> {
  await store.put(keyOf(requestId), JSON.stringify(call), { ifVersion: 0, ttlMs: KEPT_MS });
}

export async function notedVoucher(store: Store, requestId: string): Promise<NotedVoucher | undefined> {
  const found = await store.get(keyOf(requestId));
  return found && noted().parse(JSON.parse(found.value));
}

interface Seller {
  records: ChannelRecords;
  /** CAIP-10 account that is paid, and its token. */
  account: string;
  asset: string;
}

/** The sale of a noted call; undefined if nothing was charged for it. */
export async function soldByVoucher(
  { records, account, asset }: Seller,
  requestId: string,
  { network, channel, reply: key, flight, endpoint }: NotedVoucher,
): Promise<SaleEntry | undefined> {
  const [reply, record] = await Promise.all([records.readReply(key), records.read(channel)]);
  if (!record || reply?.value.flight !== flight || reply.value.charge === 0n) return undefined;
  const { charge, at } = reply.value;
  return {
    ...{
      kind: "sale",
      scheme: CHANNEL_SCHEME,
      payment: `voucher ${key}`,
      endpoint,
      requestId,
      payer: provenBuyer(record.value),
    },
    ...{ account, network, asset, transaction: "", settled: charge, earned: charge },
    ...{ creditUsed: 0n, returned: 0n, credited: 0n, at, soldAt: at },
  };
}
