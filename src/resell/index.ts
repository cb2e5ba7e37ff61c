/** Selling what another origin sells: each call is forwarded, and paid there with the reseller's wallet. */
import type { AnyCapability, Context, Facts } from "../capability/types.js";
import type { Client } from "../client/types.js";
import { CapabilityError, type ErrorCode } from "../errors.js";
import { fromMicros } from "../lib/money.js";

/**
 * The same capabilities, run by another origin over a client that pays there. Mount them like any other: the buyer pays
 * this host's price, the client the other's, and what lies between is the margin. A call that would cost there more
 * than it is sold for here is not made; one that fails there fails here, and its buyer is not charged.
 *
 * Throws a TypeError for capabilities that keep state for the wallet that pays: there it would be the reseller's.
 * What is made of other calls, as a batch is, stays as it is: its calls are the ones that are mounted beside it.
 *
 * @example
 * const client = createClient({ baseUrl: "https://api.example.com", pay: x402Client, maxTotalUsd: "20" });
 * const handle = createHandler({ capabilities: resold(capabilities, client), pricing: { markup: 1.3 }, payment });
 */
export function resold(capabilities: readonly AnyCapability[], client: Pick<Client, "$call">): AnyCapability[] {
  return capabilities.map((capability) => (capability.composite ? capability : forwarded(capability, client)));
}

type Call = (id: string, input: unknown, options: object) => Promise<{ data: unknown; meta: { costUsd: string } }>;

function forwarded(capability: AnyCapability, client: Pick<Client, "$call">): AnyCapability {
  const { id, billing } = capability;
  if (capability.wallet)
    throw new TypeError(`${id} keeps state for the wallet that pays for it, so it cannot be resold.`);
  const ask = client.$call as unknown as Call;

  // What is forwarded is what the caller sent: the other origin reads it by itself.
  const parse: Facts["parse"] = async (sent, ctx) => ({ ...(await capability.parse(sent, ctx)), query: sent });
  const execute: Facts["execute"] = async ({ input, query: sent }, ctx) => {
    try {
      const maxUsd = fromMicros(await ctx.quote(capability, input));
      const { data, meta } = await ask(id, sent, { signal: ctx.signal, maxUsd });
      if (billing === "upto") ctx.meter.add(meta.costUsd);
      return data;
    } catch (error) {
      throw asUpstream(id, error, ctx);
    }
  };
  const copy = Object.defineProperties((...call: Parameters<AnyCapability>) => capability(...call), {
    // Descriptors and not values: reading the schemas here would build them.
    ...Object.getOwnPropertyDescriptors(capability),
    // The other origin has the keys, the files and the browser.
    requires: { value: [], enumerable: true },
    lacks: { value: () => [], enumerable: true },
    warmUp: { value: async () => {} },
    pixels: { value: () => 0 },
    resold: { value: true, enumerable: true },
    walletUse: { value: () => undefined },
    parse: { value: parse },
    execute: { value: execute },
    invoke: { value: async (sent: unknown, ctx: Context) => execute(await parse(sent, ctx), ctx, undefined) },
  });
  return copy as unknown as AnyCapability;
}

/** What the other origin says of our payment is nothing that the buyer could mend, nor about the buyer's own. */
const OURS: ReadonlySet<ErrorCode> = new Set([
  "SPENDING_LIMIT",
  "PAYMENT_REQUIRED",
  "SETTLEMENT_PENDING",
  "FACILITATOR_UNAVAILABLE",
  "ANSWER_NOT_KEPT",
  "PROVIDER_NOT_CONFIGURED",
  "INTERNAL",
]);

function asUpstream(id: string, error: unknown, ctx: Context): unknown {
  if (!CapabilityError.is(error) || !OURS.has(error.code)) return error;
  ctx.logger.warn({ endpoint: id, code: error.code, error }, "resell: the other origin did not sell");
  return new CapabilityError("UPSTREAM_ERROR", "The source of this endpoint cannot be reached at the moment.", {
    cause: error,
  });
}
