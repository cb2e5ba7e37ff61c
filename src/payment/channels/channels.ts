/** Payment channels of a host: for each network with vouchers one guard, and one claimer behind it. */

import { lazy } from "../../lib/lazy.js";
import type { Logger } from "../../lib/logger.js";
import type { Micros } from "../../lib/money.js";
import type { LeaseOwner } from "../../stores/owner.js";
import type { Store } from "../../stores/store.js";
import type { DurableEvents, PlannedOutcome } from "../events/durable-events.js";
import type { Emit } from "../events/events.js";
import type { Ledger } from "../ledger/ledger.js";
import type { ChannelSums } from "../ledger/report.js";
import type { SaleEntry } from "../ledger/sales.js";
import { accountId } from "../networks/accounts.js";
import type { Rails } from "../networks/rails.js";
import { readChannelOptions } from "../options/channels.js";
import type { PaymentOptions } from "../options/options.js";
import { CHANNEL_SCHEME } from "../rails/channel.js";
import type { FacilitatorClient } from "../x402/facilitator.js";
import { PaymentRefused, type SettleResponse } from "../x402/refusal.js";
import type { PaymentPayload } from "../x402/wire.js";
import { createLedgerSync } from "./collect/ledger-sync.js";
import { sumsOf } from "./collect/sums.js";
import { type ChannelGuard, createChannelGuard } from "./vouchers/guard.js";
import { notedVoucher, soldByVoucher } from "./vouchers/noted-calls.js";
import { lookUpPlanned, type PlannedChannelEvent } from "./vouchers/planned-events.js";
import { createChannelRecords } from "./vouchers/record.js";
import type { RefundRequest } from "./vouchers/refund.js";

const refunds = lazy(() => import("./vouchers/refund.js"));
const claiming = lazy(() => import("./collect/claimer.js"));
const INTERVAL_MS = 30_000;

export interface Channels {
  /** The guard of a network; undefined if calls on it are not paid by voucher. */
  guard(network: string): ChannelGuard | undefined;
  /** Whether a payment asks to withdraw the rest of a deposit instead of buying something. */
  isRefund(payment: PaymentPayload): boolean;
  /** Rejects with PaymentRefused. */
  refund(
    payment: PaymentPayload,
    request: Omit<RefundRequest, "message">,
  ): Promise<{ receipt: SettleResponse; channelId: string }>;
  /** Takes the next voucher of a stream; resolves to the sum of all. Rejects with PaymentRefused. */
  takeVoucher(payment: PaymentPayload, stream: string): Promise<Micros>;
  /** Looks a sale or refund that was planned up in the records. */
  findPlanned(of: PlannedChannelEvent): Promise<PlannedOutcome>;
  /** The sale of a single call; undefined if none is noted, or nothing was charged for it. */
  soldByVoucher(requestId: string): Promise<SaleEntry | undefined>;
  /** One round of claims and sweeps; starts no new work after `endsAt` (of `performance.now()`). */
  run(endsAt?: number): Promise<number>;
  /** Sums over all channels, after their charges were written to the ledger. */
  sums(): Promise<ChannelSums>;
  /** Starts the rounds on a timer that keeps no process alive. */
  start(): void;
  stop(): void;
}

export interface ChannelsOptions {
  payment: PaymentOptions;
  rails: Rails;
  store: Store;
  facilitator: FacilitatorClient;
  ledger: Ledger;
  emit: Emit;
  durable?: DurableEvents | undefined;
  owner: LeaseOwner;
  logger: Logger;
  now: () => number;
}

/** Undefined if the host has no channels. Throws a TypeError that names the option. */
export function createChannels(options: ChannelsOptions): Channels | undefined {
  const { payment, rails, store, logger } = options;
  if (!payment.schemes?.includes(CHANNEL_SCHEME)) {
    if (payment.channels) throw new TypeError(`payment.channels is for payment.schemes with "${CHANNEL_SCHEME}".`);
    return undefined;
  }
  const policy = readChannelOptions(payment.channels);
  if (!store.shared && !payment.channels?.allowMemoryStore)
    throw new TypeError(
      `store: "${CHANNEL_SCHEME}" needs one that outlives the process, coinslot/stores/redis or postgres: vouchers are money until they are claimed. payment.channels.allowMemoryStore accepts that loss.`,
    );
  const networks = [...rails.values()].flatMap(({ channel }) => channel ?? []).map((rail) => open(rail));
  if (networks.length === 0) throw new TypeError(`payment.treasury has no network that takes "${CHANNEL_SCHEME}".`);

  function open(rail: ChannelGuard["rail"]) {
    const records = createChannelRecords(store, rail.network, rail.longestDelay);
    const guard = createChannelGuard({ ...options, rail, records, refundable: payment.channels?.refundable });
    const shared = { ...options, rail, records, chainState: guard.chainState };
    const ledgerSync = createLedgerSync(shared);
    // Loaded by the first round, which no call waits for.
    const claimer = lazy(async () => (await claiming()).createClaimer({ ...shared, policy, ledgerSync }));
    return { ...shared, guard, ledgerSync, claimer };
  }
  const of = (network: string) => networks.find(({ rail }) => rail.network === network);

  async function run(endsAt?: number): Promise<number> {
    let done = 0;
    for (const { claimer } of networks) done += await (await claimer()).run(endsAt);
    return done;
  }

  let timer: NodeJS.Timeout | undefined;

  function start(): void {
    if (timer) return;
    timer = setInterval(() => {
      run().catch((error: unknown) =>
        logger.error({ error }, "channels: a round of claims failed; the next one claims what is due"),
      );
    }, INTERVAL_MS);
    timer.unref();
  }

  return {
    guard: (network) => of(network)?.guard,
    isRefund: ({ scheme, network, payload }) =>
      scheme === CHANNEL_SCHEME && payload.type === "refund" && of(network) !== undefined,
    async refund(payment, request) {
      const network = of(payment.network);
      if (!network) throw new PaymentRefused("PAYMENT_NOT_OFFERED", "There are no channels on this network.");
      const message = await network.rail.read(payment);
      const receipt = await (await refunds()).refundChannel({ ...network, ...network.guard }, { ...request, message });
      return { receipt, channelId: message.id };
    },
    async takeVoucher(payment, stream) {
      const network = payment.scheme === CHANNEL_SCHEME ? of(payment.network) : undefined;
      if (!network) throw new PaymentRefused("PAYMENT_NOT_OFFERED", "A stream under way is paid by voucher alone.");
      return network.guard.streams.take(await network.rail.read(payment), stream);
    },
    async soldByVoucher(requestId) {
      const noted = payment.channels?.refundable && (await notedVoucher(store, requestId));
      const network = noted && of(noted.network);
      if (!network) return undefined;
      const { asset = "", payTo = "" } = network.rail.requirements(1n, 60) ?? {};
      return soldByVoucher({ ...network, account: accountId(noted.network, payTo), asset }, requestId, noted);
    },
    async findPlanned(asked) {
      const network = of(asked.network);
      return network && lookUpPlanned(network.records, asked);
    },
    run,
    sums: () => sumsOf(networks, policy, options.now()),
    start,
    stop: () => clearInterval(timer),
  };
}
