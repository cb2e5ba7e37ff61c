/** A service that takes payment channels on a local chain, with a counted capability: what the tests of channels drive. */
import { buildChannelConfig, computeChannelId, signVoucher } from "@x402/evm/batch-settlement/client";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import type { AnyCapability, Context } from "../../src/capability/types.js";
import { createHandler } from "../../src/handler/handler.js";
import type { HandlerOptions } from "../../src/host/options.js";
import { fromMicros } from "../../src/lib/money.js";
import type { CallEvent } from "../../src/payment/events/events.js";
import type { ChannelOptions } from "../../src/payment/options/channels.js";
import type { PaymentOptions } from "../../src/payment/options/options.js";
import type { ChannelConfig } from "../../src/payment/rails/evm/channel-typed-data.js";
import type { PaymentRequirements } from "../../src/payment/x402/wire.js";
import type { Store } from "../../src/stores/store.js";
import type { ChannelChain } from "./channel-chain.js";
import { openStore } from "./channel-stores.js";
import { quoteOf, toHeader } from "./wallets.js";

export const TREASURY = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C";
export const AUTHORIZER = privateKeyToAccount(`0x${"22".repeat(32)}`);

export interface ChannelShopOptions extends Partial<Omit<HandlerOptions, "capabilities">> {
  /** Shared with another instance. */
  store?: Store;
  channels?: Partial<ChannelOptions>;
  /** Milliseconds that the service's clock is ahead. */
  ahead?: { ms: number };
  treasury?: string;
  assets?: PaymentOptions["assets"];
  /** Deposits are signed by the wall clock; a chain whose clock is ahead takes those that live long. */
  maxTimeoutSeconds?: number;
  /** Mounted besides. */
  more?: readonly AnyCapability[];
}

/** An empty store for instances in this process. */
export const sharedStore = (ahead = { ms: 0 }): Store => openStore(ahead);

export function openChannelShop(chain: ChannelChain, options: ChannelShopOptions = {}) {
  const {
    channels,
    more = [],
    maxTimeoutSeconds = 60,
    ahead = { ms: 0 },
    store = sharedStore(ahead),
    treasury = TREASURY,
    assets,
    ...given
  } = options;
  let runs = 0;
  const events: CallEvent[] = [];
  const behaviours: (() => Promise<void>)[] = [];
  const work = (id: string, price: string, usage = false) =>
    defineCapability({
      id,
      summary: `Counts its runs under ${id}.`,
      price,
      ...(usage ? { billing: "upto" as const } : {}),
      source: { provider: "test", url: "", license: "MIT" },
      input: () =>
        z.strictObject({
          n: z.int().min(0).max(100_000).describe("Any number"),
          used: z.int().min(-1).max(1_000_000).default(0).describe("What it uses, in millionths of a dollar"),
        }),
      output: one(z.object({ n: z.number(), run: z.number() })),
      example: { n: 1, used: 0 },
      ...(usage ? { estimate: () => "0.005" } : {}),
      async run({ n, used }: { n: number; used: number }, ctx: Context) {
        runs++;
        await behaviours.shift()?.();
        if (usage && used >= 0) ctx.meter.add(fromMicros(BigInt(used)));
        return { item: { n, run: runs } };
      },
    });
  const handle = createHandler({
    capabilities: [work("test.work", "0.001"), work("test.dear", "0.5"), work("test.metered", "0.01", true), ...more],
    payment: {
      treasury: { [chain.network]: treasury },
      ...(assets ? { assets } : {}),
      facilitator: chain.facilitator,
      rpc: { [chain.network]: chain.rpcUrl },
      schemes: ["exact", "batch-settlement"],
      channels: { signer: AUTHORIZER, ...channels },
      maxTimeoutSeconds,
    },
    trial: false,
    store,
    clock: () => new Date(Date.now() + ahead.ms),
    onCall: (event) => events.push(event),
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    ...given,
  });
  const fetch: typeof globalThis.fetch = (input, init) => handle(new Request(input, init));
  return { handle, fetch, events, behaviours, store, ahead, runs: () => runs };
}

export type ChannelShop = ReturnType<typeof openChannelShop>;
export const WORK = "http://shop.test/api/test/work";

interface Receipt {
  success: boolean;
  transaction: string;
  amount: string;
  extra: { chargedAmount: string; channelState: Record<string, string> };
}
export const receiptOf = (response: Response): Receipt =>
  JSON.parse(Buffer.from(response.headers.get("payment-response") ?? "bnVsbA==", "base64").toString());

/** A payment as stock buyers build it, with whatever is said here in the place of what they would say. */
export async function craft(
  offer: PaymentRequirements,
  account: PrivateKeyAccount,
  ceiling: bigint | string,
  { signer = account, config = {}, payload = {} }: CraftOptions = {},
): Promise<{ accepted: PaymentRequirements; payload: CraftedPayload; header: string }> {
  const deps = { signer: account as never, salt: `0x${"00".repeat(32)}` as const, storage: undefined as never };
  const channelConfig = { ...(buildChannelConfig(deps, offer as never) as ChannelConfig), ...config };
  const channelId = computeChannelId(channelConfig as never, offer.network as `${string}:${string}`);
  const signable = /^\d+$/.test(String(ceiling)) && BigInt(ceiling) < 2n ** 128n ? String(ceiling) : "1";
  const voucher = await signVoucher(signer as never, channelId, signable, offer.network as `${string}:${string}`);
  const made = {
    type: "voucher",
    channelConfig,
    voucher: { ...voucher, maxClaimableAmount: String(ceiling) },
    ...payload,
  };
  const payment = { x402Version: 2, accepted: offer, payload: made };
  return { accepted: offer, payload: made, header: toHeader(payment) };
}

export interface CraftedPayload {
  type: string;
  channelConfig: ChannelConfig;
  voucher: { channelId: string; maxClaimableAmount: string; signature: string };
}

export interface CraftOptions {
  signer?: PrivateKeyAccount;
  config?: Partial<ChannelConfig>;
  payload?: Record<string, unknown>;
}

/** The channel's offer of an endpoint. */
export async function offerOf(fetch: typeof globalThis.fetch, url = `${WORK}?n=1`): Promise<PaymentRequirements> {
  const offer = quoteOf(await fetch(url)).accepts.find(({ scheme }) => scheme === "batch-settlement");
  if (!offer) throw new Error("no channel is offered");
  return offer;
}

/** The header of a 402. */
export function correctionOf(response: Response) {
  const required = quoteOf(response);
  const extra = required.accepts.find(({ scheme }) => scheme === "batch-settlement")?.extra ?? {};
  return { error: required.error, schemes: required.accepts.map(({ scheme }) => scheme), extra };
}
