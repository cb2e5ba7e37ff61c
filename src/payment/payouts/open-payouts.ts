/** The payouts of a host, loaded where a treasury is a list or the host asks: most hosts share with nobody. */
import { lazy } from "../../lib/lazy.js";
import type { Logger } from "../../lib/logger.js";
import { DAY_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";
import type { Admission } from "../admission/admission.js";
import { createRails, type Rails } from "../networks/rails.js";
import type { PaymentOptions } from "../options/options.js";
import type { RailSources } from "../rails/rail.js";
import type { OwnAccounts } from "../record/own-accounts.js";
import type { FacilitatorClient } from "../x402/facilitator.js";
import type { Payouts } from "./payouts.js";
import { sharesKey } from "./shares-key.js";

const INTERVAL_MS = 15_000;

const load = /* @__PURE__ */ lazy(() => import("./payouts.js"));

export interface OpenPayoutsOptions {
  payment: PaymentOptions;
  fetch: typeof globalThis.fetch | undefined;
  store: Store;
  own: OwnAccounts;
  ledger: { readonly days: number };
  rails: Rails;
  /** Of the rails that pay. */
  sources: RailSources;
  facilitator: FacilitatorClient;
  admission: Admission | undefined;
  now: () => number;
  logger: Logger;
}

export interface OpenPayouts extends Payouts {
  start(): void;
  stop(): void;
}

/** Throws a TypeError that names a wallet of `payment.payouts` that cannot pay. */
export function openPayouts({ payment, fetch, sources, ledger, ...shared }: OpenPayoutsOptions): OpenPayouts {
  const { own, logger } = shared;
  const rails = withPayoutWallets(payment, shared.rails, (options) => createRails(options, fetch, sources));
  const keptMs = ledger.days * DAY_MS;
  const payouts = lazy(async () => (await load()).createPayouts({ ...shared, rails, keptMs }));
  const isShared = own.names.some((account) => own.splitOf(account) || own.isFormer(account));
  /** Payouts that were begun go on after the host shares no more. */
  const wasShared = lazy(async () => {
    const found = await Promise.all(own.names.map((account) => shared.store.get(sharesKey(account))));
    return found.some((record) => record !== undefined);
  });
  let timer: NodeJS.Timeout | undefined;
  const run = async (endsAt?: number) => (isShared || (await wasShared()) ? (await payouts()).run(endsAt) : 0);
  const round = async () => {
    if (isShared || (await wasShared())) await run();
    else clearInterval(timer);
  };
  return {
    list: async () => (await payouts()).list(),
    pay: async (options) => (await payouts()).pay(options),
    run,
    start() {
      timer ??= setInterval(() => {
        round().catch((error: unknown) => logger.error({ error }, "payouts: a round failed; the next tries again"));
      }, INTERVAL_MS).unref();
    },
    stop: () => clearInterval(timer),
  };
}

/** The rails of a host, whose refunds are made by the wallets that payouts are paid from. */
function withPayoutWallets(payment: PaymentOptions, rails: Rails, create: (options: PaymentOptions) => Rails): Rails {
  const { payouts, treasury } = payment;
  if (!payouts) return rails;
  const paying = Object.fromEntries(Object.entries(treasury).filter(([network]) => payouts[network]));
  if (Object.keys(paying).length === 0) return rails;
  try {
    return new Map([...rails, ...create({ ...payment, treasury: paying, refunds: payouts })]);
  } catch (error) {
    // A rail knows these wallets by the option that they stand in for.
    if (!(error instanceof TypeError)) throw error;
    throw new TypeError(error.message.replaceAll("payment.refunds", "payment.payouts"), { cause: error });
  }
}
